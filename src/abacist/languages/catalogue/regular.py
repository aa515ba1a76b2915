"""Regular languages: Tomita's seven, counting modulo a number, and star-free ones, which never do that."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput
from abacist.languages.catalogue.entry import BHATTAMISHRA, SARROF, TOMITA, Entry, Family

_SOURCES = (BHATTAMISHRA, SARROF)


def _tomita(number: int, definition: str, example: str, **table: Any) -> Entry:
    return Entry(f"tomita-{number}", definition, example, (TOMITA, BHATTAMISHRA), {"glyphs": "01"} | table)


def _ones(modulus: int) -> dict[str, Any]:
    """Words over 0 and 1 in which the number of 1s is divisible."""
    staying = [f"{rest} 0 {rest}" for rest in range(modulus)]
    counting = [f"{rest} 1 {(rest + 1) % modulus}" for rest in range(modulus)]
    return {"kind": "finite", "glyphs": "01", "moves": staying + counting, "accepting": ["0"]}


def _modulo(modulus: int) -> Entry:
    if modulus < 2:
        raise BadInput(f"mod-N: N must be at least 2, got {modulus}")
    example = "0" + "10" * modulus
    return Entry(f"mod-{modulus}", f"a number of 1s divisible by {modulus}", example, (), _ones(modulus))


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
    _tomita(1, "1*", "11111", regex="1*"),
    _tomita(2, "(10)*", "101010", regex="(10)*"),
    _tomita(
        3,
        "no odd number of 0s right after an odd number of 1s",
        "0100110",
        kind="finite",
        moves=[
            "even 0 even",
            "even 1 odd",
            "odd 1 even",
            "odd 0 one-more-0",
            "one-more-0 0 paired",
            "paired 0 one-more-0",
            "paired 1 odd",
        ],
        accepting=["even", "odd", "paired"],
    ),
    _tomita(4, "no 000", "0010010", regex="(1|01|001)*(ε|0|00)"),
    _tomita(5, "an even number of 0s, and of 1s", "010100", regex="(00|11|(01|10)(00|11)*(01|10))*"),
    _tomita(
        6,
        "the number of 0s less that of 1s divisible by 3",
        "01000",
        kind="finite",
        moves=[f"{rest} {bit} {(rest + 1 - 2 * bit) % 3}" for rest in range(3) for bit in (0, 1)],
        accepting=["0"],
    ),
    _tomita(7, "0*1*0*1*", "0110001", regex="0*1*0*1*"),
    Entry("parity", "an even number of 1s", "0110", _SOURCES, _ones(2)),
    *(
        Entry(f"({root})*", f"({root})*", 2 * root, _SOURCES, {"glyphs": glyphs, "regex": f"({root})*"})
        for root, glyphs in (("aa", "a"), ("aaaa", "a"), ("abab", "ab"))
    ),
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
FAMILIES = (
    Family("mod-N", r"mod-?([0-9]{1,3})", _modulo, ((3,), (5,))),
    Family("d-N", r"d[-_]?([0-9]{1,3})", _chain, ((2,), (3,), (4,), (12,))),
)
