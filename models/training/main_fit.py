"""The main fit: all heads of a package together, on every label and on what the teachers say of the corpus. A part of train.py, and by itself on a GPU:

    python models/training/main_fit.py --package central-bank --parts parts --lessons kept/central-bank-lessons.npz --go-on-from models/central-bank --out fitted/central-bank.pt

`--parts` are what prepare.py wrote, `--lessons` what transformer_teachers.py or baseline.py did, a finished package or what this script wrote before; the encoder is a transformer's (pretrain_transformer.py), or one of convolutions with its vocabulary (train.py --pretrained).
Some fits need no lessons: --only-figures teaches how figures compare and nothing else, --only MODEL teaches some models new labels while the others hold on to what the network says. With --heads-alone too, only the weights that belong to these models alone learn;
with --as-twin they learn beside what the other package says of its corpus; --back-to, after a fit of --only, brings the others back to what they said before it, in the weights that belong to them alone, but for written sentences that they had misread. With --statements such fits hold on to statements that a program put together, too.
"""

import argparse
import copy
import json
import math
import random
import time
import warnings
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from pathlib import Path

import compared
import numpy as np
import torch
from baseline import WEAK_FOR_TAUGHT
from data import BY_GUIDE, PEOPLE, SAME_QUESTION, Example, HeldOut
from export import open_package
from fit import Encoded, fit, pad, predict
from label_model import rare_up
from labelling_functions import vote
from labels import PACKAGES, RELEVANCY, not_of
from model import OF_HEADS, Shape, WideDeep, columns_of, given_figures, reshaped, shape_of
from parties import FOREIGN_NATIONS, told_of_others
from plain import PLAIN
from prepare import Parts, read_parts
from settings import MOST_RARE_UP, TAUGHT, Settings
from teachers import Lessons, softmax
from tokenizers import Tokenizer
from transformer import Transformer, TransformerShape, first_device, load_encoder
from transformer_teachers import report
from weak import WeakExample

# How each network learns: rates of its encoder (or of all but the n-grams' weights) and of its heads (or of those weights), dropout, and the tokens of a batch.
RATES = {"transformer": {"lr": 6e-4, "second_lr": 1.5e-3, "dropout": 0.1, "tokens": 8000}, "convolutions": {"lr": 2e-3, "second_lr": 8e-3, "dropout": 0.25, "tokens": 6000}}


def paced(network: str, pace: float) -> dict[str, float]:
    """Its rates of learning, times `pace`."""
    return {name: RATES[network][name] * pace for name in ("lr", "second_lr")}


