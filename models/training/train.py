"""Trains, measures and exports both packages: python models/training/train.py --labels … --corpora … --out models"""

import argparse
import hashlib
import json
import multiprocessing
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from baseline import WEAK_FOR_TAUGHT, WRITTEN_WEIGHT, Baseline, fit_baselines
from calibrate import calibrate
from cards import write_cards
from check import check
from data import PEOPLE, Example
from evaluate import shares
from export import JOINED, export
from fit import predict, pretrain
from label_model import label_corpus
from labels import PACKAGES
from main_fit import encode_targets, main_fit, open_network
from measure import measure
from model import WideDeep, given_figures, shape_of
from plain import PLAIN
from prepare import prepare, read_parts
from settings import TAUGHT, Settings, flags
from teachers import Lessons, Teaching, matrices, teach
from tokenizer import save_tokenizer, train_tokenizer
from tokenizers import Tokenizer
from variants import add_variants, results_of
from weak import WeakExample

# Settings that change nothing of what the teachers say.
OF_MAIN_FIT_ALONE = ("towers", "epochs", "weak_per_epoch", "written_repeats", "compared_repeats", "weight_corpus", "teacher_share")


def train_package(package: str, args: argparse.Namespace, settings: Settings) -> dict:
    begun = time.time()

    def log(message: str) -> None:
        print(f"[{package} {time.time() - begun:5.0f} s] {message}", flush=True)

    heads, seed, asked = PACKAGES[package], settings.seed, settings
    parts = read_parts(args.parts, package) if args.parts else prepare(package, args.labels, args.corpora, settings, log)
    train, weak_train = parts.train, parts.weak_train
    baselines: dict[str, Baseline] = {}
    if args.fitted:
        fitted = args.fitted / f"{package}.pt"
        net, tokenizer, settings = open_network(fitted if fitted.exists() else args.fitted / package, package)
        saved = 0.0
        if not isinstance(net, WideDeep):
            raise SystemExit(f"{fitted} holds a transformer, which export.py cannot write: fit convolutions (main_fit.py --encoder).")
    else:
        baselines = fit_baselines(package, train, weak_train, settings)
        log("baselines fitted")
        tokenizer, net, saved = pretrained(package, parts.corpus, parts.own_words, settings, args.pretrained, log)
        lessons = lessons_of(net, train, weak_train, baselines, tokenizer, settings, args, log)
        main_fit(net, parts, lessons, tokenizer, settings, log)
    tokenizer.enable_truncation(settings.max_length)
    encode = lambda texts: [np.array(e.ids, dtype=np.int64) for e in tokenizer.encode_batch(texts)]  # noqa: E731
    calibration = {} if args.calibrated is None else json.loads(results_of(args.out).read_text())[package]["training"]["calibration"]
    if args.calibrated != []:
        anew = calibrate(net, parts.kept, encode([e.text for e in parts.kept]), args.calibrated)
        log(f"calibrated on {len(parts.kept)}: {anew}")
        calibration |= anew
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(parameter.half().float())

    folder = args.out / package
    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(tokenizer, folder, settings.max_length)
    tokenizer.enable_truncation(settings.max_length)
    export(net, folder / "model.onnx")
    write_config(folder, package, net, settings)
    checked = check(net, folder / "model.onnx", encode([e.text for e in parts.tests]))
    log(f"exported: {checked}")

    variants = add_variants(package, args.out, parts.tests, parts.groups, seed)
    log(f"variants made: {variants['taken']}")
    # Of a network that was fitted elsewhere they are only to be measured beside: the package stands before them.
    baselines = baselines or fit_baselines(package, train, weak_train, asked)
    of_plain = fit_baselines(package, train, weak_train, asked, with_plain=True)
    result = {"check": checked, "variants": variants, "models": measure(package, lambda texts: predict(net, encode(texts)), parts.tests, parts.weak_test, baselines, of_plain)}
    sample = random.Random(seed + 1).sample(parts.corpus, min(2000, len(parts.corpus)))
    predicted = predict(net, encode(sample))
    result["shares"] = {"n": len(sample), "models": {m: shares([labels[i] for i in predicted[m].argmax(1)], labels) for m, labels in heads.items()}}
    result["training"] = {
        "people_train": dict(Counter(e.source for e in train if e.source in PEOPLE)),
        "written_train": sum(e.source == "written" for e in train),
        "plain_train": sum(e.source == PLAIN for e in train),
        "beside_train": sum(e.source == "beside" for e in train),
        "labelled_train": sum(e.source == "labelled" for e in train),
        "as_people_train": sum(e.source == "as people" for e in train),
        "fitted_elsewhere": args.fitted is not None, "weak_train": len(weak_train), "corpus_sentences": len(parts.corpus), "settings": asdict(settings), "shape": net.shape.as_dict(), "calibration": calibration, "seconds": round(time.time() - begun + saved),
    }
    log("measured")
    return result


