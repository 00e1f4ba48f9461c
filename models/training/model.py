"""The network: wide (hashed n-grams of token ids) and deep (token embeddings, then towers of convolutions, attention and pooling), one logit row per sentence.

export.py writes the same arithmetic as an ONNX graph; check.py compares the two.
"""

from dataclasses import asdict, dataclass, replace

import figures
import numpy as np
import torch
import torch.nn.functional as F
from settings import Settings
from tokenizers import Tokenizer
from torch import nn

BIG = 1e4
# Multipliers of the n-gram hashes: (ids at 0, +1, +2), one row per kind: pair, pair with a gap, triple.
HASHES = ((999_983, 611_953, 0), (479_001, 0, 786_433), (350_377, 746_773, 273_193))


@dataclass(frozen=True)
class Shape:
    vocab: int
    dim: int = 128
    blocks: int = 2
    dilations: tuple[int, ...] = (1, 2)
    hidden: int = 128
    towers: int = 1
    # The width of each tower's attention, all of its views together; 0: none.
    attention: int = 0
    views: int = 2
    pairs: int = 2**16
    gaps: int = 2**15
    triples: int = 2**15
    # The row of the tables that every number has, where they are told apart (figures.py); 0: they are not.
    number: int = 0

    def as_dict(self) -> dict:
        return asdict(self)

    @property
    def buckets(self) -> tuple[int, int, int]:
        return (self.pairs, self.gaps, self.triples)

    @property
    def tokens(self) -> int:
        """Tokens of the vocabulary: numbers that are told apart are behind those that have rows of their own."""
        return self.vocab + (len(figures.ADDED) if self.number else 0)


def shape_of(vocab: int, settings: Settings) -> Shape:
    return Shape(vocab=vocab, dim=settings.dim, blocks=len(settings.dilations), dilations=settings.dilations, towers=settings.towers, attention=settings.attention, views=settings.views, pairs=settings.pairs, gaps=settings.gaps, triples=settings.triples)


def shift(x: torch.Tensor, by: int) -> torch.Tensor:
    """Row i of the result is row i + by of x along axis 1, zero outside."""
    if by == 0:
        return x
    pad = torch.zeros_like(x[:, : abs(by)])
    pad = pad if pad.shape[1] == abs(by) else x.new_zeros((x.shape[0], abs(by), *x.shape[2:]))
    return torch.cat([x, pad], 1)[:, by:] if by > 0 else torch.cat([pad, x], 1)[:, :by]


def columns_of(heads: dict[str, tuple[str, ...]]) -> dict[str, slice]:
    """Where each head's logits lie in a row of all."""
    found, start = {}, 0
    for model, labels in heads.items():
        found[model] = slice(start, start + len(labels))
        start += len(labels)
    return found


class Block(nn.Module):
    def __init__(self, dim: int, dilation: int):
        super().__init__()
        self.dilation = dilation
        self.taps = nn.Linear(dim, 3 * dim, bias=False)
        self.bias = nn.Parameter(torch.zeros(dim))
        self.norm = nn.LayerNorm(dim)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        before, here, after = self.taps(x).chunk(3, 2)
        y = torch.relu(shift(before, -self.dilation) + here + shift(after, self.dilation) + self.bias)
        return self.norm(x + y) * mask


