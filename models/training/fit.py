"""Optimisation: masked-token pretraining of the encoder, then the multi-task fit of all heads. Batches are of similar lengths."""

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from model import OF_ENCODER, WideDeep, columns_of
from tokenizer import CLS, MASK, PAD, SEP
from transformer import Transformer


@dataclass
class Encoded:
    """Token ids; `hits[i]` has, per token, a bit per model whose keyword covers it (0: none)."""

    ids: list[np.ndarray]
    hits: list[np.ndarray | None]
    target: np.ndarray
    weight: np.ndarray


def pad(rows: list[np.ndarray]) -> torch.Tensor:
    width = max(len(r) for r in rows)
    out = np.full((len(rows), width), PAD, dtype=np.int64)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return torch.from_numpy(out)


def batches(lengths: list[int], order: list[int], tokens: int, rng: random.Random) -> Iterator[list[int]]:
    """Batches of at most `tokens` padded tokens, out of chunks sorted by length."""
    chunk = 6400
    out: list[list[int]] = []
    for start in range(0, len(order), chunk):
        part = sorted(order[start : start + chunk], key=lambda i: lengths[i])
        batch: list[int] = []
        for i in part:
            if batch and (len(batch) + 1) * lengths[i] > tokens or len(batch) >= 512:
                out.append(batch)
                batch = []
            batch.append(i)
        out.append(batch)
    rng.shuffle(out)
    yield from out


