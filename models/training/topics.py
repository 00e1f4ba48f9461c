"""Puts beside written sentences (sentences/) what readers said of the relevancy models that they were not written for, in the place of what stood there:

    python models/training/topics.py --package earnings-call --readings topics.jsonl

A line of `topics.jsonl` is {"text": the sentence, "topics": {model: "Relevant"}}; a model that is missing is Irrelevant, one with null is one of which careful readers would differ. Of a sentence that is there several times, each time by a reader who saw no other,
stands what all say, and null where they differ; so all readings of a sentence are to be given at once. What they say of the model that the sentence was written for is left out.
"""

import argparse
from pathlib import Path

from data import read_for_topics, read_jsonl
from labels import PACKAGES, RELEVANCY
from read_again import write_jsonl

HERE = Path(__file__).parent


def agreed(readings: list[dict[str, str | None]]) -> dict[str, str | None]:
    """What all say, Irrelevant left out."""
    said = {model: {reading.get(model, RELEVANCY[1]) for reading in readings} for reading in readings for model in reading}
    return {model: labels.pop() if len(labels) == 1 else None for model, labels in sorted(said.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    by_text: dict[str, list[dict[str, str | None]]] = {}
    for line in (line for file in args.readings for line in read_jsonl(file)):
        if wrong := {label for label in line["topics"].values() if label not in (RELEVANCY[0], None)}:
            parser.error(f"{line['text']!r}: a topic is {RELEVANCY[0]!r} or null, and not {', '.join(map(repr, sorted(wrong)))}")
        if unread := line["topics"].keys() - set(read_for_topics(args.package)):
            parser.error(f"{line['text']!r}: topics are {', '.join(read_for_topics(args.package))}, and not {', '.join(sorted(unread))}")
        by_text.setdefault(line["text"], []).append(line["topics"])
    done, found = {}, set()
    for model in PACKAGES[args.package]:
        path = HERE / "sentences" / f"{model}.jsonl"
        done[path] = [row | {"topics": {m: label for m, label in agreed(by_text[row["text"]]).items() if m != model}} if row["text"] in by_text else row for row in read_jsonl(path)]
        found.update(row["text"] for row in done[path])
    if missed := by_text.keys() - found:
        parser.error(f"no sentence was written that reads {min(missed)!r}")
    for path, rows in done.items():
        write_jsonl(path, rows)
    print(f"{len(by_text)} sentences have what was read of them")


if __name__ == "__main__":
    main()
