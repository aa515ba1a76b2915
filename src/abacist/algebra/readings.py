"""Readings: what an operation makes of its arguments is chosen by what they are.

A kind of value registers its reading here, once: a function that gets an operation and its
arguments. Arrays are the ground: they, and plain numbers, may stand beside values of any one other
reading, such as NumPy weights beside intervals or dual numbers. No cell is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from abacist.algebra.operation import Operation

#: What a reading does: it applies an operation to arguments.
FormulaReading = Callable[["Operation", Sequence[Any]], Any]

_READINGS: dict[type, FormulaReading] = {}


def register(kind: type, reading: FormulaReading) -> None:
    """Let a reading take the operations that meet a value of a kind."""
    _READINGS[kind] = reading


def reading_of(operation: Operation, arguments: Sequence[Any]) -> FormulaReading:
    """The reading that an operation's arguments ask for."""
    found: dict[FormulaReading, str] = {}
    for argument in arguments:
        kind = next((base for base in type(argument).__mro__ if base in _READINGS), None)
        if kind is not None:
            found[_READINGS[kind]] = type(argument).__name__
        elif not isinstance(argument, int | float | np.ndarray | np.generic):
            raise TypeError(f"{operation.name} has no reading for {type(argument).__name__}")
    if len(found) > 1:
        raise TypeError(
            f"{operation.name} cannot mix {' and '.join(found.values())}: they are read differently"
        )
    return next(iter(found), _compute)


def _compute(operation: Operation, arguments: Sequence[Any]) -> Any:
    """The reading of arrays: NumPy computes at once. In float64 it is the reference for all others.

    The last axis of a value is its units; axes before it, such as runs or words, come along.
    """
    return operation.arrays(*arguments)
