"""Sentences of the corpora that a language model labelled by the guide: kept as references (a file, a slice, a hash, labels), read where they lie.

A line of a `labelled/*.jsonl` file:
{"source": path under the corpora, "start": N, "end": N (code points of the decoded file), "sha256": 16 hex digits, "part": "train" | "test", "drawn": how it was chosen (may be missing), "labels": {model: label}}
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from data import Example, draw

TEST_SHARE = 0.4


def collapse(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def fingerprint(text: str) -> str:
    return hashlib.sha256(collapse(text).encode()).hexdigest()[:16]


def part_of(text: str) -> str:
    """By a hash of the normalised text, so a repeated sentence never crosses the parts."""
    return "test" if draw(text, 0, "labelled") < TEST_SHARE else "train"


@lru_cache(maxsize=8)
def read_source(path: Path) -> str:
    return path.read_bytes().decode("utf-8")  # bytes: opening as text would fold \r\n and move the offsets


def reference(corpora: Path, source: str, start: int, end: int, labels: dict[str, str]) -> dict:
    """The line that refers to a slice."""
    text = collapse(read_source(corpora / source)[start:end])
    return {"source": source, "start": start, "end": end, "sha256": fingerprint(text), "part": part_of(text), "labels": labels}


def load_labelled(path: Path, corpora: Path) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Text (white space collapsed), part and labels of every line; raises when a slice is not the sentence that was labelled."""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = json.loads(line)
        text = collapse(read_source(Path(corpora) / row["source"])[row["start"] : row["end"]])
        if fingerprint(text) != row["sha256"]:
            raise ValueError(f"{path}, line {number}: {row['source']} does not hold the labelled sentence at {row['start']}-{row['end']}")
        if row["part"] not in ("train", "test"):
            raise ValueError(f"{path}, line {number}: unknown part {row['part']!r}")
        yield text, row["part"], row["labels"]


def read_labelled(package: str, folder: Path, corpora: Path) -> list[Example]:
    """Both parts as examples; none where a package has no such file."""
    path = folder / f"{package}.jsonl"
    if not path.exists():
        return []
    return [Example(text, labels, "labelled", part == "test") for text, part, labels in load_labelled(path, corpora)]
