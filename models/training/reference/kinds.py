"""Small tokenizers, one a kind of splitting that is found in the wild, with vocabularies written by hand: the same whenever they are built."""

import json
import string

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

TEXTS = [
    "The ECB raised rates by 0.25% (to 4.00%) in May 2023.",
    "Zürich's naïve façade: Ærø, Kraków",
    "\ufeffRates rose.",
    "a \ufeff! b\ufeff\ufeffc",
    "x\u0085y \u0085z",
    "\u0085",
    "ΟΔΟΣ ΣΑΣ",
    "snake_case, x²+y²=½ and Ⅷ or ٣٤",
    "no\u00a0break thin\u2009space  two",
    "wait... what?! -- \"quoted\" (twice)",
    "10,000,000 and 99999999999999999999999999 or 9999999",
    "日本銀行 政策 is 0.1",
    "tab\tnew\nline\r\n\r\nend ",
    " \u200bzero\u200dwidth",
    "",
]

LETTERS = string.ascii_lowercase + "zürichïæøóçο" + "ςσδα"


def words(normalizer, pre_tokenizer) -> Tokenizer:
    parts = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    digits = "0123456789²½"
    parts += [*digits, *(f"##{digit}" for digit in digits), *string.punctuation, *(f"##{mark}" for mark in string.punctuation)]
    parts += ["rates", "the", "raised", "...", "--", "?!", "##\u00a0", "\ufeff", "##\ufeff"]
    tokenizer = Tokenizer(models.WordPiece({part: place for place, part in enumerate(dict.fromkeys(parts))}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizer
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def word_level() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1, "rates": 2, "rose": 3, ".": 4, "the": 5}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    return tokenizer


def byte_pairs(pre_tokenizer) -> Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "e"), ("te", "s"), ("r", "a"), ("ra", "tes"), ("Ġ", "a"), ("Ġ", "ra"), ("ï", "»"), ("ï»", "¿"), ("Ġ", "ï»¿")]
    vocabulary = {part: place for place, part in enumerate(["<s>", "<pad>", "</s>", *alphabet, *("".join(pair) for pair in merges)])}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def unigram(pre_tokenizer, pieces: list[tuple[str, float]], byte_fallback: bool = False) -> Tokenizer:
    known = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0132410240936905), *pieces]
    if byte_fallback:
        known += [(f"<0x{byte:02X}>", -20.0) for byte in range(256)]
    tokenizer = Tokenizer(models.Unigram(known, unk_id=2, byte_fallback=byte_fallback))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return tokenizer


# Scores that the two languages read with another last bit, and rows of digits that can be cut in several ways as good as each other.
PIECES = [
    *((letter, -5.0 - place / 7) for place, letter in enumerate(string.ascii_lowercase)),
    *((digit, -4.7239605447467895 - place / 11) for place, digit in enumerate("0123456789")),
    ("99", -7.2389605447467895),
    ("999", -9.812778853369625),
    ("00", -7.4619920634495465),
    ("000", -10.107618853369624),
    (",", -3.7754137967896995),
    ("▁ra", -6.3405122580192455),
    ("tes", -6.976542300115301),
]

LOWER = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
SEQUENCE = pre_tokenizers.Sequence

KINDS = {
    "words and marks": lambda: words(normalizers.Lowercase(), pre_tokenizers.Whitespace()),
    "a list of words": word_level,
    "blanks, then punctuation": lambda: words(LOWER, SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()])),
    "punctuation in rows": lambda: words(LOWER, SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous")])),
    "punctuation with what is before it": lambda: words(LOWER, SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("merged_with_previous")])),
    "single digits": lambda: words(LOWER, SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(individual_digits=True)])),
    "rows of digits": lambda: words(LOWER, SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits()])),
    "as BERT, nothing cleaned": lambda: words(normalizers.BertNormalizer(clean_text=False), pre_tokenizers.BertPreTokenizer()),
    "at one character": lambda: words(LOWER, pre_tokenizers.CharDelimiterSplit(" ")),
    "bytes": lambda: byte_pairs(pre_tokenizers.ByteLevel(add_prefix_space=False)),
    "bytes after a blank": lambda: byte_pairs(pre_tokenizers.ByteLevel(add_prefix_space=True)),
    "bytes of what an expression finds": lambda: byte_pairs(SEQUENCE([pre_tokenizers.Split(Regex(r"\p{N}{1,3}|\s+"), "merged_with_next"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])),
    "bytes of what an expression leaves": lambda: byte_pairs(SEQUENCE([pre_tokenizers.Split(Regex(r"\w+"), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])),
    "pieces of words": lambda: unigram(SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]), PIECES),
    "pieces of a text": lambda: unigram(pre_tokenizers.Metaspace(prepend_scheme="first", split=False), PIECES),
    "pieces of a first word": lambda: unigram(SEQUENCE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="first")]), PIECES),
    "pieces, and bytes of what is unknown": lambda: unigram(pre_tokenizers.Metaspace(), PIECES, byte_fallback=True),
}


def kinds() -> list[dict]:
    """Each as tokenizer.json has it, with the token ids of the texts, no more than 64 of each."""
    found = []
    for name, build in KINDS.items():
        written = build().to_str()
        tokenizer = Tokenizer.from_str(written)
        tokenizer.enable_truncation(64)
        found.append({"name": name, "tokenizer": json.loads(written), "ids": [tokenizer.encode(text).ids for text in TEXTS]})
    return found
