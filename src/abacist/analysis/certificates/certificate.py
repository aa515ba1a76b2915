"""Certificates and covers: a statement about one network, and the boxes that show it. They are JSON files.

Numbers are written in hexadecimal, so that they come back exactly. What is read is read with care: ValueError
says what is wrong with a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from abacist.analysis.certificates.floats import Array, Grid
from abacist.errors import BadFile, BadInput
from abacist.fields import check_fields
from abacist.files import write_whole
from abacist.languages import Word, name_in_text
from abacist.specs import Networks
from abacist.untrusted import load_json
from abacist.wording import json_text


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
        statement = cls(**plain["statement"])
        _whole(statement.depth)
        if statement.length is not None:
            _whole(statement.length)
        if plain.get("sentence") != str(statement):
            raise ValueError("its sentence is not what its values say")
        return statement

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
class _Proof:
    """A statement about the network that has some weights; a subclass adds its proof."""

    #: What the file says it is, and how its lines are indented.
    kind: ClassVar[str]
    indent: ClassVar[int | None] = None

    statement: Statement
    weights: str

    def __post_init__(self) -> None:
        check_fields(self)

    def save(self, path: Path) -> None:
        """Write the file."""
        write_whole(path, (json_text(self.plain(), indent=self.indent) + "\n").encode())

    def plain(self) -> dict[str, Any]:
        """It in plain values."""
        return {
            "kind": self.kind,
            "sentence": str(self.statement),
            "statement": vars(self.statement),
            "weights": self.weights,
        }

    @classmethod
    def _from_boxes(cls, plain: Any) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def of_plain(cls, plain: Any) -> Self:
        """From plain values; ValueError, with the reason, where they make none."""
        try:
            if plain["kind"] != cls.kind:
                raise ValueError("it is of another kind")
            return cls(Statement.of_plain(plain), plain["weights"], **cls._from_boxes(plain))
        except (KeyError, TypeError, AttributeError, OverflowError):
            raise ValueError("parts of it are missing or are not what they should be") from None


@dataclass(frozen=True, eq=False)
class Certificate(_Proof):
    """A statement and its proof: regions of configurations, and a box of states for each.

    In a region number j of the states is slopes[j]·counters + offset, with the offset between `lower`
    and `upper`, (region, number); after n symbols, between lower + n·fall and upper + n·rise. A counter is
    exact below `threshold`, and a region remembers the last `memory` symbols.
    """

    kind = "abacist certificate 1"
    indent = 1

    threshold: int
    memory: int
    slopes: Array
    fall: Array
    rise: Array
    regions: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    lower: Array
    upper: Array

    def plain(self) -> dict[str, Any]:
        rows = zip(self.regions, _hexadecimal(self.lower), _hexadecimal(self.upper), strict=True)
        return super().plain() | {
            "threshold": self.threshold,
            "memory": self.memory,
            "slopes": _hexadecimal(self.slopes),
            "fall": _hexadecimal(self.fall),
            "rise": _hexadecimal(self.rise),
            "regions": [
                {"state": state, "counters": list(counters), "read": list(read), "lower": low, "upper": high}
                for (state, counters, read), low, high in rows
            ],
        }

    @classmethod
    def _from_boxes(cls, plain: Any) -> dict[str, Any]:
        regions = plain["regions"]
        return {
            **{name: _whole(plain[name]) for name in ("threshold", "memory")},
            **{name: _numbers(plain[name]) for name in ("slopes", "fall", "rise")},
            "regions": tuple(
                (_whole(r["state"]), _wholes(r["counters"]), _wholes(r["read"])) for r in regions
            ),
            **{name: _numbers([region[name] for region in regions]) for name in ("lower", "upper")},
        }


@dataclass(frozen=True, eq=False)
class Cover(_Proof):
    """A statement about words of any length with small depths, and boxes of states for every configuration.

    Where gates are not saturated, a counter leaks, and no box holds millions of depths at once. But what
    leaks also forgets: finitely many boxes for every configuration hold every state that any word leads to.

    A configuration is given by a beginning of a word that leads to it, one of `words`; `owners`, (box,), has
    the configuration of each box, and `lower`, `upper`, (box, number), are its bounds. What a step makes of a
    box is cut at odd multiples of half of `widths`, (number,), and every piece lies in the box of its
    configuration that begins in the same cell.
    """

    kind = "abacist cover 1"

    widths: Array
    words: tuple[Word, ...]
    owners: NDArray[np.int64]
    lower: Array
    upper: Array

    def plain(self) -> dict[str, Any]:
        return super().plain() | {
            "widths": _hexadecimal(self.widths),
            "configurations": [
                {
                    "word": list(word),
                    "lower": _hexadecimal(self.lower[self.owners == owner]),
                    "upper": _hexadecimal(self.upper[self.owners == owner]),
                }
                for owner, word in enumerate(self.words)
            ],
        }

    @classmethod
    def _from_boxes(cls, plain: Any) -> dict[str, Any]:
        configurations = plain["configurations"]
        counts = [len(one["lower"]) for one in configurations]
        if counts != [len(one["upper"]) for one in configurations]:
            raise ValueError("a configuration has more bounds on one side than on the other")
        return {
            "widths": _numbers(plain["widths"]),
            "words": tuple(_wholes(one["word"]) for one in configurations),
            "owners": np.repeat(np.arange(len(counts)), counts),
            **{
                name: _numbers([row for one in configurations for row in one[name]])
                for name in ("lower", "upper")
            },
        }


def load_certificate(path: Path) -> Certificate | Cover:
    """Read the file of a certificate or of a cover; one sentence where it is none."""
    try:
        plain = load_json(path)
        is_cover = isinstance(plain, dict) and plain.get("kind") == Cover.kind
        return Cover.of_plain(plain) if is_cover else Certificate.of_plain(plain)
    except ValueError as error:
        why = str(error) if type(error) in (ValueError, BadInput) else "or is damaged"
        raise BadFile(f"{path}: is no certificate, {why}") from None


def weights_hash(networks: Networks, run: int) -> str:
    """What stands for the weights of a network: SHA-256 of the names, shapes and bytes of its tensors."""
    digest = sha256()
    for name, tensor in networks.tensors(run).items():
        little = np.ascontiguousarray(tensor, tensor.dtype.newbyteorder("<"))
        digest.update(f"{name} {tensor.shape} {tensor.dtype.name}\n".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()


def _hexadecimal(values: Array) -> Any:
    """Numbers as texts, row by row."""
    return np.vectorize(float.hex, [object])(values).tolist()


def _numbers(values: Any) -> Array:
    """Numbers that are finite."""
    if not isinstance(values, list):
        raise ValueError("numbers in it are no list")
    array: Array = np.vectorize(float.fromhex, [np.float64])(np.array(values, object))
    if not np.isfinite(array).all():
        raise ValueError("it has numbers that are not finite")
    return array


def _whole(value: Any) -> int:
    """A whole number that is not negative."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 2**62:
        raise ValueError(f"a whole number is needed, got {value!r:.40}")
    return value


def _wholes(values: Any) -> tuple[int, ...]:
    """Whole numbers."""
    if not isinstance(values, list):
        raise ValueError("whole numbers in it are no list")
    return tuple(_whole(value) for value in values)
