"""Limits of what an input may ask for, in one place: a small file must not cost minutes or gigabytes.

Each is checked before anything is built, and refused in one sentence. `docs/reliability.md` lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

from abacist.errors import BadInput


@dataclass(frozen=True)
class Limit:
    """The most of something that an input may have.

    >>> COUNTERS.check("language more", 17)
    Traceback (most recent call last):
    ...
    abacist.errors.BadInput: language more: may have at most 16 counters, got 17
    """

    most: int
    what: str

    def check(self, owner: str, value: int) -> None:
        """Refuse more; `owner` is what the message names."""
        if value > self.most:
            raise BadInput(f"{owner}: may have at most {self.most:,} {self.what}, got {value:,}")


class Budget:
    """Steps that building something may take: counted, so the answer is the same on every machine."""

    def __init__(self, owner: str, most: int) -> None:
        self._owner, self._most, self._spent = owner, most, 0

    def spend(self, steps: int) -> None:
        """Count some steps; refuse more than there may be."""
        self._spent += steps
        if self._spent > self._most:
            raise BadInput(f"{self._owner}: takes more than {self._most:,} steps to build")


#: Texts of JSON and TOML.
TOML_BYTES = Limit(1 << 22, "bytes of TOML")
JSON_BYTES = Limit(1 << 28, "bytes of JSON")
NESTING = Limit(64, "levels of nesting")
KEY_PARTS = Limit(64, "parts in a dotted key")

#: Names of cells, which are read layer by layer.
CELL_NAME = Limit(200, "characters")

#: Languages of one's own: what they may be written with.
EXPRESSION = Limit(10_000, "characters")
GLYPHS = Limit(2_000, "glyphs")
STATES = Limit(50_000, "states")
MOVES = Limit(100_000, "moves")
COUNTERS = Limit(16, "counters")
STACK_SYMBOLS = Limit(1_000, "stack symbols")
PARTS = Limit(1_000, "parts")

#: Searches for a horizon: the length of their words, and the boxes of one configuration or one length.
HORIZON = Limit(10_000_000, "symbols")
BOXES = Limit(1_000_000_000, "boxes")

#: Steps that building an automaton may take, some seconds: those of expressions are sets of bits, and quick.
EXPRESSION_STEPS, MACHINE_STEPS = 10_000_000, 2_000_000
