"""Draws sentences for the labelled test part that no fit has seen a label of, without asking any network: python models/training/draw_test.py --labels … --corpora … --package … --out FILE

A third are a random choice, spread over the groups (banks, companies); the others are sought with the labelling functions, label by label: sentences in which a rule votes for a rare label, and sentences
in which a word is near enough to make it abstain (a word of the topic in another sense, a paraphrase). None shares eight words in a row with a sentence that is learnt from, weakly labelled ones
too, or with another drawn one. Prints a line of JSON a sentence: text, source, start, end, drawn.
"""

import argparse
import json
import random
import re
from collections import defaultdict
from pathlib import Path

from data import CORPORA, HeldOut, normalise
from labelled import collapse, read_source
from labelling_functions import TABLE, vote
from labels import PACKAGES
from prepare import prepare
from settings import Settings

FEWEST_WORDS, MOST_WORDS = 5, 90


def drawable(package: str, args: argparse.Namespace) -> dict[str, list[str]]:
    """The corpus's sentences by group, without all that is learnt from or tested on."""
    parts = prepare(package, args.labels, args.corpora, Settings(), print)
    taken = HeldOut([], [e.text for e in parts.train + parts.kept + parts.tests + parts.weak_train + parts.weak_test])
    fits = lambda text: FEWEST_WORDS <= len(text.split()) <= MOST_WORDS and text not in taken  # noqa: E731
    return {group: [text for text in texts if fits(text)] for group, texts in parts.groups.items()}


def strata(package: str, groups: dict[str, list[str]]) -> dict[str, list[str]]:
    """Sentences by what a labelling function makes of them: `model label` where it votes for a label that is not the usual one, `model near` where a word made it abstain."""
    found: dict[str, list[str]] = defaultdict(list)
    for texts in groups.values():
        for text in texts:
            lowered = text.lower()
            for model in PACKAGES[package]:
                said = vote(model, text, lowered)
                if said.fired and said.label != TABLE[model][0]:
                    found[f"{model} {said.label or 'near'}"].append(text)
    return found


def locate(package: str, corpora: Path) -> dict[str, list[Path]]:
    folder, pattern = CORPORA[package]
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted((corpora / folder).glob(pattern)):
        files[path.parent.name if package == "central-bank" else path.name.split("_")[0]].append(path)
    return files


def place(text: str, paths: list[Path], corpora: Path) -> tuple[str, int, int] | None:
    """Where a sentence lies, its white space however it is; None where the lines were joined in another way."""
    pattern = re.compile(r"\s+".join(re.escape(word) for word in text.split()))
    for path in paths:
        try:
            match = pattern.search(read_source(path))
        except UnicodeDecodeError:
            continue
        if match and collapse(match.group()) == collapse(text):
            return str(path.relative_to(corpora)), match.start(), match.end()
    return None


def draw_sentences(package: str, args: argparse.Namespace, rng: random.Random) -> list[dict]:
    groups = drawable(package, args)
    files = locate(package, args.corpora)
    group_of = {text: group for group, texts in groups.items() for text in texts}
    drawn: list[dict] = []
    shingles: set[str] = set()

    def take(text: str, how: str) -> bool:
        words = normalise(text).split()
        own = {" ".join(words[i : i + HeldOut.WORDS]) for i in range(max(1, len(words) - HeldOut.WORDS + 1))}
        where = None if own & shingles else place(text, files[group_of[text]], args.corpora)
        if where is None:
            return False
        shingles.update(own)
        drawn.append({"text": text, "source": where[0], "start": where[1], "end": where[2], "drawn": how})
        return True

    names = sorted(group for group in groups if groups[group])
    while len(drawn) < args.sentences // 3:
        group = rng.choice(names)
        take(rng.choice(groups[group]), "random")
    sought = {name: rng.sample(texts, len(texts)) for name, texts in sorted(strata(package, groups).items())}
    while len(drawn) < args.sentences and any(sought.values()):
        for name, texts in sought.items():
            while len(drawn) < args.sentences and texts and not take(texts.pop(), name):
                pass
    rng.shuffle(drawn)
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--sentences", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    drawn = draw_sentences(args.package, args, random.Random(args.seed))
    args.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
