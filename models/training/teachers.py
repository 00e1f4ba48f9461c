"""The teachers: linear models of the heads that people labelled and networks of all of them, each fitted without one fold of people's sentences.

A sentence of people's gets the word of the teachers that have not seen it, a sentence of the corpus the mean of all.
"""

import copy
import multiprocessing
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from baseline import Features
from data import PEOPLE, Example, draw
from fit import Encoded, fit, predict
from model import WideDeep
from scipy.sparse import csr_matrix, hstack, vstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

PAIR_REACH = 7
WORD = re.compile(r"[a-z]+|0|%")
ENDINGS = ("ingly", "edly", "ing", "ed", "ies", "es", "s", "ly")
LINEAR_C = 4.0
# The n-gram weights start at zero, and the teachers see few sentences: at the rate of the main fit they would hardly move.
WIDE_LR = 2e-2


@dataclass(frozen=True)
class Lessons:
    """Model to probabilities in the order of its labels, a row a sentence: of `known` only people's sentences have any, the others NaN."""

    known: dict[str, np.ndarray]
    corpus: dict[str, np.ndarray]


@dataclass(frozen=True)
class Teaching:
    folds: int
    epochs: int
    dropout: float
    seed: int
    processes: int = 1


def stem(word: str) -> str:
    """Without one ending; at least four letters are left."""
    return next((word[: -len(end)] for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= 4), word)


def word_pairs(text: str) -> list[str]:
    """The stems of a sentence and every two of them at most seven words apart, whichever is first: what fell, however it is put."""
    stems = [stem(word) for word in WORD.findall(re.sub(r"\d+", "0", text.lower()))]
    near = [(a, b) for i, a in enumerate(stems) for b in stems[i + 1 : i + 1 + PAIR_REACH]]
    return stems + [f"{a}_{b}" if a < b else f"{b}~{a}" for a, b in near]


def matrices(known: list[str], corpus: list[str], plain: Features) -> tuple[csr_matrix, csr_matrix]:
    """The baseline's features, and the pairs that `known` has."""
    pairs = TfidfVectorizer(analyzer=word_pairs, min_df=3, sublinear_tf=True).fit(known)
    of = lambda texts: hstack([plain(texts), pairs.transform(texts)]).tocsr()  # noqa: E731
    return of(known), of(corpus)


def teach(net: WideDeep, models: list[str], weight_of: Callable[[Example, str], float], train: list[Example], own_matrix: csr_matrix, corpus_matrix: csr_matrix, also: dict[str, list[tuple[int, str]]], data: Encoded,
          rows: list[np.ndarray], teaching: Teaching, log: Callable[[str], None]) -> tuple[Lessons, dict[str, np.ndarray]]:
    """Beside the lessons of `models`, what the networks alone say of the corpus for every other head, for they learn all of them.

    The matrices are the linear features of `train` and of the corpus, `data` the targets of `train`, `rows` the token ids of the corpus; `also` places in the corpus with a label that the linear model of a head learns as well, `weight_of` how much a sentence counts for one."""
    log(f"{own_matrix.shape[1]} features of the linear teachers")
    weights = {m: np.array([weight_of(e, m) for e in train]) for m in models}
    one = partial(teach_fold, net, models, weights, train, own_matrix, corpus_matrix, also, data, rows, teaching)
    known = {m: np.full((len(train), len(net.heads[m])), np.nan) for m in models}
    said = {m: np.zeros((len(rows), len(labels))) for m, labels in net.heads.items()}
    with ProcessPoolExecutor(min(teaching.processes, teaching.folds), multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        for k, (out, of_known, of_corpus) in enumerate(pool.map(one, range(teaching.folds))):
            for m in models:
                known[m][out] = of_known[m]
            for m in said:
                said[m] += of_corpus[m] / teaching.folds
            log(f"teacher {k + 1} of {teaching.folds}")
    for m in models:
        for source in PEOPLE:
            mine = [i for i, e in enumerate(train) if e.source == source and m in e.labels]
            if mine:
                right = np.mean([net.heads[m][known[m][i].argmax()] == train[i].labels[m] for i in mine])
                log(f"{m}: the teachers agree with {source} on {right:.3f} of {len(mine)} sentences that they had not seen")
    others = {m: said.pop(m) for m in net.heads if m not in models}
    return Lessons(known, said), others


def teach_fold(net: WideDeep, models: list[str], weights: dict[str, np.ndarray], train: list[Example], own_matrix: csr_matrix, corpus_matrix: csr_matrix, also: dict[str, list[tuple[int, str]]], data: Encoded,
               rows: list[np.ndarray], teaching: Teaching, k: int) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The places in `train` of the sentences of fold k, what the teachers that learn without them say of each for `models`, and what they say of the corpus for every head."""
    fold = np.array([fold_of(e, teaching.folds) for e in train])
    kept, out = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
    student = copy.deepcopy(net)
    student.towers = student.towers[:1]
    fit(student, data, kept.tolist(), [], 0, teaching.epochs, teaching.seed + 100 + k, lambda _: None, second_lr=WIDE_LR, token_share=0.1, dropout=teaching.dropout)
    known = {m: softmax(logits) for m, logits in predict(student, [data.ids[i] for i in out]).items() if m in models}
    said = {m: softmax(logits) for m, logits in predict(student, rows).items()}
    for m in models:
        learnt = [i for i in kept if m in train[i].labels]
        more = also.get(m, [])
        matrix = vstack([own_matrix[learnt], corpus_matrix[[i for i, _ in more]]]) if more else own_matrix[learnt]
        each = np.concatenate([weights[m][learnt], np.ones(len(more))])
        linear = fit_linear(matrix, [train[i].labels[m] for i in learnt] + [label for _, label in more], each)
        known[m] = (ordered(linear, own_matrix[out], net.heads[m]) + known[m]) / 2
        said[m] = (ordered(linear, corpus_matrix, net.heads[m]) + said[m]) / 2
    return out, known, said


def fold_of(example: Example, folds: int) -> int:
    """The part of people's sentences that it belongs to; -1 where its labels are not people's."""
    return int(draw(example.text, 0, "fold") * folds) if example.source in PEOPLE else -1


def fit_linear(matrix: csr_matrix, labels: list[str], counts: np.ndarray) -> LogisticRegression:
    """`counts` is how much each sentence counts."""
    return LogisticRegression(C=LINEAR_C, max_iter=100, tol=1e-3).fit(matrix, labels, sample_weight=counts)


def ordered(linear: LogisticRegression, matrix: csr_matrix, labels: tuple[str, ...]) -> np.ndarray:
    """Probabilities in the order of the model's labels; 0 for a label that was not there to learn."""
    found = linear.predict_proba(matrix)
    out = np.zeros((found.shape[0], len(labels)))
    out[:, [labels.index(label) for label in linear.classes_]] = found
    return out


def softmax(logits: np.ndarray) -> np.ndarray:
    return torch.softmax(torch.from_numpy(logits), 1).numpy()
