"""The transformer: token embeddings, layers of attention, and the heads of model.py on what they make of each token."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from model import Heads
from tokenizers import Tokenizer
from torch import nn

ROTATION_BASE = 10_000.0


@dataclass(frozen=True)
class TransformerShape:
    """`narrow` numbers a token are looked up and widened to `dim`."""

    vocab: int
    dim: int
    layers: int
    narrow: int
    head: int = 64
    hidden: int = 128

    def as_dict(self) -> dict:
        return asdict(self)


def rotations(length: int, head: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of rotary positions, (length, head)."""
    rates = ROTATION_BASE ** (-torch.arange(0, head, 2, device=device).float() / head)
    angles = torch.outer(torch.arange(length, device=device).float(), rates).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, -1)
    return x * cos.to(x.dtype) + torch.cat([-b, a], -1) * sin.to(x.dtype)


class Layer(nn.Module):
    def __init__(self, dim: int, head: int):
        super().__init__()
        self.head = head
        self.norm_before_attention, self.norm_before_feed = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.query, self.key, self.value, self.merge = (nn.Linear(dim, dim, bias=False) for _ in range(4))
        self.up, self.down = nn.Linear(dim, 4 * dim, bias=False), nn.Linear(4 * dim, dim, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, allowed: torch.Tensor | None, dropout: float) -> torch.Tensor:
        drop = lambda t: F.dropout(t, dropout, self.training)  # noqa: E731
        rows, length, dim = x.shape
        h = self.norm_before_attention(x)
        q, k, v = (w(h).view(rows, length, dim // self.head, self.head).transpose(1, 2) for w in (self.query, self.key, self.value))
        mixed = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, attn_mask=allowed)
        x = x + drop(self.merge(mixed.transpose(1, 2).reshape(rows, length, dim)))
        return x + drop(self.down(F.gelu(self.up(self.norm_before_feed(x)))))


class Encoder(nn.Module):
    def __init__(self, shape: TransformerShape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocab, shape.narrow)
        nn.init.normal_(self.embedding.weight, std=0.05)
        self.widen = nn.Linear(shape.narrow, shape.dim, bias=False)
        self.norm_of_embeddings = nn.LayerNorm(shape.dim)
        self.layers = nn.ModuleList(Layer(shape.dim, shape.head) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.dim)
        for layer in self.layers:
            for small in (layer.merge, layer.down):
                nn.init.normal_(small.weight, std=0.02 / math.sqrt(2 * shape.layers))

    def forward(self, ids: torch.Tensor, allowed: torch.Tensor | None = None, dropout: float = 0.0) -> torch.Tensor:
        cos, sin = rotations(ids.shape[1], self.shape.head, ids.device)
        x = F.dropout(self.norm_of_embeddings(self.widen(self.embedding(ids))), dropout, self.training)
        for layer in self.layers:
            x = layer(x, cos, sin, allowed, dropout)
        return self.norm(x)


class Transformer(nn.Module):
    def __init__(self, shape: TransformerShape, heads: dict[str, tuple[str, ...]]):
        super().__init__()
        self.shape, self.heads = shape, heads
        self.encoder = Encoder(shape)
        self.answers = Heads(shape.dim, shape.hidden, [len(labels) for labels in heads.values()])

    def parameter_groups(self, lr: float, heads_lr: float) -> list[dict]:
        return [{"params": list(self.encoder.parameters()), "lr": lr}, {"params": list(self.answers.parameters()), "lr": heads_lr}]

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
        on_gpu = ids.is_cuda
        with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
            x = self.encoder(ids, mask.bool()[:, None, None, :], dropout)
        m = mask.float()
        return self.answers.answer(x.float() * m.unsqueeze(2), m.unsqueeze(2), m.sum(1, keepdim=True).clamp(min=1.0), dropout)

    def opinions(self, ids: torch.Tensor, mask: torch.Tensor, dropout: float = 0.0) -> list[torch.Tensor]:
        return [self(ids, mask, dropout)]

    def shift_heads(self, biases: dict[str, np.ndarray]) -> None:
        """Adds one number a label to the logits of each named head, in its weights."""
        self.answers.shift(self.heads, biases)

    def scale_heads(self, factors: dict[str, float]) -> None:
        """Multiplies the logits of each named head, in its weights."""
        self.answers.scale(self.heads, factors)


def load_encoder(path: Path, device: torch.device) -> tuple[Encoder, Tokenizer]:
    kept = torch.load(path, map_location="cpu", weights_only=True)
    encoder = Encoder(TransformerShape(**json.loads(kept["shape"])))
    encoder.load_state_dict({n: t.float() for n, t in kept["weights"].items()})
    return encoder.to(device), Tokenizer.from_str(kept["tokenizer"])


def save_encoder(path: Path, encoder: Encoder, tokenizer: Tokenizer, facts: dict) -> None:
    """Weights as fp16, with the shape, the vocabulary and how it was made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    weights = {n: t.detach().half().cpu() for n, t in encoder.state_dict().items()}
    unfinished = path.with_suffix(".unfinished")
    torch.save({"shape": json.dumps(encoder.shape.as_dict()), "tokenizer": tokenizer.to_str(), "weights": weights, "facts": json.dumps(facts)}, unfinished)
    # Whoever waits for the file finds a whole one.
    unfinished.rename(path)


def first_device() -> torch.device:
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        return torch.device("cuda")
    return torch.device("cpu")
