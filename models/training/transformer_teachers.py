"""Teachers that are transformers: one for each fold of people's sentences, fitted to all the others' labels on a pretrained encoder (pretrain_transformer.py), on a GPU.

    python models/training/transformer_teachers.py --package central-bank --parts parts --tokenizer parts/tokenizer.json --encoder kept/teacher.pt --fold 0 --out kept/central-bank-0.npz
    python models/training/transformer_teachers.py --package central-bank --parts parts --join kept/central-bank-?.npz --out kept/central-bank-lessons.npz

What each says of every sentence becomes the lessons of main_fit.py. Of models that people labelled thousands of sentences for, a teacher has two heads: one learns from people's labels and those given as people would have,
with the guide's beside them at a small weight, the other from the guide's; so these teach the encoder without drawing people's head away. Written sentences and plain and turned statements teach both.
A teacher may be started before the encoder is there: it waits for it with its sentences read.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from data import BY_GUIDE, PEOPLE, WRITTEN_IN_OTHER_WORDS, WRITTEN_WITH_A_TURN, Example
from evaluate import f1s
from fit import Encoded, fit, predict
from label_model import rare_up
from labels import PACKAGES
from model import columns_of
from plain import PLAIN
from prepare import Parts, read_parts
from settings import MOST_RARE_UP, TAUGHT, Settings
from teachers import fold_of, softmax
from tokenizers import Tokenizer
from transformer import Encoder, Transformer, first_device, load_encoder

OF_GUIDE = " by the guide"
# Beside people's labels, in their own head.
WEIGHT_OF_GUIDE = 0.1
EPOCHS, TOKENS, LR, HEADS_LR, DROPOUT = 4, 12_000, 3e-4, 1e-3, 0.1
# In an epoch: people's labels are few beside those that a language model gave as they would have, and written sentences beside all.
TWICE = ("written", *PEOPLE)
# Plain and turned statements, a fresh part an epoch: they are many, and alike.
STATEMENTS_PER_EPOCH = 40_000
# Seconds for the encoder to be pretrained.
LONGEST_WAIT = 3600


def heads_of(package: str) -> dict[str, tuple[str, ...]]:
    own = PACKAGES[package]
    return own | {m + OF_GUIDE: own[m] for m in TAUGHT if m in own}


def targets(heads: dict[str, tuple[str, ...]], examples: list[Example], tokenizer: Tokenizer, settings: Settings) -> Encoded:
    spans, order = columns_of(heads), list(heads)
    target = np.zeros((len(examples), sum(map(len, heads.values()))), np.float32)
    weight = np.zeros((len(examples), len(heads)), np.float32)
    weights = {"written": settings.weight_written, PLAIN: settings.weight_plain, **dict.fromkeys(BY_GUIDE, settings.weight_labelled), "as people": settings.weight_as_people}
    for i, example in enumerate(examples):
        for model, label in example.labels.items():
            usual = weights.get(example.source, settings.weight_people)
            heads_that_learn = [(model, WEIGHT_OF_GUIDE if example.source in BY_GUIDE and model in TAUGHT else usual)]
            if model in TAUGHT and example.source in ("written", PLAIN, *BY_GUIDE):
                heads_that_learn.append((model + OF_GUIDE, usual))
            for name, value in heads_that_learn:
                target[i, spans[name].start + heads[name].index(label)] = 1
                weight[i, order.index(name)] = value
    for model in (m for m in heads if m not in TAUGHT):
        # As in main_fit.py: how common a label is among plain statements is ours to say.
        own = np.array([i for i in np.flatnonzero(weight[:, order.index(model)]) if examples[i].source != PLAIN], int)
        weight[own, order.index(model)] *= np.minimum(rare_up([heads[model][k] for k in target[own, spans[model]].argmax(1)]), MOST_RARE_UP)
    return Encoded(encoded(tokenizer, examples), [None] * len(examples), target, weight)


def encoded(tokenizer: Tokenizer, examples: list) -> list[np.ndarray]:
    return [np.array(e.ids, np.int64) for e in tokenizer.encode_batch([e.text for e in examples])]


def teach(args: argparse.Namespace, parts: Parts, settings: Settings, log) -> None:
    device, heads = first_device(), heads_of(args.package)
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    tokenizer.enable_truncation(settings.max_length)
    kept = [i for i, e in enumerate(parts.train) if fold_of(e, settings.teacher_folds) != args.fold]
    learnt = [parts.train[i] for i in kept]
    data = targets(heads, learnt, tokenizer, settings)
    fixed = [i for i, e in enumerate(learnt) if e.source != PLAIN for _ in range(2 if e.source in TWICE else 1)]
    statements = [i for i, e in enumerate(learnt) if e.source == PLAIN]
    asked = {name: encoded(tokenizer, examples) for name, examples in (("train", [e for e in parts.train if fold_of(e, settings.teacher_folds) == args.fold]), ("kept", parts.kept), ("tests", parts.tests), ("weak", parts.weak_train))}
    log(f"{len(fixed)} sentences and {len(statements)} statements read")
    encoder = wait_for_encoder(args.encoder, tokenizer, device, log)
    torch.manual_seed(settings.seed + args.fold)
    net = Transformer(encoder.shape, heads).to(device)
    net.encoder = encoder
    fit(net, data, fixed, statements, STATEMENTS_PER_EPOCH, args.epochs, settings.seed + args.fold, log, lr=args.lr, second_lr=HEADS_LR, token_share=0.08, dropout=DROPOUT, tokens=TOKENS, seconds=args.seconds)
    said = {}
    for name, rows in asked.items():
        for model, logits in predict(net, rows, 512).items():
            said[f"{name}|{model}"] = softmax(logits).astype(np.float16)
    report("alone", parts.kept, {m: said[f"kept|{m}"] for m in heads}, heads, log)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(args.out, fold=args.fold, **said)


def report(who: str, examples: list[Example], said: dict[str, np.ndarray], heads: dict[str, tuple[str, ...]], log) -> None:
    """F1 where there are thirty sentences: weighted on people's, macro on those labelled by the guide and on written ones, also on those in other words. Of those with a turn, and of plain and turned statements, the share that is right."""
    lines, macros = [], []
    for model, labels in ((m, labels) for m, labels in heads.items() if not m.endswith(OF_GUIDE)):
        for source in (*PEOPLE, "labelled", "written", WRITTEN_WITH_A_TURN, WRITTEN_IN_OTHER_WORDS, PLAIN):
            own = [i for i, e in enumerate(examples) if e.source == source and model in e.labels]
            if len(own) < 30:
                continue
            head = model + OF_GUIDE if source not in PEOPLE and model + OF_GUIDE in said else model
            true, found = np.array([labels.index(examples[i].labels[model]) for i in own]), said[head][own].argmax(1)
            macro, weighted = f1s(true * len(labels) + found, len(labels), len(labels))
            value = weighted if source in PEOPLE else float((true == found).mean()) if source in (WRITTEN_WITH_A_TURN, PLAIN) else macro
            macros += [value] if source == "labelled" else []
            lines.append(f"{model} {source} {len(own)} {value:.3f}")
    log(f"{who}: mean by the guide {np.mean(macros):.4f}; " + "; ".join(lines))


