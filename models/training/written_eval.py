"""Of the sentences that were written (`sentences/`), how many are read right, by model, part and round (`writing`): what was learnt, what is tested, and, before a round is learnt, how far the networks are from it.
A finished package is calibrated, which moves some labels of what people labelled; what main_fit.py wrote is not.

python models/training/written_eval.py --package central-bank models/central-bank fitted/central-bank.pt
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from data import read_jsonl
from labels import PACKAGES
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("networks", type=Path, nargs="+", help="folders of finished packages, or what main_fit.py wrote")
    args = parser.parse_args()
    torch.set_num_threads(1)
    columns = [right_by_round(network, args.package) for network in args.networks]
    print("\n".join(["| model | part | writing | n | " + " | ".join(map(str, args.networks)) + " |", "|---|---|---|---|" + "---|" * len(columns)]))
    for key in sorted(columns[0]):
        print(f"| `{key[0]}` | {key[1]} | {key[2]} | {len(columns[0][key])} | " + " | ".join(f"{np.mean(column[key]):.3f}" for column in columns) + " |")


if __name__ == "__main__":
    main()
