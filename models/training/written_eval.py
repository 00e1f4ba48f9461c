"""Of the sentences that were written (`sentences/`), how many are read right, by model, part and round (`writing`): what was learnt, what is tested, and, before a round is learnt, how far the networks are from it.
A finished package is calibrated, which moves some labels of what people labelled; what main_fit.py wrote is not.

python models/training/written_eval.py --package central-bank models/central-bank fitted/central-bank.pt

With --of-others, of each relevancy model: how many of the tested sentences that were written for other models it calls relevant. Some are (an oil price is inflation's too); of a rare topic nearly none is.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from data import read_jsonl
from labels import PACKAGES, RELEVANCY
from main_fit import logits_of

HERE = Path(__file__).parent


def right_by_round(network: Path, package: str) -> dict[tuple[str, str, int], list[bool]]:
    """Of each model, part and round, sentence by sentence: was its label given?"""
    rows = [(model, row) for model in PACKAGES[package] for row in read_jsonl(HERE / "sentences" / f"{model}.jsonl")]
    said = logits_of(network, package, [row["text"] for _, row in rows])
    right = defaultdict(list)
    for i, (model, row) in enumerate(rows):
        right[model, row["part"], row["writing"]].append(PACKAGES[package][model][said[model][i].argmax()] == row["label"])
    return right


def relevant_of_others(network: Path, package: str) -> dict[str, list[bool]]:
    """Of each relevancy model, tested sentence by tested sentence that was written for another: was it called relevant?"""
    heads = PACKAGES[package]
    rows = [(model, row["text"]) for model in heads for row in read_jsonl(HERE / "sentences" / f"{model}.jsonl") if row["part"] != "train"]
    said = logits_of(network, package, [text for _, text in rows])
    return {
        model: [labels[k] == RELEVANCY[0] for (own, _), k in zip(rows, said[model].argmax(1), strict=True) if own != model]
        for model, labels in heads.items() if labels == RELEVANCY
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("networks", type=Path, nargs="+", help="folders of finished packages, or what main_fit.py wrote")
    parser.add_argument("--of-others", action="store_true", help="how many sentences of other models each relevancy model calls relevant")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.of_others:
        counts = [relevant_of_others(network, args.package) for network in args.networks]
        print("\n".join(["| model | sentences of other models | called relevant: " + " | ".join(map(str, args.networks)) + " |", "|---|---|" + "---|" * len(counts)]))
        for model in counts[0]:
            print(f"| `{model}` | {len(counts[0][model])} | " + " | ".join(str(sum(count[model])) for count in counts) + " |")
        return
    columns = [right_by_round(network, args.package) for network in args.networks]
    print("\n".join(["| model | part | writing | n | " + " | ".join(map(str, args.networks)) + " |", "|---|---|---|---|" + "---|" * len(columns)]))
    for key in sorted(columns[0]):
        print(f"| `{key[0]}` | {key[1]} | {key[2]} | {len(columns[0][key])} | " + " | ".join(f"{np.mean(column[key]):.3f}" for column in columns) + " |")


if __name__ == "__main__":
    main()