def pretrained(package: str, corpus: list[str], known: list[str], settings: Settings, folder: Path | None, log) -> tuple[Tokenizer, WideDeep, float]:
    """A vocabulary, a network whose encoder was pretrained on the corpus (where all numbers are one), and the seconds that this took an earlier run; kept in `folder`, where there is one, by the hash of all that they are made of."""
    begun, saved = time.time(), 0.0
    made_of = [package, settings.seed, settings.vocab_size, settings.dim, settings.dilations, settings.attention, settings.views, settings.pretrain_steps, torch.get_num_threads()]
    digest = hashlib.sha256(json.dumps([made_of, corpus, known]).encode()).hexdigest()[:16]
    words, weights = ((folder / f"{package}-{digest}{end}" if folder else None) for end in (".json", ".pt"))
    there = words is not None and words.exists() and weights.exists()
    tokenizer = Tokenizer.from_file(str(words)) if there else train_tokenizer(corpus[:150_000] + known, settings.vocab_size)
    tokenizer.enable_truncation(settings.max_length)
    torch.manual_seed(settings.seed)
    net = WideDeep(shape_of(tokenizer.get_vocab_size(), settings), PACKAGES[package])
    log(f"vocabulary of {net.shape.vocab}")
    if there:
        kept = torch.load(weights)
        net.load_encoder(kept["encoder"])
        saved = kept["seconds"]
        log(f"encoder read, which took {saved:.0f} s to make")
    elif settings.pretrain_steps:
        rows = [np.array(e.ids, dtype=np.int64)[:96] for e in tokenizer.encode_batch(corpus)]
        pretrain(net, [r for r in rows if len(r) > 8], settings.seed, settings.pretrain_steps, log)
        net.load_encoder(net.encoder())
        if words is not None:
            folder.mkdir(parents=True, exist_ok=True)
            tokenizer.save(str(words))
            torch.save({"encoder": net.encoder(), "seconds": time.time() - begun}, weights)
    net, tokenizer = given_figures(net, tokenizer)
    return tokenizer, net, saved


def lessons_of(net: WideDeep, train: list[Example], weak: list[WeakExample], baselines: dict[str, Baseline], tokenizer: Tokenizer, settings: Settings, args: argparse.Namespace, log) -> Lessons:
    """What the teachers say; kept beside the pretrained encoder by the hash of all that they learn from, so that another main fit need not ask them again."""
    teaching = {n: v for n, v in asdict(settings).items() if n not in OF_MAIN_FIT_ALONE}
    made_of = [teaching, [[e.text, e.labels, e.source] for e in train], [[w.text, w.labels, sorted(w.fired)] for w in weak], [t.double().sum().item() for t in net.encoder().values()]]
    digest = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:16]
    path = args.pretrained and args.pretrained / f"lessons-{digest}.npz"
    if path and path.exists():
        log("lessons read")
        kept = np.load(path)
        of = lambda part: {n.partition(" ")[2]: kept[n] for n in kept.files if n.startswith(part)}  # noqa: E731
        return Lessons(of("known "), of("corpus "))
    lessons = ask_teachers(net, train, weak, baselines, tokenizer, settings, args.folds_at_once, log)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, **{f"known {m}": said for m, said in lessons.known.items()}, **{f"corpus {m}": said for m, said in lessons.corpus.items()})
    return lessons


