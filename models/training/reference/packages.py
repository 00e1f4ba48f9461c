"""Builds the three small packages with random weights that the tests run: one a tokenizer family, as `optimum-cli export onnx` lays them out."""

import json
import warnings
from io import BytesIO
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import sentencepiece
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertForSequenceClassification, DebertaV2Config, DebertaV2ForSequenceClassification, RobertaConfig, RobertaForSequenceClassification

from sentences import written

SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "hidden_act": "gelu"}


def word_piece(texts: list[str]) -> Tokenizer:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=2000, special_tokens=special, show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def byte_bpe(texts: list[str]) -> Tokenizer:
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=2000, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return tokenizer


def unigram(texts: list[str]) -> Tokenizer:
    """As transformers converts a DeBERTa-v3 vocabulary, with SentencePiece's own character map."""
    model = BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=model, vocab_size=600, normalization_rule_name="nmt_nfkc", character_coverage=1.0, hard_vocab_limit=False, num_threads=1, minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.train_from_iterator(texts, trainers.UnigramTrainer(vocab_size=2000, special_tokens=special, unk_token="[UNK]", show_progress=False))
    tokenizer.add_special_tokens(["[MASK]"])
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    return tokenizer


FAMILIES = {
    "bert": {
        "tokenizer": word_piece,
        "labels": ["Positive", "Negative", "Neutral"],
        "config": lambda vocab, labels: BertConfig(vocab_size=vocab, max_position_embeddings=128, pad_token_id=0, **SHAPE, **labels),
        "model": BertForSequenceClassification,
        "inputs": ["input_ids", "attention_mask", "token_type_ids"],
        "special": {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"},
        "class": "BertTokenizer",
        "model_max_length": 128,
    },
    "roberta": {
        "tokenizer": byte_bpe,
        "labels": ["Positive Growth", "Negative Growth", "Neutral"],
        "config": lambda vocab, labels: RobertaConfig(vocab_size=vocab, max_position_embeddings=130, pad_token_id=1, bos_token_id=0, eos_token_id=2, type_vocab_size=1, **SHAPE, **labels),
        "model": RobertaForSequenceClassification,
        "inputs": ["input_ids", "attention_mask"],
        "special": {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>", "mask_token": "<mask>"},
        "class": "RobertaTokenizer",
        "model_max_length": 512,
    },
    "deberta-v2": {
        "tokenizer": unigram,
        "labels": ["High Uncertainty", "Low Uncertainty", "Neutral"],
        "config": lambda vocab, labels: DebertaV2Config(vocab_size=vocab, max_position_embeddings=128, pad_token_id=0, type_vocab_size=0, relative_attention=True, max_relative_positions=-1, position_buckets=32, pos_att_type=["p2c", "c2p"], position_biased_input=False, norm_rel_ebd="layer_norm", share_att_key=True, **SHAPE, **labels),
        "model": DebertaV2ForSequenceClassification,
        "inputs": ["input_ids", "attention_mask"],
        "special": {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"},
        "class": "DebertaV2Tokenizer",
        "model_max_length": 1000000000000000019884624838656,
    },
}


class OnlyLogits(torch.nn.Module):
    def __init__(self, model: torch.nn.Module, inputs: list[str]):
        super().__init__()
        self.model, self.inputs = model, inputs

    def forward(self, *values: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(self.inputs, values))).logits


def build(family: str, folder: Path, seed: int) -> None:
    facts = FAMILIES[family]
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = facts["tokenizer"](written(6000, seed))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": facts["class"], "model_max_length": facts["model_max_length"], **facts["special"]}, indent=2) + "\n")

    labels = {"id2label": dict(enumerate(facts["labels"])), "label2id": {label: index for index, label in enumerate(facts["labels"])}}
    config = facts["config"](tokenizer.get_vocab_size(), labels)
    config.architectures = [facts["model"].__name__]
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    model = facts["model"](config).eval()
    with torch.no_grad():
        # Weights as they are drawn give three equal probabilities; larger ones make a wrong id or mask visible.
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.25)
        # As drawn, one label would win everywhere: its bias makes the labels of average sentences equally likely.
        bias = next(weight for name, weight in model.named_parameters() if name in ("classifier.bias", "classifier.out_proj.bias"))
        logits = [model(torch.tensor([tokenizer.encode(text).ids])).logits[0] for text in written(200, seed + 1)]
        bias -= torch.stack(logits).mean(0)
    (folder / "config.json").write_text(json.dumps({**config.to_diff_dict(), "id2label": {str(i): label for i, label in labels["id2label"].items()}, "max_position_embeddings": config.max_position_embeddings, "pad_token_id": config.pad_token_id}, indent=2, sort_keys=True) + "\n")

    ids = torch.randint(5, 500, (2, 16))
    values = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)}
    values["attention_mask"][1, 11:] = 0
    axes = {name: {0: "batch_size", 1: "sequence_length"} for name in facts["inputs"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(OnlyLogits(model, facts["inputs"]).eval(), tuple(values[name] for name in facts["inputs"]), str(folder / "model.onnx"), input_names=facts["inputs"], output_names=["logits"], dynamic_axes={**axes, "logits": {0: "batch_size"}}, opset_version=17, dynamo=False)
    graph = onnx.load(folder / "model.onnx")
    graph.doc_string = graph.graph.doc_string = ""
    for node in graph.graph.node:
        node.doc_string = ""
        node.ClearField("metadata_props")
    onnx.checker.check_model(graph, full_check=True)
    assert {node.domain for node in graph.graph.node} <= {""}, "only standard operators"
    (folder / "model.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    check(model, folder, facts["inputs"])
    (folder / "README.md").write_text(README.format(family=family, model=facts["model"].__name__, labels=", ".join(facts["labels"]), vocab=tokenizer.get_vocab_size()))


def check(model: torch.nn.Module, folder: Path, inputs: list[str]) -> None:
    """The exported graph answers as PyTorch does, at lengths and batches it was not traced with."""
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    for rows, columns in ((1, 3), (3, 41), (5, 120)):
        ids = torch.randint(5, 500, (rows, columns))
        mask = torch.ones_like(ids)
        mask[-1, columns // 2 :] = 0
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": torch.zeros_like(ids)}
        with torch.no_grad():
            expected = model(**{name: values[name] for name in inputs}).logits.numpy()
        actual = session.run(["logits"], {name: values[name].numpy() for name in inputs})[0]
        assert np.abs(actual - expected).max() < 1e-4, (folder, rows, columns)


def build_dynamic(bert: Path, path: Path) -> None:
    """The BERT graph as `optimum-cli onnxruntime quantize` makes it: the ranges of activations are taken over the whole batch."""
    quantize_dynamic(bert / "model.onnx", path, weight_type=QuantType.QInt8)


def build_shared(bert: Path, folder: Path) -> None:
    """The BERT package as a shared encoder of three models: its logits, their negative, and one that is never a number."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((bert / name).read_bytes())
    config = json.loads((bert / "config.json").read_text())
    model = onnx.load(bert / "model.onnx")
    graph = model.graph
    (logits,) = graph.output
    made = {"ec_financial_sentiment": ["Identity"], "ec_growth": ["Neg"], "ec_material_impact": ["Abs", "Neg", "Sqrt"]}
    del graph.output[:]
    for output, operators in made.items():
        given = logits.name
        for step, operator in enumerate(operators):
            name = output if step == len(operators) - 1 else f"{output}_{step}"
            graph.node.append(onnx.helper.make_node(operator, [given], [name]))
            given = name
        graph.output.append(onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, ["batch_size", 3]))
    onnx.checker.check_model(model, full_check=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    # Another order and spelling than the catalog's, as models from elsewhere have them.
    labels = {"ec_financial_sentiment": ["Positive", "Negative", "Neutral"], "ec_growth": ["neutral", "NEGATIVE_GROWTH", "positive growth"], "ec_material_impact": ["Positive Impact", "Negative Impact", "Neutral"]}
    for name in ("id2label", "label2id", "max_position_embeddings"):
        config.pop(name)
    outputs = {output: {"id2label": {str(index): label for index, label in enumerate(names)}} for output, names in labels.items()}
    (folder / "config.json").write_text(json.dumps({**config, "max_length": 128, "outputs": outputs}, indent=2, sort_keys=True) + "\n")
    (folder / "README.md").write_text(SHARED_README)


SHARED_README = """# Reference package: a shared encoder

The reference package `bert` with three outputs: `ec_financial_sentiment` (its logits), `ec_growth` (their negative) and
`ec_material_impact` (never a number, for the test that such logits are noticed). Random weights: it knows nothing.
Made by `models/training/reference/make_reference.py`; licence as the project.
"""

README = """# Reference package: {family}

`{model}` with random weights (hidden size 32, two layers) and a tokenizer of {vocab} tokens trained on sentences
generated for this project. It knows nothing: its labels ({labels}) mean nothing. The tests run it to compare token ids
and probabilities with the Python libraries. Made by `models/training/reference/make_reference.py`; licence as the project.
"""
