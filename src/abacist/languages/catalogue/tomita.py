"""Tomita's seven languages, the oldest that networks are trained on."""

from __future__ import annotations

from typing import Any

from abacist.languages.catalogue.entry import Entry
from abacist.languages.catalogue.papers import BHATTAMISHRA, TOMITA


def _tomita(number: int, definition: str, example: str, **table: Any) -> Entry:
    return Entry(f"tomita-{number}", definition, example, (TOMITA, BHATTAMISHRA), {"glyphs": "01"} | table)


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
)
