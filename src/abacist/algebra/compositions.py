"""What formulas say in one word and operations in several: softmax, joints, memories of rows.

A memory is a vector, its rows one after the other, the first row on top. All of this holds in every reading
that knows the operations in it; one that can say more specialises some (`operation.py`).
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any

from abacist.algebra.operation import composition
from abacist.algebra.operations import exp, log, maximum, part, repeat, segment_sum


def size_of(x: Any) -> int:
    """How many units a vector has, in any reading."""
    if not hasattr(x, "shape"):
        raise TypeError(f"part has no reading for {type(x).__name__}")
    return int(x.shape[-1])


def unit(x: Any, number: int) -> Any:
    """One unit of a vector, from 0: times a vector, it multiplies every unit."""
    return part(x, 1, number)


@composition
def joined(*vectors: Any) -> Any:
    """Vectors one after the other."""
    *starts, size = accumulate(map(size_of, vectors), initial=0)
    return reduce(add, (part(vector, size, -start) for vector, start in zip(vectors, starts, strict=True)))


@composition
def highest(x: Any) -> Any:
    """The largest unit: the larger half, again and again."""
    while (size := size_of(x)) > 1:
        half = (size + 1) // 2
        x = maximum(part(x, half, 0), part(x, half, size - half))
    return x


@composition
def softmax(x: Any) -> Any:
    """e to the power of every unit, divided by the sum of all of them."""
    power = exp(x - highest(x))
    return power / segment_sum(power, 1, 1)


def log_softmax(x: Any) -> Any:
    """The logarithm of `softmax`, which is finite wherever the units are."""
    below = x - highest(x)
    return below - log(segment_sum(exp(below), 1, 1))


@composition
def cumulative_sum(x: Any) -> Any:
    """Every unit with all before it."""
    size, step = size_of(x), 1
    while step < size:
        x = x + part(x, size, -step)
        step *= 2
    return x


def sum_before(x: Any) -> Any:
    """All units before every unit, added up."""
    return part(cumulative_sum(x), size_of(x), -1)


@composition
def sum_behind(x: Any) -> Any:
    """All units behind every unit, added up."""
    return segment_sum(x, 1, 1) - cumulative_sum(x)


def outer(a: Any, b: Any) -> Any:
    """Every unit of a times the vector b, as rows."""
    rows, width = size_of(a), size_of(b)
    return repeat(a, rows * width, width) * repeat(b, rows * width, 1)


def row(memory: Any, number: int, width: int) -> Any:
    """One row of a memory, from 0."""
    return part(memory, width, number * width)


def weighted_read(weights: Any, memory: Any) -> Any:
    """The sum of all rows, each times its weight."""
    size, rows = size_of(memory), size_of(weights)
    width = size // rows
    return segment_sum(repeat(weights, size, width) * memory, width, 1)


@composition
def pushed(memory: Any, top: Any) -> Any:
    """A memory with a further row on top; its last row is lost."""
    size = size_of(memory)
    return part(top, size, 0) + part(memory, size, -size_of(top))


@composition
def popped(memory: Any, width: int) -> Any:
    """A memory without its first row; a row of zeros is its last."""
    return part(memory, size_of(memory), width)


@composition
def rotated_up(memory: Any, width: int) -> Any:
    """A memory whose first row has become its last."""
    size = size_of(memory)
    return part(memory, size, width) + part(memory, size, width - size)


@composition
def rotated_down(memory: Any, width: int) -> Any:
    """A memory whose last row has become its first."""
    size = size_of(memory)
    return part(memory, size, -width) + part(memory, size, size - width)
