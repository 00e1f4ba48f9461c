"""Rewrites the graph of a network, as export.py lays it out: full precision and eight bits for the CPU, sixteen for a GPU. The same graph gives the same bytes.

What a sentence gets must depend on that sentence alone, so no range is ever taken over a batch: those of activations are constants.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
TABLE_TOP = 127
# Seven bits for what is multiplied: on processors without VNNI the sum of two products of eight bits overflows the kernel's sixteen.
WEIGHT_TOP = 63
ACTIVATION_TOP, ACTIVATION_ZERO = 127, 128
# What may be computed in fp16. Softmax, masks, sums and maxima over the tokens of a sentence, and what follows them, stay in fp32. So do attention's scores and sums, for Reshape and Transpose are left out;
# what it heard is rounded before its last product (`heard`).
HALF_OPERATORS = {"Mul", "MatMul", "Split", "Pad", "Add", "Relu", "LayerNormalization"}


class Rewriting:
    """A graph whose nodes are replaced one by one, in their order."""

    def __init__(self, model: ModelProto):
        self.model = ModelProto()
        self.model.CopyFrom(model)
        stored = {w.name: w for w in model.graph.initializer}
        # A trained weight is stored as fp16 and cast to fp32 as the session opens; by the name of what the cast gives.
        self.halves = {n.output[0]: n.input[0] for n in model.graph.node if n.op_type == "Cast" and n.input[0] in stored and stored[n.input[0]].data_type == TensorProto.FLOAT16}
        self.stored = stored
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self.count = 0

    def weight(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.stored[self.halves[name]]).astype(np.float32)

    def const(self, value: np.ndarray) -> str:
        self.count += 1
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), f"v_{self.count}"))
        return f"v_{self.count}"

    def op(self, kind: str, *inputs: str, name: str | None = None, domain: str = "", **attributes) -> str:
        self.count += 1
        output = name or f"{kind.lower()}_v{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=f"v{self.count}", domain=domain, **attributes))
        return output

    def finish(self) -> ModelProto:
        """The graph, without what nothing asks for any more."""
        graph = self.model.graph
        used = {output.name for output in graph.output}
        kept: list[NodeProto] = []
        for node in reversed(self.nodes):
            if any(name in used for name in node.output):
                kept.append(node)
                used.update(node.input)
        weights = [w for w in [*graph.initializer, *self.weights] if w.name in used]
        del graph.node[:], graph.initializer[:]
        graph.node.extend(reversed(kept))
        graph.initializer.extend(weights)
        if any(node.domain == MICROSOFT for node in kept):
            self.model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
        onnx.checker.check_model(self.model, full_check=not any(node.domain == MICROSOFT for node in kept))
        return self.model


def activations(model: ModelProto) -> list[str]:
    """What convolutions and attention read: the values whose ranges `quantize` asks for."""
    return list(dict.fromkeys([*(conv.x for conv in convolutions(model).values()), *(x for x, _ in attention_products(model).values())]))


def vectorize(model: ModelProto) -> ModelProto:
    """For the CPU in full precision: layer normalisation out of operators whose kernels are vectorised, which takes a quarter off a run."""
    r = Rewriting(model)
    for node in r.model.graph.node:
        if node.op_type == "LayerNormalization":
            write_out_normalization(r, node)
        else:
            r.nodes.append(node)
    return r.finish()


def quantize(model: ModelProto, ranges: dict[str, float]) -> ModelProto:
    """For the CPU: int8 tables, int8 convolutions and products of attention, and layer normalisation as `vectorize` writes it.

    `ranges`: by the names of `activations`, the magnitude that becomes 127; what is beyond it is cut off.
    """
    r = Rewriting(model)
    found, products = convolutions(model), attention_products(model)
    for node in r.model.graph.node:
        if node.op_type == "Gather" and node.input[0] in r.halves:
            quantize_table(r, node)
        elif node.output[0] in found:
            quantize_convolution(r, node, found[node.output[0]], ranges)
        elif node.output[0] in products:
            quantize_product(r, node, *products[node.output[0]], ranges)
        elif node.op_type == "LayerNormalization":
            write_out_normalization(r, node)
        else:
            r.nodes.append(node)
    return r.finish()


def quantize_table(r: Rewriting, node: NodeProto) -> None:
    """Rows are looked up as int8, and only those that were are multiplied, each by a scale of its own."""
    table = r.weight(node.input[0])
    scales = np.maximum(np.abs(table).max(1, keepdims=True) / TABLE_TOP, 1e-8)
    rows = r.op("Gather", r.const(np.rint(table / scales).astype(np.int8)), node.input[1])
    scale = r.op("Gather", r.const(scales), node.input[1])
    r.op("Mul", r.op("Cast", rows, to=TensorProto.FLOAT), scale, name=node.output[0])


@dataclass(frozen=True)
class Convolution:
    """One of export.py's: a product with a matrix of three taps side by side, whose outer two are shifted along the sentence before the three are added."""

    x: str
    matrix: str
    shifts: tuple[str, str]
    bias: str


