"""The baseline and teacher: TF-IDF of word 1-2 and character 3-5 grams, and logistic regression, one per model."""

import random

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

WRITTEN_REPEATS = 3


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
