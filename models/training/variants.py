"""Makes the variants of finished packages, each from its model.onnx, measures them beside it, and says in config.json which of them the engine takes:

    python models/training/variants.py --labels ../shared/labels --corpora ../shared/corpora --models models

`model_quantized.onnx` is for the CPU, `model_fp16.onnx` for a GPU. Writes results.json and the cards too.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from cards import write_cards
from check import check, outputs_of, session, throughput
from data import PEOPLE, Example, read_corpus, read_people, read_written
from evaluate import score
from export import build, open_package
from labelled import read_labelled
from labels import PACKAGES
from model import WideDeep
from onnx import ModelProto, TensorProto, helper
from rewrite import activations, halve, quantize, rounded, vectorize
from settings import flags
from tokenizers import Tokenizer

HERE = Path(__file__).parent
FULL = "model.onnx"
FILES = {"full": FULL, "quantized": "model_quantized.onnx", "fp16": "model_fp16.onnx"}
SEED = 7
BATCH, MULTIPLE = 32, 8
CORPUS_SENTENCES = 20_000
# Half a point of F1, in the mean of a package's heads: in a test part of some hundred sentences a single one can be more.
MOST_LOST = 0.005
ROUNDS = 12


def add_variants(package: str, models: Path, tests: list[Example], groups: dict[str, list[str]], seed: int = SEED) -> dict:
    """Makes both files, names in config.json those that the engine takes, and returns what was measured."""
    make_variants(package, models, seed)
    measured = measure(package, models / package, tests, sample(groups, seed))
    complete_config(models / package, measured["taken"])
    return measured


def complete_config(folder: Path, taken: dict[str, str]) -> None:
    """Names the files that the engine takes, and the hashes by which it finds a damaged one."""
    path = folder / "config.json"
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (*FILES.values(), "tokenizer.json")}
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"variants": taken, "sha256": hashes}, indent=2) + "\n")


def make_variants(package: str, models: Path, seed: int = SEED) -> None:
    """The files' bytes depend on the weights in model.onnx, the tokenizer and the written sentences alone. model.onnx itself is written as `export` writes it today."""
    folder = models / package
    model = laid_out(package, folder)
    sentences = list(dict.fromkeys(e.text for e in read_written(package, HERE / "sentences") if not e.test))
    # Of the network that compares no figures, so that what is added for these few moves nothing that others are read by.
    without_figures = build(without_compared(open_package(folder, package)[0]))
    made = {"full": vectorize(model), "quantized": quantize(model, find_ranges(without_figures, encoder(folder)(sentences))), "fp16": halve(model)}
    for variant, proto in made.items():
        (folder / FILES[variant]).write_bytes(proto.SerializeToString(deterministic=True))


def without_compared(net: WideDeep) -> WideDeep:
    if net.compared is not None:
        torch.nn.init.zeros_(net.compared.weight)
    return net


def laid_out(package: str, folder: Path) -> ModelProto:
    """The graph of the shipped weights before any rewriting: what all variants are made of."""
    return build(open_package(folder, package)[0])


def encoder(folder: Path) -> Callable[[list[str]], list[np.ndarray]]:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(config["max_length"])
    return lambda texts: [np.array(e.ids, np.int64) for e in tokenizer.encode_batch(texts)]


