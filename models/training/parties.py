"""Sentences about the United States and others, with other parties: who did something to whom stays, whose names they are does not. A network that has the sentences of cb_foreign_nations_relevancy by heart learns from these what the words between two names say.

    python models/training/parties.py --parts parts

prints some of those that are learnt, each below the sentence that it was made of.
"""

import argparse
import random
import re
from pathlib import Path

from data import Example
from labels import RELEVANCY

MODEL = "cb_foreign_nations_relevancy"
# Economies that are named without an article, and the word for what is theirs.
ECONOMIES = {
    "Argentina": "Argentine", "Australia": "Australian", "Brazil": "Brazilian", "Britain": "British", "Canada": "Canadian", "Chile": "Chilean", "China": "Chinese", "Colombia": "Colombian", "France": "French", "Germany": "German",
    "India": "Indian", "Indonesia": "Indonesian", "Israel": "Israeli", "Italy": "Italian", "Japan": "Japanese", "Korea": "Korean", "Malaysia": "Malaysian", "Mexico": "Mexican", "Norway": "Norwegian", "Peru": "Peruvian", "Poland": "Polish",
    "Russia": "Russian", "Singapore": "Singaporean", "South Africa": "South African", "Spain": "Spanish", "Sweden": "Swedish", "Switzerland": "Swiss", "Taiwan": "Taiwanese", "Thailand": "Thai", "Turkey": "Turkish", "Vietnam": "Vietnamese",
}  # fmt: skip
CURRENCIES = ("baht", "euro", "krona", "lira", "peso", "renminbi", "ringgit", "rupee", "sterling", "won", "yen", "yuan")
# What takes the place of what: each list as it is, reordered.
_LISTS = (tuple(ECONOMIES.items()), tuple((name,) for name in CURRENCIES))

_NAMES = "|".join(sorted((re.escape(name) for names in _LISTS for row in names for name in row), key=len, reverse=True))
_PARTY = re.compile(rf"\b(?:(?P<article>[Aa]n?) )?(?P<name>{_NAMES})\b(?!-?[Aa]rea)")
_UNITED_STATES = re.compile(r"\b(?:United States|U\.S\.(?=[ ,;'’)/–-])|US\b(?![$-]))")
_THEIR_BANK = re.compile(r"\b(?:Federal Reserve(?! (?:Bank|System|District|Act|Board|Chair|Open))|Fed(?![a-z]))")
# Longer names that these are a part of, which stay.
_LONGER = re.compile(r"(?:Bank|Banks|Government|Republic|Reserve Bank) of [A-Z]\w+|(?:South|North) Korea|New Zealand|Hong Kong|euro[ -]area|(?:Swiss|Australian) [A-Z]\w+")


def with_other_parties(text: str, rng: random.Random) -> str:
    """The sentence with each economy and currency under the name of another, the same one wherever it occurs, and the United States and the Federal Reserve under another of their own names. A name that is also part of a longer one (the Bank of Japan) stays throughout."""
    longer = " ".join(match[0] for match in _LONGER.finditer(text))
    becomes = {}
    for rows in _LISTS:
        free = [row for row in rows if not any(re.search(rf"\b{re.escape(name)}\b", longer) for name in row)]
        for row, other in zip(free, rng.sample(free, len(free)), strict=True):
            becomes |= dict(zip(row, other, strict=True))

    def other(match: re.Match) -> str:
        name, article = becomes.get(match["name"], match["name"]), match["article"]
        return f"{article[0]}{'n' * (name[0] in 'AEIO')} {name}" if article else name

    us, bank = rng.choice(("U.S.", "US")), rng.choice(("Federal Reserve", "Fed"))
    text = _UNITED_STATES.sub(lambda match: match[0] if match[0] == "United States" and rng.random() < 0.5 else us, text)
    return _PARTY.sub(other, _THEIR_BANK.sub(bank, text))


def told_of_others(train: list[Example], times: int, seed: int) -> list[Example]:
    """Of the sentences that have a label of the model and are relevant or name the United States, each as often with other parties, where it names any; with that label alone."""
    rng, found = random.Random(seed), []
    for example in train:
        if example.labels.get(MODEL) == RELEVANCY[0] or MODEL in example.labels and (_UNITED_STATES.search(example.text) or _THEIR_BANK.search(example.text)):
            for _ in range(times):
                text = with_other_parties(example.text, rng)
                if text != example.text:
                    found.append(Example(text, {MODEL: example.labels[MODEL]}, example.source))
    return found


def main() -> None:
    from prepare import read_parts

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=Path, required=True)
    args = parser.parse_args()
    rng = random.Random(0)
    for example in rng.sample([e for e in read_parts(args.parts, "central-bank").train if MODEL in e.labels], 400):
        if (text := with_other_parties(example.text, rng)) != example.text:
            print(f"{example.labels[MODEL]}\n  {example.text}\n  {text}")


if __name__ == "__main__":
    main()
