"""Which labels of the `train` part are most likely slips? Fits a tower to each two of three folds of the sentences labelled by the guide and prints those of the third whose label it doubts most,
as JSON lines {"sha256", "text", "models": {model: doubt}}, the most doubtful first:

    python models/training/doubtful.py --package earnings-call --most 6000 --pretrained FOLDER --labels ../shared/labels --corpora ../shared/corpora > doubtful.jsonl

Doubt is by how much the network's probability of what it takes the sentence for is above that of its label: 0 where they are the same, at most 1. What to do with them: have them read again by somebody who sees neither, and add that with `read_again.py`.
"""

import copy
import json
import sys
from pathlib import Path

import numpy as np
import torch
from data import Example, draw
from fit import fit, predict
from labelled import fingerprint
from model import WideDeep
from prepare import prepare
from settings import Settings, flags_of_package
from teachers import Lessons, softmax
from train import encode_targets, pretrained

FOLDS, EPOCHS = 3, 3


def doubts(net: WideDeep, learnt: list[Example], tokenizer, settings: Settings, log) -> dict[str, np.ndarray]:
    """For each model a number a sentence; 0 of those without a label of it, and of written ones, which every fold learns."""
    data = encode_targets(net.heads, learnt, [], Lessons({}, {}), tokenizer, settings)
    fold = np.array([int(draw(e.text, 0, "fold") * FOLDS) if e.source == "labelled" else -1 for e in learnt])
    found = {model: np.zeros(len(learnt)) for model in net.heads}
    for k in range(FOLDS):
        reader, out = copy.deepcopy(net), np.flatnonzero(fold == k)
        fit(reader, data, np.flatnonzero(fold != k).tolist(), [], 0, EPOCHS, settings.seed + 100 + k, lambda _: None)
        for model, logits in predict(reader, [data.ids[i] for i in out]).items():
            p, labels = softmax(logits), net.heads[model]
            for row, i in enumerate(out):
                if model in learnt[i].labels:
                    found[model][i] = p[row].max() - p[row, labels.index(learnt[i].labels[model])]
        log(f"fold {k + 1} of {FOLDS}")
    return found


def main() -> None:
    parser = flags_of_package(__doc__)
    parser.add_argument("--pretrained", type=Path, help="as of train.py")
    parser.add_argument("--model", action="append", help="ask about this model alone (may be given again; default: all)")
    parser.add_argument("--most", type=int, default=1000, help="how many sentences (default: %(default)s)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    settings = Settings(towers=1)
    log = lambda message: print(message, file=sys.stderr, flush=True)  # noqa: E731
    parts = prepare(args.package, args.labels, args.corpora, settings, log)
    tokenizer, net, _ = pretrained(args.package, parts.corpus, parts.own_words, settings, args.pretrained, log)
    learnt = [e for e in parts.train if e.source in ("written", "labelled")]
    found = doubts(net, learnt, tokenizer, settings, log)
    asked = args.model or list(net.heads)
    most = np.max([found[model] for model in asked], axis=0)
    for i in np.argsort(-most, kind="stable")[: args.most]:
        if most[i] > 0:
            print(json.dumps({"sha256": fingerprint(learnt[i].text), "text": learnt[i].text, "models": {m: round(float(found[m][i]), 3) for m in asked if found[m][i] > 0}}, ensure_ascii=False))


if __name__ == "__main__":
    main()
