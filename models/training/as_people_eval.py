"""How far the reader of `labelled/as-people.jsonl` labels as people did: its labels of sentences of people's training part, which it was given among the others, beside theirs.

python models/training/as_people_eval.py --labels ../shared/labels --corpora ../shared/corpora
"""

import argparse
import json
from pathlib import Path

from data import HeldOut, is_test_of_people, read_jsonl, read_people
from evaluate import score
from labelled import AS_PEOPLE_OF, STANCE, fingerprint, read_as_people
from labels import PACKAGES

HERE = Path(__file__).parent
SEED = 7
LABELS = PACKAGES[AS_PEOPLE_OF]
# What people's files call the labels of a model.
FIELDS = {STANCE: "stance", "cb_certain_label": "certain", "cb_forward_looking_classification": "time", "cb_claim_projection_label": "claim"}
# How people's files write a label that the models write otherwise.
AS_THE_MODELS = {"In Claim": "IN_CLAIM", "Out of Claim": "OUT_OF_CLAIM"}


def compare(labels: Path) -> list[dict]:
    """A row for each source of people's labels, model, how many near ones the reader saw at most, and whether a sentence stood with its label elsewhere in what it read."""
    # As published, the stance of banks that nothing learns among them: the reader was shown that too.
    people = {(source, fingerprint(row["text"])): row for source in ("wcb_sentences", "fomc_stance", "numerical_claims") for row in read_jsonl(labels / f"{source}.jsonl")}
    pairs: dict[tuple[str, str, int, bool], list[tuple[str, str]]] = {}
    for line in (HERE / "labelled" / "as-people-check.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_people = people[(row["after"], row["sha256"])]
        if is_test_of_people(by_people["text"], SEED):
            raise ValueError(f"{row['sha256']} is of the test part, which the reader may not see")
        for model, said in row["labels"].items():
            true = AS_THE_MODELS.get(by_people[FIELDS[model]], by_people[FIELDS[model]])
            if true is not None and true in LABELS[model]:
                pairs.setdefault((row["after"], model, row["near"], row["elsewhere"]), []).append((true, said))
    return [{"source": source, "model": model, "near": near, "elsewhere": elsewhere, **score([t for t, _ in both], [s for _, s in both])} for (source, model, near, elsewhere), both in sorted(pairs.items())]


def count_overlaps(labels: Path, corpora: Path) -> tuple[int, int]:
    """How many of its sentences share eight words in a row with one of people's test part, and how many there are."""
    held_out = HeldOut([], [e.text for e in read_people(AS_PEOPLE_OF, labels, SEED) if e.test])
    texts = [e.text for e in read_as_people(AS_PEOPLE_OF, HERE / "labelled", corpora)]
    return sum(text in held_out for text in texts), len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    args = parser.parse_args()
    print("| people's labels of | model | near ones | label stood elsewhere | n | accuracy | weighted F1 (95%) |\n|---|---|---|---|---|---|---|")
    for row in compare(args.labels):
        low, high = row["weighted_f1_95"]
        print(f"| `{row['source']}` | `{row['model']}` | {row['near']} | {'yes' if row['elsewhere'] else 'no'} | {row['n']} | {row['accuracy']:.3f} | {row['weighted_f1']:.3f} ({low:.3f}–{high:.3f}) |")
    overlaps, n = count_overlaps(args.labels, args.corpora)
    print(f"\n{overlaps} of the {n} sentences of as-people.jsonl share eight words in a row with a sentence of people's test part.")


if __name__ == "__main__":
    main()
