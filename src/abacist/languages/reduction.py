"""The reduction Γ of Dyck-n to Dyck-2: each bracket becomes ⌈log₂ n⌉ brackets, its number in bits.

With m bits per pair, words grow m times as long and m times as deep. One pair needs
no bits by the formula, and Γ would then send every word to the empty one, which is
in Dyck-2; so m is at least 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from abacist.errors import BadInput, BadWord
from abacist.fields import expect
from abacist.languages.alphabet import Word


def bits_per_bracket(pairs: int) -> int:
    """m = ⌈log₂ n⌉, and 1 for a single pair.

    >>> [bits_per_bracket(n) for n in (1, 2, 3, 4, 5, 9)]
    [1, 1, 2, 2, 3, 4]
    """
    expect("Dyck: pairs", pairs, int)
    if pairs < 1:
        raise BadInput(f"Dyck: pairs must be at least 1, got {pairs}")
    return max(1, (pairs - 1).bit_length())


def encode_symbol(pairs: int, symbol: int) -> Word:
    """Γ of one bracket: its pair's number in bits, mirrored for a closing bracket.

    >>> encode_symbol(5, 2), encode_symbol(5, 3)  # the second pair: 001, as (( [ and ] ))
    ((0, 0, 2), (3, 1, 1))
    """
    expect("Dyck: pairs", pairs, int)
    expect(f"Dyck-{pairs}: a symbol", symbol, int)
    if not 0 <= symbol < 2 * pairs:
        raise BadInput(f"Dyck-{pairs}: symbols must be below {2 * pairs}, got {symbol}")
    pair, closes = divmod(symbol, 2)
    bits = [pair >> place & 1 for place in reversed(range(bits_per_bracket(pairs)))]
    return tuple(2 * bit + closes for bit in (reversed(bits) if closes else bits))


def encode(pairs: int, word: Sequence[int]) -> Word:
    """Γ of a sequence of brackets: it is in Dyck-n exactly when its image is in Dyck-2."""
    return tuple(symbol for bracket in word for symbol in encode_symbol(pairs, bracket))


def decode(pairs: int, word: Sequence[int]) -> Word:
    """The sequence of Dyck-n brackets whose image is `word`."""
    size = bits_per_bracket(pairs)
    inverse = {encode_symbol(pairs, symbol): symbol for symbol in range(2 * pairs)}
    if len(word) % size:
        raise BadWord(f"an image of Dyck-{pairs} has a length divisible by {size}, got {len(word)}")
    brackets = []
    for start in range(0, len(word), size):
        block = tuple(word[start : start + size])
        if block not in inverse:
            text = "".join("()[]"[s] if s in range(4) else str(s) for s in block)
            place = f"symbols {start + 1} to {start + size}"
            raise BadWord(f"{text} at {place} is not the image of any bracket of Dyck-{pairs}")
        brackets.append(inverse[block])
    return tuple(brackets)
