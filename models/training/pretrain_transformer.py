"""Pretrains the encoder of a transformer on masked words of both corpora:

    python models/training/pretrain_transformer.py --parts parts --tokenizer parts/tokenizer.json --shape teacher --seconds 450 --out kept/teacher.pt

Without `--out` it makes the vocabulary alone. `--parts` is what prepare.py wrote. Takes the first GPU where there is one.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from labels import PACKAGES
from prepare import Parts, read_parts
from tokenizer import CLS, MASK, train_tokenizer
from tokenizers import Tokenizer
from torch import nn
from transformer import Encoder, TransformerShape, first_device, save_encoder

# Of the words of a block.
MASKED = 0.3
BLOCK = 128
VOCABULARY = 16_000
# The teachers', and one as small as a package may be: it learnt from the teachers what the convolutions did, no better and slower (README.md).
SHAPES = {"teacher": {"dim": 512, "layers": 8, "narrow": 512, "hidden": 256}, "student": {"dim": 256, "layers": 4, "narrow": 128}}


class MaskedWords(nn.Module):
    """What a masked word was, out of what the encoder makes of its place."""

    def __init__(self, encoder: Encoder, counts: np.ndarray):
        super().__init__()
        self.encoder = encoder
        self.narrow = nn.Linear(encoder.shape.dim, encoder.shape.narrow)
        self.norm = nn.LayerNorm(encoder.shape.narrow)
        self.bias = nn.Parameter(torch.log(torch.from_numpy(np.maximum(counts, 1) / counts.sum()).float()))

    def forward(self, ids: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        """Mean cross entropy of the words at `places` (a block's row each)."""
        gold = ids.gather(1, places)
        hidden = self.encoder(ids.scatter(1, places, MASK))
        at = hidden.gather(1, places.unsqueeze(2).expand(-1, -1, hidden.shape[2]))
        logits = self.norm(F.gelu(self.narrow(at))) @ self.encoder.embedding.weight.T + self.bias
        return F.cross_entropy(logits.flatten(0, 1).float(), gold.flatten())


def running_text(tokenizer: Tokenizer, parts: list[Parts]) -> np.ndarray:
    """All that may be pretrained on, in the order of the documents, with a separator after each sentence."""
    pieces = []
    for part in parts:
        may = set(part.corpus)
        sentences = [s for group in sorted(part.groups) for s in part.groups[group] if s in may]
        pieces += [np.array(e.ids[1:], np.int32) for e in tokenizer.encode_batch(sentences)]
    return np.concatenate(pieces)


def pretrain(encoder: Encoder, text: np.ndarray, seconds: float, device: torch.device, log: Callable[[str], None], seed: int = 7, rows: int = 384, lr: float = 1.5e-3, compiled: bool = True) -> dict:
    """For `seconds`, after the first step (which compiles); the rate of learning falls to nothing with the time that is left, so a faster machine learns from more."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    task = MaskedWords(encoder, np.bincount(text, minlength=encoder.shape.vocab).astype(np.float64)).to(device)
    matrices = [p for layer in encoder.layers for p in layer.parameters() if p.ndim == 2]
    own = {id(p) for p in matrices}
    others = [p for p in task.parameters() if id(p) not in own]
    optimisers = [torch.optim.Muon(matrices, lr=lr, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"), torch.optim.AdamW(others, lr=lr, weight_decay=0.01, betas=(0.9, 0.98))]
    run = torch.compile(task) if compiled else task
    masked = round(MASKED * BLOCK)
    step, begun, average, epochs = 0, 0.0, 0.0, 0.0
    task.train()
    while True:
        blocks = (len(text) - 1 - BLOCK) // BLOCK
        offset = int(rng.integers(0, BLOCK))
        cut = text[offset : offset + blocks * BLOCK].reshape(blocks, BLOCK).copy()
        cut[:, 0] = CLS
        order = rng.permutation(blocks)
        for at in range(0, blocks - rows + 1, rows):
            passed = (time.time() - begun) / seconds if step else 0.0
            if passed >= 1:
                if device.type == "cuda":
                    torch.cuda.synchronize()
                log(f"pretrained: {step} steps, {epochs:.1f} times over {len(text)} tokens, loss {float(average):.3f}")
                return {"steps": step, "tokens": step * rows * BLOCK, "loss": round(float(average), 3), "seconds": round(time.time() - begun)}
            for optimiser in optimisers:
                for group in optimiser.param_groups:
                    group["lr"] = lr * min(1.0, (step + 1) / 200) * max(0.01, 1 - passed)
            ids = torch.from_numpy(cut[order[at : at + rows]]).to(device, torch.long)
            places = torch.rand(rows, BLOCK - 1, device=device).topk(masked, 1).indices + 1
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                try:
                    loss = run(ids, places)
                except Exception as error:  # noqa: BLE001 - what a compiler lacks on a machine comes in many kinds
                    if step or run is task:
                        raise
                    log(f"not compiled: {error!s:.200}")
                    run = task
                    loss = run(ids, places)
            for optimiser in optimisers:
                optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(others, 1.0)
            for optimiser in optimisers:
                optimiser.step()
            average = average + (loss.detach() - average) * max(0.01, 1 / (step + 1))
            step, epochs = step + 1, epochs + rows / blocks
            if step == 1:
                if device.type == "cuda":
                    torch.cuda.synchronize()
                begun = time.time()
            if step % 500 == 0:
                log(f"pretraining step {step}, {epochs:.1f} times over {len(text)} tokens, loss {float(average):.3f}, {time.time() - begun:.0f} s of {seconds:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=Path, required=True)
    parser.add_argument("--shape", choices=list(SHAPES), default="teacher")
    parser.add_argument("--seconds", type=float, default=450)
    parser.add_argument("--rows", type=int, default=384, help=f"blocks of {BLOCK} tokens in a step (default: %(default)s)")
    parser.add_argument("--tokenizer", type=Path, required=True, help="the vocabulary; where the file is missing, one is made of both corpora and written there")
    parser.add_argument("--out", type=Path, help="without it, the vocabulary alone is made")
    args = parser.parse_args()
    begun, device = time.time(), first_device()
    log = lambda message: print(f"[{args.shape} {time.time() - begun:5.0f} s] {message}", flush=True)  # noqa: E731
    parts = [read_parts(args.parts, package) for package in PACKAGES]
    if not args.tokenizer.exists():
        joint_tokenizer(parts).save(str(args.tokenizer))
        log(f"made {args.tokenizer}")
    if not args.out:
        return
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    text = running_text(tokenizer, parts)
    torch.manual_seed(7)
    encoder = Encoder(TransformerShape(vocab=tokenizer.get_vocab_size(), **SHAPES[args.shape])).to(device)
    log(f"{len(text)} tokens of {tokenizer.get_vocab_size()} kinds, {sum(p.numel() for p in encoder.parameters())} weights, {device}")
    facts = pretrain(encoder, text, args.seconds, device, log, rows=args.rows, compiled=device.type == "cuda")
    save_encoder(args.out, encoder, tokenizer, facts)


def joint_tokenizer(parts: list[Parts]) -> Tokenizer:
    return train_tokenizer([s for part in parts for s in part.corpus[:150_000]] + [s for part in parts for s in part.own_words], VOCABULARY)


if __name__ == "__main__":
    main()
