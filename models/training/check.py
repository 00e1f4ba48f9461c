"""Checks an exported package: onnxruntime against torch, padding and batch invariance; and how the speed of a graph is measured."""

import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from export import JOINED
from fit import pad
from model import WideDeep


def session(model: Path | bytes, threads: int = 1) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(model if isinstance(model, bytes) else str(model), options, providers=["CPUExecutionProvider"])


def outputs_of(run: ort.InferenceSession) -> list[str]:
    """The heads: every output but the one that joins them."""
    return [output.name for output in run.get_outputs() if output.name != JOINED]


def check(net: WideDeep, path: Path, rows: list[np.ndarray]) -> dict:
    run = session(path)
    names = list(net.heads)

    def ask(ids: np.ndarray) -> np.ndarray:
        return np.concatenate(run.run(names, {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64)}), 1)

    rows = rows[:256]
    ids = pad(rows).numpy()
    with torch.no_grad():
        net.eval()
        expected = net(torch.from_numpy(ids), torch.from_numpy((ids != 0).astype(np.int64))).numpy()
    batched = ask(ids)
    single = np.concatenate([ask(r[None, :].astype(np.int64)) for r in rows])
    wider = ask(np.concatenate([ids, np.zeros((len(ids), 17), np.int64)], 1))
    result = {
        "torch_difference": float(np.abs(batched - expected).max()),
        "batch_difference": float(np.abs(batched - single).max()),
        "padding_difference": float(np.abs(batched - wider).max()),
        "labels_changed_by_batching": int(sum((batched[:, a:b].argmax(1) != single[:, a:b].argmax(1)).sum() for a, b in spans(net))),
        "megabytes": round(path.stat().st_size / 1e6, 2),
    }
    if result["torch_difference"] > 1e-4 or result["batch_difference"] > 1e-4 or result["padding_difference"] > 1e-4:
        raise AssertionError(f"the exported graph differs: {result}")
    return result


def spans(net: WideDeep) -> list[tuple[int, int]]:
    ends = np.cumsum([len(x) for x in net.heads.values()]).tolist()
    return list(zip([0, *ends[:-1]], ends))


def throughput(run: ort.InferenceSession, names: list[str], vocab: int, tokens: int = 30, batch: int = 32) -> int:
    """Sentences a second of processor time of one thread, which a busy machine does not change much."""
    ids = np.random.default_rng(0).integers(5, vocab, (batch, tokens)).astype(np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    best = 0.0
    for _ in range(5):
        begun = time.process_time()
        for _ in range(20):
            run.run(names, feed)
        best = max(best, 20 * batch / (time.process_time() - begun))
    return int(best)
