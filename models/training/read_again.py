"""Adds further readings to sentences that are in labelled/ already, whose label is from then on what most of their readers say (of two who differ, the first's):

    python models/training/read_again.py --package earnings-call --readings again.jsonl

A line of `again.jsonl` is {"sha256": that of the sentence, "labels": {model: label}, the usual ones missing}, a reading that saw no other. `doubtful.py` says which sentences are worth it. Of a sentence that is there twice
each line gets the readings.

With `--only cb_foreign_nations_relevancy` (or several models) the readings speak of these models alone, by decisions that were made clearer since, and take the place of what was said of them before. A line of the `test` part needs as many of them as it has readings, a line of the `train` part as many or one:
of one it has the label then, and where readings are kept beside it the new one stands in each of them, so that these say nothing of agreement there. With `--beside` too they are of written sentences, and take the place of what a reader said beside them: a line of `again.jsonl` then has "text", the sentence, instead of "sha256".
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from data import read_jsonl
from labelled import TEST, USUAL, models_of, reading, settle, unusual
from labels import PACKAGES, not_of

HERE = Path(__file__).parent


def by_sentence(package: str, again: list[dict], key: str, only: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    """The readings of each sentence as they are, of the models `only` where there are any; raises where one names no sentence, speaks of another model, or has a model or a label that the package lacks."""
    found: dict[str, list[dict[str, str]]] = {}
    for line in again:
        if key not in line:
            raise ValueError(f"a reading has no {key!r}: {json.dumps(line, ensure_ascii=False)}")
        others = set(line["labels"]) - set(only or PACKAGES[package])
        try:
            reading(package, line["labels"])
        except ValueError as error:
            raise ValueError(f"{line[key]}: {error}") from None
        if others:
            raise ValueError(f"{line[key]}: a reading speaks of {', '.join(sorted(others))} and not only of {', '.join(only)}")
        found.setdefault(line[key], []).append(line["labels"])
    return found


def read_again(package: str, rows: list[dict], again: list[dict], only: Sequence[str] = ()) -> tuple[list[dict], int]:
    """The lines with the readings added, or, of the models `only`, in the place of others, and how many of them have another label now; raises as by_sentence does, where a reading is of no line, where a line was not read for a model that it speaks of, and where the new readings are too few or too many to stand in the place of others."""
    further = by_sentence(package, again, "sha256", only)
    unknown = set(further) - {row["sha256"] for row in rows}
    if unknown:
        raise ValueError(f"{package}.jsonl has no sentence {sorted(unknown)[0]}")
    out, changed = [], 0
    for row in rows:
        if new := further.get(row["sha256"]):
            own = models_of(package, row["read"])
            if unread := set(only).union(*new) - set(own):
                raise ValueError(f"{row['sha256']} was not read for {', '.join(sorted(unread))} (but for: {row['read']})")
            usual = {model: USUAL[model] for model in own}
            before = [usual | said for said in row.get("readings", [row["labels"]])]
            readings = replaced(row, before, new, only) if only else before + [usual | said for said in new]
            labels = unusual(settle(readings))
            changed += labels != row["labels"]
            row = row | {"labels": labels} | ({"readings": [unusual(said) for said in readings]} if "readings" in row or not only else {})
        out.append(row)
    return out, changed


def replaced(row: dict, before: list[dict[str, str]], new: list[dict[str, str]], only: Sequence[str]) -> list[dict[str, str]]:
    """The readings of a line with what the new ones say of the models `only`: one each, or of the `train` part one for all."""
    if len(new) != len(before) and (len(new) > 1 or row["part"] == TEST):
        raise ValueError(f"{row['sha256']} has {len(new)} new readings; it needs {len(before)}{'' if row['part'] == TEST else ' or one'}")
    each = [{model: said.get(model, USUAL[model]) for model in only} for said in new] * (len(before) // len(new))
    return [said | own for said, own in zip(before, each, strict=True)]


def beside_again(rows: list[dict], again: dict[str, list[dict[str, str]]], only: Sequence[str]) -> tuple[list[dict], set[str], int]:
    """The written sentences with what was read anew of the models `only` in the place of what was said of them beside, which of them had something of these beside them, and of how many it is something else than before; raises where a sentence has several readings."""
    out, found, changed = [], set(), 0
    for row in rows:
        new, beside = again.get(row["text"], []), row.get("beside", {})
        if len(new) > 1:
            raise ValueError(f"{row['text']!r} has {len(new)} readings; it needs one")
        if new and not beside.keys().isdisjoint(only):
            anew = {model: new[0].get(model, USUAL[model]) if model in only else label for model, label in beside.items()}
            found.add(row["text"])
            changed += anew != beside
            row = row | {"beside": anew}
        out.append(row)
    return out, found, changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    parser.add_argument("--only", metavar="MODEL", nargs="+", default=[], help="the models that they are of")
    parser.add_argument("--beside", action="store_true", help="they are of written sentences (sentences/), with --only")
    args = parser.parse_args()
    if wrong := not_of(args.package, args.only):
        parser.error(wrong)
    if args.beside and not args.only:
        parser.error("--beside needs --only")
    again = [line for file in args.readings for line in read_jsonl(file)]
    changed = in_sentences(args.package, again, args.only) if args.beside else in_labelled(args.package, again, args.only)
    print(f"{len(again)} readings {'put in the place of others' if args.only else 'added'}, {changed} {'sentences have another label beside them' if args.beside else 'lines have another label'}")


def in_labelled(package: str, again: list[dict], only: Sequence[str]) -> int:
    path = HERE / "labelled" / f"{package}.jsonl"
    rows, changed = read_again(package, read_jsonl(path), again, only)
    write_jsonl(path, rows)
    return changed


def in_sentences(package: str, again: list[dict], only: Sequence[str]) -> int:
    """Raises, before anything is written, where nothing was said of the models `only` beside a sentence that was read."""
    readings = by_sentence(package, again, "text", only)
    paths = [HERE / "sentences" / f"{model}.jsonl" for model in PACKAGES[package]]
    done = [beside_again(read_jsonl(path), readings, only) for path in paths]
    missed = set(readings).difference(*(found for _, found, _ in done))
    if missed:
        raise ValueError(f"beside {min(missed)!r} nothing is said of {', '.join(only)}")
    for path, (rows, _, _) in zip(paths, done, strict=True):
        write_jsonl(path, rows)
    return sum(changed for *_, changed in done)


def write_jsonl(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
