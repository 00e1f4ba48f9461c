"""Adds further readings to sentences that are in labelled/ already, whose label is from then on what most of their readers say (of two who differ, the first's):

    python models/training/read_again.py --package earnings-call --readings again.jsonl

A line of `again.jsonl` is {"sha256": that of the sentence, "labels": {model: label}, the usual ones missing}, a reading that saw no other. `doubtful.py` says which sentences are worth it. Of a sentence that is there twice
each line gets the readings.

With `--only cb_foreign_nations_relevancy` (or several models) they are of these alone, by decisions that were made clearer since, and take the place of what was said of them before: a reading for each that is kept beside the line, or one for all of them;
where a line has a label and no readings, as most of the `train` part, it has the new label and no readings. With `--beside` too they are of written sentences, and take the place of what a reader said beside them: a line of it has the "text" of the sentence in the place of its hash.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from data import read_jsonl
from labelled import USUAL, models_of, reading, settle, unusual
from labels import PACKAGES

HERE = Path(__file__).parent


def by_sentence(package: str, again: list[dict], key: str) -> dict[str, list[dict[str, str]]]:
    """The readings of each sentence, the usual labels written out; raises where one has a model or a label that the package lacks."""
    further: dict[str, list[dict[str, str]]] = {}
    for line in again:
        try:
            further.setdefault(line[key], []).append(reading(package, line["labels"]))
        except ValueError as error:
            raise ValueError(f"{line[key]}: {error}") from None
    return further


def read_again(package: str, rows: list[dict], again: list[dict], only: Sequence[str] = ()) -> tuple[list[dict], int]:
    """The lines with the readings added, or, of the models `only`, in the place of others, and how many of them have another label now; raises where a reading is of no line, of a line that was not read for one of `only`, of another model, or has a model or a label that the package lacks,
    and where there are neither one nor as many new readings of a line as it had."""
    further = by_sentence(package, again, "sha256")
    unknown = set(further) - {row["sha256"] for row in rows}
    if unknown:
        raise ValueError(f"{package}.jsonl has no sentence {sorted(unknown)[0]}")
    out, changed = [], 0
    for row in rows:
        if row["sha256"] in further:
            readings, new = [reading(package, said) for said in row.get("readings", [row["labels"]])], further[row["sha256"]]
            readings = [said | own for said, own in zip(readings, of_these(package, row, new, only, len(readings)), strict=True)] if only else readings + new
            readings = [{model: said[model] for model in models_of(package, row["read"])} for said in readings]
            labels = unusual(settle(readings))
            changed += labels != row["labels"]
            row = row | {"labels": labels} | ({"readings": [unusual(said) for said in readings]} if "readings" in row or not only else {})
        out.append(row)
    return out, changed


def of_these(package: str, row: dict, new: list[dict[str, str]], only: Sequence[str], count: int) -> list[dict[str, str]]:
    """What the new readings of a line say of the models `only`, for each of `count` readings."""
    if not set(only) <= set(models_of(package, row["read"])) or of_others(new, only) or len(new) not in (1, count):
        raise ValueError(f"{row['sha256']}: {len(new)} readings of {', '.join(only)} in the place of {count}, of a sentence read for: {row['read']}{'; they say something of other models too' if of_others(new, only) else ''}")
    return [{model: said[model] for model in only} for said in new] * (count // len(new))


def of_others(new: list[dict[str, str]], only: Sequence[str]) -> bool:
    return any(label != USUAL[model] for said in new for model, label in said.items() if model not in only)


def beside_again(package: str, rows: list[dict], again: dict[str, list[dict[str, str]]], only: Sequence[str]) -> tuple[list[dict], int]:
    """The written sentences with what was read anew of the models `only` in the place of what was said beside them, where something was, and of how many sentences that is something else than before; raises where a sentence has several readings or one that speaks of other models."""
    out, changed = [], 0
    for row in rows:
        if new := again.get(row["text"]):
            if len(new) > 1 or of_others(new, only):
                raise ValueError(f"{row['text']!r}: {len(new)} readings{' that say something of other models too' if of_others(new, only) else ''}")
            beside = {model: new[0][model] if model in only else label for model, label in row.get("beside", {}).items()}
            changed += beside != row.get("beside", {})
            row = row | ({"beside": beside} if beside else {})
        out.append(row)
    return out, changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    parser.add_argument("--only", metavar="MODEL", nargs="+", default=[], help="the models that they are of")
    parser.add_argument("--beside", action="store_true", help="they are of written sentences (sentences/), with --only")
    args = parser.parse_args()
    unknown = set(args.only) - set(PACKAGES[args.package])
    if unknown:
        parser.error(f"{args.package} has no model {', '.join(sorted(unknown))}; it has {', '.join(PACKAGES[args.package])}")
    if args.beside and not args.only:
        parser.error("--beside needs --only")
    again = [line for file in args.readings for line in read_jsonl(file)]
    changed = in_sentences(args.package, again, args.only) if args.beside else in_labelled(args.package, again, args.only)
    print(f"{len(again)} readings {'put in the place of others' if args.only else 'added'}, the labels of {changed} lines changed")


def in_labelled(package: str, again: list[dict], only: Sequence[str]) -> int:
    path = HERE / "labelled" / f"{package}.jsonl"
    rows, changed = read_again(package, read_jsonl(path), again, only)
    write_jsonl(path, rows)
    return changed


def in_sentences(package: str, again: list[dict], only: Sequence[str]) -> int:
    readings, changed = by_sentence(package, again, "text"), 0
    for model in PACKAGES[package]:
        path = HERE / "sentences" / f"{model}.jsonl"
        rows, here = beside_again(package, read_jsonl(path), readings, only)
        write_jsonl(path, rows)
        changed += here
    return changed


def write_jsonl(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
