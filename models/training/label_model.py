"""The label model: how likely each label is by the words of a sentence and by what the labelling functions vote, learnt from the sentences that were labelled one by one.

A vote alone is wrong at times and silent at others; beside the words, how far each can be trusted is learnt.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from data import Example
from labelling_functions import vote
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from weak import WeakExample

LINEAR_C = 4.0
# Word features are of length 1 a sentence; a vote counts three times that.
VOTE_SCALE = 3.0


def vote_features(labels: tuple[str, ...], votes: Iterator[tuple[str | None, bool]]) -> csr_matrix:
    """A row a vote (label or None, whether a rule fired): the label, the label if a rule fired, and abstention."""
    rows = [[float(label == x) for x in labels] + [float(fired and label == x) for x in labels] + [float(label is None)] for label, fired in votes]
    return csr_matrix(np.array(rows, dtype=np.float32) * VOTE_SCALE)


def rare_up(labels: list[str]) -> np.ndarray:
    """Weights of mean 1, by the root of how rare a label is: half the way to all labels alike."""
    counts = Counter(labels)
    weights = np.array([counts[label] ** -0.5 for label in labels])
    return weights / weights.mean()


def label_corpus(models: dict[str, tuple[str, ...]], train: list[Example], corpus: list[WeakExample], train_matrix: csr_matrix, corpus_matrix: csr_matrix) -> dict[str, np.ndarray]:
    """For each model, a probability of each of its labels, a row a sentence of `corpus`."""
    said = {}
    for model, labels in models.items():
        own = [i for i, e in enumerate(train) if model in e.labels]
        known = [train[i].labels[model] for i in own]
        votes = [vote(model, train[i].text) for i in own]
        features = hstack([train_matrix[own], vote_features(labels, ((v.label, v.fired) for v in votes))]).tocsr()
        linear = LogisticRegression(C=LINEAR_C, max_iter=150, tol=1e-3).fit(features, known, sample_weight=rare_up(known))
        corpus_votes = vote_features(labels, ((w.labels.get(model), model in w.fired) for w in corpus))
        found = linear.predict_proba(hstack([corpus_matrix, corpus_votes]).tocsr())
        said[model] = np.zeros((len(corpus), len(labels)))
        said[model][:, [labels.index(label) for label in linear.classes_]] = found
    return said
