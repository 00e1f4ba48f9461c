"""Of the sentences that were written (`sentences/`), how many are read right, by model, part and round (`writing`): what was learnt, what is tested, and, before a round is learnt, how far the networks are from it.
A finished package is calibrated, which moves some labels of what people labelled; what main_fit.py wrote is not.

python models/training/written_eval.py --package central-bank models/central-bank fitted/central-bank.pt

With --of-others, of each relevancy model that readers of other models' sentences read for (`topics.py`; all but the state of the economy): how many of the tested ones it calls relevant, how many of these are not, and how many it misses. Those that two readers differ on or found unclear are left out; of what is learnt, which a network has by heart, nothing is counted.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from data import WRITTEN_FOR_OTHERS, read_for_topics, read_jsonl, read_written
from evaluate import alarms
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


def relevance_of_others(network: Path, package: str) -> dict[str, tuple[list[bool], list[bool]]]:
    """Of each relevancy model, tested sentence by tested sentence that was written for another: is it relevant? And was it called so?"""
    tests = [e for e in read_written(package, HERE / "sentences") if e.source == WRITTEN_FOR_OTHERS]
    said = logits_of(network, package, [e.text for e in tests])
    read = {model: [i for i, e in enumerate(tests) if model in e.labels] for model in read_for_topics(package)}
    return {model: ([tests[i].labels[model] == RELEVANCY[0] for i in own], [RELEVANCY[k] == RELEVANCY[0] for k in said[model][own].argmax(1)]) for model, own in read.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("networks", type=Path, nargs="+", help="folders of finished packages, or what main_fit.py wrote")
    parser.add_argument("--of-others", action="store_true", help="which sentences of other models each relevancy model calls relevant")
    args = parser.parse_args()
    if lacking := [str(network) for network in args.networks if not network.exists()]:
        parser.error(f"{', '.join(lacking)}: there is no such file or folder")
    torch.set_num_threads(1)
    if args.of_others:
        found = [relevance_of_others(network, args.package) for network in args.networks]
        print("\n".join(["| model | sentences of other models | relevant | called relevant (wrongly), missed: " + " | ".join(map(str, args.networks)) + " |", "|---|---|---|" + "---|" * len(found)]))
        for model, (relevant, _) in found[0].items():
            cells = ["{called} ({wrongly}), {missed}".format(**alarms(*each[model])) for each in found]
            print(f"| `{model}` | {len(relevant)} | {sum(relevant)} | {' | '.join(cells)} |")
        return
    columns = [right_by_round(network, args.package) for network in args.networks]
    print("\n".join(["| model | part | writing | n | " + " | ".join(map(str, args.networks)) + " |", "|---|---|---|---|" + "---|" * len(columns)]))
    for key in sorted(columns[0]):
        print(f"| `{key[0]}` | {key[1]} | {key[2]} | {len(columns[0][key])} | " + " | ".join(f"{np.mean(column[key]):.3f}" for column in columns) + " |")


if __name__ == "__main__":
    main()
