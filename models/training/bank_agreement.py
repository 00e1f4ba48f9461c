"""Whose stance was labelled otherwise: for each bank of World Central Banks, how often a linear model of the others' sentences and the FOMC's agrees on Hawkish and Dovish, on the training part alone;
and how the package does on the test part with those banks and without.

python models/training/bank_agreement.py --labels ../shared/labels [--models models]
"""

import argparse
from pathlib import Path

import numpy as np
from data import STANCE_OTHERWISE, is_test_of_people, read_jsonl
from evaluate import score
from labelled import STANCE
from labelled_eval import predict
from labels import PACKAGES
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from teachers import LINEAR_C, word_pairs

HERE = Path(__file__).parent
SEED = 7
PACKAGE = "central-bank"
FOMC = "fomc"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=HERE.parent)
    args = parser.parse_args()
    of_banks = read_jsonl(args.labels / "wcb_sentences.jsonl")
    show_agreement([*of_banks, *read_jsonl(args.labels / "fomc_stance.jsonl")])
    show_test([r for r in of_banks if r["stance"] in PACKAGES[PACKAGE][STANCE] and is_test_of_people(r["text"], SEED)], args.models / PACKAGE)


def show_agreement(rows: list[dict]) -> None:
    rows = [r for r in rows if r["stance"] in ("Hawkish", "Dovish") and not is_test_of_people(r["text"], SEED)]
    features = TfidfVectorizer(analyzer=word_pairs, min_df=3, sublinear_tf=True).fit_transform([r["text"] for r in rows])
    stances, banks = np.array([r["stance"] for r in rows]), np.array([r.get("bank_name", FOMC) for r in rows])
    print("| bank | Hawkish or Dovish | agreement |\n|---|---|---|")
    for bank in sorted(set(banks) - {FOMC}):
        own = banks == bank
        others = LogisticRegression(C=LINEAR_C, max_iter=100, tol=1e-3).fit(features[~own], stances[~own])
        print(f"| `{bank}` | {own.sum()} | {np.mean(others.predict(features[own]) == stances[own]):.2f} |")


def show_test(rows: list[dict], package: Path) -> None:
    said = predict(package, [r["text"] for r in rows])[STANCE]
    pairs = [(r["stance"], given, r["bank_name"]) for r, given in zip(rows, said)]
    for name, chosen in (("all banks", pairs), ("without those two", [p for p in pairs if p[2] not in STANCE_OTHERWISE])):
        found = score([p[0] for p in chosen], [p[1] for p in chosen])
        print(f"\nStance on the test part, {name}: n {found['n']}, weighted F1 {found['weighted_f1']:.3f}, macro F1 {found['macro_f1']:.3f}")


if __name__ == "__main__":
    main()
