"""What an operation of formulas is, and how its meaning is chosen: by what kinds of values it is given.

A kind of value registers its reading here, once: a function that gets an operation and its
arguments. Arrays are the ground, and in float64 the reference for all others: they, and plain numbers, may
stand beside values of any one other reading, such as NumPy weights beside intervals or dual numbers. Their
last axis is the units; axes before it, such as runs or words, come along. No cell is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.wording import plural

Array = NDArray[Any]


@dataclass(frozen=True)
class Cost:
    """Floating-point operations, and exponentials, whose price is the target's.

    Additions, multiplications and divisions count one; comparisons and selections count nothing.
    """

    flops: int = 0
    exponentials: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.exponentials + other.exponentials)

    def __mul__(self, times: int) -> Cost:
        return Cost(self.flops * times, self.exponentials * times)


@dataclass(frozen=True, eq=False)
class Operation:
    """Something that a formula does with vectors.

    `arrays` is what it means for NumPy arrays. `derivative(adjoint, result, *arguments)` is what it
    sends back to each argument, as a formula in its own right; None where no formula has the operation, or
    the adjoint of a step treats it itself. `cost` is that of one unit, or of one weight of a matrix. An
    operation that is not `elementwise` needs its arguments whole; it is linear in them. Those with a sign,
    such as +, are written with it. Behind its `arity` vectors an operation may have some `sizes`, whole
    numbers that are known when a formula is read; the first is how many units the result has. `zero_with`
    says what makes a unit of an elementwise operation zero: that all arguments of one of these groups are.
    One that is `nonnegative` never gives less than zero.
    """

    name: str
    arity: int
    arrays: Callable[..., Array]
    derivative: Callable[..., tuple[Any, ...]] | None
    cost: Cost
    elementwise: bool = True
    sign: str = ""
    sizes: int = 0
    zero_with: tuple[tuple[int, ...], ...] = ()
    nonnegative: bool = False

    def __call__(self, *arguments: Any) -> Any:
        """Apply it, in the reading that the arguments ask for."""
        if len(arguments) != self.arity + self.sizes:
            wanted = plural(self.arity + self.sizes, "value")
            raise TypeError(f"{self.name} takes {wanted}, got {len(arguments)}")
        return reading_of(self, arguments)(self, arguments)


#: What a reading does: it applies an operation to arguments.
FormulaReading = Callable[["Operation", Sequence[Any]], Any]

_READINGS: dict[type, FormulaReading] = {}


def register(kind: type, reading: FormulaReading) -> None:
    """Let a reading take the operations that meet a value of a kind."""
    _READINGS[kind] = reading


def reading_of(operation: Operation, arguments: Sequence[Any]) -> FormulaReading:
    """The reading that an operation's arguments ask for."""
    readings: dict[FormulaReading, str] = {}
    for argument in arguments:
        kind = next((base for base in type(argument).__mro__ if base in _READINGS), None)
        if kind is not None:
            readings[_READINGS[kind]] = type(argument).__name__
        elif not isinstance(argument, int | float | np.ndarray | np.generic):
            raise TypeError(f"{operation.name} has no reading for {type(argument).__name__}")
    if len(readings) > 1:
        raise TypeError(
            f"{operation.name} cannot mix {' and '.join(readings.values())}: they are read differently"
        )
    return next(iter(readings), lambda operation, arguments: operation.arrays(*arguments))


_SPECIAL: dict[tuple[type, str], Callable[..., Any]] = {}


def specialise(kind: type, composition: Callable[..., Any], way: Callable[..., Any]) -> None:
    """Let a kind of value have its own way for a composition."""
    _SPECIAL[kind, composition.__name__] = way


def composition(composed: Callable[..., Any]) -> Callable[..., Any]:
    """A function made of operations, unless one of its arguments has its own way for it."""

    @wraps(composed)
    def chosen(*arguments: Any) -> Any:
        ways = (
            _SPECIAL[base, composed.__name__]
            for argument in arguments
            for base in type(argument).__mro__
            if (base, composed.__name__) in _SPECIAL
        )
        return next(ways, composed)(*arguments)

    return chosen
