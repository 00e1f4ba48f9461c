"""Which of two figures is the larger: what the vocabulary, the network and the graph need to tell.

Every number of up to three digits is a token of its own, though in all tables of weights they share the row of `0`: what a number is matters there less than that it is one. Beside that row each figure has how it compares with the one before it
of its own kind (money, percent, basis points, any other): none, larger, smaller or the same. So "$0.92, compared to $0.52" and "$0.52, compared to $0.92" differ in one word, as "up" and "down" do.
"""

import json
from collections.abc import Callable

import numpy as np
import torch
from tokenizers import Tokenizer

ZERO, LONG = "0", "0000"
NUMBERS = [str(n).zfill(width) for width in (1, 2, 3) for n in range(10**width)][1:]
ADDED = [*NUMBERS, LONG]
# A letter, or another sign that the pre-tokenizer leaves within a word.
OF_A_WORD = r"[^\s\p{P}$+<=>^`|~0-9]"
# Digits of a word ("q3", "20th") and numbers of four digits and more, years above all, are not told apart.
FOLDS = ((rf"(?<={OF_A_WORD})[0-9]+|[0-9]+(?={OF_A_WORD})", ZERO), (r"[0-9]{4,}", LONG))

# What a token that is no number is to one beside it.
POINT, COMMA, MINUS = 1, 2, 3
OTHER, PERCENT, BASIS, MONEY = 0, 4, 5, 6
MARKS = {".": POINT, ",": COMMA, "-": MINUS, "−": MINUS, "–": MINUS, "%": PERCENT, "percent": PERCENT, "per": PERCENT, "basis": BASIS, "bps": BASIS, "$": MONEY}
# Powers of ten.
SCALES = {"thousand": 3, "million": 6, "mm": 6, "billion": 9, "bn": 9, "trillion": 12}
# Rows of the table of readings, a column a token: the value of a number, or -1; its digits; its mark; its power of ten.
VALUE, DIGITS, MARK, SCALE = range(4)

NONE, LARGER, SMALLER, SAME = range(4)
STATES = 4
# Beside 1 for money in front of a figure.
NEGATIVE = 2
# Groups of three digits behind the first.
GROUPS = 3
# Of figures further apart than this the one is not said to be what the other was.
COMPARABLE = 10.0
ALIKE = 1e-6


def tell_numbers_apart(tokenizer: Tokenizer) -> Tokenizer:
    """The same vocabulary with numbers of up to three digits as tokens of their own, behind all others."""
    laid_out = json.loads(tokenizer.to_str())
    vocabulary = laid_out["model"]["vocab"]
    vocabulary |= {word: len(vocabulary) + i for i, word in enumerate(ADDED)}
    *others, _ = laid_out["normalizer"]["normalizers"]
    laid_out["normalizer"]["normalizers"] = [*others, *({"type": "Replace", "pattern": {"Regex": regex}, "content": content} for regex, content in FOLDS)]
    return Tokenizer.from_str(json.dumps(laid_out))


def readings(tokenizer: Tokenizer) -> np.ndarray:
    """What each token is to a figure: rows VALUE, DIGITS, MARK and SCALE, a column a token."""
    vocabulary = tokenizer.get_vocab()
    table = np.zeros((4, len(vocabulary)), np.float32)
    table[VALUE] = -1
    for word in (ZERO, *NUMBERS):
        table[VALUE, vocabulary[word]], table[DIGITS, vocabulary[word]] = int(word), len(word)
    for row, words in ((MARK, MARKS), (SCALE, SCALES)):
        for word, value in words.items():
            if word in vocabulary:
                table[row, vocabulary[word]] = value
    return table


def compare(ids: torch.Tensor, table: torch.Tensor, shift: Callable[[torch.Tensor, int], torch.Tensor]) -> torch.Tensor:
    """How the figure that ends at each token compares with the nearest one before it: NONE where none ends there, or none of its kind is near it in size. `export.py` writes the same."""
    value, digits, mark, scale = (row[ids] for row in table)
    number = (value >= 0).float()
    value = value * number

    def marked(by: int, what: int) -> torch.Tensor:
        return (shift(mark, by) == what).float()

    def signed(by: int) -> torch.Tensor:
        # No sign: the dash of a range ("$1.20-$1.30", "2%-3%"), and the second of two.
        return marked(by, MINUS) * (1 - shift(number, by - 1)) * (1 - marked(by - 1, MINUS)) * (1 - marked(by - 1, PERCENT))

    follows_number = shift(number, -2)
    grouped = number * (digits == 3).float() * marked(-1, COMMA) * follows_number
    # Only behind a number or money: the point of "vs. 18%" ends a word.
    bare = number * marked(-1, POINT) * marked(-2, MONEY)
    fraction = number * marked(-1, POINT) * follows_number + bare
    goes_on = grouped + fraction * follows_number
    whole = value
    for _ in range(GROUPS):
        whole = value + 1000 * grouped * shift(whole, -2)
    # What stands in front of a figure's first token, handed on to its last: nothing of it stands in front of another.
    money = marked(-1, MONEY)
    own = money + bare + NEGATIVE * (signed(-1) + signed(-2) * money)
    before = own
    for _ in range(GROUPS + 1):
        before = own + goes_on * shift(before, -2)
    negative = (before >= NEGATIVE).float()
    money = before - NEGATIVE * negative
    size = fraction * (shift(whole, -2) + value * 10.0**-digits) + (1 - fraction) * whole
    size = size * 10.0 ** shift(scale, 1) * (1 - 2 * negative)
    ends = number * (1 - shift(goes_on, 2))
    kind = money * MONEY + (1 - money) * (marked(1, PERCENT) * PERCENT + marked(1, BASIS) * BASIS)

    here, there = size.unsqueeze(2), size.unsqueeze(1)
    place = torch.arange(1, ids.shape[1] + 1, device=ids.device, dtype=size.dtype)
    earlier = (place.unsqueeze(1) > place.unsqueeze(0)).float()
    near = (here.abs() <= COMPARABLE * there.abs()).float() * (there.abs() <= COMPARABLE * here.abs()).float()
    candidates = earlier * near * (kind.unsqueeze(2) == kind.unsqueeze(1)).float() * ends.unsqueeze(2) * ends.unsqueeze(1)
    places = candidates * place
    nearest = places.amax(2, keepdim=True)
    found = candidates * (places == nearest).float()
    difference = (found * (here - there)).sum(2)
    tolerance = ALIKE * size.abs()
    states = LARGER * (difference > tolerance).float() + SMALLER * (difference < -tolerance).float() + SAME * (difference.abs() <= tolerance).float()
    return (states * found.sum(2)).long()
