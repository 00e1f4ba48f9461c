"""What two figures say rose or fell: what the vocabulary, the network and the graph need to tell.

Every number of up to three digits is a token of its own, though in all tables of weights they share the row of `0`: what a number is matters there less than that it is one. Beside that row a figure that is compared with one before it, of its own kind (dollars, percent,
basis points, any other) and of a size near its own, has what the two of them say: that something rose, that it fell or that it is the same. Compared it is by a word in front of it ("$0.92, compared to $0.52": it rose) or by *from* and *to* ("from $0.92 to $0.52": it fell).
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
OTHER, PERCENT, BASIS, MONEY, FOLDED = 0, 4, 5, 6, 7
COMPARES, FOLLOWS, FROM, TO, RANGE = 8, 9, 10, 11, 12
MARKS = {".": POINT, ",": COMMA, "-": MINUS, "−": MINUS, "–": MINUS, "%": PERCENT, "percent": PERCENT, "per": PERCENT, "basis": BASIS, "bps": BASIS, "$": MONEY}
MARKS |= dict.fromkeys(("compared", "compares", "compare", "comparison", "contrast", "versus", "vs", "against", "relative"), COMPARES) | dict.fromkeys(("after", "following"), FOLLOWS) | {"from": FROM, "to": TO} | dict.fromkeys(("range", "ranges", "ranged", "ranging"), RANGE)
# Powers of ten.
SCALES = {"thousand": 3, "million": 6, "mm": 6, "billion": 9, "bn": 9, "trillion": 12}
# Rows of the table of readings, a column a token: the value of a number, or -1; its digits; its mark; its power of ten.
VALUE, DIGITS, MARK, SCALE = range(4)

NONE, ROSE, FELL, SAME = range(4)
STATES = 4
# How many tokens before the end of a figure the word may be that compares it: "compared to our result in the prior year of $1.20" and "after $1.20". Of a figure that is compared with another, not the other way round, none is as near as NEXT.
FAR, NEAR, NEXT = 14, 6, 7
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
    folded = {word: FOLDED for word in vocabulary if ZERO in word} | {LONG: FOLDED}
    for word in (ZERO, *NUMBERS):
        folded.pop(word, None)
    for row, words in ((MARK, MARKS | folded), (SCALE, SCALES)):
        for word, value in words.items():
            if word in vocabulary:
                table[row, vocabulary[word]] = value
    return table


Shift = Callable[[torch.Tensor, int], torch.Tensor]


def sizes(value: torch.Tensor, digits: torch.Tensor, mark: torch.Tensor, scale: torch.Tensor, shift: Shift) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of the figure that ends at each token its size, with its sign and power of ten, its kind, and whether one ends there that can be compared; of readings, a row a sentence."""
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
    # A sign or $ stands in front of a figure's first token, and is handed on to its last.
    money = marked(-1, MONEY)
    own = money + bare + NEGATIVE * (signed(-1) + signed(-2) * money)
    before = own
    for _ in range(GROUPS + 1):
        before = own + goes_on * shift(before, -2)
    negative = (before >= NEGATIVE).float()
    money = before - NEGATIVE * negative
    size = fraction * (shift(whole, -2) + value * 10.0**-digits) + (1 - fraction) * whole
    size = size * 10.0 ** shift(scale, 1) * (1 - 2 * negative)
    # A piece of a figure whose other piece is folded ("rmb2.1", "1.69x", "£300,000") cannot be compared.
    piece = (marked(-1, POINT) + marked(-1, COMMA) * (digits == 3).float()) * marked(-2, FOLDED) + (marked(1, POINT) + marked(1, COMMA)) * marked(2, FOLDED)
    ends = number * (1 - shift(goes_on, 2)) * (1 - torch.clamp(piece, max=1))
    kind = money * MONEY + (1 - money) * (marked(1, PERCENT) * PERCENT + marked(1, BASIS) * BASIS)
    return size, kind, ends


def compare(ids: torch.Tensor, table: torch.Tensor, shift: Shift) -> torch.Tensor:
    """What the figure that ends at each token says, with the nearest before it that it is compared with: NONE where none ends there, or it is compared with none. `export.py` writes the same."""
    value, digits, mark, scale = (row[ids] for row in table)
    size, kind, ends = sizes(value, digits, mark, scale, shift)

    def so_far(word: int) -> torch.Tensor:
        return (mark == word).float().cumsum(1)

    def recent(count: torch.Tensor, tokens: int) -> torch.Tensor:
        return (count > shift(count, -tokens)).float()

    # No movement: "to range from 1.2 to 1.3".
    start = ((mark == FROM).float() * (shift(mark, -1) != RANGE).float()).cumsum(1)
    strong, weak = so_far(COMPARES), so_far(FOLLOWS) + start
    words = strong + weak
    told = torch.maximum(recent(strong, FAR), recent(weak, NEAR)) * ends
    plain = (1 - recent(strong, NEXT)) * (1 - recent(weak, NEAR)) * ends
    begins, goes_to = recent(start, NEAR) * ends, recent(so_far(TO), NEAR) * ends

    here, there = (lambda x: x.unsqueeze(2)), (lambda x: x.unsqueeze(1))
    place = torch.ones_like(size).cumsum(1)
    between = (here(words) > there(words)).float()
    near = (here(size).abs() <= COMPARABLE * there(size).abs()).float() * (there(size).abs() <= COMPARABLE * here(size).abs()).float()
    pairs = near * (here(place) > there(place)).float() * (here(kind) == there(kind)).float()
    # Of now is the first of the two where a word between them compares the second, and the second where *from* is said of the first.
    first = pairs * between * here(told) * there(plain)
    second = pairs * (1 - between) * here(goes_to) * there(begins)
    places = (first + second) * there(place)
    nearest = (places == places.amax(2, keepdim=True)).float()
    rise = (nearest * (second - first) * (here(size) - there(size))).sum(2)
    tolerance = ALIKE * size.abs()
    states = ROSE * (rise > tolerance).float() + FELL * (rise < -tolerance).float() + SAME * (rise.abs() <= tolerance).float()
    return (states * (nearest * (first + second)).sum(2)).long()
