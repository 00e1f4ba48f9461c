"""Reading: people's labels, written sentences, and the sentences of the corpora. Splits are by a hash of the text."""

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from labels import PACKAGES, RELEVANCY

CORPORA = {
    "central-bank": ("WorldCentralBanks/raw_data", "**/*.txt"),
    "earnings-call": ("fin-num-claim/data/raw_earning_calls", "*.txt"),
}
# The sources whose labels are people's.
PEOPLE = ("numerical_claims", "wcb_sentences", "fomc_stance")
# The sources whose labels are what a reader says by the guide.
BY_GUIDE = ("labelled", "beside")
# Models of the two packages that ask the same, with the same labels, of their own documents.
SAME_QUESTION = {"cb_forward_looking_classification": "ec_forward_looking", "cb_claim_projection_label": "ec_claim_projection"}
SAME_QUESTION |= {theirs: own for own, theirs in SAME_QUESTION.items()}
# The source of written sentences that are tested apart: they have a turn, and were written by others than those that are learnt.
WRITTEN_WITH_A_TURN = "written, with a turn"
# The source of those that tell of their topic by what happens, without its usual words, and are tested apart.
WRITTEN_IN_OTHER_WORDS = "written, in other words"
# The source of a written sentence, by its part.
WRITTEN = {"train": "written", "test": "written", "test with a turn": WRITTEN_WITH_A_TURN, "test in other words": WRITTEN_IN_OTHER_WORDS}
# Sentences that were written for one model, as a test of the relevancy models that they were not written for.
WRITTEN_FOR_OTHERS = "written for others"
# The relevancy model that the readers of `topics` did not read for.
NOT_READ_FOR_TOPICS = "cb_economic_status_relevancy"
PEOPLE_TEST_SHARE = 0.2
# Banks of World Central Banks whose stance was labelled the other way round where it is about growth and demand (`bank_agreement.py`): nothing learns it. In the test part it stays as it was published.
STANCE_OTHERWISE = ("reserve_bank_of_india", "central_bank_of_china_taiwan")


@dataclass
class Example:
    text: str
    labels: dict[str, str]
    source: str
    test: bool = False
    # Is it of a bank whose stance was labelled the other way round?
    otherwise: bool = False
    # Of a plain statement, its row in the table (`statements.py`).
    kind: str = ""
    # Models of which careful readers would differ.
    unclear: tuple[str, ...] = ()
    # Of a written sentence, its writing (sentences/README.md).
    writing: int = 0
    soft: dict[str, list[float]] = field(default_factory=dict)


