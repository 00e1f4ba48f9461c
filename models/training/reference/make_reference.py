"""What the Python libraries `tokenizers` and `onnxruntime` say of the reference packages: the fixtures of test/src/inference.

    python models/training/reference/make_reference.py            expected values of the packages that are there
    python models/training/reference/make_reference.py --packages build the random-weight packages first

Python 3.11 with requirements.txt. The slices of the public corpora (../shared/corpora beside the project) are chosen by
seed and named by file, byte offset and byte length in UTF-8; neither their text nor their token ids are written down,
only a hash of the ids. Building again gives other tokenizers (their training is not deterministic): commit all of it.
"""

import argparse
import hashlib
import json
import os
import random
import re
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from kinds import TEXTS, kinds
from sentences import HARD

ROOT = Path(__file__).resolve().parents[3]
CORPORA = ROOT.parent / "shared" / "corpora"
PACKAGES = ROOT / "test" / "support" / "packages"
FIXTURES = ROOT / "test" / "src" / "inference" / "fixtures"
SEED = 20261120
AFTER_PADDING = {"roberta", "xlm-roberta"}
# A sentence, more or less: up to a full stop, blanks and line ends inside included.
SENTENCE = re.compile(r"\S[^.!?]{20,}?[.!?]+(?=\s|$)", re.S)


def choose_slices(count: int) -> tuple[list[str], list[tuple[int, int, int]]]:
    chance = random.Random(SEED)
    paths = sorted(CORPORA.glob("WorldCentralBanks/raw_data/*/*/*.txt")) + sorted(CORPORA.glob("fin-num-claim/data/raw_earning_calls/*.txt"))
    names: list[str] = []
    slices: list[tuple[int, int, int]] = []
    while len(slices) < count:
        path = chance.choice(paths)
        try:
            text = path.read_bytes().decode("utf-8", "strict")
        except UnicodeDecodeError:
            continue
        spans = [match.span() for match in SENTENCE.finditer(text)]
        if not spans:
            continue
        name = path.relative_to(CORPORA).as_posix()
        if name not in names:
            names.append(name)
        special = [(a, b) for a, b in spans if re.search(r"[^\x00-\x7f]|\n", text[a:b])]
        for kind in ("any", "any", "any", "special", "long", "raw"):
            if kind == "special" and special:
                a, b = chance.choice(special)
            elif kind == "long":
                a = chance.choice(spans)[0]
                b = min(len(text), a + chance.randrange(400, 3000))
            elif kind == "raw":
                a = chance.randrange(len(text))
                b = min(len(text), a + chance.randrange(1, 200))
            else:
                a, b = chance.choice(spans)
            start = len(text[:a].encode())
            slices.append((names.index(name), start, len(text[a:b].encode())))
    return names, slices[:count]


def read_slices(names: list[str], slices: list[tuple[int, int, int]]) -> list[str]:
    held = {name: (CORPORA / name).read_bytes() for name in names}
    return [held[names[file]][start : start + length].decode("utf-8", "strict") for file, start, length in slices]


def max_length_of(folder: Path) -> int:
    config = json.loads((folder / "config.json").read_text())
    if "max_length" in config:
        return config["max_length"]
    tokenizer = json.loads((folder / "tokenizer_config.json").read_text())
    lost = config["pad_token_id"] + 1 if config["model_type"] in AFTER_PADDING else 0
    return min(tokenizer.get("model_max_length", 10**30), config["max_position_embeddings"] - lost)


def outputs_of(folder: Path, session: onnxruntime.InferenceSession) -> list[str]:
    """Without the one that joins the others."""
    joined = json.loads((folder / "config.json").read_text()).get("joined")
    return [output.name for output in session.get_outputs() if output.name != joined]


def answer(folder: Path, texts: list[str]) -> list[tuple[list[int], list[list[float]]]]:
    """Token ids and, for each output, probabilities: one text at a time, not padded."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length_of(folder))
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    asked = {given.name for given in session.get_inputs()}
    found = []
    for text in texts:
        encoding = tokenizer.encode(text)
        values = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
        feeds = {name: np.array([values[name]], dtype=np.int64) for name in asked}
        probabilities = []
        for logits in session.run(outputs_of(folder, session), feeds):
            powers = np.exp(logits[0].astype(np.float64) - logits[0].max())
            probabilities.append([round(float(p), 6) for p in powers / powers.sum()])
        found.append((encoding.ids, probabilities))
    return found


def hash_ids(ids: list[int]) -> str:
    return hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:16]


def write(path: Path, facts: dict, rows: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps(facts, ensure_ascii=False, indent=1)[:-2]
    path.write_text(head + ',\n "rows": [\n' + ",\n".join(rows) + "\n ]\n}\n")


def compact(value) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def write_corpora(name: str, folder: Path, names: list[str], slices: list[tuple[int, int, int]]) -> None:
    outputs = outputs_of(folder, onnxruntime.InferenceSession(str(folder / "model.onnx")))
    facts = {"columns": ["file", "byte_offset", "byte_length", "sha256_16_of_ids", "ids", "probabilities"], "package": folder.relative_to(ROOT).as_posix(), "model_sha256": hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest(), "outputs": outputs, "files": names}
    rows = [compact([*place, hash_ids(ids), len(ids), probabilities]) for place, (ids, probabilities) in zip(slices, answer(folder, read_slices(names, slices)))]
    write(FIXTURES / f"{name}.json", facts, rows)
    print(f"{name}: {len(rows)} slices of {len(names)} files")


def write_hard(name: str, folder: Path) -> None:
    facts = {"columns": ["text", "ids", "probabilities"], "package": folder.relative_to(ROOT).as_posix()}
    rows = [compact([text, ids, probabilities]) for text, (ids, probabilities) in zip(HARD, answer(folder, HARD))]
    write(FIXTURES / f"{name}-hard.json", facts, rows)
    print(f"{name}: {len(rows)} hard sentences")


def write_kinds() -> None:
    found = kinds()
    write(FIXTURES / "kinds.json", {"texts": TEXTS}, [compact(kind) for kind in found])
    print(f"{len(found)} kinds of tokenizers")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--packages", action="store_true", help="build test/support/packages again")
    wanted = arguments.parse_args()
    families = ["bert", "roberta", "deberta-v2"]
    if wanted.packages:
        from packages import build, build_dynamic, build_shared

        for family in families:
            build(family, PACKAGES / family, SEED)
        build_shared(PACKAGES / "bert", PACKAGES / "earnings-call")
        build_dynamic(PACKAGES / "bert", PACKAGES / "bert-dynamic.onnx")
    write_kinds()
    for family in families:
        write_hard(family, PACKAGES / family)
    if not CORPORA.is_dir():
        print(f"No corpora in {CORPORA}: only the hard sentences were written.")
        return
    names, slices = choose_slices(2000)
    for family in families:
        write_corpora(family, PACKAGES / family, names, slices)
    for package in ("central-bank", "earnings-call"):
        folder = ROOT / "models" / package
        if (folder / "model.onnx").exists():
            few = slices[:500]
            used = sorted({file for file, _, _ in few})
            write_corpora(package, folder, [names[file] for file in used], [(used.index(file), *rest) for file, *rest in few])


if __name__ == "__main__":
    main()
