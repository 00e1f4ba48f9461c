"""The baseline and teacher: TF-IDF of word 1-2 and character 3-5 grams, and logistic regression, one per model. By itself, it writes what the baselines of the heads that no person labelled say of the corpus, a teacher for main_fit.py:

    python models/training/baseline.py --package earnings-call --parts parts --out kept/earnings-call-baseline.npz
"""

import argparse
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
from data import BY_GUIDE, PEOPLE, Example
from labels import PACKAGES
from plain import PLAIN
from prepare import read_parts
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from settings import TAUGHT, Settings
from sklearn.linear_model import LogisticRegression
from weak import WeakExample

# A written sentence, or one that was labelled by the guide, counts as this many of people's.
WRITTEN_WEIGHT = 3.0
# Fitted to the end: at the tolerance of the other scripts (1e-3) the solver stops early, and a baseline of calls' claims had a weighted F1 of 0.874 by people's labels, to the end 0.932.
TOLERANCE, MOST_STEPS = 1e-5, 1000
# The baseline learns nothing from the language model's labels of these: people labelled thousands.
NOT_LEARNT_BY_BASELINE = ("cb_stance_label",)
# Weak labels that may enter the baseline of a model that people labelled, because people labelled few of them.
WEAK_FOR_TAUGHT = {"cb_stance_label": ("Irrelevant", 400)}


class Features:
    def __init__(self, texts: list[str]):
        self.word = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, lowercase=True, max_features=150_000)
        self.char = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=3, sublinear_tf=True, lowercase=True, max_features=200_000)
        self.word.fit(texts)
        self.char.fit(texts)

    def __call__(self, texts: list[str]):
        return hstack([self.word.transform(texts), self.char.transform(texts)]).tocsr()


class Baseline:
    """Probabilities in the order of the model's labels."""

    def __init__(self, features: Features, labels: tuple[str, ...], matrix: csr_matrix, targets: list[str], weights: list[float], balanced: bool):
        """`matrix`: what `features` gives of the sentences that the targets and the weights are of."""
        self.features, self.labels = features, labels
        self.classifier = LogisticRegression(C=4.0, max_iter=MOST_STEPS, tol=TOLERANCE, class_weight="balanced" if balanced else None)
        self.classifier.fit(matrix, targets, sample_weight=weights)

    def probabilities(self, texts: list[str], matrix=None) -> np.ndarray:
        found = self.classifier.predict_proba(self.features(texts) if matrix is None else matrix)
        out = np.zeros((found.shape[0], len(self.labels)))
        for column, label in enumerate(self.classifier.classes_):
            out[:, self.labels.index(label)] = found[:, column]
        return out

    def predict(self, texts: list[str]) -> list[str]:
        return [self.labels[i] for i in self.probabilities(texts).argmax(1)]


def balanced_sample(pairs: list[tuple[str, str]], size: int, seed: int) -> list[tuple[str, str]]:
    """At most `size` pairs, the labels as even as they can be."""
    rng = random.Random(seed)
    by_label: dict[str, list[tuple[str, str]]] = {}
    for pair in pairs:
        by_label.setdefault(pair[1], []).append(pair)
    each = size // max(len(by_label), 1)
    return [p for label in sorted(by_label) for p in rng.sample(by_label[label], min(each, len(by_label[label])))]


def without(example: Example, models: tuple[str, ...]) -> Example:
    return replace(example, labels={m: label for m, label in example.labels.items() if m not in models})


def fit_baselines(package: str, train: list[Example], weak: list[WeakExample], settings: Settings, with_plain: bool = False) -> dict[str, Baseline]:
    """One a model, all on the same features; nothing of what was labelled as people would have. `with_plain`: of the models alone that plain statements are of, and with these."""
    models = [m for m in PACKAGES[package] if not with_plain or any(m in e.labels for e in train if e.source == PLAIN)]
    train = [without(e, NOT_LEARNT_BY_BASELINE) if e.source in BY_GUIDE else e for e in train if e.source != "as people" and (with_plain or e.source != PLAIN)]
    # What a reader said beside a sentence makes no word of it commoner.
    features = Features(list(dict.fromkeys(e.text for e in train)) + [w.text for w in weak[:: max(1, len(weak) // 12_000)]])
    learnt = {model: learnt_of(model, train, weak, settings) for model in models}
    # Most sentences are of most models: their features are made once.
    row = {text: i for i, text in enumerate(dict.fromkeys(t for pairs, _, _ in learnt.values() for t, _ in pairs))}
    matrix = features(list(row))
    return {m: Baseline(features, PACKAGES[package][m], matrix[[row[t] for t, _ in pairs]], [label for _, label in pairs], weights, balanced) for m, (pairs, weights, balanced) in learnt.items()}


def learnt_of(model: str, train: list[Example], weak: list[WeakExample], settings: Settings) -> tuple[list[tuple[str, str]], list[float], bool]:
    """The sentences with their labels, how much each counts, and whether the labels are to count alike, as where no person said how common they are."""
    own = [e for e in train if model in e.labels]
    by_people = any(e.source in PEOPLE for e in own)
    if by_people:
        label, size = WEAK_FOR_TAUGHT.get(model, (None, 0))
        more = balanced_sample([(w.text, label) for w in weak if w.labels.get(model) == label and model in w.fired], size, settings.seed) if label else []
    else:
        more = balanced_sample([(w.text, w.labels[model]) for w in weak if model in w.labels], settings.baseline_weak, settings.seed)
    return [(e.text, e.labels[model]) for e in own] + more, [1.0 if e.source in (*PEOPLE, PLAIN) else WRITTEN_WEIGHT for e in own] + [1.0] * len(more), not by_people


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    for name in ("parts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    parts = read_parts(args.parts, args.package)
    baselines = fit_baselines(args.package, parts.train, parts.weak_train, Settings())
    said = {m: b for m, b in baselines.items() if m not in TAUGHT}
    matrix = next(iter(said.values())).features([w.text for w in parts.weak_train])
    args.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(args.out, **{f"weak|{m}": b.probabilities([], matrix).astype(np.float16) for m, b in said.items()})


if __name__ == "__main__":
    main()