def convolutions(model: ModelProto) -> dict[str, Convolution]:
    """By the name of what they give: the sum of the three taps and the bias."""
    made_by = {name: node for node in model.graph.node for name in node.output}
    found: dict[str, Convolution] = {}
    shifted = {node.input[0] for node in model.graph.node if node.op_type == "Pad"}
    for split in (node for node in model.graph.node if node.op_type == "Split" and node.output[0] in shifted):
        taps = made_by[split.input[0]]
        [before] = [n for n in model.graph.node if n.op_type == "Pad" and n.input[0] == split.output[0]]
        [after] = [n for n in model.graph.node if n.op_type == "Pad" and n.input[0] == split.output[2]]
        [two] = [n for n in model.graph.node if list(n.input) == [before.output[0], split.output[1]]]
        [three] = [n for n in model.graph.node if list(n.input) == [two.output[0], after.output[0]]]
        [whole] = [n for n in model.graph.node if n.op_type == "Add" and n.input[0] == three.output[0]]
        found[whole.output[0]] = Convolution(taps.input[0], taps.input[1], (before.input[1], after.input[1]), whole.input[1])
    return found


def attention_products(model: ModelProto) -> dict[str, tuple[str, str]]:
    """By the names of what they give, what export.py's attention multiplies with a trained matrix: what each token asks, offers and says (which is split), and what it heard (which was joined)."""
    of_convolutions, sums = {conv.matrix for conv in convolutions(model).values()}, heard(model)
    split = {node.input[0] for node in model.graph.node if node.op_type == "Split"}
    return {node.output[0]: (node.input[0], node.input[1]) for node in model.graph.node if node.op_type == "MatMul" and node.input[1] not in of_convolutions and (node.output[0] in split or node.input[0] in sums)}


def heard(model: ModelProto) -> set[str]:
    """What attention's last product reads: sums over tokens, of all views side by side."""
    joined = {node.output[0] for node in model.graph.node if node.op_type == "Reshape"}
    return {node.input[0] for node in model.graph.node if node.op_type == "MatMul"} & joined


def quantize_convolution(r: Rewriting, node: NodeProto, conv: Convolution, ranges: dict[str, float]) -> None:
    """One product with the three taps below one another instead of a product three times as wide, split, shifted and added: what is shifted are bytes, and the sum stays in int32."""
    here, step, zero = as_bytes(r, conv.x, ranges)
    before, after = (r.op("Pad", here, by, zero) for by in conv.shifts)
    window = r.op("Concat", before, here, after, axis=2)
    multiply_bytes(r, window, np.concatenate(np.split(r.weight(conv.matrix), 3, axis=1)), step, zero, node.output[0], conv.bias)


def quantize_product(r: Rewriting, node: NodeProto, x: str, matrix: str, ranges: dict[str, float]) -> None:
    here, step, zero = as_bytes(r, x, ranges)
    multiply_bytes(r, here, r.weight(matrix), step, zero, node.output[0])


def as_bytes(r: Rewriting, x: str, ranges: dict[str, float]) -> tuple[str, str, str]:
    """Activations as bytes, one step for all of them, and the byte that is zero."""
    step, zero = r.const(np.float32(ranges[x] / ACTIVATION_TOP)), r.const(np.uint8(ACTIVATION_ZERO))
    return r.op("QuantizeLinear", x, step, zero), step, zero


