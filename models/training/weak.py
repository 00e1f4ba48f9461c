"""The sentences that labelling functions label: drawn from the corpus at random, and enriched with the rarer labels."""

import random
from dataclasses import dataclass, field

from data import HeldOut, draw
from labelling_functions import TABLE, vote
from labels import PACKAGES, RELEVANCY

WEAK_TEST_SHARE = 0.05


@dataclass
class WeakExample:
    text: str
    labels: dict[str, str]
    fired: frozenset[str]
    test: bool
    spans: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)


def sample_weak(package: str, groups: dict[str, list[str]], forbidden: HeldOut, seed: int, at_random: int, per_label: int) -> list[WeakExample]:
    """None of the `forbidden` texts may come in by this door."""
    models = [m for m in PACKAGES[package]]
    rng = random.Random(seed)
    pool: list[WeakExample] = []
    per_group = max(at_random // len(groups), 1)
    wanted: dict[tuple[str, str], list[int]] = {}
    randoms: list[int] = []
    for group in sorted(groups):
        start = len(pool)
        for text in groups[group]:
            if text in forbidden:
                continue
            lowered = text.lower()
            votes = {m: vote(m, text, lowered) for m in models}
            spans = {m: v.spans for m, v in votes.items() if v.spans and v.label == "Relevant" and PACKAGES[package][m] == RELEVANCY}
            labels = {m: v.label for m, v in votes.items() if v.label is not None}
            fired = frozenset(m for m, v in votes.items() if v.fired and v.label is not None)
            pool.append(WeakExample(text, labels, fired, draw(text, seed, "weak") < WEAK_TEST_SHARE, spans))
            for m in fired:
                if labels[m] != TABLE[m][0]:
                    wanted.setdefault((m, labels[m]), []).append(len(pool) - 1)
        members = range(start, len(pool))
        randoms += rng.sample(members, min(per_group, len(members)))
    chosen = set(randoms)
    for key in sorted(wanted):
        have = [i for i in wanted[key] if i in chosen]
        rest = [i for i in wanted[key] if i not in chosen]
        chosen.update(rng.sample(rest, min(max(per_label - len(have), 0), len(rest))))
    return [pool[i] for i in sorted(chosen)]
