"""Adds drawn sentences and what their readers said to labelled/, as references without a text:

    python models/training/add_labelled.py --corpora ../shared/corpora --package earnings-call --part test --drawn drawn.jsonl --readings a.jsonl b.jsonl c.jsonl

`drawn.jsonl` is what draw_test.py prints; a file of readings has as many lines, in the same order, each a reader's {model: label} of a sentence (those missing are the usual ones), or null where it was
not read: such a sentence is left out. Labels are what most readers say; of the test part each reader's are kept beside them. `--read "foreign nations"`: they were read for that model alone, `--read "sentiment, growth and impact"` for these three.
"""

import argparse
import json
from pathlib import Path

from data import read_jsonl
from labelled import ALL, FOREIGN_ALONE, OF_RESULTS, TEST, TRAIN, fingerprint, models_of, reading, reference, settle, unusual
from labels import PACKAGES

HERE = Path(__file__).parent


def added(package: str, part: str, read: str, corpora: Path, drawn: list[dict], readings: list[list[dict | None]]) -> list[dict]:
    """The lines to add; raises where a reading has a model or a label that the package lacks or that was not read for, or a slice is not the drawn sentence."""
    lines, own = [], set(models_of(package, read))
    for row, said in zip(drawn, zip(*readings, strict=True), strict=True):
        if any(labels is None for labels in said):
            continue
        try:
            if not own.issuperset(model for labels in said for model in labels):
                raise ValueError(f"a label of a model that was not read for: {read}")
            full = [{model: label for model, label in reading(package, labels).items() if model in own} for labels in said]
        except ValueError as error:
            raise ValueError(f"{row['source']} at {row['start']}: {error}") from None
        line = reference(corpora, row["source"], row["start"], row["end"], part, row["drawn"], read, settle(full))
        if line["sha256"] != fingerprint(row["text"]):
            raise ValueError(f"{row['source']} at {row['start']}: not the drawn sentence")
        lines.append(line | ({"readings": [unusual(labels) for labels in full]} if part == TEST else {}))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--part", choices=[TRAIN, TEST], required=True)
    parser.add_argument("--read", choices=[ALL, FOREIGN_ALONE, OF_RESULTS], default=ALL, help="for which models (default: %(default)s)")
    parser.add_argument("--drawn", type=Path, required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    if not set(models_of(args.package, args.read)) <= set(PACKAGES[args.package]):
        parser.error(f"--read {args.read!r} is of no model of {args.package}")
    lines = added(args.package, args.part, args.read, args.corpora, read_jsonl(args.drawn), [read_jsonl(path) for path in args.readings])
    with (HERE / "labelled" / f"{args.package}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    print(f"{len(lines)} added")


if __name__ == "__main__":
    main()