def multiply_bytes(r: Rewriting, rows: str, matrix: np.ndarray, step: str, zero: str, name: str, *bias: str) -> None:
    """A scale for each column of the matrix and one for all activations: exact, in whatever order it is summed."""
    scales = np.maximum(np.abs(matrix).max(0) / WEIGHT_TOP, 1e-8)
    r.op("MatMulIntegerToFloat", rows, r.const(np.rint(matrix / scales).astype(np.int8)), step, r.const(scales), zero, "", *bias, name=name, domain=MICROSOFT)


def write_out_normalization(r: Rewriting, node: NodeProto) -> None:
    """ReduceSumSquare and not a mean of squares: that pattern would be put together again to the operator, whose kernel is slow."""
    x, gain, bias = node.input
    size = r.weight(gain).size
    epsilon = next(a.f for a in node.attribute if a.name == "epsilon")
    centred = r.op("Sub", x, r.op("ReduceMean", x, axes=[-1], keepdims=1))
    squares = r.op("ReduceSumSquare", centred, axes=[-1], keepdims=1)
    deviation = r.op("Sqrt", r.op("Add", squares, r.const(np.float32(epsilon * size))))
    normed = r.op("Mul", centred, r.op("Div", r.const(np.float32(np.sqrt(size))), deviation))
    r.op("Add", r.op("Mul", normed, gain), bias, name=node.output[0])


def halve(model: ModelProto) -> ModelProto:
    """For a GPU: weights stay fp16, and from the embeddings through the blocks so does the arithmetic, but for what attention weighs and sums; inputs and outputs are as they were."""
    r = Rewriting(model)
    halves = half_values(r)
    # The masks' 0 and 1 are the same in fp16; what was heard is rounded.
    narrowed = token_masks(model) | heard(model)
    made: dict[tuple[str, int], str] = {}

    def cast(name: str, to: int) -> str:
        if (name, to) not in made:
            made[name, to] = r.op("Cast", name, to=to)
        return made[name, to]

    for node in r.model.graph.node:
        if node.output[0] in halves:
            node.input[:] = [r.halves.get(name) or (cast(name, TensorProto.FLOAT16) if name in narrowed else name) for name in node.input]
        else:
            node.input[:] = [cast(name, TensorProto.FLOAT) if name in halves else name for name in node.input]
        r.nodes.append(node)
    return r.finish()


def rounded(model: ModelProto) -> ModelProto:
    """What `halve` computes, for processors without fp16 (where ONNX Runtime computes a halved graph in fp32): each value is rounded as a GPU would store it."""
    r = Rewriting(model)
    halves = half_values(r)
    halved = halves | heard(model)
    for node in r.model.graph.node:
        outputs = list(node.output)
        if outputs[0] in halved:
            node.output[:] = [f"{name}_exact" for name in outputs]
        r.nodes.append(node)
        if outputs[0] in halved:
            for name in outputs:
                r.op("Cast", r.op("Cast", f"{name}_exact", to=TensorProto.FLOAT16), name=name, to=TensorProto.FLOAT)
    return r.finish()


def half_values(r: Rewriting) -> set[str]:
    """What is computed in fp16: rows of tables, and what operators make of them, of masks, of weights and of what attention heard.

    Sizes and places (of Split, Pad) are no numbers of that kind.
    """
    halves: set[str] = set()
    sums = heard(r.model)
    fit = {*r.halves, *token_masks(r.model)}
    for node in r.model.graph.node:
        numbers = set(node.input[:1] if node.op_type in ("Split", "Pad") else node.input)
        if node.op_type == "Gather":
            is_half = node.input[0] in r.halves
        else:
            is_half = node.op_type in HALF_OPERATORS and bool(numbers & (halves | sums)) and numbers <= halves | sums | fit
        halves.update(node.output if is_half else [])
    return halves


def token_masks(model: ModelProto) -> set[str]:
    """The attention mask as numbers, one for each token: 1 where there is one."""
    masks: set[str] = set()
    for node in model.graph.node:
        if (node.op_type == "Cast" and node.input[0] == "attention_mask") or (node.op_type == "Unsqueeze" and node.input[0] in masks):
            masks.update(node.output)
    return masks
