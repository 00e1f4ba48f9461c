"""Calibration: one temperature a head, fitted on sentences that the network was not fitted on, and folded into its weights."""

import numpy as np
import torch
from data import Example, draw
from fit import predict
from model import WideDeep

# Of the sentences that would be trained on, the share kept for this: people's are many, the language model's few.
SHARES = {"labelled": 0.25}
SHARE_OF_OTHERS = 0.06
FEWEST = 40


def kept_for_calibration(example: Example, seed: int) -> bool:
    """Written sentences never are: they are made to be hard, and no sample of anything."""
    return example.source != "written" and draw(example.text, seed, "calibration") < SHARES.get(example.source, SHARE_OF_OTHERS)


def calibrate(net: WideDeep, kept: list[Example], rows: list[np.ndarray]) -> dict[str, float]:
    """Divides the logits of every head by the temperature with the least cross entropy on `kept`; returns the temperatures. A head of fewer than 40 sentences stays as it is."""
    logits = predict(net, rows)
    found: dict[str, float] = {}
    for model, labels in net.heads.items():
        own = [i for i, e in enumerate(kept) if model in e.labels]
        if len(own) < FEWEST:
            continue
        found[model] = best_temperature(logits[model][own], np.array([labels.index(kept[i].labels[model]) for i in own]))
    net.scale_heads({model: 1 / temperature for model, temperature in found.items()})
    return {model: round(temperature, 3) for model, temperature in found.items()}


def best_temperature(logits: np.ndarray, true: np.ndarray) -> float:
    """Of 0.4 to 4 in steps of 2%: the loss has one valley, and a search cannot run away."""
    grid = np.geomspace(0.4, 4, 117)
    scaled = torch.from_numpy(logits)[None] / torch.from_numpy(grid.astype(np.float32))[:, None, None]
    losses = -torch.log_softmax(scaled, 2)[:, np.arange(len(true)), true].mean(1)
    return float(grid[int(losses.argmin())])
