"""Adds further readings to sentences that are in labelled/ already, whose label is from then on what most of their readers say (of two who differ, the first's):

    python models/training/read_again.py --package earnings-call --readings again.jsonl

A line of `again.jsonl` is {"sha256": that of the sentence, "labels": {model: label}, the usual ones missing}, a reading that saw no other. `doubtful.py` says which sentences are worth it. Of a sentence that is there twice
each line gets the readings.

With `--only cb_foreign_nations_relevancy` they are of that model alone, by decisions that were made clearer since, and take the place of what was said of it before: a reading for each that is kept beside the line, or one for all of them;
where a line has a label and no readings, as most of the `train` part, it has the new label and no readings.
"""

import argparse
import json
from pathlib import Path

from data import read_jsonl
from labelled import USUAL, models_of, reading, settle, unusual
from labels import PACKAGES

HERE = Path(__file__).parent


def read_again(package: str, rows: list[dict], again: list[dict], only: str | None = None) -> tuple[list[dict], int]:
    """The lines with the readings added, or, of `only` a model, in the place of others, and how many of them have another label now; raises where a reading is of no line, of a line that was not read for `only`, of another model, or has a model or a label that the package lacks,
    and where there are neither one nor as many new readings of a line as it had."""
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
            readings, new = [reading(package, said) for said in row.get("readings", [row["labels"]])], further[row["sha256"]]
            readings = [said | {only: label} for said, label in zip(readings, of_one(package, row, new, only, len(readings)), strict=True)] if only else readings + new
            readings = [{model: said[model] for model in models_of(package, row["read"])} for said in readings]
            labels = unusual(settle(readings))
            changed += labels != row["labels"]
            row = row | {"labels": labels} | ({"readings": [unusual(said) for said in readings]} if "readings" in row or not only else {})
        out.append(row)
    return out, changed


def of_one(package: str, row: dict, new: list[dict[str, str]], only: str, count: int) -> list[str]:
    """What the new readings of a line say of the one model: a label for each of `count` readings."""
    others = any(label != USUAL[model] for said in new for model, label in said.items() if model != only)
    if only not in models_of(package, row["read"]) or others or len(new) not in (1, count):
        raise ValueError(f"{row['sha256']}: {len(new)} readings of {only} in the place of {count}, of a sentence read for: {row['read']}{'; they say something of other models too' if others else ''}")
    return [said[only] for said in new] * (count // len(new))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    parser.add_argument("--only", metavar="MODEL", help="the one model that they are of")
    args = parser.parse_args()
    if args.only and args.only not in PACKAGES[args.package]:
        parser.error(f"{args.package} has no model {args.only}; it has {', '.join(PACKAGES[args.package])}")
    path = HERE / "labelled" / f"{args.package}.jsonl"
    again = [line for file in args.readings for line in read_jsonl(file)]
    rows, changed = read_again(args.package, read_jsonl(path), again, args.only)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(again)} readings {'put in the place of others' if args.only else 'added'}, the labels of {changed} lines changed")


if __name__ == "__main__":
    main()
