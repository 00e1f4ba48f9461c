"""Sentences with other parties: who did something to whom stays, whose names they are does not. A network that has the sentences of cb_foreign_nations_relevancy by heart learns from these what the words between two names say.

    python models/training/parties.py --parts parts

prints some of those that are learnt, each below the sentence that it was made of.
"""

import argparse
import random
import re
from dataclasses import replace
from pathlib import Path

from data import Example, HeldOut
from prepare import Parts, read_parts

FOREIGN_NATIONS = "cb_foreign_nations_relevancy"
# Economies that are named without an article, which a name that takes one could not take the place of, and the word for what is theirs.
ECONOMIES = {
    "Argentina": "Argentine", "Australia": "Australian", "Brazil": "Brazilian", "Britain": "British", "Canada": "Canadian", "Chile": "Chilean", "China": "Chinese", "Colombia": "Colombian", "France": "French", "Germany": "German",
    "India": "Indian", "Indonesia": "Indonesian", "Israel": "Israeli", "Italy": "Italian", "Japan": "Japanese", "Korea": "Korean", "Malaysia": "Malaysian", "Mexico": "Mexican", "Norway": "Norwegian", "Peru": "Peruvian", "Poland": "Polish",
    "Russia": "Russian", "Singapore": "Singaporean", "South Africa": "South African", "Spain": "Spanish", "Sweden": "Swedish", "Switzerland": "Swiss", "Taiwan": "Taiwanese", "Thailand": "Thai", "Turkey": "Turkish", "Vietnam": "Vietnamese",
}  # fmt: skip
# Not the won, which is a verb, too, nor those whose country is named before them (the Brazilian real).
CURRENCIES = ("baht", "euro", "krona", "lira", "peso", "renminbi", "ringgit", "rupee", "yen", "yuan")
# What takes the place of what: the rows of a list, in another order.
_LISTS = (tuple(ECONOMIES.items()), tuple((name,) for name in CURRENCIES))

_NAMES = "|".join(sorted((re.escape(name) for rows in _LISTS for row in rows for name in row), key=len, reverse=True))
_PARTY = re.compile(rf"\b(?:(?P<article>[Aa]n?) )?(?P<name>{_NAMES})\b")
# Longer names that these are a part of: the Bank of Japan, New Mexico, British Columbia, Bank Indonesia, the euro area, the Canadian dollar. Not what begins a sentence ("In Japan").
_LONGER = re.compile(rf"(?!(?:A|An|And|As|At|But|By|For|From|If|In|On|Since|That|The|To|With)\b)\b[A-Z][\w.]*[ -](?:of )?(?:{_NAMES})\b|\b(?:{_NAMES})[ -](?:[A-Z]\w*|area|zone|dollar|franc|krone|pound|real|won)\b")


def with_other_parties(text: str, rng: random.Random) -> str:
    """The sentence with each economy and currency of the lists under the name of one drawn at random, the same wherever it occurs, and no two under one. A name that is also part of a longer one stays throughout."""
    longer = " ".join(match[0] for match in _LONGER.finditer(text))
    becomes = {}
    for rows in _LISTS:
        free = [row for row in rows if not any(re.search(rf"\b{re.escape(name)}\b", longer) for name in row)]
        for row, other in zip(free, rng.sample(free, len(free)), strict=True):
            becomes |= dict(zip(row, other, strict=True))

    def other(match: re.Match) -> str:
        name, article = becomes.get(match["name"], match["name"]), match["article"]
        return f"{article[0]}{'n' * (name[0] in 'AEIO')} {name}" if article else name

    return _PARTY.sub(other, text)


def told_of_others(parts: Parts, times: int, seed: int) -> list[Example]:
    """Each sentence that is learnt for the model `times` times with other parties, where it names any, and with that label alone. They count as the sentence itself does. Without repeats and what comes too near to a tested sentence, which another name can do."""
    rng, held_out = random.Random(seed), HeldOut([e.text for e in parts.tests], [e.text for e in parts.tests if e.source == "labelled"])
    found: dict[str, Example] = {}
    for example in parts.train:
        if FOREIGN_NATIONS in example.labels and _PARTY.search(example.text):
            for text in (with_other_parties(example.text, rng) for _ in range(times)):
                if text != example.text and text not in held_out:
                    found.setdefault(text, replace(example, text=text, labels={FOREIGN_NATIONS: example.labels[FOREIGN_NATIONS]}))
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100, help="how many (default: %(default)s)")
    args = parser.parse_args()
    rng = random.Random(0)
    named = [e for e in read_parts(args.parts, "central-bank").train if FOREIGN_NATIONS in e.labels and _PARTY.search(e.text)]
    for example in rng.sample(named, min(len(named), args.sentences)):
        print(f"{example.labels[FOREIGN_NATIONS]}\n  {example.text}\n  {with_other_parties(example.text, rng)}")


if __name__ == "__main__":
    main()
