"""The statements that a program puts together, plain ones and turned ones, each kind with a test part of its own. By itself, it prints them, a line of JSON each:

    python models/training/statements.py --tested
"""

import argparse
import json
import random

import compared
from data import Example
from labels import PACKAGES
from plain import KINDS, PAIRS, PLAIN, THINGS, befallen, statement, things
from settings import Settings
from turned import TURNED, Maker

# What may stand before or behind a statement and says nothing of its own; learnt alone.
BEFORE = {
    "central-bank": things("According to the latest figures,; As the chart shows,; In the euro area,; On balance,; As is well known,; In this country,; Meanwhile,; At the same time,; In its statement the Bank says that; Turning to the details,; By contrast,; In the staff's view,; In large parts of the country,"),
    "earnings-call": things("As you can see on slide four,; As expected,; In our largest segment,; As Jim mentioned,; Turning to the details,; On a constant currency basis,; In Europe,; On the other hand,; In the first half,; I would note that; At the same time,; Excluding one-time items,"),
}
BEHIND = {
    "central-bank": things(", as table 2 shows; , according to the statistics office; , it was noted; , Mr. Smith said; , and the decision was published on the website; , after a similar movement in the quarter before; , as in neighbouring countries; , with effect from the first of the month"),
    "earnings-call": things(", as shown on the slide; , in line with what we said in the last call; , driven by the European business; , including the two acquired sites; , as we discussed in January; , on a reported basis; , and I will come back to that later"),
}
SURROUNDED_SHARE = 0.3

# Statements of each kind that are learnt, plain and turned, and of each half of the test part.
LEARNT_OF_A_KIND, LEARNT_OF_A_TURN, TESTED_OF_A_KIND = {"central-bank": 4000, "earnings-call": 8000}, 6000, 100


def surrounded(text: str, package: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        is_abbreviation = text[1:2].isupper()
        return f"{rng.choice(BEFORE[package])} {text if is_abbreviation else text[0].lower() + text[1:]}"
    return f"{text[:-1]}{rng.choice(BEHIND[package])}."


def makers(package: str) -> dict[str, Maker]:
    """Of each kind, what puts one of its statements together."""
    plain: dict[str, Maker] = {kind.name: (lambda test, rng, kind=kind: statement(package, kind, test, rng)) for kind in KINDS[package]}
    plain[compared.NAME] = lambda test, rng: compared.statement(package, test, rng)
    return plain | ({"what befalls": befallen} if package == "earnings-call" else {}) | TURNED[package]


def is_turned(example: Example, package: str) -> bool:
    return (example.kind.rpartition(", ")[0] or example.kind) in TURNED[package]


def read_plain(package: str, tested: bool, seed: int) -> list[Example]:
    """Statements without repeats: those to learn from, or those of the test part."""
    out: list[Example] = []
    for name, make in makers(package).items():
        for test in (PAIRS, THINGS) if tested else (None,):
            rng, found = random.Random(f"{seed}|{name}|{test}"), {}
            size = TESTED_OF_A_KIND if test else LEARNT_OF_A_TURN if name in TURNED[package] else LEARNT_OF_A_KIND[package]
            for _ in range(size * 20):
                text, labels = make(test, rng)
                if not test and rng.random() < SURROUNDED_SHARE:
                    text = surrounded(text, package, rng)
                found.setdefault(text, labels)
                if len(found) == size:
                    break
            out += [Example(text, labels, PLAIN, tested, kind=f"{name}, {test}" if test else name) for text, labels in found.items()]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES))
    parser.add_argument("--tested", action="store_true", help="of the test part, not of what is learnt")
    args = parser.parse_args()
    for package in [args.package] if args.package else PACKAGES:
        for example in read_plain(package, args.tested, Settings().seed):
            print(json.dumps({"kind": example.kind, "text": example.text, "labels": example.labels}))


if __name__ == "__main__":
    main()
