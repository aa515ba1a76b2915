"""Star-free regular languages: those that never count modulo a number."""

from __future__ import annotations

from abacist.errors import BadInput
from abacist.languages.catalogue.entry import Entry, Family
from abacist.languages.catalogue.papers import BHATTAMISHRA, SARROF

_SOURCES = (BHATTAMISHRA, SARROF)


def _chain(depth: int) -> Entry:
    """D_n = (a D_(n−1) b)*: brackets a and b that are at most n deep."""
    if depth < 1:
        raise BadInput(f"d-N: N must be at least 1, got {depth}")
    moves = [text for d in range(depth) for text in (f"{d} a {d + 1}", f"{d + 1} b {d}")]
    table = {"kind": "finite", "glyphs": "ab", "moves": moves, "accepting": ["0"]}
    inner = "" if depth == 1 else f" d-{depth - 1} "
    definition = f"(a{inner}b)*, brackets a and b at most {depth} deep"
    return Entry(f"d-{depth}", definition, "a" * depth + "b" * depth + "ab", _SOURCES, table)


ENTRIES = (
    Entry(
        "aa*bb*cc*dd*ee*",
        "aa*bb*cc*dd*ee*",
        "aabccdde",
        _SOURCES,
        {"glyphs": "abcde", "regex": "a+b+c+d+e+"},
    ),
    Entry("{a,b}*d{b,c}*", "{a,b}*d{b,c}*", "abbdcb", _SOURCES, {"glyphs": "abcd", "regex": "[ab]*d[bc]*"}),
    Entry("{0,1,2}*02*", "{0,1,2}*02*", "120122022", _SOURCES, {"glyphs": "012", "regex": "[012]*02*"}),
)
FAMILIES = (Family("d-N", r"d[-_]?([0-9]{1,3})", _chain, ((2,), (3,), (4,), (12,))),)