def pretrain(net: WideDeep, rows: list[np.ndarray], seed: int, steps: int, log: Callable[[str], None], lr: float = 2e-3, negatives: int = 2500) -> None:
    """Predicts 15% masked tokens with the (tied) embeddings, against a shared sample of the vocabulary."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    counts = torch.from_numpy(np.bincount(np.concatenate(rows), minlength=net.shape.vocab).astype(np.float32))
    noise = counts.clamp(min=1).pow(0.75)
    noise[: MASK + 1] = 0
    noise /= noise.sum()
    bias = torch.nn.Parameter(torch.log(counts.clamp(min=1) / counts.sum()))
    parameters = [net.embedding.weight, bias, *(t for n, t in net.towers[0].named_parameters() if n.startswith(OF_ENCODER))]
    optimiser = torch.optim.AdamW(parameters, lr=lr, weight_decay=0.01)
    lengths = [len(r) for r in rows]
    step, begun, average = 0, time.time(), 0.0
    net.train()
    while step < steps:
        order = list(range(len(rows)))
        rng.shuffle(order)
        for batch in batches(lengths, order, 5000, rng):
            for group in optimiser.param_groups:
                group["lr"] = lr * min(1.0, (step + 1) / 100) * (0.02 + 0.98 * max(0.0, 1 - step / steps))
            ids = pad([rows[i] for i in batch])
            mask = (ids != PAD).float().unsqueeze(2)
            hide = (torch.rand(ids.shape, generator=generator) < 0.15) & (ids > MASK)
            if not hide.any():
                continue
            gold = ids[hide]
            hidden = net.encode(ids.masked_fill(hide, MASK), mask)[hide]
            sampled = torch.multinomial(noise, negatives, generator=generator).unique()
            own = (hidden * net.embedding(gold)).sum(1, keepdim=True) + bias[gold].unsqueeze(1)
            other = hidden @ net.embedding(sampled).T + bias[sampled]
            other = other - torch.log(noise[sampled] * negatives).clamp(max=0.0)
            other = other.masked_fill(sampled.unsqueeze(0) == gold.unsqueeze(1), -1e4)
            loss = F.cross_entropy(torch.cat([own, other], 1), torch.zeros(len(gold), dtype=torch.long))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            average += (loss.item() - average) * max(0.01, 1 / (step + 1))
            step += 1
            if step % 500 == 0:
                log(f"pretraining step {step} of {steps}, loss {average:.3f}, {time.time() - begun:.0f} s")
            if step >= steps:
                return


def hide_keywords(row: np.ndarray, hits: np.ndarray | None, rng: random.Random, share: float) -> np.ndarray:
    """Masks the keyword tokens of one model that fired, so that context must carry the label too."""
    if hits is None or rng.random() >= share:
        return row
    bits = int(np.bitwise_or.reduce(hits))
    choices = [b for b in range(bits.bit_length()) if bits >> b & 1]
    return np.where(hits >> rng.choice(choices) & 1, MASK, row) if choices else row


def hide_tokens(ids: torch.Tensor, share: float) -> torch.Tensor:
    """Masks a few tokens anywhere, of a padded batch and on its device."""
    return ids.masked_fill((torch.rand(ids.shape, device=ids.device) < share) & (ids != CLS) & (ids != SEP) & (ids != PAD), MASK)


def cross_entropies(logits: torch.Tensor, target: torch.Tensor, of_head: torch.Tensor) -> torch.Tensor:
    """A sentence a row, a head a column; `of_head` has a 1 where a logit, its row, is of a head, its column. All heads at once: one by one they take longer than the network on a GPU. No head's logits may lie 60 below another's."""
    logits = logits - logits.detach().amax(1, keepdim=True)
    sums = logits.exp() @ of_head
    return (target @ of_head) * sums.clamp(min=1e-30).log() - (target * logits) @ of_head


def fit(net: WideDeep | Transformer, data: Encoded, fixed: list[int], sampled: list[int], per_epoch: int, epochs: int, seed: int, log: Callable[[str], None],
        lr: float = 2e-3, second_lr: float = 8e-3, keyword_share: float = 0.35, token_share: float = 0.06, dropout: float = 0.25, tokens: int = 6000, seconds: float = math.inf) -> None:
    """`fixed` examples are seen in every epoch, of the `sampled` ones a fresh part; `second_lr` is that of the n-grams' weights, or of a transformer's heads; `tokens` a batch's, padding too.

    After `seconds` it ends, wherever it is: the rates of learning fall with the share of the epochs or of the time that has passed, whichever is more."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    device = next(net.parameters()).device
    groups = net.parameter_groups(lr, second_lr)
    base, deep = [group["lr"] for group in groups], groups[0]["params"]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.02, fused=device.type == "cuda")
    lengths = [len(r) for r in data.ids]
    of_head = torch.zeros(sum(map(len, net.heads.values())), len(net.heads), device=device)
    for head, own in enumerate(columns_of(net.heads).values()):
        of_head[own, head] = 1
    begun, step = time.time(), 0
    rng.shuffle(sampled)
    cursor = 0
    total: int | None = None
    for epoch in range(epochs):
        part = [sampled[(cursor + i) % len(sampled)] for i in range(min(per_epoch, len(sampled)))]
        cursor += len(part)
        order = fixed + part
        rng.shuffle(order)
        planned = list(batches(lengths, order, tokens, rng))
        total = total or len(planned) * epochs
        average = torch.zeros((), device=device)
        net.train()
        for n, batch in enumerate(planned):
            passed = max(min(1.0, step / total), (time.time() - begun) / seconds)
            if time.time() - begun >= seconds:
                log(f"time is up: epoch {epoch + 1} of {epochs}, {n} of {len(planned)} batches, loss {average.item():.4f}, {time.time() - begun:.0f} s")
                return
            scale = min(1.0, (step + 1) / 60) * max(0.01, 0.5 * (1 + math.cos(math.pi * passed)))
            for group, value in zip(optimiser.param_groups, base):
                group["lr"] = value * scale
            ids = hide_tokens(pad([hide_keywords(data.ids[i], data.hits[i], rng, keyword_share) for i in batch]).to(device), token_share)
            target, weight = torch.from_numpy(data.target[batch]).to(device), torch.from_numpy(data.weight[batch]).to(device)
            # Each tower answers for itself: what they get wrong, they get wrong differently, and the mean less often.
            opinions = net.opinions(ids, (ids != PAD).long(), dropout)
            losses = [(cross_entropies(logits, target, of_head) * weight).sum() / 64 for logits in opinions]
            loss = torch.stack(losses).sum() / of_head.shape[1] / len(opinions) * (6000 / tokens)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(deep, 1.0)
            optimiser.step()
            average += (loss.detach() - average) / (n + 1)
            step += 1
        log(f"epoch {epoch + 1} of {epochs}, {len(order)} sentences, loss {average.item():.4f}, {time.time() - begun:.0f} s")


@torch.no_grad()
def predict(net: WideDeep | Transformer, rows: list[np.ndarray], batch: int = 128) -> dict[str, np.ndarray]:
    """Logits of every head, in the order of the rows."""
    net.eval()
    device = next(net.parameters()).device
    spans = columns_of(net.heads)
    out = np.zeros((len(rows), sum(map(len, net.heads.values()))), dtype=np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        ids = pad([rows[i] for i in part]).to(device)
        out[part] = net(ids, (ids != PAD).long()).float().cpu().numpy()
    return {model: out[:, own] for model, own in spans.items()}
