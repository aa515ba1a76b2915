"""Brute force that knows nothing of the package: words are texts of one-character glyphs.

Every language has two independent descriptions here: a test of membership, and a
construction of its words. A test says that they agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

Pairs = tuple[str, ...]


def balanced(text: str, pairs: Sequence[str]) -> bool:
    """Whether deleting adjacent matching pairs, again and again, leaves nothing.

    >>> balanced("([])", ["()", "[]"]), balanced("([)]", ["()", "[]"])
    (True, False)
    """
    before = ""
    while before != text:
        before = text
        for pair in pairs:
            text = text.replace(pair, "")
    return not text


def projection(text: str, glyphs: str) -> str:
    return "".join(glyph for glyph in text if glyph in glyphs)


def separately_balanced(text: str, pairs: Sequence[str]) -> bool:
    """Whether each pair is balanced when all other glyphs are deleted."""
    return all(balanced(projection(text, pair), [pair]) for pair in pairs)


def equal_blocks(text: str, letters: str) -> bool:
    """Whether the letters come in order, as many of each, and at least one."""
    in_order = re.fullmatch("".join(f"{letter}+" for letter in letters), text)
    return in_order is not None and len({text.count(letter) for letter in letters}) == 1


@cache
def balanced_words(pairs: Pairs, length: int) -> frozenset[str]:
    """The words of a length by the grammar S → ε | pSp̄S."""
    if length == 0:
        return frozenset({""})
    return frozenset(
        pair[0] + inner + pair[1] + rest
        for pair in pairs
        for size in range(0, length - 1, 2)
        for inner in balanced_words(pairs, size)
        for rest in balanced_words(pairs, length - 2 - size)
    )


def block_words(letters: str, length: int) -> frozenset[str]:
    n, rest = divmod(length, len(letters))
    return frozenset() if rest or not n else frozenset({"".join(letter * n for letter in letters)})


def interleavings(u: str, v: str) -> frozenset[str]:
    """u || v, word for word as the paper defines it."""
    if not u or not v:
        return frozenset({u + v})
    return frozenset(u[0] + w for w in interleavings(u[1:], v)) | frozenset(
        v[0] + w for w in interleavings(u, v[1:])
    )


@cache
def separately_balanced_words(pairs: Pairs, length: int) -> frozenset[str]:
    if not pairs:
        return frozenset({""} if length == 0 else ())
    first, rest = pairs[:1], pairs[1:]
    return shuffled(lambda n: balanced_words(first, n), lambda n: separately_balanced_words(rest, n), length)


def shuffled(
    first: Callable[[int], frozenset[str]], second: Callable[[int], frozenset[str]], length: int
) -> frozenset[str]:
    """The words of a length of L1 || L2, the union of all u || v."""
    return frozenset(
        w
        for size in range(length + 1)
        for u in first(size)
        for v in second(length - size)
        for w in interleavings(u, v)
    )
