"""A cover: boxes that map into one another, for words of any length with small depths. A JSON file, too.

Where gates are not saturated, a counter leaks, and no box holds millions of depths at once. But what leaks
also forgets: finitely many boxes for every configuration hold every state that any word leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.certificates.certificate import Certificate, Statement
from abacist.analysis.certificates.floats import Array
from abacist.analysis.certificates.plain_values import hexadecimal, numbers, read_plain, text, wholes
from abacist.fields import check_fields
from abacist.files import write_whole
from abacist.json_text import json_text
from abacist.languages import Word

#: What the file says it is.
_KIND = "abacist cover 1"


@dataclass(frozen=True, eq=False)
class Cover:
    """A statement about words of any length, and boxes of states for every configuration.

    A configuration is given by a beginning of a word that leads to it, one of `words`; `owners`, (box,), has
    the configuration of each box, and `lower`, `upper`, (box, number), are its bounds. What a step makes of a
    box is cut at odd multiples of half of `widths`, (number,), and every piece lies in the box of its
    configuration that begins in the same cell.
    """

    statement: Statement
    weights: str
    widths: Array
    words: tuple[Word, ...]
    owners: NDArray[np.int64]
    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        check_fields(self)

    def save(self, path: Path) -> None:
        """Write the file."""
        write_whole(path, (json_text(self.plain()) + "\n").encode())

    def plain(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "kind": _KIND,
            "sentence": str(self.statement),
            "statement": vars(self.statement),
            "weights": self.weights,
            "widths": hexadecimal(self.widths),
            "configurations": [
                {
                    "word": list(word),
                    "lower": hexadecimal(self.lower[self.owners == owner]),
                    "upper": hexadecimal(self.upper[self.owners == owner]),
                }
                for owner, word in enumerate(self.words)
            ],
        }

    @classmethod
    def of_plain(cls, plain: Any) -> Cover:
        """From plain values; ValueError, with the reason, where they make no cover."""
        try:
            if plain["kind"] != _KIND:
                raise ValueError("it is of another kind")
            parts = plain["configurations"]
            rows = [len(part["lower"]) for part in parts]
            return cls(
                Statement.of_plain(plain),
                text(plain["weights"]),
                numbers(plain["widths"]),
                tuple(wholes(part["word"]) for part in parts),
                np.repeat(np.arange(len(rows)), rows),
                numbers([*_all(parts, "lower")]),
                numbers([*_all(parts, "upper")]),
            )
        except (KeyError, TypeError, AttributeError, OverflowError):
            raise ValueError("parts of it are missing or are not what they should be") from None


def load_certificate(path: Path) -> Certificate | Cover:
    """Read the file of a certificate or of a cover."""

    def made(plain: Any) -> Certificate | Cover:
        is_cover = isinstance(plain, dict) and plain.get("kind") == _KIND
        return Cover.of_plain(plain) if is_cover else Certificate.of_plain(plain)

    return read_plain(path, made)


def _all(parts: list[dict[str, Any]], bound: str) -> Iterator[Any]:
    for part in parts:
        if len(part[bound]) != len(part["lower"]):
            raise ValueError("a configuration has more bounds on one side than on the other")
        yield from part[bound]
