"""The settings of a fit, each a flag of train.py, and the flags that the scripts share."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from labels import PACKAGES

# Models that people labelled thousands of sentences for: teachers say what the corpus is taken for, and a language model's label counts less.
TAUGHT = ("cb_stance_label", "cb_certain_label", "cb_forward_looking_classification", "cb_claim_projection_label", "ec_forward_looking", "ec_claim_projection")
# A rare label weighs more, as far as this: a handful of sentences must not outweigh thousands.
MOST_RARE_UP = 4.0


@dataclass(frozen=True)
class Settings:
    seed: int = 7
    vocab_size: int = 12_000
    max_length: int = 256
    dim: int = 192
    dilations: tuple[int, ...] = (1, 2, 4)
    towers: int = 2
    # The width of each tower's attention, and of how many views it is.
    attention: int = 96
    views: int = 2
    # Buckets of hashed n-grams: pairs, pairs with a gap between, triples.
    pairs: int = 2**16
    gaps: int = 2**15
    triples: int = 2**14
    pretrain_steps: int = 8000
    epochs: int = 6
    weak_per_epoch: int = 26_000
    weak_at_random: int = 40_000
    weak_per_label: int = 2000
    baseline_weak: int = 4000
    teacher_folds: int = 3
    teacher_epochs: int = 7
    teacher_dropout: float = 0.45
    weight_people: float = 1.0
    weight_written: float = 1.5
    # That of written sentences in the heads of TAUGHT, where thousands of people's and all that teachers say of the corpus stand beside a few hundred of them.
    weight_written_beside_people: float = 1.5
    weight_plain: float = 1.0
    written_repeats: int = 6
    # How many times as often as other written sentences those of the newest writing come.
    newest_repeats: int = 1
    # How often statements of two figures are learnt in an epoch.
    compared_repeats: int = 1
    weight_labelled: float = 3.0
    weight_labelled_beside_people: float = 0.25
    weight_as_people: float = 1.0
    weight_corpus: float = 0.8
    teacher_share: float = 0.5


def flags(description: str) -> argparse.ArgumentParser:
    """Where the labels and the corpora are."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, default=Path("../shared/labels"))
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    return parser


def flags_of_package(description: str) -> argparse.ArgumentParser:
    """The same, and the one package that a script is about."""
    parser = flags(description)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    return parser