def normalise(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def draw(text: str, seed: int, salt: str = "") -> float:
    """A number in [0, 1) that depends on the seed and the normalised text alone, so a repeated text never crosses a split."""
    digest = hashlib.sha1(f"{seed}|{salt}|{normalise(text)}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def is_test_of_people(text: str, seed: int) -> bool:
    return draw(text, seed) < PEOPLE_TEST_SHARE


class HeldOut:
    """The texts that nothing may learn from: whole, and for `shingled` ones also every run of eight words, however a sentence was cut."""

    WORDS = 8

    def __init__(self, whole: list[str], shingled: list[str]):
        self.whole = {normalise(text) for text in whole + shingled}
        self.shingles = {shingle for text in shingled for shingle in self._shingles(normalise(text))}

    def _shingles(self, normal: str) -> Iterator[str]:
        words = normal.split()
        for at in range(len(words) - self.WORDS + 1):
            yield " ".join(words[at : at + self.WORDS])

    def __contains__(self, text: str) -> bool:
        normal = normalise(text)
        return normal in self.whole or any(shingle in self.shingles for shingle in self._shingles(normal))


class Near:
    """Sentences that have most of their words in common with one of these: too near to them to be learnt."""

    SHARE = 0.6

    def __init__(self, texts: list[str]):
        self.with_word: dict[str, list[frozenset[str]]] = {}
        for text in texts:
            words = frozenset(normalise(text).split())
            for word in words:
                self.with_word.setdefault(word, []).append(words)

    def __contains__(self, text: str) -> bool:
        own = frozenset(normalise(text).split())
        # One that is near lacks fewer than four in ten of its words, so it holds one of any four in ten: the rarest are the fewest to look up.
        rarest = sorted(own, key=lambda word: len(self.with_word.get(word, ())))[: math.ceil((1 - self.SHARE) * len(own))]
        return any(len(own & other) > self.SHARE * len(own | other) for word in rarest for other in self.with_word.get(word, ()))


def read_jsonl(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_people(package: str, folder: Path, seed: int) -> list[Example]:
    examples: list[Example] = []

    def add(text: str, labels: dict[str, str], source: str, otherwise: bool = False) -> None:
        examples.append(Example(text, labels, source, is_test_of_people(text, seed), otherwise))

    for row in read_jsonl(folder / "numerical_claims.jsonl"):
        claim = "IN_CLAIM" if row["claim"] == "In Claim" else "OUT_OF_CLAIM"
        model = "cb_claim_projection_label" if package == "central-bank" else "ec_claim_projection"
        add(row["text"], {model: claim}, "numerical_claims")
    for row in read_jsonl(folder / "wcb_sentences.jsonl"):
        if package == "earnings-call":
            add(row["text"], {"ec_forward_looking": row["time"]}, "wcb_sentences")
            continue
        labels = {"cb_certain_label": row["certain"], "cb_forward_looking_classification": row["time"]}
        otherwise = row["bank_name"] in STANCE_OTHERWISE
        if row["stance"] in PACKAGES[package]["cb_stance_label"] and (not otherwise or is_test_of_people(row["text"], seed)):
            labels["cb_stance_label"] = row["stance"]
        add(row["text"], labels, "wcb_sentences", otherwise)
    if package == "central-bank":
        for row in read_jsonl(folder / "fomc_stance.jsonl"):
            add(row["text"], {"cb_stance_label": row["stance"]}, "fomc_stance")
    return examples


def read_for_topics(package: str) -> list[str]:
    """The models that the readers of `topics` read for."""
    return [m for m, labels in PACKAGES[package].items() if labels == RELEVANCY and m != NOT_READ_FOR_TOPICS]


def topics_of(package: str, written_for: set[str], row: dict) -> dict[str, str | None]:
    """What readers said of the relevancy models that a sentence was not written for, None where careful readers would differ: `topics` has these, and those that it is relevant for."""
    return {m: row["topics"].get(m, RELEVANCY[1]) for m in read_for_topics(package) if m not in written_for} if "topics" in row else {}


def read_written(package: str, folder: Path) -> list[Example]:
    """What a reader said of other models of a written sentence is an example of its own. Of a sentence that is learnt its source is `beside`: it counts as what was labelled by the guide does. Of one that is tested only what `topics` says is read. What is written to learn time and claims from, both packages learn."""
    examples: list[Example] = []
    files = {model: read_jsonl(folder / f"{model}.jsonl") for model in PACKAGES[package]}
    written_for: dict[str, set[str]] = {}
    for model, rows in files.items():
        for row in rows:
            written_for.setdefault(row["text"], set()).add(model)
    for model, rows in files.items():
        unknown = {r["label"] for r in rows} - set(PACKAGES[package][model])
        if unknown:
            raise ValueError(f"{model}.jsonl holds labels that the model does not have: {sorted(unknown)}")
        examples += [Example(r["text"], {model: r["label"]}, WRITTEN[r["part"]], r["part"] != "train", writing=r["writing"]) for r in rows]
        for r in rows:
            topics, tested = topics_of(package, written_for[r["text"]], r), r["part"] != "train"
            said = {m: label for m, label in ({} if tested else r.get("beside", {}) | topics).items() if label is not None}
            if said:
                examples.append(Example(r["text"], said, "beside", unclear=tuple(m for m in topics if m not in said)))
            if topics and tested:
                examples.append(Example(r["text"], {m: label for m, label in topics.items() if label is not None}, WRITTEN_FOR_OTHERS, True))
        if model in SAME_QUESTION:
            examples += [Example(r["text"], {model: r["label"]}, "written", writing=r["writing"]) for r in read_jsonl(folder / f"{SAME_QUESTION[model]}.jsonl") if r["part"] == "train"]
    return examples


def paragraphs(text: str) -> list[str]:
    """Joins the lines of hard-wrapped paragraphs."""
    out: list[str] = []
    for line in text.replace("\r", "").split("\n"):
        line = re.sub(r"\s+", " ", line).strip()
        if not line:
            out.append("")
        elif out and out[-1] and not re.search(r"[.!?:;]$", out[-1]) and (line[0].islower() or len(out[-1]) > 60):
            out[-1] = re.sub(r"(?<=[a-z])[-\u2010]$", "", out[-1]) + (
                "" if re.search(r"[a-z][-\u2010]$", out[-1]) else " "
            ) + line
        else:
            out.append(line)
    return [p for p in out if p]


SENTENCE_END = re.compile(r"(?<=[a-z0-9%)\"\u201d][.!?])\s+(?=[A-Z\"\u201c(])")


def read_corpus(package: str, corpora: Path) -> dict[str, list[str]]:
    """Sentences of every group (a bank, or a company), without repeats, in the order of the files."""
    folder, pattern = CORPORA[package]
    groups: dict[str, dict[str, None]] = {}
    for path in sorted((corpora / folder).glob(pattern)):
        group = path.parent.name if package == "central-bank" else path.name.split("_")[0]
        seen = groups.setdefault(group, {})
        for paragraph in paragraphs(path.read_text(encoding="utf-8", errors="replace")):
            for sentence in SENTENCE_END.split(paragraph):
                if 3 <= len(sentence) <= 900:
                    seen.setdefault(sentence)
    return {group: list(seen) for group, seen in groups.items()}
