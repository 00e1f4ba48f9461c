"""Calibration: one temperature a head, and where people labelled one bias a label, fitted on sentences kept apart and folded into the weights."""

from collections.abc import Collection

import numpy as np
import torch
from data import PEOPLE, Example, draw
from fit import predict
from model import WideDeep

# Of the sentences that would be trained on, the share kept for this.
SHARES = {"labelled": 0.1}
SHARE_OF_OTHERS = 0.06
FEWEST = 40
# A bias of 1 costs as much as this many sentences of which each loses one unit of log likelihood: few sentences move it little.
PRIOR = 10.0
# Of a head that people labelled, how much their sentences count for its temperature: the language model's labels are easier to foresee, and on them alone scores would be too sure of people's.
SHARE_OF_PEOPLE = 0.75
# Of some heads another share. People labelled the time of calls in texts of central banks alone, which that package does not read.
# At a half of certainty's, the calibration error of the sentences kept was 0.046 (people's) and 0.030 (the guide's), at three quarters 0.057 and 0.046.
OWN_SHARE_OF_PEOPLE = {"ec_forward_looking": 0.0, "cb_certain_label": 0.5}


def kept_for_calibration(example: Example, seed: int) -> bool:
    """Written sentences never are: they are made to be hard, and no sample of anything; nor are those labelled as people would have."""
    return example.source not in ("written", "beside", "as people") and draw(example.text, seed, "calibration") < SHARES.get(example.source, SHARE_OF_OTHERS)


def calibrate(net: WideDeep, kept: list[Example], rows: list[np.ndarray], models: Collection[str] | None = None) -> dict[str, dict]:
    """Divides the logits of every head, or of those of `models`, by the temperature with the least cross entropy on `kept`, where people labelled a share of it theirs, after adding the best bias to the labels of a head that people labelled.

    Returns both by model. The others' sentences were chosen so that rare labels occur, so they say nothing about how common a label is. A head of fewer than 40 sentences stays as it is.
    """
    logits = predict(net, rows)
    found: dict[str, dict] = {}
    for model, labels in net.heads.items():
        if models is not None and model not in models:
            continue
        own = [i for i, e in enumerate(kept) if model in e.labels]
        by_people = [i for i in own if kept[i].source in PEOPLE]
        if len(own) < FEWEST:
            continue
        true_of = lambda places: np.array([labels.index(kept[i].labels[model]) for i in places])  # noqa: E731
        bias = best_bias(logits[model][by_people], true_of(by_people)) if len(by_people) >= FEWEST else np.zeros(len(labels), np.float32)
        people = np.array([kept[i].source in PEOPLE for i in own])
        counts = np.ones(len(own))
        if people.sum() >= FEWEST and not people.all():
            share = OWN_SHARE_OF_PEOPLE.get(model, SHARE_OF_PEOPLE)
            counts = np.where(people, share / people.sum(), (1 - share) / (~people).sum())
        found[model] = {"temperature": best_temperature(logits[model][own] + bias, true_of(own), counts), "bias": bias}
    net.shift_heads({model: f["bias"] for model, f in found.items()})
    net.scale_heads({model: 1 / f["temperature"] for model, f in found.items()})
    return {model: {"temperature": round(f["temperature"], 3), "bias": [round(float(b), 3) for b in f["bias"]]} for model, f in found.items()}


def best_bias(logits: np.ndarray, true: np.ndarray) -> np.ndarray:
    """One number a label, of mean 0: least cross entropy together with a temperature, held near 0 by the prior."""
    x, y = torch.from_numpy(logits).double(), torch.from_numpy(true)
    bias, slope = torch.zeros(x.shape[1], dtype=torch.double, requires_grad=True), torch.zeros((), dtype=torch.double, requires_grad=True)
    optimiser = torch.optim.LBFGS([bias, slope], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = torch.nn.functional.cross_entropy((x + bias) * slope.exp(), y, reduction="sum") + PRIOR * bias.square().sum() / 2
        value.backward()
        return value

    optimiser.step(loss)
    return (bias - bias.mean()).detach().numpy().astype(np.float32)


def best_temperature(logits: np.ndarray, true: np.ndarray, counts: np.ndarray) -> float:
    """Of 0.4 to 4 in steps of 2%, `counts` being how much a sentence counts: the loss has one valley, and a search cannot run away."""
    grid = np.geomspace(0.4, 4, 117)
    scaled = torch.from_numpy(logits)[None] / torch.from_numpy(grid.astype(np.float32))[:, None, None]
    losses = -torch.log_softmax(scaled, 2)[:, np.arange(len(true)), true] @ counts
    return float(grid[int(losses.argmin())])
