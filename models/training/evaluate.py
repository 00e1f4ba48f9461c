"""Scores of predicted against true labels with their intervals, calibration, and label shares."""

from collections import Counter

import numpy as np

RESAMPLES = 1000
BINS = 10


def score(true: list[str], predicted: list[str], confidence: np.ndarray | None = None) -> dict:
    """Accuracy; macro and weighted F1 over the labels that occur in `true`, each with its 95% bootstrap interval; the calibration error where a confidence in [0, 1] is given a row."""
    present = sorted(set(true))
    names = present + sorted(set(predicted) - set(present))
    place = {name: i for i, name in enumerate(names)}
    pairs = np.array([place[t] * len(names) + place[p] for t, p in zip(true, predicted)])
    rng = np.random.default_rng(7)
    drawn = [f1s(pairs, len(present), len(names))] + [f1s(rng.choice(pairs, len(pairs)), len(present), len(names)) for _ in range(RESAMPLES)]
    (macro, weighted), resampled = drawn[0], np.array(drawn[1:])
    right = np.array(true) == np.array(predicted)
    out = {"n": len(true), "accuracy": round(float(right.mean()), 4), "macro_f1": round(macro, 4), "weighted_f1": round(weighted, 4)}
    for at, name in enumerate(("macro_f1", "weighted_f1")):
        out[f"{name}_95"] = [round(float(x), 4) for x in np.percentile(resampled[:, at], [2.5, 97.5])]
    return out if confidence is None else {**out, "calibration_error": round(calibration_error(right, confidence), 4)}


def alarms(relevant: list[bool], called: list[bool]) -> dict[str, int]:
    """How many are called relevant, how many of these are not, and how many are missed."""
    return {"called": sum(called), "wrongly": sum(c and not r for r, c in zip(relevant, called)), "missed": sum(r and not c for r, c in zip(relevant, called))}


def f1s(pairs: np.ndarray, present: int, names: int) -> tuple[float, float]:
    """Macro and weighted F1 of pairs of a true and a predicted label, coded as true x names + predicted; the first `present` labels count."""
    table = np.bincount(pairs, minlength=names * names).reshape(names, names).astype(float)
    hits, true, said = np.diag(table), table.sum(1), table.sum(0)
    each = 2 * hits / np.maximum(true + said, 1)
    occurs = (true > 0)[:present]
    return float(each[:present][occurs].mean()), float((each * true)[:present].sum() / true[:present].sum())


def calibration_error(right: np.ndarray, confidence: np.ndarray) -> float:
    """Expected calibration error over ten bins of equal width: the mean distance of accuracy and confidence, weighted by the bins' sizes."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(sum(abs(right[bins == b].mean() - confidence[bins == b].mean()) * (bins == b).mean() for b in range(BINS) if (bins == b).any()))


def shares(predicted: list[str], labels: tuple[str, ...]) -> dict[str, float]:
    counts = Counter(predicted)
    return {label: round(counts[label] / max(len(predicted), 1), 4) for label in labels}
