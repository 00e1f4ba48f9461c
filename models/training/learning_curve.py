"""Does labelling more pay? Fits one tower on shares of the sentences labelled by the guide, each a half or so of the next, and scores it on those kept for calibration and on the test part:

    python models/training/learning_curve.py --package earnings-call --pretrained FOLDER --labels ../shared/labels --corpora ../shared/corpora

Neither people's labels nor the corpus are learnt from, so the scores are below those of a whole fit. Small shares are seen more often, so that the fits take steps of the same order.
"""

import random
from pathlib import Path

import numpy as np
import torch
from data import Example
from evaluate import score
from fit import fit, predict
from labels import PACKAGES
from prepare import Parts, prepare
from settings import Settings, flags_of_package
from teachers import Lessons
from train import encode_targets, pretrained

EPOCHS_OF_ALL = 4


def main() -> None:
    parser = flags_of_package(__doc__)
    parser.add_argument("--pretrained", type=Path, help="as of train.py")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.25, 0.5, 1.0])
    args = parser.parse_args()
    torch.set_num_threads(1)
    settings = Settings(towers=1)
    parts = prepare(args.package, args.labels, args.corpora, settings, print)
    print("| share | sentences | part | " + " | ".join(PACKAGES[args.package]) + " | mean |\n|---|---|---|" + "---|" * (len(PACKAGES[args.package]) + 1))
    for share in args.shares:
        for line in scores(args.package, parts, share, settings, args.pretrained):
            print(line, flush=True)


def scores(package: str, parts: Parts, share: float, settings: Settings, folder: Path | None) -> list[str]:
    """Macro F1 of every model, a line for the sentences kept for calibration and one for the test part."""
    tokenizer, net, _ = pretrained(package, parts.corpus, parts.own_words, settings, folder, lambda _: None)
    rng = random.Random(settings.seed)
    learnt = [e for e in parts.train if e.source == "written" or e.source == "labelled" and rng.random() < share]
    data = encode_targets(net.heads, learnt, [], Lessons({}, {}), tokenizer, settings)
    fit(net, data, list(range(len(learnt))), [], 0, round(EPOCHS_OF_ALL / share**0.5), settings.seed, lambda _: None)
    lines = []
    for name, examples in (("kept", parts.kept), ("test", parts.tests)):
        own = [e for e in examples if e.source == "labelled"]
        logits = predict(net, [np.array(e.ids, dtype=np.int64) for e in tokenizer.encode_batch([e.text for e in own])])
        found = [macro_f1(own, model, labels, logits[model]) for model, labels in net.heads.items()]
        lines.append(f"| {share:g} | {len(learnt)} | {name} | " + " | ".join(f"{f1:.3f}" for f1 in [*found, float(np.mean(found))]) + " |")
    return lines


def macro_f1(examples: list[Example], model: str, labels: tuple[str, ...], logits: np.ndarray) -> float:
    chosen = [i for i, e in enumerate(examples) if model in e.labels]
    return score([examples[i].labels[model] for i in chosen], [labels[k] for k in logits[chosen].argmax(1)])["macro_f1"]


if __name__ == "__main__":
    main()
