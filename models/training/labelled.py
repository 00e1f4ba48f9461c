"""Sentences of the corpora that a language model labelled by the guide: kept as references (a file, a slice, a hash, labels), read where they lie.

A line of a `labelled/*.jsonl` file, named after the package:
{"source": path under the corpora, "start": N, "end": N (code points of the decoded file), "sha256": 16 hex digits, "part": "train" | "test", "drawn": how it was chosen (may be missing),
"read": for which models, "labels": {model: label} where it is not the usual one, "readings": the same of each of the readers who saw none of the others' (the test part, and what was read again: the labels are what most of them say)}

`as-people.jsonl` holds sentences that were labelled as people would have, by the nearest ones that they labelled, and not by the guide; its lines say after whom ("after"), too. Its labels are of the central banks' models,
three of which the calls have under other names.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from data import STANCE_OTHERWISE, Example
from labels import PACKAGES

STANCE = "cb_stance_label"
# What a line does not write: the label that most sentences have.
USUAL = {model: labels[-1] for models in PACKAGES.values() for model, labels in models.items()} | {STANCE: "Neutral", "cb_certain_label": "Certain"}
# The values of `read`.
ALL, STANCE_ALONE, BUT_STANCE, OF_PEOPLE, CLAIMS_ALONE, FOREIGN_ALONE, OF_RESULTS = "all", "stance", "all but stance", "stance, certainty and time", "claims", "foreign nations", "sentiment, growth and impact"
# The values of `part`.
TRAIN, TEST = "train", "test"
# The file of sentences that were labelled as people would have, and the package whose models its labels are of.
AS_PEOPLE, AS_PEOPLE_OF = "as-people", "central-bank"
# What people labelled once teaches a model of each package.
TWIN = {"cb_forward_looking_classification": "ec_forward_looking", "cb_claim_projection_label": "ec_claim_projection"}


def models_of(package: str, read: str) -> list[str]:
    """Raises for a `read` that is none of the seven."""
    models = list(PACKAGES[AS_PEOPLE_OF if package == AS_PEOPLE else package])
    return {ALL: models, STANCE_ALONE: [STANCE], BUT_STANCE: [m for m in models if m != STANCE], OF_PEOPLE: [STANCE, "cb_certain_label", "cb_forward_looking_classification"], CLAIMS_ALONE: ["cb_claim_projection_label"], FOREIGN_ALONE: ["cb_foreign_nations_relevancy"], OF_RESULTS: ["ec_financial_sentiment", "ec_growth", "ec_material_impact"]}[read]


def settle(readings: list[dict[str, str]]) -> dict[str, str]:
    """For each model the label that most readers give; where each gives another one, the first reader's."""
    return {model: Counter(said[model] for said in readings).most_common(1)[0][0] for model in readings[0]}


def reading(package: str, said: dict[str, str]) -> dict[str, str]:
    """What a reader said with the usual labels written out; raises where it has a model or a label that the package lacks."""
    wrong = [(model, label) for model, label in said.items() if label not in PACKAGES[package].get(model, ())]
    if wrong:
        raise ValueError(f"{package} has no label {wrong[0]}")
    return {model: USUAL[model] for model in PACKAGES[package]} | said


def unusual(labels: dict[str, str]) -> dict[str, str]:
    return {model: label for model, label in labels.items() if label != USUAL[model]}


def collapse(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def fingerprint(text: str) -> str:
    return hashlib.sha256(collapse(text).encode()).hexdigest()[:16]


@lru_cache(maxsize=8)
def read_source(path: Path) -> str:
    return path.read_bytes().decode("utf-8")  # bytes: opening as text would fold \r\n and move the offsets


def reference(corpora: Path, source: str, start: int, end: int, part: str, drawn: str, read: str, labels: dict[str, str]) -> dict:
    """The line that refers to a slice."""
    text = collapse(read_source(corpora / source)[start:end])
    return {"source": source, "start": start, "end": end, "sha256": fingerprint(text), "part": part, "drawn": drawn, "read": read, "labels": unusual(labels)}


def load_rows(path: Path, corpora: Path) -> Iterator[tuple[str, dict]]:
    """Text (white space collapsed) and the whole line, with the usual labels written out; raises when a slice is not the sentence that was labelled."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = json.loads(line)
        text = collapse(read_source(Path(corpora) / row["source"])[row["start"] : row["end"]])
        if fingerprint(text) != row["sha256"]:
            raise ValueError(f"{path}, line {number}: {row['source']} does not hold the labelled sentence at {row['start']}-{row['end']}")
        if row["part"] not in (TRAIN, TEST):
            raise ValueError(f"{path}, line {number}: unknown part {row['part']!r}")
        full = {model: USUAL[model] for model in models_of(path.stem, row["read"])}
        row["labels"] = full | row["labels"]
        row["readings"] = [{model: USUAL[model] for model in full} | said for said in row.get("readings", [])]
        yield text, row


def read_labelled(package: str, folder: Path, corpora: Path) -> list[Example]:
    """Both parts as examples; none where a package has no such file."""
    path = folder / f"{package}.jsonl"
    if not path.exists():
        return []
    return [Example(text, row["labels"], "labelled", row["part"] == TEST) for text, row in load_rows(path, corpora)]


def read_as_people(package: str, folder: Path, corpora: Path) -> list[Example]:
    """They are all for training; the stance of banks that people labelled otherwise is left out here too. A sentence of which no model of the package has a label is none of its examples."""
    own = PACKAGES[package]
    examples = []
    for text, row in load_rows(folder / f"{AS_PEOPLE}.jsonl", corpora):
        otherwise = any(f"/{bank}/" in row["source"] for bank in STANCE_OTHERWISE)
        labels = {TWIN[m] if m not in own else m: label for m, label in row["labels"].items() if (m in own or TWIN.get(m) in own) and not (m == STANCE and otherwise)}
        if labels:
            examples.append(Example(text, labels, "as people"))
    return examples