class Attention(nn.Module):
    """What each token makes of all others: a *not* and the direction that it turns round may be further apart than the convolutions see. Adds nothing until it has learnt something, so a fitted network can be given one.

    What is asked, offered and said are queries, keys and values; a view is what is elsewhere called a head, a word that the outputs have here."""

    def __init__(self, dim: int, width: int, views: int):
        super().__init__()
        self.width, self.views = width, views
        self.taps = nn.Linear(dim, 3 * width, bias=False)
        self.out = nn.Linear(width, dim, bias=False)
        nn.init.zeros_(self.out.weight)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, tokens, _ = x.shape
        asked, offered, said = (t.view(batch, tokens, self.views, -1).transpose(1, 2) for t in self.taps(x).chunk(3, 2))
        scores = asked @ offered.transpose(2, 3) * (self.width // self.views) ** -0.5 + ((mask - 1) * BIG).transpose(1, 2).unsqueeze(1)
        heard = (torch.softmax(scores, 3) @ said).transpose(1, 2).reshape(batch, tokens, self.width)
        return x + self.out(heard) * mask


class Heads(nn.Module):
    """All heads on what an encoder makes of each token: on the maximum and the mean of a sentence, and for each model on a mean weighted by what it looks for."""

    def __init__(self, dim: int, hidden: int, sizes: list[int]):
        super().__init__()
        k = sum(sizes)
        self.queries = nn.Linear(dim, len(sizes), bias=False)
        self.pooled = nn.Linear(2 * dim, hidden)
        self.out = nn.Linear(hidden, k)
        self.focus = nn.Parameter(torch.randn(k, dim) * 0.02)
        self.register_buffer("task_of_logit", torch.tensor([t for t, n in enumerate(sizes) for _ in range(n)]))

    def answer(self, x: torch.Tensor, mask: torch.Tensor, count: torch.Tensor, dropout: float) -> torch.Tensor:
        drop = lambda t: F.dropout(t, dropout, self.training)  # noqa: E731
        pools = torch.cat([(x + (mask - 1) * BIG).amax(1), x.sum(1) / count], 1)
        deep = self.out(drop(torch.relu(self.pooled(drop(pools)))))
        attention = torch.softmax(self.queries(x) + (mask - 1) * BIG, 1)
        focused = drop(attention.transpose(1, 2) @ x)
        return deep + (focused[:, self.task_of_logit] * self.focus).sum(2)

    @torch.no_grad()
    def shift(self, heads: dict[str, tuple[str, ...]], biases: dict[str, np.ndarray]) -> None:
        """Adds one number a label to the logits of each named head, in its weights."""
        for model, own in columns_of(heads).items():
            if model in biases:
                self.out.bias[own] += torch.from_numpy(biases[model])

    @torch.no_grad()
    def scale(self, heads: dict[str, tuple[str, ...]], factors: dict[str, float]) -> None:
        """Multiplies the logits of each named head, in its weights."""
        for model, own in columns_of(heads).items():
            for weights in (self.out.weight, self.out.bias, self.focus):
                weights[own] *= factors.get(model, 1.0)


class Tower(Heads):
    """Blocks, before the last of them attention, and all heads on what they make of the embeddings: one opinion of several."""

    def __init__(self, shape: Shape, sizes: list[int]):
        super().__init__(shape.dim, shape.hidden, sizes)
        self.blocks = nn.ModuleList(Block(shape.dim, shape.dilations[i]) for i in range(shape.blocks))
        self.attention = Attention(shape.dim, shape.attention, shape.views) if shape.attention else None

    def encode(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            if self.attention and block is self.blocks[-1]:
                x = self.attention(x, mask)
            x = block(x, mask)
        return x

    def forward(self, x: torch.Tensor, mask: torch.Tensor, count: torch.Tensor, dropout: float) -> torch.Tensor:
        return self.answer(self.encode(F.dropout(x, dropout, self.training) * mask, mask), mask, count, dropout)


# Of a tower, what pretraining trains, and what has a part for each model that is its alone.
OF_ENCODER = ("blocks.", "attention.")
OF_HEADS = ("queries.", "out.", "focus")


class WideDeep(nn.Module):
    def __init__(self, shape: Shape, heads: dict[str, tuple[str, ...]]):
        super().__init__()
        self.shape, self.heads = shape, heads
        sizes = [len(labels) for labels in heads.values()]
        k = sum(sizes)
        self.embedding = nn.Embedding(shape.vocab, shape.dim)
        nn.init.normal_(self.embedding.weight, std=0.1)
        # Added to the embedding of a figure by what it says with the one that it is compared with.
        self.compared = nn.Embedding(figures.STATES, shape.dim, padding_idx=figures.NONE) if shape.number else None
        if self.compared is not None:
            nn.init.zeros_(self.compared.weight)
            self.register_buffer("readings", torch.zeros(4, shape.tokens))
        self.towers = nn.ModuleList(Tower(shape, sizes) for _ in range(shape.towers))
        # A head of two labels needs one wide weight per n-gram (plus for the first label, minus for the second).
        spread = torch.zeros(sum(1 if n == 2 else n for n in sizes), k)
        row = column = 0
        for n in sizes:
            if n == 2:
                spread[row, column], spread[row, column + 1] = 0.5, -0.5
                row += 1
            else:
                spread[row : row + n, column : column + n] = torch.eye(n)
                row += n
            column += n
        self.register_buffer("spread", spread)
        self.wide = nn.Embedding(shape.vocab + sum(shape.buckets), spread.shape[0])
        nn.init.zeros_(self.wide.weight)

    def parameter_groups(self, lr: float, wide_lr: float) -> list[dict]:
        tables = ("wide.", "compared.")
        return [{"params": [p for n, p in self.named_parameters() if p.requires_grad and n.startswith(tables) == fast], "lr": rate} for fast, rate in ((False, lr), (True, wide_lr))]

    def shift_heads(self, biases: dict[str, np.ndarray]) -> None:
        """Adds one number a label to the logits of each named head, in its weights."""
        for tower in self.towers:
            tower.shift(self.heads, biases)

    @torch.no_grad()
    def scale_heads(self, factors: dict[str, float]) -> None:
        """Multiplies the logits of each named head, in its weights."""
        for tower in self.towers:
            tower.scale(self.heads, factors)
        for model, own in columns_of(self.heads).items():
            self.wide.weight[:, self.spread[:, own].abs().sum(1) > 0] *= factors.get(model, 1.0)

    @torch.no_grad()
    def take_head(self, model: str, other: "WideDeep") -> None:
        """All that is this model's alone becomes what it is in another network of the same shape and heads."""
        at, own = list(self.heads).index(model), columns_of(self.heads)[model]
        for tower, its in zip(self.towers, other.towers, strict=True):
            tower.queries.weight[at] = its.queries.weight[at]
            for weights, theirs in ((tower.out.weight, its.out.weight), (tower.out.bias, its.out.bias), (tower.focus, its.focus)):
                weights[own] = theirs[own]
        columns = self.spread[:, own].abs().sum(1) > 0
        self.wide.weight[:, columns] = other.wide.weight[:, columns]

    def encoder(self) -> dict[str, torch.Tensor]:
        """What pretraining made: the embeddings, and the blocks and attention of the first tower."""
        return {n: t for n, t in {"embedding.weight": self.embedding.weight, **self.towers[0].state_dict()}.items() if n.startswith(("embedding.", *OF_ENCODER))}

    def load_encoder(self, encoder: dict[str, torch.Tensor]) -> None:
        """Every tower begins with the same blocks and, where the encoder has one, the same attention."""
        self.load_state_dict({"embedding.weight": encoder["embedding.weight"]}, strict=False)
        for tower in self.towers:
            not_asked_for = tower.load_state_dict({n: t for n, t in encoder.items() if n.startswith(OF_ENCODER)}, strict=False).unexpected_keys
            if not_asked_for:
                raise ValueError(f"the encoder has what a network of {self.shape} lacks: {', '.join(not_asked_for)}")

    def encode(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the first tower makes of each token: what pretraining trains."""
        return self.towers[0].encode(self.embed(*self.read(ids)) * mask, mask)

    def read(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The rows of the tables that the tokens have, and what each figure says with the one that it is compared with."""
        if self.compared is None:
            return ids, None
        return ids.where(ids < self.shape.vocab, self.shape.number), figures.compare(ids, self.readings, shift)

    def embed(self, rows: torch.Tensor, states: torch.Tensor | None) -> torch.Tensor:
        return self.embedding(rows) if states is None else self.embedding(rows) + self.compared(states)

    def ngrams(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        ids1, ids2, m1, m2 = shift(ids, 1), shift(ids, 2), shift(mask, 1), shift(mask, 2)
        offset, rows, weights = self.shape.vocab, [ids], [mask]
        for (a, b, c), size in zip(HASHES, self.shape.buckets):
            rows.append((ids * a + ids1 * b + ids2 * c) % size + offset)
            weights.append(mask * m1 * m2 if b and c else mask * (m1 if b else m2))
            offset += size
        return torch.cat(rows, 1), torch.cat(weights, 1)

    def opinions(self, ids: torch.Tensor, mask: torch.Tensor, dropout: float = 0.0) -> list[torch.Tensor]:
        """The logits of each tower, the n-grams' added to each."""
        m = mask.float()
        m3 = m.unsqueeze(2)
        count = m.sum(1, keepdim=True).clamp(min=1.0)
        ids, states = self.read(ids)
        rows, weights = self.ngrams(ids, m)
        weights = F.dropout(weights, dropout, self.training) if dropout else weights
        wide = (weights.unsqueeze(1) @ self.wide(rows)).squeeze(1) / count.sqrt() @ self.spread
        x = self.embed(ids, states)
        return [tower(x, m3, count, dropout) + wide for tower in self.towers]

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        opinions = self.opinions(ids, mask)
        return torch.stack(opinions).mean(0) if len(opinions) > 1 else opinions[0]


@torch.no_grad()
def reshaped(net: WideDeep, shape: Shape) -> WideDeep:
    """The same network with fewer buckets, each the mean of those that fall into it, and, if it had no attention, with one that adds nothing as yet. ValueError: anything else differs."""
    may_change = ("pairs", "gaps", "triples") if net.shape.attention else ("pairs", "gaps", "triples", "attention", "views")
    shape = replace(shape, number=net.shape.number)
    others_differ = replace(shape, **{name: getattr(net.shape, name) for name in may_change}) != net.shape
    if others_differ or any(old % new for old, new in zip(net.shape.buckets, shape.buckets)):
        raise ValueError(f"a network can be given attention and a part of its buckets, and nothing else can be changed: it has {net.shape}, and {shape} was asked for")
    out = WideDeep(shape, net.heads)
    words, *tables = net.wide.weight.split([net.shape.vocab, *net.shape.buckets])
    # A hash is taken modulo the number of buckets: of half as many, two fall into one.
    tables = [table.view(-1, size, table.shape[1]).mean(0) for table, size in zip(tables, shape.buckets)]
    weights = net.state_dict() | {"wide.weight": torch.cat([words, *tables])}
    left_out = out.load_state_dict(weights, strict=False)
    assert not left_out.unexpected_keys and all(".attention." in n for n in left_out.missing_keys)
    return out


# What two figures are taken to say before anything was learnt, and how loud.
RISING, FALLING = ("up", "higher", "increased", "grew", "rose"), ("down", "lower", "decreased", "declined", "fell")
AT_FIRST = 2.0


@torch.no_grad()
def given_figures(net: WideDeep, tokenizer: Tokenizer) -> tuple[WideDeep, Tokenizer]:
    """The same network and vocabulary with numbers told apart. It answers the same where no two figures are compared, and where they are, begins with what it knows of up and down."""
    apart = figures.tell_numbers_apart(tokenizer)
    out = WideDeep(replace(net.shape, number=tokenizer.token_to_id(figures.ZERO)), net.heads)
    out.load_state_dict(net.state_dict(), strict=False)
    out.readings.copy_(torch.from_numpy(figures.readings(apart)))
    known = tokenizer.get_vocab()
    rose, fell = (out.embedding.weight[[known[word] for word in words if word in known]].mean(0) for words in (RISING, FALLING))
    out.compared.weight[figures.ROSE] = AT_FIRST * (rose - fell)
    out.compared.weight[figures.FELL] = AT_FIRST * (fell - rose)
    return out, apart
