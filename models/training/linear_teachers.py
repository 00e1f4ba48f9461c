"""Linear teachers of the heads that people labelled, for main_fit.py beside the transformers' word: logistic regressions of n-grams and of pairs of words, on people's labels alone, one without each fold of them.

    python models/training/linear_teachers.py --package central-bank --parts parts --beside kept/central-bank-lessons.npz --out kept/central-bank-linear.npz

What each says of the fold that it has not seen, and the mean of them of the corpus, is written as transformer_teachers.py does. `--beside` is what that wrote: printed is how well both, and means of the two, foresee people's labels that they have not learnt.
These are many times what is kept or tested, so they tell which share the linear ones should have, and what there is to win.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from baseline import Features
from data import PEOPLE, Example
from evaluate import f1s
from labels import PACKAGES
from prepare import read_parts
from scipy.sparse import csr_matrix
from settings import TAUGHT, Settings
from teachers import fit_linear, fold_of, matrices, ordered

SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)


def across_folds(model: str, labels: tuple[str, ...], people: list[Example], own_matrix: csr_matrix, corpus_matrix: csr_matrix, folds: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each sentence of people's what the one says that has not learnt its fold, of each of the corpus the mean of all."""
    fold = np.array([fold_of(e, folds) for e in people])
    known, corpus = np.zeros((len(people), len(labels))), np.zeros((corpus_matrix.shape[0], len(labels)))
    for k in range(folds):
        learnt = [i for i, e in enumerate(people) if model in e.labels and fold[i] != k]
        linear = fit_linear(own_matrix[learnt], [people[i].labels[model] for i in learnt], np.ones(len(learnt)))
        known[fold == k] = ordered(linear, own_matrix[fold == k], labels)
        corpus += ordered(linear, corpus_matrix, labels) / folds
    return known, corpus


def compared(model: str, labels: tuple[str, ...], people: list[Example], known: np.ndarray, beside: np.ndarray | None) -> list[str]:
    """A line a source: weighted F1 of the linear ones, and of their means with the others on the sentences that these say something of."""
    lines = []
    for source in PEOPLE:
        own = [i for i, e in enumerate(people) if e.source == source and model in e.labels and (beside is None or not np.isnan(beside[i, 0]))]
        if not own:
            continue
        true = np.array([labels.index(people[i].labels[model]) for i in own])
        said = {1.0: known[own]} if beside is None else {share: (1 - share) * beside[own].astype(float) + share * known[own] for share in SHARES}
        scores = (f"{share:.1f} {f1s(true * len(labels) + each.argmax(1), len(labels), len(labels))[1]:.4f}" for share, each in said.items())
        lines.append(f"{model}, {len(own)} of {source}, weighted F1 by the linear ones' share: {', '.join(scores)}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("--beside", type=Path, help="what transformer_teachers.py joined, to be compared with")
    for name in ("parts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    begun = time.time()
    log = lambda message: print(f"[{args.package} {time.time() - begun:4.0f} s] {message}", flush=True)  # noqa: E731
    parts = read_parts(args.parts, args.package)
    people = [e for e in parts.train if e.source in PEOPLE]
    own_matrix, corpus_matrix = matrices([e.text for e in people], [w.text for w in parts.weak_train], Features([e.text for e in people]))
    log(f"{len(people)} of people's sentences, {own_matrix.shape[1]} features")
    beside = np.load(args.beside) if args.beside else {}
    said = {}
    for model, labels in ((m, labels) for m, labels in PACKAGES[args.package].items() if m in TAUGHT):
        known, corpus = across_folds(model, labels, people, own_matrix, corpus_matrix, Settings().teacher_folds)
        said[f"people|{model}"], said[f"weak|{model}"] = known.astype(np.float16), corpus.astype(np.float16)
        for line in compared(model, labels, people, known, beside.get(f"people|{model}")):
            log(line)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(args.out, **said)


if __name__ == "__main__":
    main()
