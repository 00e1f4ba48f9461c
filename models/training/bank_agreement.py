"""Whose labels differ from everybody else's: for each bank of World Central Banks, how often a linear model of the others' sentences says what its annotators said, on the training part alone, beside how common its commonest label is.
Of stance only Hawkish and Dovish, with the FOMC's sentences among the others'. How the package does on the test part without the two banks whose stance was labelled the other way round stands in models/README.md (`measure.py`).

python models/training/bank_agreement.py --labels ../shared/labels [--of certain]
"""

import argparse
from pathlib import Path

import numpy as np
from data import is_test_of_people, read_jsonl
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from teachers import LINEAR_C, word_pairs

SEED = 7
FOMC = "fomc"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--of", choices=("stance", "certain", "time"), default="stance")
    args = parser.parse_args()
    rows = [row for name in ("wcb_sentences", "fomc_stance") for row in read_jsonl(args.labels / f"{name}.jsonl")]
    rows = [r for r in rows if args.of in r and not is_test_of_people(r["text"], SEED) and (args.of != "stance" or r["stance"] in ("Hawkish", "Dovish"))]
    features = TfidfVectorizer(analyzer=word_pairs, min_df=3, sublinear_tf=True).fit_transform([r["text"] for r in rows])
    labels, banks = np.array([r[args.of] for r in rows]), np.array([r.get("bank_name", FOMC) for r in rows])
    print("| bank | sentences | agreement | commonest label |\n|---|---|---|---|")
    for bank in sorted(set(banks) - {FOMC}):
        own = banks == bank
        others = LogisticRegression(C=LINEAR_C, max_iter=100, tol=1e-3).fit(features[~own], labels[~own])
        commonest = np.unique(labels[own], return_counts=True)[1].max() / own.sum()
        print(f"| `{bank}` | {own.sum()} | {np.mean(others.predict(features[own]) == labels[own]):.2f} | {commonest:.2f} |")


if __name__ == "__main__":
    main()
