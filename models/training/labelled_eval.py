"""Scores shipped packages on the sentences of the corpora that a language model labelled, beside always giving the commonest label and beside a second reader.

python models/training/labelled_eval.py --corpora ../shared/corpora [--models models] [--package central-bank]
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
import onnxruntime as ort
from evaluate import score
from labelled import load_rows
from labels import PACKAGES
from tokenizers import Tokenizer

HERE = Path(__file__).parent
BATCH = 32


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
    texts, rows = zip(*load_rows(HERE / "labelled" / f"{package}.jsonl", corpora))
    predicted = predict(models / package, list(texts))
    table = []
    for model, labels in PACKAGES[package].items():
        line: dict = {"model": model}
        for part in ("test", "all"):
            chosen = [i for i, row in enumerate(rows) if model in row["labels"] and part in (row["part"], "all")]
            if not chosen:
                continue
            true = [rows[i]["labels"][model] for i in chosen]
            counts = Counter(true)
            majority = counts.most_common(1)[0][0]
            line[part] = {
                "counts": {label: counts[label] for label in labels},
                "model": score(true, [predicted[model][i] for i in chosen]),
                "majority": score(true, [majority] * len(chosen)),
            }
            if all(model in rows[i].get("second", {}) for i in chosen):
                line[part]["second"] = score(true, [rows[i]["second"][model] for i in chosen])
        table.append(line)
    return table


def show(table: list[dict]) -> str:
    lines = ["| model | part | n | labels | accuracy | macro F1 | majority accuracy | majority macro F1 | second reader macro F1 |", "|---|---|---|---|---|---|---|---|---|"]
    means: dict[str, list[tuple[float, float, float]]] = {}
    for line in table:
        for part in ("test", "all"):
            if part not in line:
                continue
            at = line[part]
            counts = ", ".join(f"{label} {n}" for label, n in at["counts"].items())
            mine, plain = at["model"], at["majority"]
            second = at.get("second", {}).get("macro_f1", float("nan"))
            means.setdefault(part, []).append((mine["macro_f1"], plain["macro_f1"], second))
            lines.append(f"| `{line['model']}` | {part} | {mine['n']} | {counts} | {mine['accuracy']:.3f} | {mine['macro_f1']:.3f} | {plain['accuracy']:.3f} | {plain['macro_f1']:.3f} | {'' if np.isnan(second) else f'{second:.3f}'} |")
    for part, scores in means.items():
        mine, plain, second = (np.array(column) for column in zip(*scores))
        read = ~np.isnan(second)
        lines.append(f"| mean of {len(scores)} | {part} | | | | {mine.mean():.3f} | | {plain.mean():.3f} | {f'{second[read].mean():.3f} of {read.sum()}' if read.any() else ''} |")
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
