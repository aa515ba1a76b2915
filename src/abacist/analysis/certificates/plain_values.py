"""Plain values of a certificate's file, read with care: ValueError says what is wrong with one.

Numbers are written in hexadecimal, so that they come back exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from abacist.analysis.certificates.floats import Array
from abacist.errors import BadFile, BadInput
from abacist.untrusted import load_json

T = TypeVar("T")


def read_plain(path: Path, make: Callable[[Any], T]) -> T:
    """What is made of the plain values in a file; one sentence where that is no certificate."""
    try:
        return make(load_json(path))
    except ValueError as error:
        why = str(error) if type(error) in (ValueError, BadInput) else "or is damaged"
        raise BadFile(f"{path}: is no certificate, {why}") from None


def hexadecimal(values: Array) -> Any:
    """Numbers as texts, row by row."""
    if values.ndim > 1:
        return [hexadecimal(row) for row in values]
    return [float(value).hex() for value in values]


def numbers(values: Any) -> Array:
    """Numbers that are finite."""

    def number(value: Any) -> Any:
        return [number(v) for v in value] if isinstance(value, list) else float.fromhex(value)

    if not isinstance(values, list):
        raise ValueError("numbers in it are no list")
    array = np.array(number(values), np.float64)
    if not np.isfinite(array).all():
        raise ValueError("it has numbers that are not finite")
    return array


def whole(value: Any) -> int:
    """A whole number that is not negative."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 2**62:
        raise ValueError(f"a whole number is needed, got {value!r:.40}")
    return value


def wholes(values: Any) -> tuple[int, ...]:
    """Whole numbers."""
    if not isinstance(values, list):
        raise ValueError("whole numbers in it are no list")
    return tuple(whole(value) for value in values)


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"a text is needed, got {value!r:.40}")
    return value
