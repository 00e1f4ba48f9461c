"""Sentences a second of a package's weights under torch, as the ceiling of what a GPU gives, beside test/bench/gpu.ts:

    python models/training/torch_speed.py --texts FILE [--models models] [--package central-bank] [--device cuda] [--count 20000] [--seconds 3]

FILE has a sentence a line. Needs torch, onnx, onnxruntime and tokenizers, and model.onnx of the packages: its weights are put into the network of
model.py, whose logits must be those of onnxruntime. On cuda everything is computed in fp16, once operator by operator (`eager`) and once with the
operators of a run recorded and started as one (`graphs`); on a CPU in fp32, and eager alone. A run has 128 sentences, sorted by length and padded to a
multiple of 8; the clock runs from token ids in main memory to logits there, and again with the tokenizer's time.
`busy` is the share of the time in which the GPU computed anything (NVML's, by nvidia-smi).
"""

import argparse
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from export import open_package
from model import WideDeep

BATCH, MULTIPLE = 128, 8
MOST_DIFFERENCE = 1e-3


def logits_of(net: WideDeep, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """`WideDeep.forward` in whatever type the weights have."""
    m = mask.to(net.embedding.weight.dtype)
    count = m.sum(1, keepdim=True).clamp(min=1.0)
    rows, weights = net.ngrams(ids, m)
    wide = (weights.unsqueeze(1) @ net.wide(rows)).squeeze(1) / count.sqrt() @ net.spread
    x, m3 = net.embedding(ids), m.unsqueeze(2)
    return (torch.stack([tower(x, m3, count, 0.0) for tower in net.towers]).mean(0) + wide).float()


def check_weights(net: WideDeep, folder: Path, batches: list[np.ndarray]) -> float:
    """The largest difference of a logit from onnxruntime's."""
    run = ort.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    worst = 0.0
    with torch.no_grad():
        for ids in batches:
            expected = np.concatenate(run.run(list(net.heads), {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64)}), 1)
            got = logits_of(net, torch.from_numpy(ids), torch.from_numpy(ids != 0))
            worst = max(worst, float(np.abs(got.numpy() - expected).max()))
    if not worst <= MOST_DIFFERENCE:
        raise AssertionError(f"{folder}: torch's logits differ from onnxruntime's by {worst}")
    return worst


def cut(rows: list[list[int]]) -> list[np.ndarray]:
    """Batches of one size: the last one is filled with rows of padding."""
    rows = sorted(rows, key=len)
    batches = []
    for at in range(0, len(rows), BATCH):
        part = rows[at : at + BATCH]
        ids = np.zeros((BATCH, -(-max(map(len, part)) // MULTIPLE) * MULTIPLE), np.int64)
        for row, tokens in enumerate(part):
            ids[row, : len(tokens)] = tokens
        batches.append(ids)
    return batches


class Eager:
    def __init__(self, net: WideDeep, device: str):
        self.net, self.device = net, device

    def __call__(self, batches: list[np.ndarray]) -> torch.Tensor:
        """Logits of all batches, in main memory: nothing waits in between."""
        found = []
        for batch in batches:
            ids = torch.from_numpy(batch)
            ids = ids.pin_memory().to(self.device, non_blocking=True) if self.device == "cuda" else ids
            found.append(logits_of(self.net, ids, ids != 0))
        return torch.cat(found).cpu()


class Graphs:
    """For each padded length the operators of a run, recorded."""

    def __init__(self, net: WideDeep, batches: list[np.ndarray]):
        self.recorded = {}
        for length in sorted({batch.shape[1] for batch in batches}, reverse=True):
            ids = torch.ones((BATCH, length), dtype=torch.int64, device="cuda")
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    logits_of(net, ids, ids != 0)
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                out = logits_of(net, ids, ids != 0)
            self.recorded[length] = (graph, ids, out)

    def __call__(self, batches: list[np.ndarray]) -> torch.Tensor:
        found = []
        for batch in batches:
            graph, ids, out = self.recorded[batch.shape[1]]
            ids.copy_(torch.from_numpy(batch).pin_memory(), non_blocking=True)
            graph.replay()
            found.append(out.clone())
        return torch.cat(found).cpu()


class Load:
    """What nvidia-smi says ten times a second, of the first GPU; nothing where it is not there."""

    def __init__(self) -> None:
        self.samples: list[tuple[float, float]] = []
        command = ["nvidia-smi", "-i", "0", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"]
        try:
            self.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        except OSError:
            self.child = None
            return
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.child.stdout:
            try:
                self.samples.append((time.time(), float(line)))
            except ValueError:
                continue

    def since(self, began: float) -> str:
        # A sample speaks of the time before it: the first of the span still tells of what was before.
        own = [value for at, value in self.samples if at >= began + 0.2]
        return f"{sum(own) / len(own):.0f} %" if own else "unknown"

    def stop(self) -> None:
        if self.child:
            self.child.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--package", action="append", help="by default both")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=["cuda", "cpu"])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    texts = [line for line in args.texts.read_text(encoding="utf-8").split("\n") if line.strip()][: args.count]
    name = torch.cuda.get_device_name() if args.device == "cuda" else f"{torch.get_num_threads()} threads"
    print(f"torch {torch.__version__}, {args.device}, {name}, {len(texts)} sentences", flush=True)
    load = Load()
    try:
        for package in args.package or ("central-bank", "earnings-call"):
            measure(args, package, texts, load)
    finally:
        load.stop()


@torch.inference_mode()
def measure(args: argparse.Namespace, package: str, texts: list[str], load: Load) -> None:
    folder = args.models / package
    net, tokenizer, settings = open_package(folder, package)
    net.eval()
    tokenizer.enable_truncation(settings.max_length)
    begun = time.perf_counter()
    batches = cut([e.ids for e in tokenizer.encode_batch(texts)])
    tokenizing = time.perf_counter() - begun
    difference = check_weights(net, folder, batches[:: max(1, len(batches) // 4)])
    tokens = sum(int((batch != 0).sum()) for batch in batches)
    print(f"{package}: {tokens / len(texts):.1f} tokens a sentence, logits within {difference:.1e} of onnxruntime's, tokenized in {tokenizing:.2f} s by all cores", flush=True)
    exact = Eager(net, "cpu")(batches[:4]) if args.device == "cuda" else None
    ways = {"eager": Eager(net, args.device)}
    if args.device == "cuda":
        net.half().to("cuda")
        ways["graphs"] = Graphs(net, batches)
    for way, run in ways.items():
        run(batches)
        begun, clock, rounds, wall = time.perf_counter(), time.time(), 0, 0.0
        while wall < args.seconds:
            logits = run(batches)
            rounds, wall = rounds + 1, time.perf_counter() - begun
        one = wall / rounds
        rest = "" if exact is None else f", logits within {float((logits[: len(exact)] - exact).abs().max()):.1e} of fp32's"
        print(f"{package} {way}: {len(texts) / one:.0f} sentences/s, with the tokenizer before it {len(texts) / (one + tokenizing):.0f}, busy {load.since(clock)}{rest}", flush=True)


if __name__ == "__main__":
    main()
