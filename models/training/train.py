"""Trains, measures and exports both packages: python models/training/train.py --labels … --corpora … --out models"""

import argparse
import copy
import json
import random
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch

from baseline import WRITTEN_REPEATS, Baseline, Features, balanced_sample
from calibrate import calibrate, kept_for_calibration
from cards import write_cards
from check import check
from data import Example, HeldOut, read_corpus, read_people, read_written
from evaluate import score, shares
from export import export
from fit import Encoded, fit, predict, pretrain
from labelled import read_labelled
from labels import PACKAGES
from model import Shape, WideDeep
from tokenizer import save_tokenizer, train_tokenizer
from variants import add_variants
from weak import WeakExample, sample_weak

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Settings:
    seed: int = 7
    vocab_size: int = 12_000
    max_length: int = 256
    dim: int = 128
    dilations: tuple[int, ...] = (1, 2, 4)
    pretrain_steps: int = 2000
    epochs: int = 6
    weak_per_epoch: int = 26_000
    weak_at_random: int = 40_000
    weak_per_label: int = 2000
    baseline_weak: int = 4000
    teacher_networks: int = 2
    teacher_epochs: int = 5
    weight_people: float = 1.0
    weight_written: float = 1.5
    written_repeats: int = 6
    weight_labelled: float = 1.5
    labelled_repeats: int = 4
    weight_weak_fired: float = 0.5
    weight_weak_default: float = 0.2
    weight_teacher: float = 0.4

# The sources whose labels are people's.
PEOPLE = ("numerical_claims", "wcb_sentences", "fomc_stance")
# Nothing is learnt from the language model's labels of these: people labelled thousands, and it agrees with them on three in five.
NOT_LEARNT_FROM_LABELLED = ("cb_stance_label",)
# Models whose weak targets are the teacher's probabilities, since people labelled that kind of sentence.
TAUGHT = ("cb_stance_label", "cb_certain_label", "cb_forward_looking_classification", "ec_claim_projection")
# Labels for which "no rule fired" says little, since rules for direction and valence miss much.
WEIGHT_WEAK_DEFAULT = {"ec_financial_sentiment": 0.06, "ec_growth": 0.06, "ec_material_impact": 0.06}
# Weak labels that may enter the baseline of a model that people labelled, because people labelled few of them.
WEAK_FOR_TAUGHT = {"cb_stance_label": ("Irrelevant", 400)}


def train_package(package: str, args: argparse.Namespace, settings: Settings) -> dict:
    begun = time.time()

    def log(message: str) -> None:
        print(f"[{package} {time.time() - begun:5.0f} s] {message}", flush=True)

    heads, seed = PACKAGES[package], settings.seed
    people = read_people(package, args.labels, seed)
    written = read_written(package, HERE / "sentences", seed)
    labelled = read_labelled(package, HERE / "labelled", args.corpora)
    groups = read_corpus(package, args.corpora)
    known = people + written + labelled
    held_out = HeldOut([e.text for e in people + written if e.test], [e.text for e in labelled if e.test])
    known_train = [without(e, NOT_LEARNT_FROM_LABELLED) if e.source == "labelled" else e for e in known if not e.test and e.text not in held_out]
    kept = [e for e in known_train if kept_for_calibration(e, seed)]
    train = [e for e in known_train if not kept_for_calibration(e, seed)]
    log(f"{sum(map(len, groups.values()))} corpus sentences, {len(people)} people's, {len(written)} written, {len(labelled)} labelled by a language model")
    weak = sample_weak(package, groups, held_out, seed, settings.weak_at_random, settings.weak_per_label)
    weak_train, weak_test = [w for w in weak if not w.test], [w for w in weak if w.test]
    log(f"{len(weak_train)} weakly labelled sentences, {len(weak_test)} kept for agreement")

    baselines = fit_baselines(package, train, weak_train, settings)
    log("baselines fitted")
    rng = random.Random(seed)
    corpus = [s for group in sorted(groups) for s in groups[group] if s not in held_out]
    rng.shuffle(corpus)
    tokenizer = train_tokenizer(corpus[:150_000] + [e.text for e in train], settings.vocab_size)
    tokenizer.enable_truncation(settings.max_length)
    encode = lambda texts: [np.array(e.ids, dtype=np.int64) for e in tokenizer.encode_batch(texts)]  # noqa: E731
    torch.manual_seed(seed)
    shape = Shape(vocab=tokenizer.get_vocab_size(), dim=settings.dim, blocks=len(settings.dilations), dilations=settings.dilations)
    net = WideDeep(shape, heads)
    log(f"vocabulary of {shape.vocab}")
    if settings.pretrain_steps:
        rows = [r[:96] for r in encode(corpus) if len(r) > 8]
        pretrain(net, rows, seed, settings.pretrain_steps, log)

    teachers = teach(net, heads, train, weak_train, baselines, tokenizer, settings, log)
    data = encode_targets(heads, train, weak_train, teachers, tokenizer, settings)
    repeats = {"written": settings.written_repeats, "labelled": settings.labelled_repeats}
    fixed = [i for i, e in enumerate(train) for _ in range(repeats.get(e.source, 1))]
    fit(net, data, fixed, list(range(len(train), len(data.ids))), settings.weak_per_epoch, settings.epochs, seed, log)
    temperatures = calibrate(net, kept, encode([e.text for e in kept]))
    log(f"calibrated on {len(kept)}: {temperatures}")
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(parameter.half().float())

    folder = args.out / package
    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(tokenizer, folder, settings.max_length)
    tokenizer.enable_truncation(settings.max_length)
    export(net, folder / "model.onnx")
    write_config(folder, package, net, settings)
    tests = [e for e in known if e.test]
    checked = check(net, folder / "model.onnx", encode([e.text for e in tests]))
    log(f"exported: {checked}")

    result = {"check": checked, "models": measure(net, heads, encode, tests, weak_test, baselines)}
    sample = random.Random(seed + 1).sample(corpus, min(2000, len(corpus)))
    predicted = predict(net, encode(sample))
    result["shares"] = {"n": len(sample), "models": {m: shares([labels[i] for i in predicted[m].argmax(1)], labels) for m, labels in heads.items()}}
    result["training"] = {
        "people_train": dict(Counter(e.source for e in train if e.source in PEOPLE)),
        "written_train": sum(e.source == "written" for e in train),
        "labelled_train": sum(e.source == "labelled" for e in train),
        "weak_train": len(weak_train), "corpus_sentences": len(corpus), "settings": asdict(settings), "shape": shape.as_dict(), "temperatures": temperatures, "seconds": round(time.time() - begun),
    }
    log("measured")
    result["variants"] = add_variants(package, args.out, tests, groups, seed)
    log(f"variants made: {result['variants']['taken']}")
    return result