def wait_for_encoder(path: Path, tokenizer: Tokenizer, device: torch.device, log) -> Encoder:
    """What pretrain_transformer.py wrote, or is about to write, with this vocabulary. ValueError: with another. TimeoutError: nothing came in an hour."""
    if not path.exists():
        log(f"waiting for {path}")
    begun = time.time()
    while not path.exists():
        if time.time() - begun > LONGEST_WAIT:
            raise TimeoutError(f"{path} is not there after {LONGEST_WAIT} s: has pretrain_transformer.py ended without it?")
        time.sleep(0.5)
    encoder, own = load_encoder(path, device)
    if own.get_vocab() != tokenizer.get_vocab():
        raise ValueError(f"{path} was pretrained with another vocabulary")
    return encoder


def join(args: argparse.Namespace, parts: Parts, settings: Settings, log) -> None:
    """The mean of the folds; of people's sentences what the one says that has not seen them, nothing (NaN) where that fold is not among these. Of what is kept and of the test part the mean is written too, to measure them with others."""
    heads = heads_of(args.package)
    folds = [np.load(path) for path in args.join]
    fold = np.array([fold_of(e, settings.teacher_folds) for e in parts.train])
    mean = lambda name: np.mean([f[name].astype(np.float32) for f in folds], 0)  # noqa: E731
    out = {f"{name}|{model}": mean(f"{name}|{model}").astype(np.float16) for name in ("kept", "tests") for model in heads}
    for model, labels in PACKAGES[args.package].items():
        known = np.full((len(parts.train), len(labels)), np.nan, np.float16)
        for said in folds:
            known[fold == said["fold"]] = said[f"train|{model}"]
        out[f"people|{model}"] = known[fold >= 0]
        out[f"weak|{model}"] = mean(f"weak|{model}").astype(np.float16)
    report("together, kept", parts.kept, {m: out[f"kept|{m}"] for m in heads}, heads, log)
    report("together, test", parts.tests, {m: out[f"tests|{m}"] for m in heads}, heads, log)
    np.savez_compressed(args.out, **out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--parts", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, help="the encoder's vocabulary")
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seconds", type=float, default=math.inf, help="that the epochs may take; the fit ends then, with the rates of learning at their end (default: as long as they need)")
    parser.add_argument("--lr", type=float, default=LR)
    parser.add_argument("--join", type=Path, nargs="+", help="what the folds said")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if not args.join and not (args.tokenizer and args.encoder):
        parser.error("a fit needs --tokenizer and --encoder")
    begun = time.time()
    log = lambda message: print(f"[{args.package} {args.fold if not args.join else 'joined'} {time.time() - begun:4.0f} s] {message}", flush=True)  # noqa: E731
    parts = read_parts(args.parts, args.package)
    (join if args.join else teach)(args, parts, Settings(), log)


if __name__ == "__main__":
    main()
