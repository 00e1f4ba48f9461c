"""Is a new network better than the shipped one? Scores two packages on the sentences kept for calibration, which no fit learns and which are several times as many as the test part's, and on the test part:

    python models/training/against.py --package central-bank --new out/central-bank --models models --labels ../shared/labels --corpora ../shared/corpora

Weighted F1 on people's sentences, by source, macro F1 on those labelled by the guide and on the written ones, of which none is kept. `--labelled-before N` leaves out what was drawn after the first N lines of labelled/: sentences that were drawn because the shipped network was unsure of them speak
against it. The kept part is there to choose by; the test part, last, only says what became of it.
"""

from pathlib import Path

import numpy as np
from calibrate import kept_for_calibration
from check import session
from data import PEOPLE, WRITTEN_FOR_OTHERS, Example, read_people, read_written
from evaluate import score
from labelled import read_labelled
from labels import PACKAGES
from settings import Settings, flags_of_package
from variants import FULL, ask, encoder

HERE = Path(__file__).parent


def f1_of(folder: Path, examples: list[Example], package: str) -> dict[str, tuple[int, float]]:
    """Of each model that the examples have labels of how many do, and the F1."""
    logits = ask(session(folder / FULL), encoder(folder)([e.text for e in examples]))
    found = {}
    for model, labels in PACKAGES[package].items():
        own = [i for i, e in enumerate(examples) if model in e.labels]
        if own:
            scores = score([examples[i].labels[model] for i in own], [labels[k] for k in logits[model][own].argmax(1)])
            found[model] = len(own), scores["weighted_f1" if examples[0].source in PEOPLE else "macro_f1"]
    return found


def main() -> None:
    parser = flags_of_package(__doc__)
    parser.add_argument("--models", type=Path, default=HERE.parent)
    parser.add_argument("--new", type=Path, required=True, help="the folder of the other package")
    parser.add_argument("--labelled-before", type=int, metavar="N")
    args = parser.parse_args()
    seed = Settings().seed
    people = read_people(args.package, args.labels, seed)
    groups = {source: [e for e in people if e.source == source] for source in sorted({e.source for e in people})}
    groups["labelled"] = read_labelled(args.package, HERE / "labelled", args.corpora)[: args.labelled_before]
    groups["written"] = [e for e in read_written(args.package, HERE / "sentences") if e.source != WRITTEN_FOR_OTHERS]
    print("| part | source | model | n | shipped | new |\n|---|---|---|---|---|---|")
    for part, belongs in (("kept", lambda e: not e.test and kept_for_calibration(e, seed)), ("test", lambda e: e.test)):
        for source, examples in groups.items():
            own = [e for e in examples if belongs(e)]
            if not own:
                continue
            shipped, new = (f1_of(folder, own, args.package) for folder in (args.models / args.package, args.new))
            for model, (n, f1) in shipped.items():
                print(f"| {part} | {source} | `{model}` | {n} | {f1:.3f} | {new[model][1]:.3f} |", flush=True)
            print(f"| {part} | {source} | mean | | {np.mean([f1 for _, f1 in shipped.values()]):.3f} | {np.mean([f1 for _, f1 in new.values()]):.3f} |", flush=True)


if __name__ == "__main__":
    main()
