"""Adds further readings to sentences that are in labelled/ already, whose label is from then on what most of their readers say (of two who differ, the first's):

    python models/training/read_again.py --package earnings-call --readings again.jsonl

A line of `again.jsonl` is {"sha256": that of the sentence, "labels": {model: label}, the usual ones missing}, a reading that saw no other. `doubtful.py` says which sentences are worth it. Of a sentence that is there twice
each line gets the readings.
"""

import argparse
import json
from pathlib import Path

from data import read_jsonl
from labelled import models_of, reading, settle, unusual
from labels import PACKAGES

HERE = Path(__file__).parent


def read_again(package: str, rows: list[dict], again: list[dict]) -> tuple[list[dict], int]:
    """The lines with the readings added, and how many of them have another label now; raises where a reading is of no line, or has a model or a label that the package lacks."""
    further: dict[str, list[dict[str, str]]] = {}
    for line in again:
        try:
            further.setdefault(line["sha256"], []).append(reading(package, line["labels"]))
        except ValueError as error:
            raise ValueError(f"{line['sha256']}: {error}") from None
    unknown = set(further) - {row["sha256"] for row in rows}
    if unknown:
        raise ValueError(f"{package}.jsonl has no sentence {sorted(unknown)[0]}")
    out, changed = [], 0
    for row in rows:
        if row["sha256"] in further:
            readings = [reading(package, said) for said in row.get("readings", [row["labels"]])] + further[row["sha256"]]
            readings = [{model: said[model] for model in models_of(package, row["read"])} for said in readings]
            labels = unusual(settle(readings))
            changed += labels != row["labels"]
            row = row | {"labels": labels, "readings": [unusual(said) for said in readings]}
        out.append(row)
    return out, changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    path = HERE / "labelled" / f"{args.package}.jsonl"
    again = [line for file in args.readings for line in read_jsonl(file)]
    rows, changed = read_again(args.package, read_jsonl(path), again)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(again)} readings added, the labels of {changed} lines changed")


if __name__ == "__main__":
    main()