def read_lessons(paths: list[Path], parts: Parts, package: str) -> Lessons:
    """For the sentences of the same parts, what transformer_teachers.py joined, what baseline.py wrote, or what a finished package or a fitted network says; of several, the mean of those that answer for the head and the sentence."""
    heads = PACKAGES[package]
    read = [lessons_of_teachers(path, parts, heads) if path.suffix == ".npz" else lessons_of_network(path, parts, package) for path in paths]

    def mean(of: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Mean of empty slice")
            return {m: np.nanmean([each[m] for each in of if m in each], axis=0) for m in heads if any(m in each for each in of)}

    return Lessons(mean([each.known for each in read]), mean([each.corpus for each in read]))


def lessons_of_teachers(path: Path, parts: Parts, heads: dict[str, tuple[str, ...]]) -> Lessons:
    """What transformer_teachers.py joined; of baseline.py there is nothing on the heads that people labelled."""
    said = np.load(path)
    people = np.array([e.source in PEOPLE for e in parts.train])
    known = {}
    for model, labels in heads.items():
        if model in TAUGHT and f"people|{model}" in said:
            known[model] = np.full((len(parts.train), len(labels)), np.nan)
            known[model][people] = said[f"people|{model}"]
    return Lessons(known, {m: said[f"weak|{m}"].astype(np.float32) for m in heads if f"weak|{m}" in said})


def lessons_of_network(path: Path, parts: Parts, package: str) -> Lessons:
    """What a finished package, or what this script wrote, says of the same sentences: a network that goes on from it keeps what it knows while it learns new labels."""
    people = np.array([e.source in PEOPLE for e in parts.train])
    said = {m: softmax(logits) for m, logits in logits_of(path, package, [e.text for e in parts.train if e.source in PEOPLE] + [w.text for w in parts.weak_train]).items()}
    known = {m: np.full((len(parts.train), len(labels)), np.nan) for m, labels in PACKAGES[package].items() if m in TAUGHT}
    for m, target in known.items():
        target[people] = said[m][: people.sum()]
    return Lessons(known, {m: each[people.sum() :] for m, each in said.items()})


def logits_of(path: Path, package: str, texts: list[str]) -> dict[str, np.ndarray]:
    """Of every head, a row a text, by a finished package (which is calibrated) or what this script wrote."""
    net, tokenizer, settings = open_network(path, package)
    tokenizer.enable_truncation(settings.max_length)
    return predict(net.to(first_device()), [np.array(e.ids, np.int64) for e in tokenizer.encode_batch(texts)], 256)


def encode_targets(heads: dict[str, tuple[str, ...]], train: list[Example], weak: list[WeakExample], lessons: Lessons, tokenizer: Tokenizer, settings: Settings) -> Encoded:
    spans, n = columns_of(heads), len(train) + len(weak)
    target, weight = np.zeros((n, sum(map(len, heads.values()))), np.float32), np.zeros((n, len(heads)), np.float32)
    order = list(heads)
    weights = {"written": settings.weight_written, PLAIN: settings.weight_plain, **dict.fromkeys(BY_GUIDE, settings.weight_labelled), "as people": settings.weight_as_people}
    beside_people = weights | {"written": settings.weight_written_beside_people, **dict.fromkeys(BY_GUIDE, settings.weight_labelled_beside_people)}
    for i, example in enumerate(train):
        for model, label in example.labels.items():
            target[i, spans[model].start + heads[model].index(label)] = 1
            weight[i, order.index(model)] = (beside_people if model in TAUGHT else weights).get(example.source, settings.weight_people)
        for model, said in lessons.known.items():
            if not np.isnan(said[i, 0]):
                share = settings.teacher_share if model in example.labels else 1.0
                target[i, spans[model]] = share * said[i] + (1 - share) * target[i, spans[model]]
                weight[i, order.index(model)] = settings.weight_people if model in example.labels else settings.weight_corpus
    for model in (m for m in heads if m not in TAUGHT):
        # How common a label is among plain statements is ours to say.
        own = [i for i, e in enumerate(train) if model in e.labels and e.source != PLAIN]
        if not own:
            continue
        weight[own, order.index(model)] *= np.minimum(rare_up([train[i].labels[model] for i in own]), MOST_RARE_UP)
    for model, said in lessons.corpus.items():
        target[len(train) :, spans[model]] = said
        weight[len(train) :, order.index(model)] = settings.weight_corpus
        sure, _ = WEAK_FOR_TAUGHT.get(model, (None, 0))
        if sure is not None:
            rows = [i for i, example in enumerate(weak, start=len(train)) if example.labels.get(model) == sure]
            target[rows, spans[model]] = np.eye(len(heads[model]), dtype=np.float32)[heads[model].index(sure)]
    encodings = tokenizer.encode_batch([e.text for e in train] + [w.text for w in weak])
    hits: list[np.ndarray | None] = [None] * n
    for i, example in enumerate(weak, start=len(train)):
        if not example.spans:
            continue
        marks = np.zeros(len(encodings[i].ids), np.int64)
        for model, spans in example.spans.items():
            for k, (a, b) in enumerate(encodings[i].offsets):
                if b > a and any(a < end and b > begin for begin, end in spans):
                    marks[k] |= 1 << order.index(model)
        hits[i] = marks
    return Encoded([np.array(e.ids, dtype=np.int64) for e in encodings], hits, target, weight)


def main_fit(net: WideDeep | Transformer, parts: Parts, lessons: Lessons, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf) -> None:
    """`pace` multiplies the rates of learning; after `seconds` the fit ends (fit.py)."""
    data = encode_targets(net.heads, parts.train, parts.weak_train, lessons, tokenizer, settings)
    sampled = list(range(len(parts.train), len(data.ids)))
    network = "transformer" if isinstance(net, Transformer) else "convolutions"
    fit(net, data, repeated(parts.train, settings), sampled, settings.weak_per_epoch, settings.epochs, settings.seed, log, seconds=seconds, **RATES[network] | paced(network, pace))


def repeated(train: list[Example], settings: Settings) -> list[int]:
    """The places of the sentences of an epoch, each as often as it is learnt."""
    newest = max((e.writing for e in train), default=0)

    def times(e: Example) -> int:
        if e.source == "written":
            return settings.written_repeats * (settings.newest_repeats if e.writing == newest else 1)
        return settings.compared_repeats if e.kind == compared.NAME else 1

    return [i for i, e in enumerate(train) for _ in range(times(e))]


def fit_figures(net: WideDeep, parts: Parts, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf) -> None:
    """Learns nothing but what is added to figures that are compared: every other sentence is read as before. From labels alone, for nobody who could be asked about the corpus compares figures."""
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(name.startswith("compared."))
    train = [e for e in parts.train if any(c.isdigit() for c in e.text)]
    comparing = compared_in(net, [np.array(e.ids, np.int64) for e in tokenizer.encode_batch([e.text for e in train])])
    log(f"{len(comparing)} sentences compare figures")
    main_fit(net, replace(parts, train=[train[i] for i in sorted(comparing)], weak_train=[]), Lessons({}, {}), tokenizer, settings, log, pace, seconds)


# Of a fit that is to change little: less dropout, and fewer tokens hidden, for the network said of whole sentences what the other models hold on to.
ANEW = {"dropout": 0.15, "token_share": 0.03}


def own_labels(train: list[Example], models: list[str]) -> list[Example]:
    """The sentences of which one of these models has a label, with these labels alone."""
    return [replace(e, labels=own) for e in train if (own := {m: label for m, label in e.labels.items() if m in models})]


def beside_the_point(heads: dict[str, tuple[str, ...]], train: list[Example], models: list[str]) -> list[Example]:
    """The sentences that were written for other models, each with *Irrelevant* for those of these relevancy models whose labelling functions find no word in it, not even a weak one, and no reader said anything of that model. Half of what is written for a model is relevant; without these it takes the way in which sentences are written for a sign of its topic. They weigh as what a reader said beside a sentence, and count where rare labels are made heavier."""
    relevancies = [m for m in models if heads[m] == RELEVANCY]
    own = {(e.text, m) for e in train for m in (*e.labels, *e.unclear)}
    texts = dict.fromkeys(e.text for e in train if e.source == "written")
    found = (Example(text, {m: RELEVANCY[-1] for m in relevancies if (text, m) not in own and not vote(m, text).fired}, "beside") for text in texts)
    return [e for e in found if e.labels]


def in_heads_alone(net: WideDeep, models: Collection[str], learn: Callable[[], None]) -> None:
    """Does `learn` with nothing but what is these models' alone: of every other model each number stays what it was, and so does what all read a sentence with."""
    before = copy.deepcopy(net)
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(name.startswith("wide.") or name.split(".", 2)[-1].startswith(OF_HEADS))
    learn()
    # Weights that are in one table with these models' decay.
    for model in net.heads.keys() - set(models):
        net.take_head(model, before)


def fit_heads(net: WideDeep, models: list[str], parts: Parts, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf, others_irrelevant: bool = False) -> None:
    """Teaches these models their labels anew in what is theirs alone; `others_irrelevant`: and what beside_the_point says. A model that people labelled learns its labels with no teacher beside."""
    mine = own_labels(parts.train, models)
    others = beside_the_point(net.heads, parts.train, models) if others_irrelevant else []
    log(f"{len(mine)} sentences of {', '.join(models)}, for their heads alone, and {len(others)} that were written for other models")
    mine += others
    in_heads_alone(net, models, lambda: main_fit(net, replace(parts, train=mine, weak_train=[]), Lessons({}, {}), tokenizer, settings, log, pace, seconds))


def fit_as_twin(net: WideDeep, models: list[str], twin: Path, its_corpus: list[str], parts: Parts, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf) -> None:
    """Teaches these models, in what is theirs alone, their labels and what the models that ask the same in the other package, a finished one, say of sentences of its corpus: it has read far more of that kind of text. Of half as many of their own corpus they are to say what they said."""
    mine, draw = own_labels(parts.train, models), random.Random(settings.seed)
    share = settings.weak_per_epoch * settings.epochs // 3
    theirs, own_corpus = draw.sample(its_corpus, min(len(its_corpus), 2 * share)), draw.sample([w.text for w in parts.weak_train], min(len(parts.weak_train), share))
    data = encode_targets(net.heads, mine + [Example(text, {}, "") for text in theirs + own_corpus], [], Lessons({}, {}), tokenizer, settings)
    begin, end = len(mine), len(mine) + len(theirs)
    held, said = predict(net, data.ids[end:], 256), logits_of(twin, other_package(net.heads), theirs)
    log(f"{len(mine)} sentences of {', '.join(models)}, {len(theirs)} of which they learn what {twin} says, and {len(own_corpus)} of which they say what they said")
    for at, (model, own) in enumerate(columns_of(net.heads).items()):
        if model in models:
            data.target[begin:end, own], data.target[end:, own] = softmax(said[SAME_QUESTION[model]]), softmax(held[model])
            data.weight[begin:, at] = settings.weight_corpus
    in_heads_alone(net, models, lambda: fit(net, data, repeated(mine, settings), list(range(begin, len(data.ids))), settings.weak_per_epoch, settings.epochs, settings.seed, log, seconds=seconds, **paced("convolutions", pace), **ANEW))


def statements_of_others(train: list[Example], models: list[str], most: int, rng: random.Random) -> list[str]:
    """At most so many of the statements that a program put together of which another model than these has a label."""
    put_together = [e.text for e in train if e.source == PLAIN and not e.labels.keys() <= set(models)]
    return rng.sample(put_together, min(len(put_together), most))


def fit_back(net: WideDeep, models: list[str], before: WideDeep, parts: Parts, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf, statements: int = 0) -> None:
    """Brings all models but these back, in what is theirs alone, to what the network before said: of the sentences of people, of those labelled as theirs and of written ones, and of `weak_per_epoch` others and `statements` of those that a program put together (the same in each epoch). They are read whole and without dropout, for it is to say the same and not to find out what else could be said. Of a written sentence that the network before misread they learn the label, at the weight of all else, and it comes `written_repeats` times an epoch: what was written since is learnt so, and no error on a written sentence is taught."""
    always = [e.text for e in parts.train if e.source in PEOPLE or e.source == "as people"] + [e.text for e in parts.train if e.source == "written"]
    others = [e.text for e in parts.train if e.source == "labelled"] + [w.text for w in parts.weak_train]
    rng = random.Random(settings.seed)
    texts = list(dict.fromkeys(always + rng.sample(others, min(len(others), settings.weak_per_epoch)) + statements_of_others(parts.train, models, statements, rng)))
    data = encode_targets(net.heads, [Example(text, {}, "") for text in texts], [], Lessons({}, {}), tokenizer, settings)
    said, held = predict(before, data.ids, 256), [m for m in net.heads if m not in models]
    log(f"{len(texts)} sentences, of which {len(held)} models are to say what they said before")
    place = {text: i for i, text in enumerate(texts)}
    misread_rows: dict[int, None] = {}
    for at, (model, own) in enumerate(columns_of(net.heads).items()):
        if model not in held:
            continue
        data.target[:, own], data.weight[:, at] = softmax(said[model]), settings.weight_corpus
        written = [(place[e.text], net.heads[model].index(e.labels[model])) for e in parts.train if e.source == "written" and model in e.labels]
        misread = [(i, label) for i, label in written if said[model][i].argmax() != label]
        for i, label in misread:
            data.target[i, own] = np.eye(len(net.heads[model]), dtype=np.float32)[label]
        misread_rows |= dict.fromkeys(i for i, _ in misread)
        log(f"{model}: of {len(written)} written sentences {len(misread)} were misread before, and their label is learnt")
    in_heads_alone(net, held, lambda: fit(net, data, list(range(len(texts))) + list(misread_rows) * (settings.written_repeats - 1), [], 0, settings.epochs, settings.seed, log, seconds=seconds, **paced("convolutions", pace), dropout=0.0, token_share=0.0))


def fit_anew(net: WideDeep, models: list[str], parts: Parts, tokenizer: Tokenizer, settings: Settings, log, pace: float = 1.0, seconds: float = math.inf, other_parties: int = 0, statements: int = 0) -> None:
    """Teaches these models their labels anew, and the others what the network itself says of the same sentences, of `statements` that a program put together for them and of `weak_per_epoch` more an epoch: these hold on to what they know, and learn no label a second time. A model that people labelled learns its labels with no teacher beside. `other_parties`: so many times also each sentence of foreign nations that names a party, with other ones (parties.py)."""
    mine = own_labels(parts.train, models)
    if other_parties:
        retold = told_of_others(parts, other_parties, settings.seed)
        log(f"{len(retold)} sentences with other parties")
        mine += retold
    put_together = [Example(text, {}, "") for text in statements_of_others(parts.train, models, statements, random.Random(settings.seed))]
    # Each of these models is asked only where its own label is known: what it said elsewhere is what is to change.
    drawn = {e.text for e in put_together}
    others = [Example(text, {}, "") for text in dict.fromkeys((*(e.text for e in parts.train if e.labels.keys().isdisjoint(models)), *(w.text for w in parts.weak_train))) if text not in drawn]
    others = random.Random(settings.seed).sample(others, min(len(others), settings.weak_per_epoch * settings.epochs))
    data = encode_targets(net.heads, mine + put_together + others, [], Lessons({}, {}), tokenizer, settings)
    said, held_from = predict(net, data.ids, 256), len(mine) + len(put_together)
    log(f"{len(mine)} sentences of {', '.join(models)}, and what is held on to of these, of {len(put_together)} statements and of {len(others)} others")
    for at, (model, own) in enumerate(columns_of(net.heads).items()):
        if model not in models:
            data.target[:, own], data.weight[:, at] = softmax(said[model]), settings.weight_corpus
    fit(net, data, repeated(mine, settings) + list(range(len(mine), held_from)), list(range(held_from, len(data.ids))), settings.weak_per_epoch, settings.epochs, settings.seed, log, seconds=seconds, **paced("convolutions", pace), **ANEW)


def other_package(heads: Collection[str]) -> str:
    """The package that these are not the models of."""
    return next(package for package, models in PACKAGES.items() if models.keys().isdisjoint(heads))


def compared_in(net: WideDeep, rows: list[np.ndarray]) -> set[int]:
    """The places of the sentences in which figures are compared."""
    found: set[int] = set()
    order = sorted((i for i, row in enumerate(rows) if (row >= net.shape.vocab).sum() > 1), key=lambda i: len(rows[i]))
    for start in range(0, len(order), 512):
        part = order[start : start + 512]
        _, states = net.read(pad([rows[i] for i in part]))
        found.update(part[at] for at in states.any(1).nonzero().flatten().tolist())
    return found


def open_encoder(path: Path, package: str, settings: Settings) -> tuple[WideDeep | Transformer, Tokenizer]:
    """A network whose heads have learnt nothing yet, and its vocabulary."""
    heads = PACKAGES[package]
    torch.manual_seed(settings.seed)
    if path.with_suffix(".json").exists():
        tokenizer = Tokenizer.from_file(str(path.with_suffix(".json")))
        net = WideDeep(shape_of(tokenizer.get_vocab_size(), settings), heads)
        net.load_encoder({n: t.float() for n, t in torch.load(path, weights_only=True)["encoder"].items()})
        return given_figures(net, tokenizer)
    encoder, tokenizer = load_encoder(path, torch.device("cpu"))
    net = Transformer(encoder.shape, heads)
    net.encoder = encoder
    return net, tokenizer


def save_network(path: Path, net: WideDeep | Transformer, tokenizer: Tokenizer, settings: Settings) -> None:
    """Weights as fp16, with what is needed to open them again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    weights = {n: t.half().cpu() if t.is_floating_point() else t.cpu() for n, t in net.state_dict().items()}
    shape = json.dumps({"network": type(net).__name__, **net.shape.as_dict()})
    torch.save({"weights": weights, "shape": shape, "settings": json.dumps(asdict(settings)), "tokenizer": tokenizer.to_str()}, path)


def open_network(path: Path, package: str) -> tuple[WideDeep | Transformer, Tokenizer, Settings]:
    """What save_network wrote, or the folder of a finished package."""
    if path.is_dir():
        return open_package(path, package)
    kept = torch.load(path, map_location="cpu", weights_only=True)
    shape = json.loads(kept["shape"])
    if shape.pop("network") == WideDeep.__name__:
        net = WideDeep(Shape(**shape | {"dilations": tuple(shape["dilations"])}), PACKAGES[package])
    else:
        net = Transformer(TransformerShape(**shape), PACKAGES[package])
    net.load_state_dict({n: t.float() if t.is_floating_point() else t for n, t in kept["weights"].items()})
    settings = json.loads(kept["settings"])
    return net, Tokenizer.from_str(kept["tokenizer"]), Settings(**settings | {"dilations": tuple(settings["dilations"])})


@torch.no_grad()
def average(net: WideDeep | Transformer, before: WideDeep | Transformer, share: float) -> None:
    """The mean of both, in the first; `share` is that of the second."""
    for own, other in zip(net.parameters(), before.parameters(), strict=True):
        own.lerp_(other.to(own.device), share)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--name", default="", help="in front of each line of the log")
    for name in ("parts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, nargs="+", help="what the teachers said, the folder of a finished package or what this script wrote that is to be the teacher, or, beside another, what baseline.py wrote, which says nothing of the heads that people labelled; of several, their mean")
    begin = parser.add_mutually_exclusive_group(required=True)
    begin.add_argument("--encoder", type=Path, help="what was pretrained")
    begin.add_argument("--go-on-from", type=Path, help="what this script wrote before, or the folder of a finished package; where the settings have attention or fewer buckets of n-grams than it, it is given them, and likewise a way to compare figures (figures.py)")
    parser.add_argument("--average", type=float, nargs="?", const=0.5, metavar="SHARE", help="with --go-on-from: writes the mean of the weights before and after, of which those before have this share (by itself: a half)")
    parser.add_argument("--pace", type=float, default=1.0, help="times the rates of learning (default: %(default)s)")
    parser.add_argument("--only", nargs="+", metavar="MODEL", help="teaches these models their labels anew; the others hold on to what the network says. Goes on from a finished package (with --back-to and --heads-alone also from what such a fit wrote), without lessons; the settings that a card tells of are those of the last fit, so give those of the other models' too")
    parser.add_argument("--heads-alone", action="store_true", help="with --only: trains only the weights that belong to these models alone, so that every other model of model.onnx answers to the last bit as before")
    parser.add_argument("--others-irrelevant", action="store_true", help="with --heads-alone: relevancy models also learn that what was written for other models, and has no word of theirs, is irrelevant; for topics whose labelling functions miss little (HISTORY.md), such as precious metals and not the central banks' labour market")
    parser.add_argument("--as-twin", type=Path, metavar="FOLDER", help="with --heads-alone, of models that ask what one of the other package does (claims, time): they also learn what the finished package in FOLDER, the other one, says of its corpus, and hold on to what they said of theirs; --weak-per-epoch sentences an epoch, two thirds of them the other's")
    parser.add_argument("--other-parties", type=int, default=0, metavar="TIMES", help="with an --only that names cb_foreign_nations_relevancy, and without --heads-alone and --back-to: so many times also each of its sentences that names a party, with other ones (parties.py)")
    parser.add_argument("--back-to", type=Path, metavar="FOLDER", help="with --only, after a fit of --only: teaches these models nothing, and brings the heads of all others back to what the finished package in FOLDER says; of a written sentence that it misreads they learn the label, --written-repeats times an epoch. --go-on-from is the file that the fit wrote, which went on from the same FOLDER; --weak-per-epoch corpus sentences are learnt beside people's and written ones, the same in each epoch; --average mixes in the weights of FOLDER")
    parser.add_argument("--statements", type=int, default=0, metavar="N", help="with --only, and without --heads-alone: what the other models hold on to, or with --back-to are brought back to, has at most so many of the statements in it that a program put together for them, the same in each epoch")
    parser.add_argument("--only-figures", action="store_true", help="learns nothing but what is added to figures that are compared (figures.py), from labels: every other sentence is read as before; needs no lessons")
    parser.add_argument("--threads", type=int, default=1, help="of a processor (default: %(default)s); with both packages side by side on two cores leave it at one: with two each, an epoch took more than twice as long")
    parser.add_argument("--seconds", type=float, default=math.inf, help="that the epochs may take; the fit ends then, with the rates of learning at their end (default: as long as they need)")
    for name, default in asdict(Settings()).items():
        if isinstance(default, int | float):
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    if args.average is not None and not args.go_on_from:
        parser.error("--average needs --go-on-from")
    if args.average is not None and not 0 <= args.average <= 1:
        parser.error("--average is a share of 0 to 1")
    if (args.heads_alone or args.back_to) and not args.only or args.heads_alone and args.back_to:
        parser.error("--heads-alone and --back-to need --only, and go without each other")
    if args.back_to and not (args.back_to.is_dir() and args.go_on_from and args.go_on_from.is_file()):
        parser.error("--back-to is the folder of a finished package, and needs --go-on-from what a fit of --only wrote")
    if args.only and (args.only_figures or not (args.back_to or args.go_on_from and (args.go_on_from.is_dir() or args.heads_alone))):
        parser.error("--only needs --go-on-from a finished package (but with --back-to and --heads-alone), and goes without --only-figures")
    if args.statements and (args.heads_alone or not args.only):
        parser.error("--statements needs --only, and goes without --heads-alone")
    if args.statements < 0:
        parser.error("--statements is a number of statements")
    if args.other_parties and (FOREIGN_NATIONS not in (args.only or ()) or args.heads_alone or args.back_to):
        parser.error(f"--other-parties needs --only with {FOREIGN_NATIONS}, and goes without --heads-alone and --back-to")
    if args.lessons and (args.only or args.only_figures):
        parser.error("--only and --only-figures go without --lessons")
    if wrong := not_of(args.package, args.only or ()):
        parser.error(wrong)
    if args.others_irrelevant and not (args.heads_alone and any(PACKAGES[args.package][m] == RELEVANCY for m in args.only)):
        parser.error("--others-irrelevant needs --heads-alone, and a relevancy model")
    if args.as_twin and not (args.heads_alone and not args.others_irrelevant and args.as_twin.is_dir() and set(args.only) <= SAME_QUESTION.keys()):
        parser.error(f"--as-twin is the folder of a finished package, and needs --heads-alone, without --others-irrelevant, and models that both packages have: {', '.join(m for m in PACKAGES[args.package] if m in SAME_QUESTION)}")
    if not (args.only or args.only_figures or args.lessons):
        parser.error("--lessons is needed, but for --only and --only-figures")
    begun = time.time()
    log = lambda message: print(f"[{args.package} {args.name} {time.time() - begun:4.0f} s] {message}", flush=True)  # noqa: E731
    settings = replace(Settings(), **{n: getattr(args, n) for n, d in asdict(Settings()).items() if isinstance(d, int | float)})
    parts = read_parts(args.parts, args.package)
    net, tokenizer = open_network(args.go_on_from, args.package)[:2] if args.go_on_from else open_encoder(args.encoder, args.package, settings)
    if args.go_on_from and isinstance(net, WideDeep):
        torch.manual_seed(settings.seed)
        try:
            net = reshaped(net, shape_of(net.shape.vocab, settings))
        except ValueError as error:
            parser.error(str(error))
        if not net.shape.number:
            net, tokenizer = given_figures(net, tokenizer)
    before = copy.deepcopy(net) if args.average and not args.back_to else None
    if args.back_to:
        before, its_tokenizer, _ = open_network(args.back_to, args.package)
        if type(net) is not type(before) or net.shape != before.shape or tokenizer.get_vocab() != its_tokenizer.get_vocab():
            parser.error(f"{args.go_on_from} did not go on from {args.back_to}: its network or its vocabulary is another one")
        before.to(first_device())
    tokenizer.enable_truncation(settings.max_length)
    device = first_device()
    net.to(device)
    if device.type == "cpu":
        torch.set_num_threads(args.threads)
    if args.only_figures:
        fit_figures(net, parts, tokenizer, settings, log, args.pace, args.seconds)
    elif args.back_to:
        fit_back(net, args.only, before, parts, tokenizer, settings, log, args.pace, args.seconds, args.statements)
    elif args.as_twin:
        held_out = HeldOut([e.text for e in parts.tests], [e.text for e in parts.tests if e.source == "labelled"])
        its_corpus = [w.text for w in read_parts(args.parts, other_package(net.heads)).weak_train if w.text not in held_out]
        fit_as_twin(net, args.only, args.as_twin, its_corpus, parts, tokenizer, settings, log, args.pace, args.seconds)
    elif args.heads_alone:
        fit_heads(net, args.only, parts, tokenizer, settings, log, args.pace, args.seconds, args.others_irrelevant)
    elif args.only:
        fit_anew(net, args.only, parts, tokenizer, settings, log, args.pace, args.seconds, args.other_parties, args.statements)
    else:
        lessons = read_lessons(args.lessons, parts, args.package)
        log("lessons read")
        main_fit(net, parts, lessons, tokenizer, settings, log, args.pace, args.seconds)
    if args.average:
        average(net, before, args.average)
    said = predict(net, [np.array(e.ids, np.int64) for e in tokenizer.encode_batch([e.text for e in parts.kept])], 512)
    report("kept", parts.kept, {m: softmax(logits) for m, logits in said.items()}, net.heads, log)
    save_network(args.out, net, tokenizer, settings)


if __name__ == "__main__":
    main()
