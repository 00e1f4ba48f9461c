"""Writes the network as ONNX: standard operators, weights held as fp16 and cast once when the session opens. Reads it back, too: what ships is all that is needed to go on from it."""

import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

import figures
from labels import PACKAGES
from model import BIG, HASHES, Attention, Shape, Tower, WideDeep
from rewrite import vectorize
from settings import Settings

OPSET = 17
# The output with the logits of all heads side by side: a GPU is read from once, and not once a head.
JOINED = "all_logits"


class Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.trained: list[tuple[str, torch.Tensor]] = []
        self.count = 0

    def op(self, kind: str, *inputs: str, name: str | None = None, outputs: int = 1, **attributes):
        self.count += 1
        names = [name or f"{kind.lower()}_{self.count}"] if outputs == 1 else [f"{kind.lower()}_{self.count}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f"n{self.count}", **attributes))
        return names[0] if outputs == 1 else names

    def const(self, value, dtype=np.float32) -> str:
        self.count += 1
        name = f"c_{self.count}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(np.asarray(value, dtype=dtype)), name))
        return name

    def ints(self, *values: int) -> str:
        return self.const(values, np.int64)

    def half(self, tensor) -> str:
        """A trained weight; the network was rounded to fp16 before it was measured, so nothing is lost here."""
        name = self.const(tensor.detach().numpy(), np.float16)
        self.trained.append((name, tensor.detach()))
        return self.op("Cast", name, to=TensorProto.FLOAT)


def shift(g: Graph, x: str, by: int, rank: int) -> str:
    pads = [0] * (2 * rank)
    pads[1], pads[rank + 1] = -by, by
    return g.op("Pad", x, g.ints(*pads))


def attend(g: Graph, attention: Attention, x: str, m3: str, block_out: str) -> str:
    """What Attention.forward computes."""
    width, views = attention.width, attention.views

    def by_view(tokens: str, order: list[int]) -> str:
        return g.op("Transpose", g.op("Reshape", tokens, g.ints(0, 0, views, width // views)), perm=order)

    asked, offered, said = g.op("Split", g.op("MatMul", x, g.half(attention.taps.weight.T)), g.ints(width, width, width), outputs=3, axis=2)
    scores = g.op("MatMul", g.op("Mul", by_view(asked, [0, 2, 1, 3]), g.const((width // views) ** -0.5)), by_view(offered, [0, 2, 3, 1]))
    blocked = g.op("Unsqueeze", g.op("Transpose", block_out, perm=[0, 2, 1]), g.ints(1))
    heard = g.op("MatMul", g.op("Softmax", g.op("Add", scores, blocked), axis=-1), by_view(said, [0, 2, 1, 3]))
    joined = g.op("Reshape", g.op("Transpose", heard, perm=[0, 2, 1, 3]), g.ints(0, 0, width))
    return g.op("Add", x, g.op("Mul", g.op("MatMul", joined, g.half(attention.out.weight.T)), m3))


def compare(g: Graph, net: WideDeep) -> str:
    """What figures.compare computes, in fp32: the readings are looked up in tables of small whole numbers."""

    def looked_up(row: int) -> str:
        name = g.const(net.readings[row].numpy(), np.int16)
        g.trained.append((name, net.readings[row]))
        return g.op("Gather", g.op("Cast", name, to=TensorProto.FLOAT), "input_ids")

    def number_if(condition: str) -> str:
        return g.op("Cast", condition, to=TensorProto.FLOAT)

    def is_(x: str, value: float) -> str:
        return number_if(g.op("Equal", x, g.const(value)))

    def all_of(*factors: str) -> str:
        product = factors[0]
        for factor in factors[1:]:
            product = g.op("Mul", product, factor)
        return product

    def sum_of(*terms: str) -> str:
        total = terms[0]
        for term in terms[1:]:
            total = g.op("Add", total, term)
        return total

    def times(x: str, factor: float) -> str:
        return g.op("Mul", x, g.const(factor))

    def without(x: str) -> str:
        return g.op("Sub", g.const(1.0), x)

    def at(x: str, by: int) -> str:
        if by == 0:
            return x
        if (x, by) not in shifted:
            shifted[x, by] = shift(g, x, by, 2)
        return shifted[x, by]

    def marked(by: int, what: int) -> str:
        return is_(at(mark, by), what)

    def signed(by: int) -> str:
        return all_of(marked(by, figures.MINUS), *(without(x) for x in (at(number, by - 1), marked(by - 1, figures.MINUS), marked(by - 1, figures.PERCENT))))

    def power_of_ten(x: str) -> str:
        return g.op("Pow", g.const(10.0), x)

    shifted: dict[tuple[str, int], str] = {}
    value, digits, mark, scale = (looked_up(row) for row in (figures.VALUE, figures.DIGITS, figures.MARK, figures.SCALE))
    number = number_if(g.op("GreaterOrEqual", value, g.const(0.0)))
    value = all_of(value, number)
    follows_number, comma, point, money = at(number, -2), marked(-1, figures.COMMA), marked(-1, figures.POINT), marked(-1, figures.MONEY)
    grouped, bare = all_of(number, is_(digits, 3), comma, follows_number), all_of(number, point, marked(-2, figures.MONEY))
    fraction = sum_of(all_of(number, point, follows_number), bare)
    goes_on = sum_of(grouped, all_of(fraction, follows_number))
    whole, thousands = value, times(grouped, 1000.0)
    for _ in range(figures.GROUPS):
        whole = sum_of(value, all_of(thousands, at(whole, -2)))
    own = sum_of(money, bare, times(sum_of(signed(-1), all_of(signed(-2), money)), figures.NEGATIVE))
    before = own
    for _ in range(figures.GROUPS + 1):
        before = sum_of(own, all_of(goes_on, at(before, -2)))
    negative = number_if(g.op("GreaterOrEqual", before, g.const(figures.NEGATIVE)))
    money = g.op("Sub", before, times(negative, figures.NEGATIVE))
    behind_point = sum_of(at(whole, -2), all_of(value, power_of_ten(g.op("Neg", digits))))
    size = sum_of(all_of(fraction, behind_point), all_of(without(fraction), whole))
    size = all_of(size, power_of_ten(at(scale, 1)), without(times(negative, 2.0)))
    last_piece = all_of(sum_of(point, all_of(comma, is_(digits, 3))), marked(-2, figures.FOLDED))
    first_piece = all_of(sum_of(marked(1, figures.POINT), marked(1, figures.COMMA)), marked(2, figures.FOLDED))
    piece = sum_of(last_piece, first_piece)
    ends = all_of(number, without(at(goes_on, 2)), is_(piece, 0.0))
    units = sum_of(times(marked(1, figures.PERCENT), figures.PERCENT), times(marked(1, figures.BASIS), figures.BASIS))
    kind = sum_of(times(money, figures.MONEY), all_of(without(money), units))

    def so_far(is_one: str) -> str:
        return g.op("CumSum", is_one, g.const(1, np.int64))

    def recent(count: str, tokens: int) -> str:
        return number_if(g.op("Greater", count, at(count, -tokens)))

    def here(x: str) -> str:
        return g.op("Unsqueeze", x, g.ints(2))

    def there(x: str) -> str:
        return g.op("Unsqueeze", x, g.ints(1))

    def if_at_most(x: str, y: str) -> str:
        return number_if(g.op("LessOrEqual", x, y))

    def if_more(x: str, y: str) -> str:
        return number_if(g.op("Greater", x, y))

    strong, start = so_far(marked(0, figures.COMPARES)), so_far(all_of(marked(0, figures.FROM), without(marked(-1, figures.RANGE))))
    weak = sum_of(so_far(marked(0, figures.FOLLOWS)), start)
    words, starting = sum_of(strong, weak), recent(start, figures.NEAR)
    soon = recent(weak, figures.NEAR)
    told = all_of(g.op("Max", recent(strong, figures.FAR), soon), ends)
    plain = all_of(without(recent(strong, figures.NEXT)), without(soon), ends)
    begins, goes_to = all_of(starting, ends), all_of(recent(so_far(marked(0, figures.TO)), figures.NEAR), ends)

    place = so_far(g.op("Add", times(value, 0.0), g.const(1.0)))
    between = if_more(here(words), there(words))
    sizes = g.op("Abs", size)
    most = times(sizes, figures.COMPARABLE)
    near = all_of(if_at_most(here(sizes), there(most)), if_at_most(there(sizes), here(most)))
    pairs = all_of(near, if_more(here(place), there(place)), number_if(g.op("Equal", here(kind), there(kind))))
    first = all_of(pairs, between, here(told), there(plain))
    second = all_of(pairs, without(between), here(goes_to), there(begins))
    either = sum_of(first, second)
    places = all_of(either, there(place))
    nearest = number_if(g.op("Equal", places, g.op("ReduceMax", places, axes=[2], keepdims=1)))
    differences = all_of(nearest, g.op("Sub", second, first), g.op("Sub", here(size), there(size)))
    rise = g.op("ReduceSum", differences, g.ints(2), keepdims=0)
    tolerance = times(sizes, figures.ALIKE)
    rose, fell = if_more(rise, tolerance), if_more(g.op("Neg", rise), tolerance)
    states = sum_of(times(rose, figures.ROSE), times(fell, figures.FELL), times(without(sum_of(rose, fell)), figures.SAME))
    state = all_of(states, g.op("ReduceSum", all_of(nearest, either), g.ints(2), keepdims=0))
    return g.op("Cast", state, to=TensorProto.INT32)


def deep(g: Graph, tower: Tower, shape: Shape, x: str, m3: str, block_out: str, count: str) -> str:
    """The logits of one tower."""
    for block in tower.blocks:
        if tower.attention and block is tower.blocks[-1]:
            x = attend(g, tower.attention, x, m3, block_out)
        taps = g.op("MatMul", x, g.half(block.taps.weight.T))
        before, here, after = g.op("Split", taps, g.ints(shape.dim, shape.dim, shape.dim), outputs=3, axis=2)
        y = g.op("Add", g.op("Add", shift(g, before, -block.dilation, 3), here), shift(g, after, block.dilation, 3))
        y = g.op("Relu", g.op("Add", y, g.half(block.bias)))
        normed = g.op("LayerNormalization", g.op("Add", x, y), g.half(block.norm.weight), g.half(block.norm.bias), axis=-1, epsilon=block.norm.eps)
        x = g.op("Mul", normed, m3)

    top = g.op("ReduceMax", g.op("Add", x, block_out), axes=[1], keepdims=0)
    mean = g.op("Div", g.op("ReduceSum", x, g.ints(1), keepdims=0), count)
    hidden = g.op("Relu", g.op("Gemm", g.op("Concat", top, mean, axis=1), g.half(tower.pooled.weight), g.half(tower.pooled.bias), transB=1))
    logits = g.op("Gemm", hidden, g.half(tower.out.weight), g.half(tower.out.bias), transB=1)

    scores = g.op("Add", g.op("MatMul", x, g.half(tower.queries.weight.T)), block_out)
    attention = g.op("Softmax", g.op("Transpose", scores, perm=[0, 2, 1]), axis=-1)
    focused = g.op("Gather", g.op("MatMul", attention, x), g.ints(*tower.task_of_logit.tolist()), axis=1)
    focus = g.op("ReduceSum", g.op("Mul", focused, g.half(tower.focus)), g.ints(2), keepdims=0)
    return g.op("Add", logits, focus)


def lay_out(net: WideDeep) -> Graph:
    g, shape = Graph(), net.shape
    m = g.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    m3 = g.op("Unsqueeze", m, g.ints(2))
    block_out = g.op("Mul", g.op("Sub", m3, g.const(1.0)), g.const(BIG))
    count = g.op("Max", g.op("ReduceSum", m, g.ints(1), keepdims=1), g.const(1.0))

    ids = "input_ids"
    if shape.number:
        ids = g.op("Where", g.op("Less", ids, g.const(shape.vocab, np.int64)), ids, g.const(shape.number, np.int64))
    embedded = g.op("Gather", g.half(net.embedding.weight), ids)
    if shape.number:
        embedded = g.op("Add", embedded, g.op("Gather", g.half(net.compared.weight), compare(g, net)))
    embedded = g.op("Mul", embedded, m3)
    opinions = [deep(g, tower, shape, embedded, m3, block_out, count) for tower in net.towers]
    total = opinions[0]
    for opinion in opinions[1:]:
        total = g.op("Add", total, opinion)
    mean = total if len(opinions) == 1 else g.op("Mul", total, g.const(1 / len(opinions)))

    ids1, ids2 = shift(g, ids, 1, 2), shift(g, ids, 2, 2)
    m1, m2 = shift(g, m, 1, 2), shift(g, m, 2, 2)
    offset, rows, weights = shape.vocab, [ids], [m]
    for factors, size in zip(HASHES, shape.buckets):
        parts = [g.op("Mul", at, g.const(f, np.int64)) for at, f in zip((ids, ids1, ids2), factors) if f]
        total = parts[0]
        for part in parts[1:]:
            total = g.op("Add", total, part)
        rows.append(g.op("Add", g.op("Mod", total, g.const(size, np.int64)), g.const(offset, np.int64)))
        weight = m
        for f, shifted in ((factors[1], m1), (factors[2], m2)):
            weight = g.op("Mul", weight, shifted) if f else weight
        weights.append(weight)
        offset += size
    gathered = g.op("Gather", g.half(net.wide.weight), g.op("Concat", *rows, axis=1))
    summed = g.op("MatMul", g.op("Unsqueeze", g.op("Concat", *weights, axis=1), g.ints(1)), gathered)
    wide = g.op("Div", g.op("Squeeze", summed, g.ints(1)), g.op("Sqrt", count))
    logits = g.op("Add", mean, g.op("MatMul", wide, g.const(net.spread.numpy())), name=JOINED)

    start = 0
    for model, labels in net.heads.items():
        g.op("Slice", logits, g.ints(start), g.ints(start + len(labels)), g.ints(1), name=model)
        start += len(labels)
    return g


def build(net: WideDeep) -> onnx.ModelProto:
    g = lay_out(net)
    widths = {model: len(labels) for model, labels in net.heads.items()}
    outputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", width]) for n, width in (widths | {JOINED: sum(widths.values())}).items()]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in ("input_ids", "attention_mask")]
    proto = helper.make_model(helper.make_graph(g.nodes, "fintext", inputs, outputs, g.weights), opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9, producer_name="fintext")
    onnx.checker.check_model(proto, full_check=True)
    return proto


def export(net: WideDeep, path: Path) -> None:
    path.write_bytes(vectorize(build(net)).SerializeToString(deterministic=True))


def open_package(folder: Path, package: str) -> tuple[WideDeep, Tokenizer, Settings]:
    """The network of a package as `export` wrote it, its calibration within the weights, with its vocabulary and the settings it was fitted with."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    net = WideDeep(Shape(**config["shape"] | {"dilations": tuple(config["shape"]["dilations"])}), PACKAGES[package])
    stored = {w.name: numpy_helper.to_array(w) for w in onnx.load(folder / "model.onnx").graph.initializer}
    # The same graph asks for the same weights by the same names; those it was handed are views of the network's own.
    for name, tensor in lay_out(net).trained:
        if name not in stored or stored[name].shape != tuple(tensor.shape):
            raise SystemExit(f"{folder / 'model.onnx'} is no graph that export.py writes today: it lacks {name} of shape {tuple(tensor.shape)}.")
        tensor.copy_(torch.from_numpy(stored[name].astype(np.float32)))
    settings = Settings(**config["training"] | {"dilations": tuple(config["training"]["dilations"])})
    return net, Tokenizer.from_file(str(folder / "tokenizer.json")), settings