def padded(rows: list[np.ndarray]) -> dict[str, np.ndarray]:
    """As the engine feeds them: to a multiple of 8."""
    width = -(-max(len(row) for row in rows) // MULTIPLE) * MULTIPLE
    ids = np.zeros((len(rows), width), np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
    return {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64)}


def find_ranges(model: ModelProto, rows: list[np.ndarray]) -> dict[str, float]:
    """The largest magnitude of each activation that `quantize` asks for."""
    names = activations(model)
    watched = ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    run = session(watched.SerializeToString())
    found = dict.fromkeys(names, 0.0)
    for row in rows:
        for name, values in zip(names, run.run(names, padded([row]))):
            found[name] = max(found[name], float(np.abs(values).max()))
    return found


def sample(groups: dict[str, list[str]], seed: int) -> list[str]:
    sentences = [s for group in sorted(groups) for s in groups[group]]
    return random.Random(seed).sample(sentences, min(CORPUS_SENTENCES, len(sentences)))


def measure(package: str, folder: Path, tests: list[Example], corpus: list[str]) -> dict:
    """Of model.onnx and each variant: size, speed, F1 of each head on the test parts, and how many labels of corpus sentences differ from those of model.onnx.

    The arithmetic of fp16 is that of `rounded`: on a CPU the file itself would be computed in fp32.
    """
    encode = encoder(folder)
    test_rows, corpus_rows = encode([e.text for e in tests]), encode(corpus)
    runs = {variant: session(folder / file) for variant, file in FILES.items()}
    speeds = measure_speeds({v: run for v, run in runs.items() if v != "fp16"}, Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size())
    runs["fp16"] = session(rounded(laid_out(package, folder)).SerializeToString())
    reference = {model: logits.argmax(1) for model, logits in ask(runs["full"], corpus_rows).items()}
    found: dict[str, dict] = {}
    for variant, file in FILES.items():
        found[variant] = {"file": file, "megabytes": round((folder / file).stat().st_size / 1e6, 2), "sentences_per_second_per_core": speeds.get(variant), "f1": f1_of_heads(package, ask(runs[variant], test_rows), tests)}
        if variant != "full":
            differ = {model: float((logits.argmax(1) != reference[model]).mean()) for model, logits in ask(runs[variant], corpus_rows).items()}
            found[variant]["labels_that_differ"] = round(float(np.mean(list(differ.values()))), 6)
            found[variant]["labels_that_differ_at_most"] = round(max(differ.values()), 6)
            found[variant]["mean_change"] = round(mean_change(found["full"]["f1"], found[variant]["f1"]), 4)
    good = {v for v in found if v != "full" and found[v]["mean_change"] >= -MOST_LOST}
    faster = found["quantized"]["sentences_per_second_per_core"] >= found["full"]["sentences_per_second_per_core"]
    taken = {"cpu": FILES["quantized" if "quantized" in good and faster else "full"], "gpu": FILES["fp16" if "fp16" in good else "full"]}
    return {"of": hashlib.sha256((folder / FULL).read_bytes()).hexdigest(), "corpus_sentences": len(corpus), "files": found, "taken": taken}


def ask(run: ort.InferenceSession, rows: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Logits by output, in the order of the rows."""
    names = outputs_of(run)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out: dict[str, np.ndarray] = {}
    for at in range(0, len(order), BATCH):
        part = order[at : at + BATCH]
        for name, logits in zip(names, run.run(names, padded([rows[i] for i in part]))):
            out.setdefault(name, np.zeros((len(rows), logits.shape[1]), np.float32))[part] = logits
    return out


def measure_speeds(runs: dict[str, ort.InferenceSession], vocab: int) -> dict[str, int]:
    """As check.py measures it, in turns and the best of several, so that what else the machine does touches all alike."""
    best = dict.fromkeys(runs, 0)
    for _ in range(ROUNDS):
        for variant, run in runs.items():
            best[variant] = max(best[variant], throughput(run, outputs_of(run), vocab))
    return best


def f1_of_heads(package: str, logits: dict[str, np.ndarray], tests: list[Example]) -> dict[str, dict]:
    """By head and by part of the test sentences, where it has any: macro and weighted F1. The written parts are too small for this, and statements that a program put together are no people's."""
    out: dict[str, dict] = {}
    for model, labels in PACKAGES[package].items():
        parts: dict[str, list[int]] = {}
        for i, example in enumerate(tests):
            if model in example.labels and example.source in ("labelled", *PEOPLE):
                parts.setdefault("people" if example.source in PEOPLE else "labelled", []).append(i)
        out[model] = {}
        for part, chosen in sorted(parts.items(), reverse=True):
            found = score([tests[i].labels[model] for i in chosen], [labels[k] for k in logits[model][chosen].argmax(1)])
            out[model][part] = {name: found[name] for name in ("n", "macro_f1", "weighted_f1")}
    return out


def mean_change(full: dict[str, dict], other: dict[str, dict]) -> float:
    """Of the macro F1, over all heads and parts."""
    return float(np.mean([other[model][part]["macro_f1"] - scores["macro_f1"] for model, parts in full.items() for part, scores in parts.items()]))


def options(description: str) -> argparse.ArgumentParser:
    """What a script that works on finished packages is told: where labels, corpora and packages are, and which packages."""
    parser = flags(description)
    parser.add_argument("--models", type=Path, default=HERE.parent)
    parser.add_argument("--package", choices=[*PACKAGES], action="append", help="only this package")
    return parser


def results_of(models: Path) -> Path:
    """Of the shipped packages it lies with the training, of others beside them."""
    return (HERE if models.resolve() == HERE.parent.resolve() else models) / "results.json"


def main() -> None:
    args = options(__doc__).parse_args()
    path = results_of(args.models)
    results = json.loads(path.read_text())
    for package in args.package or PACKAGES:
        known = read_people(package, args.labels, SEED) + read_written(package, HERE / "sentences") + read_labelled(package, HERE / "labelled", args.corpora)
        tests, folder = [e for e in known if e.test], args.models / package
        measured = add_variants(package, args.models, tests, read_corpus(package, args.corpora))
        results[package] |= {"variants": measured, "check": check(open_package(folder, package)[0], folder / FULL, encoder(folder)([e.text for e in tests]))}
        for variant, found in measured["files"].items():
            print(package, variant, {k: v for k, v in found.items() if k != "f1"}, flush=True)
        print(package, "taken:", measured["taken"], flush=True)
    path.write_text(json.dumps(results, indent=1) + "\n")
    write_cards(args.models, results)


if __name__ == "__main__":
    main()
