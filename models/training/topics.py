"""Puts beside written sentences (sentences/) what readers said of the relevancy models that they were not written for:

    python models/training/topics.py --package earnings-call --readings topics.jsonl

A line of `topics.jsonl` is one reading of a sentence, of all relevancy models of the package (of central banks but for the state of the economy): {"text": the sentence, "topics": {model: "Relevant"}}. A model that is missing is Irrelevant, one with null is one of which careful readers would differ.
Of a sentence that is there several times, each time by a reader who saw no other, stands what all say, and null where they differ; a tested sentence needs two. What they say of the model that the sentence was written for is counted and left out.
A sentence that has been read is refused, for the readings of before are not kept: with `--replace` these take their place.

What is learnt of it, `prepare.py` reads by itself: after it `main_fit.py --only MODEL` teaches it, and `written_eval.py --of-others` counts what is tested.
"""

import argparse
import json
from pathlib import Path

from data import read_for_topics, read_jsonl
from labels import PACKAGES, RELEVANCY
from read_again import write_jsonl

HERE = Path(__file__).parent
# Readings that a sentence needs, by whether it is tested.
READINGS = {False: 1, True: 2}


def read_readings(path: Path, package: str) -> list[tuple[str, dict[str, str | None]]]:
    """Raises ValueError, with the file and the line, where one is no reading of this package."""
    out = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not isinstance(row.get("topics"), dict):
                raise ValueError('it is no {"text": …, "topics": {…}}')
            if unread := row["topics"].keys() - set(read_for_topics(package)):
                raise ValueError(f"{', '.join(sorted(unread))}: topics are {', '.join(read_for_topics(package))}")
            if wrong := [label for label in row["topics"].values() if label not in (*RELEVANCY, None)]:
                raise ValueError(f"{wrong[0]!r}: a topic is {RELEVANCY[0]!r}, {RELEVANCY[1]!r}, which is the same as to leave it out, or null")
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        out.append((row["text"], row["topics"]))
    return out


def agreed(readings: list[dict[str, str | None]]) -> dict[str, str | None]:
    """What all say, Irrelevant left out."""
    said = {model: {reading.get(model, RELEVANCY[1]) for reading in readings} for reading in readings for model in reading}
    alike = {model: labels.pop() if len(labels) == 1 else None for model, labels in sorted(said.items())}
    return {model: label for model, label in alike.items() if label != RELEVANCY[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    parser.add_argument("--replace", action="store_true", help="also of sentences that have been read: in the place of what stood there")
    args = parser.parse_args()
    by_text: dict[str, list[dict[str, str | None]]] = {}
    try:
        for text, topics in (reading for file in args.readings for reading in read_readings(file, args.package)):
            by_text.setdefault(text, []).append(topics)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if not by_text:
        parser.error(f"there is no reading in {', '.join(map(str, args.readings))}")
    paths = {model: HERE / "sentences" / f"{model}.jsonl" for model in PACKAGES[args.package]}
    files = {model: read_jsonl(path) for model, path in paths.items()}
    if missed := by_text.keys() - {row["text"] for rows in files.values() for row in rows}:
        parser.error(f"{len(missed)} of {len(by_text)} sentences stand in no file of {args.package}, which have them to the letter; one is {min(missed)!r}")
    read = [(model, row) for model, rows in files.items() for row in rows if row["text"] in by_text]
    before = {row["text"] for _, row in read if "topics" in row}
    if before and not args.replace:
        parser.error(f"{len(before)} of {len(by_text)} sentences have been read before; one is {min(before)!r}. --replace puts these readings in the place of those")
    if few := {row["text"] for _, row in read if len(by_text[row["text"]]) < READINGS[row["part"] != "train"]}:
        parser.error(f"{len(few)} tested sentences have one reading and need two; one is {min(few)!r}")
    own = [(row["label"], agreed(by_text[row["text"]]).get(model, RELEVANCY[1])) for model, row in read if model in read_for_topics(args.package)]
    for model, row in read:
        row["topics"] = {m: label for m, label in agreed(by_text[row["text"]]).items() if m != model}
    for model, path in paths.items():
        write_jsonl(path, files[model])
    print(f"{len(by_text)} sentences have what was read of them, {len(before)} of them in the place of what stood there. Of the model that {len(own)} were written for, the readers say otherwise in {sum(said not in (label, None) for label, said in own)} and found {sum(said is None for _, said in own)} unclear")


if __name__ == "__main__":
    main()
