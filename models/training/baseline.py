"""The baseline and teacher: TF-IDF of word 1-2 and character 3-5 grams, and logistic regression, one per model."""

import random
from dataclasses import replace

import numpy as np
from data import BY_GUIDE, PEOPLE, Example
from labels import PACKAGES
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from settings import Settings
from sklearn.linear_model import LogisticRegression
from weak import WeakExample

WRITTEN_REPEATS = 3
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

    def __init__(self, features: Features, labels: tuple[str, ...], texts: list[str], targets: list[str], balanced: bool):
        self.features, self.labels = features, labels
        self.classifier = LogisticRegression(C=4.0, max_iter=300, tol=1e-3, class_weight="balanced" if balanced else None)
        self.classifier.fit(features(texts), targets)

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


def fit_baselines(package: str, train: list[Example], weak: list[WeakExample], settings: Settings) -> dict[str, Baseline]:
    """One a model, all on the same features; nothing of what was labelled as people would have."""
    train = [without(e, NOT_LEARNT_BY_BASELINE) if e.source in BY_GUIDE else e for e in train if e.source != "as people"]
    features = Features([e.text for e in train] + [w.text for w in weak[:: max(1, len(weak) // 12_000)]])
    out = {}
    for model, labels in PACKAGES[package].items():
        own = [(e.text, e.labels[model]) for e in train if model in e.labels]
        by_people = any(e.source in PEOPLE and model in e.labels for e in train)
        pairs = [p for e, p in zip([e for e in train if model in e.labels], own) for _ in range(1 if e.source in PEOPLE else WRITTEN_REPEATS)]
        if by_people:
            label, size = WEAK_FOR_TAUGHT.get(model, (None, 0))
            pairs += balanced_sample([(w.text, label) for w in weak if w.labels.get(model) == label and model in w.fired], size, settings.seed) if label else []
        else:
            pairs += balanced_sample([(w.text, w.labels[model]) for w in weak if model in w.labels], settings.baseline_weak, settings.seed)
        out[model] = Baseline(features, labels, [t for t, _ in pairs], [x for _, x in pairs], balanced=not by_people)
    return out
