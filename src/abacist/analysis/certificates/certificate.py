"""A certificate: a statement about one network, and the boxes that show it. It is a JSON file."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from abacist.algebra import ROUNDING
from abacist.analysis.certificates.floats import Array, Grid
from abacist.analysis.certificates.plain_values import hexadecimal, numbers, read_plain, text, whole, wholes
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.files import write_whole
from abacist.json_text import json_text
from abacist.languages import name_in_text
from abacist.specs import Networks

#: What the file says it is.
_KIND = "abacist certificate 1"


@dataclass(frozen=True)
class Statement:
    """On every word of at most `length` symbols (of any length, if None) whose counters stay at most `depth`,
    every prediction of the program is right; with steps `last`, those of what may be a word's last symbol."""

    language: str
    cell: str
    precision: str
    steps: str
    length: int | None
    depth: int

    def __post_init__(self) -> None:
        check_fields(self)
        if self.precision not in ROUNDING:
            raise BadInput(f"Statement: precision must be {' or '.join(ROUNDING)}, got {self.precision!r}")

    @classmethod
    def of_plain(cls, plain: Any) -> Statement:
        """The statement of a certificate in plain values, whose sentence must say the same."""
        made = cls(**plain["statement"])
        whole(made.depth)
        if made.length is not None:
            whole(made.length)
        if plain.get("sentence") != str(made):
            raise ValueError("its sentence is not what its values say")
        return made

    @property
    def unbounded(self) -> bool:
        """Whether it speaks of words of any length, up to the depth where the precision stops counting."""
        return self.length is None and self.depth == Grid(self.precision).whole

    @property
    def words(self) -> str:
        """The words that it is about."""
        words = f"every word of {name_in_text(self.language)}"
        words += " of any length" if self.length is None else f" of at most {self.length:,} symbols"
        if self.length is None or self.length // 2 > self.depth:
            words += f" with depths up to {self.depth:,}"
        if self.unbounded:
            words += f", where {self.precision} stops counting"
        return words

    def __str__(self) -> str:
        what = "every prediction" if self.steps == "all" else "every prediction of a last symbol"
        return f"on {self.words}, {what} of this {self.cell} in {self.precision} is right"


@dataclass(frozen=True, eq=False)
class Certificate:
    """A statement and its proof: regions of configurations, and a box of states for each.

    In a region number j of the states is slopes[j]·counters + offset, with the offset between `lower`
    and `upper`, (region, number); after n symbols, between lower + n·fall and upper + n·rise. A counter is
    exact below `threshold`, and a region remembers the last `memory` symbols.
    """

    statement: Statement
    weights: str
    threshold: int
    memory: int
    slopes: Array
    fall: Array
    rise: Array
    regions: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        check_fields(self)

    def save(self, path: Path) -> None:
        """Write the file."""
        write_whole(path, (json_text(self.plain(), indent=1) + "\n").encode())

    def plain(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "kind": _KIND,
            "sentence": str(self.statement),
            "statement": vars(self.statement),
            "weights": self.weights,
            "threshold": self.threshold,
            "memory": self.memory,
            "slopes": hexadecimal(self.slopes),
            "fall": hexadecimal(self.fall),
            "rise": hexadecimal(self.rise),
            "regions": [
                {
                    "state": state,
                    "counters": list(counters),
                    "read": list(read),
                    "lower": hexadecimal(low),
                    "upper": hexadecimal(high),
                }
                for (state, counters, read), low, high in zip(
                    self.regions, self.lower, self.upper, strict=True
                )
            ],
        }

    @classmethod
    def of_plain(cls, plain: Any) -> Certificate:
        """From plain values; ValueError, with the reason, where they make no certificate."""
        try:
            if plain["kind"] != _KIND:
                raise ValueError("it is of another kind")
            statement = Statement.of_plain(plain)
            regions = plain["regions"]
            made = cls(
                statement,
                text(plain["weights"]),
                whole(plain["threshold"]),
                whole(plain["memory"]),
                numbers(plain["slopes"]),
                numbers(plain["fall"]),
                numbers(plain["rise"]),
                tuple((whole(r["state"]), wholes(r["counters"]), wholes(r["read"])) for r in regions),
                numbers([r["lower"] for r in regions]),
                numbers([r["upper"] for r in regions]),
            )
        except (KeyError, TypeError, AttributeError, OverflowError):
            raise ValueError("parts of it are missing or are not what they should be") from None
        return made

    @classmethod
    def load(cls, path: Path) -> Certificate:
        """Read a file."""
        return read_plain(path, cls.of_plain)


def weights_hash(networks: Networks, run: int) -> str:
    """What stands for the weights of a network: SHA-256 of the names, shapes and bytes of its tensors."""
    found = sha256()
    for name, tensor in networks.tensors(run).items():
        little = np.ascontiguousarray(tensor, tensor.dtype.newbyteorder("<"))
        found.update(f"{name} {tensor.shape} {tensor.dtype.name}\n".encode())
        found.update(little.tobytes())
    return found.hexdigest()
