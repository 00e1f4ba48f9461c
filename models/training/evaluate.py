"""Scores of predicted against true labels, and label shares."""

from collections import Counter

from sklearn.metrics import accuracy_score, f1_score


def score(true: list[str], predicted: list[str]) -> dict:
    present = sorted(set(true))
    return {
        "n": len(true),
        "accuracy": round(float(accuracy_score(true, predicted)), 4),
        "macro_f1": round(float(f1_score(true, predicted, labels=present, average="macro", zero_division=0)), 4),
        "weighted_f1": round(float(f1_score(true, predicted, labels=present, average="weighted", zero_division=0)), 4),
    }


def shares(predicted: list[str], labels: tuple[str, ...]) -> dict[str, float]:
    counts = Counter(predicted)
    return {label: round(counts[label] / max(len(predicted), 1), 4) for label in labels}