def ask_teachers(net: WideDeep, train: list[Example], weak: list[WeakExample], baselines: dict[str, Baseline], tokenizer: Tokenizer, settings: Settings, at_once: int, log) -> Lessons:
    """What the corpus's sentences are taken for: of the models that people labelled by the teachers, of the others by the mean of the label model and of the teachers' networks."""
    also: dict[str, list[tuple[int, str]]] = {}
    for m, (label, size) in [(m, given) for m, given in WEAK_FOR_TAUGHT.items() if m in net.heads]:
        fired = [i for i, w in enumerate(weak) if w.labels.get(m) == label and m in w.fired]
        also[m] = [(i, label) for i in random.Random(settings.seed).sample(fired, min(size, len(fired)))]
    texts = [w.text for w in weak]
    rows = [np.array(e.ids, dtype=np.int64) for e in tokenizer.encode_batch(texts)]
    data = encode_targets(net.heads, train, [], Lessons({}, {}), tokenizer, settings)
    teaching = Teaching(settings.teacher_folds, settings.teacher_epochs, settings.teacher_dropout, settings.seed, at_once)
    weights = {"written": WRITTEN_WEIGHT, PLAIN: settings.weight_plain, "as people": settings.weight_as_people, **{s: 1.0 for s in PEOPLE}}
    weight_of = lambda example, model: weights.get(example.source, settings.weight_labelled_beside_people if model in TAUGHT else settings.weight_labelled)  # noqa: E731
    train_matrix, corpus_matrix = matrices([e.text for e in train], texts, next(iter(baselines.values())).features)
    others = {m: labels for m, labels in net.heads.items() if m not in TAUGHT}
    labelled = label_corpus(others, train, weak, train_matrix, corpus_matrix)
    log(f"the label model of {len(others)} heads has labelled the corpus")
    taught, networks = teach(net, [m for m in TAUGHT if m in net.heads], weight_of, train, train_matrix, corpus_matrix, also, data, rows, teaching, log)
    return Lessons(taught.known, {**taught.corpus, **{m: (said + networks[m]) / 2 for m, said in labelled.items()}})


def write_config(folder: Path, package: str, net: WideDeep, settings: Settings) -> None:
    config = {
        "model_type": "fintext-wide-deep", "package": package, "max_length": settings.max_length, "pad_token_id": 0,
        "outputs": {m: {"id2label": {str(i): label for i, label in enumerate(labels)}} for m, labels in net.heads.items()}, "joined": JOINED,
        "shape": net.shape.as_dict(), "training": asdict(settings),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def main() -> None:
    parser = flags(__doc__)
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--package", choices=[*PACKAGES], action="append", help="only this package (the other's results are kept)")
    parser.add_argument("--pretrained", type=Path, help="a folder that keeps pretrained encoders and what the teachers said, so that another run on the same sentences need not make them again")
    parser.add_argument("--parts", type=Path, help="a folder that prepare.py wrote; without it, the sentences are prepared")
    parser.add_argument("--fitted", type=Path, help="a folder of networks that main_fit.py fitted to the same parts: they are calibrated, exported and measured")
    parser.add_argument("--calibrated", nargs="*", metavar="MODEL", help="with --fitted, of networks that main_fit.py --only or --only-figures taught: the packages that they went on from were calibrated, and lie in --out. These models, which --only taught anew, are calibrated again and no others; without names none are. Without the flag all are")
    parser.add_argument("--folds-at-once", type=int, default=1, help="processes for the teachers' folds, a core each (default: %(default)s)")
    for name, default in asdict(Settings()).items():
        if isinstance(default, int | float):
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    settings = Settings(**{n: getattr(args, n) for n, d in asdict(Settings()).items() if isinstance(d, int | float)})
    unknown = set(args.calibrated or ()) - {model for package in args.package or PACKAGES for model in PACKAGES[package]}
    if unknown or args.calibrated is not None and not args.fitted:
        parser.error(f"no package has a model {', '.join(sorted(unknown))}" if unknown else "--calibrated needs --fitted")
    path = results_of(args.out)
    results: dict[str, dict] = {}
    packages = args.package or list(PACKAGES)
    # A process a package and a thread a process: two threads of one network wait for each other more than they help.
    with ProcessPoolExecutor(len(packages), multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        running = {pool.submit(train_package, package, args, settings): package for package in packages}
        for done in as_completed(running):
            # Read anew, for another process may have trained the other package meanwhile.
            results = (json.loads(path.read_text()) if path.exists() else {}) | {running[done]: done.result()}
            path.write_text(json.dumps({p: results[p] for p in PACKAGES if p in results}, indent=1) + "\n")
    write_cards(args.out, results)


if __name__ == "__main__":
    main()
