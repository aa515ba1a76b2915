"""Counting modulo a number: regular, but not star-free."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput
from abacist.languages.catalogue.entry import Entry, Family
from abacist.languages.catalogue.papers import BHATTAMISHRA, SARROF

_SOURCES = (BHATTAMISHRA, SARROF)


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


ENTRIES = (
    Entry("parity", "an even number of 1s", "0110", _SOURCES, _ones(2)),
    *(
        Entry(f"({root})*", f"({root})*", 2 * root, _SOURCES, {"glyphs": glyphs, "regex": f"({root})*"})
        for root, glyphs in (("aa", "a"), ("aaaa", "a"), ("abab", "ab"))
    ),
)
FAMILIES = (Family("mod-N", r"mod-?([0-9]{1,3})", _modulo, ((3,), (5,))),)