def without(example: Example, models: tuple[str, ...]) -> Example:
    return replace(example, labels={m: label for m, label in example.labels.items() if m not in models})


def fit_baselines(package: str, train: list[Example], weak: list[WeakExample], settings: Settings) -> dict[str, Baseline]:
    features = Features([e.text for e in train] + [w.text for w in weak[:: max(1, len(weak) // 12_000)]])
    out = {}
    for model, labels in PACKAGES[package].items():
        own = [(e.text, e.labels[model]) for e in train if model in e.labels]
        by_people = any(e.source in PEOPLE and model in e.labels for e in train)
        pairs = [p for e, p in zip([e for e in train if model in e.labels], own) for _ in range(1 if e.source in PEOPLE else WRITTEN_REPEATS)]
        if by_people:
            label, size = WEAK_FOR_TAUGHT.get(model, (None, 0))
            pairs += balanced_sample([(w.text, label) for w in weak if w.labels.get(model) == label and model in w.fired], size, settings.seed) if label else []
        else:
            pairs += balanced_sample([(w.text, w.labels[model]) for w in weak if model in w.labels], settings.baseline_weak, settings.seed)
        out[model] = Baseline(features, labels, [t for t, _ in pairs], [x for _, x in pairs], balanced=not by_people)
    return out


def teach(net: WideDeep, heads: dict[str, tuple[str, ...]], train: list[Example], weak: list[WeakExample], baselines: dict[str, Baseline], tokenizer, settings: Settings, log) -> dict[str, np.ndarray]:
    """Probabilities for the weak sentences: the mean of the baseline and of some networks fitted on people's, written and labelled sentences alone."""
    models = [m for m in TAUGHT if m in heads]
    if not models:
        return {}
    data = encode_targets(heads, train, [], {}, tokenizer, settings)
    rows = [np.array(e.ids, dtype=np.int64) for e in tokenizer.encode_batch([w.text for w in weak])]
    total: dict[str, np.ndarray] = {}
    for k in range(settings.teacher_networks):
        student = copy.deepcopy(net)
        fit(student, data, list(range(len(train))), [], 0, settings.teacher_epochs, settings.seed + 100 + k, log, token_share=0.1, dropout=0.4)
        for model, logits in predict(student, rows).items():
            if model in models:
                total[model] = total.get(model, 0) + torch.softmax(torch.from_numpy(logits), 1).numpy() / settings.teacher_networks
    matrix = baselines[models[0]].features([w.text for w in weak])
    out = {m: baselines[m].probabilities([], matrix) for m in models}
    log("teachers asked")
    return {m: (out[m] + total[m]) / 2 if m in total else out[m] for m in models}


def encode_targets(heads: dict[str, tuple[str, ...]], train: list[Example], weak: list[WeakExample], teachers: dict[str, np.ndarray], tokenizer, settings: Settings) -> Encoded:
    columns, start = {}, 0
    for model, labels in heads.items():
        columns[model] = start
        start += len(labels)
    n = len(train) + len(weak)
    target, weight, default = np.zeros((n, start), np.float32), np.zeros((n, len(heads)), np.float32), np.zeros((n, len(heads)), bool)
    order = list(heads)
    weights = {"written": settings.weight_written, "labelled": settings.weight_labelled}
    for i, example in enumerate(train):
        for model, label in example.labels.items():
            target[i, columns[model] + heads[model].index(label)] = 1
            weight[i, order.index(model)] = weights.get(example.source, settings.weight_people)
    for i, example in enumerate(weak, start=len(train)):
        for model, label in example.labels.items():
            target[i, columns[model] + heads[model].index(label)] = 1
            weight[i, order.index(model)] = settings.weight_weak_fired if model in example.fired else WEIGHT_WEAK_DEFAULT.get(model, settings.weight_weak_default)
            default[i, order.index(model)] = model not in example.fired
        for model, probabilities in teachers.items():
            row = slice(columns[model], columns[model] + len(heads[model]))
            hard = example.labels.get(model)
            irrelevant = hard == "Irrelevant"
            target[i, row] = target[i, row] if irrelevant else probabilities[i - len(train)]
            weight[i, order.index(model)] = settings.weight_teacher
            default[i, order.index(model)] = False
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
    return Encoded([np.array(e.ids, dtype=np.int64) for e in encodings], hits, target, weight, default)


def measure(net: WideDeep, heads: dict[str, tuple[str, ...]], encode, tests: list[Example], weak_test: list[WeakExample], baselines: dict[str, Baseline]) -> dict:
    out: dict[str, dict] = {m: {"people": {}, "people_by_source": {}, "labelled": {}, "written": {}, "weak_agreement": {}} for m in heads}
    logits = predict(net, encode([e.text for e in tests]))
    weak_logits = predict(net, encode([w.text for w in weak_test]))
    for model, labels in heads.items():
        rows = [i for i, e in enumerate(tests) if model in e.labels]
        predicted = {i: labels[logits[model][i].argmax()] for i in rows}
        confidence = torch.softmax(torch.from_numpy(logits[model]), 1).amax(1).numpy()
        theirs = dict(zip(rows, baselines[model].predict([tests[i].text for i in rows])))

        def scored(part: list[int]) -> dict:
            true = [tests[i].labels[model] for i in part]
            common = Counter(true).most_common(1)[0][1] / len(true)
            return {"model": score(true, [predicted[i] for i in part], confidence[part]), "baseline": score(true, [theirs[i] for i in part]), "majority_accuracy": round(common, 4)}

        by_people = [i for i in rows if tests[i].source in PEOPLE]
        by_reader = [i for i in rows if tests[i].source == "labelled"]
        by_hand = [i for i in rows if tests[i].source == "written"]
        if by_people:
            out[model]["people"] = scored(by_people)
            for source in sorted({tests[i].source for i in by_people}):
                out[model]["people_by_source"][source] = scored([i for i in by_people if tests[i].source == source])
        if by_reader:
            out[model]["labelled"] = scored(by_reader)
        out[model]["written"] = scored(by_hand)
        agree = [i for i, w in enumerate(weak_test) if model in w.labels]
        out[model]["weak_agreement"] = score([weak_test[i].labels[model] for i in agree], [labels[weak_logits[model][i].argmax()] for i in agree])
    return out


def write_config(folder: Path, package: str, net: WideDeep, settings: Settings) -> None:
    config = {
        "model_type": "fintext-wide-deep", "package": package, "max_length": settings.max_length, "pad_token_id": 0,
        "outputs": {m: {"id2label": {str(i): label for i, label in enumerate(labels)}} for m, labels in net.heads.items()},
        "shape": net.shape.as_dict(), "training": asdict(settings),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=Path("../shared/labels"))
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--package", choices=[*PACKAGES], action="append", help="only this package (the other's results are kept)")
    parser.add_argument("--threads", type=int, default=2)
    for name, default in asdict(Settings()).items():
        if isinstance(default, int | float):
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    settings = Settings(**{n: getattr(args, n) for n, d in asdict(Settings()).items() if isinstance(d, int | float)})
    path = HERE / "results.json" if args.out.resolve() == HERE.parent.resolve() else args.out / "results.json"
    results: dict[str, dict] = {}
    for package in args.package or PACKAGES:
        result = train_package(package, args, settings)
        results = {**(json.loads(path.read_text()) if path.exists() else {}), package: result}
        path.write_text(json.dumps({p: results[p] for p in PACKAGES if p in results}, indent=1) + "\n")
    write_cards(args.out, results)


if __name__ == "__main__":
    main()
