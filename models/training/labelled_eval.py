"""Scores shipped packages on the test part of the sentences that a language model labelled, in all and by how they were drawn, beside always giving the commonest label and beside what its readers agree among themselves.

python models/training/labelled_eval.py --corpora ../shared/corpora [--models models] [--package central-bank]
"""

import argparse
import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import onnxruntime as ort
from evaluate import score
from labelled import TEST, load_rows
from labels import PACKAGES
from tokenizers import Tokenizer

HERE = Path(__file__).parent
BATCH = 32
# The later drawings of the test part, as `drawn` begins; what is neither is of the first drawing.
UNSEEN = "unseen "
RANDOM = "unseen random"


def predict(folder: Path, texts: list[str]) -> dict[str, list[str]]:
    """The label that every model of a package gives every text."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(config["max_length"])
    tokenizer.enable_padding(pad_id=config["pad_token_id"])
    options = ort.SessionOptions()
    options.log_severity_level = 3
    run = ort.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = list(config["outputs"])
    wanted = {i.name for i in run.get_inputs()}
    out: dict[str, list[str]] = {name: [""] * len(texts) for name in names}
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for at in range(0, len(order), BATCH):
        rows = order[at : at + BATCH]
        encoded = tokenizer.encode_batch([texts[i] for i in rows])
        ids = np.array([e.ids for e in encoded], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.array([e.attention_mask for e in encoded], np.int64), "token_type_ids": np.zeros_like(ids)}
        for name, logits in zip(names, run.run(names, {k: v for k, v in feed.items() if k in wanted})):
            for i, best in zip(rows, logits.argmax(1)):
                out[name][i] = config["outputs"][name]["id2label"][str(best)]
    return out


def compare(package: str, models: Path, corpora: Path) -> list[dict]:
    texts, rows = zip(*((text, row) for text, row in load_rows(HERE / "labelled" / f"{package}.jsonl", corpora) if row["part"] == TEST))
    predicted = predict(models / package, list(texts))
    table = []
    for model, labels in PACKAGES[package].items():
        chosen = [i for i, row in enumerate(rows) if model in row["labels"]]
        true = {i: rows[i]["labels"][model] for i in chosen}
        counts = Counter(true.values())
        line = {"model": model, "counts": {label: counts[label] for label in labels}}
        line["majority"] = score(list(true.values()), [counts.most_common(1)[0][0]] * len(chosen))
        drawings = {"all": chosen, "first": [i for i in chosen if not drawn(rows[i]).startswith(UNSEEN)], "random": [i for i in chosen if drawn(rows[i]) == RANDOM]}
        drawings["sought"] = [i for i in chosen if drawn(rows[i]).startswith(UNSEEN) and drawn(rows[i]) != RANDOM]
        for name, own in drawings.items():
            if own:
                line[name] = score([true[i] for i in own], [predicted[model][i] for i in own])
        line["readers"] = between_readers([[reading[model] for reading in rows[i]["readings"]] for i in chosen])
        table.append(line)
    return table


def drawn(row: dict) -> str:
    return row.get("drawn", "")


def between_readers(said: list[list[str]]) -> float:
    """The mean macro F1 of each reader beside each other one."""
    readers = range(min(map(len, said)))
    return float(np.mean([score([one[a] for one in said], [one[b] for one in said])["macro_f1"] for a, b in permutations(readers, 2)])) if len(readers) > 1 else float("nan")


def show(table: list[dict]) -> str:
    names = [name for name in ("first", "random", "sought") if any(name in line for line in table)]
    lines = ["| model | n | labels | accuracy | macro F1 (95%) | " + " | ".join(f"{name}: n, macro F1" for name in names) + " | commonest label: accuracy, macro F1 | between readers, macro F1 |", "|---|---|---|---|---|" + "---|" * len(names) + "---|---|"]
    for line in table:
        mine, plain = line["all"], line["majority"]
        low, high = mine["macro_f1_95"]
        parts = [f"{line[name]['n']}, {line[name]['macro_f1']:.3f}" if name in line else "" for name in names]
        readers = "" if np.isnan(line["readers"]) else f"{line['readers']:.3f}"
        counts = ", ".join(f"{label} {n}" for label, n in line["counts"].items())
        lines.append(f"| `{line['model']}` | {mine['n']} | {counts} | {mine['accuracy']:.3f} | {mine['macro_f1']:.3f} ({low:.3f}–{high:.3f}) | {' | '.join(parts)} | {plain['accuracy']:.3f}, {plain['macro_f1']:.3f} | {readers} |")
    means = [f"{np.mean([line[name]['macro_f1'] for line in table if name in line]):.3f}" for name in names]
    lines.append(f"| mean of {len(table)} | | | | {np.mean([line['all']['macro_f1'] for line in table]):.3f} | {' | '.join(means)} | {np.mean([line['majority']['macro_f1'] for line in table]):.3f} | {np.nanmean([line['readers'] for line in table]):.3f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=HERE.parent)
    parser.add_argument("--package", choices=list(PACKAGES))
    args = parser.parse_args()
    for package in [args.package] if args.package else PACKAGES:
        if (HERE / "labelled" / f"{package}.jsonl").exists():
            print(f"\n## {package}\n\n{show(compare(package, args.models, args.corpora))}")


if __name__ == "__main__":
    main()
