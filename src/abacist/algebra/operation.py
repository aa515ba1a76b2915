"""What an operation of formulas is: a record of all that is known about it, and the function itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from abacist.algebra.readings import reading_of
from abacist.wording import plural

Array = NDArray[Any]


class Value(Protocol):
    """A vector of numbers in some reading: what cells are written in."""

    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...


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
    sends back to each argument, as a formula in its own right; None where the adjoint of a step treats
    the operation itself. `cost` is that of one unit, or of one weight of a matrix. An operation that is
    not `elementwise` needs its arguments whole; it is linear in them. Those with a sign, such as +, are
    written with it. Behind its `arity` vectors an operation may have some `sizes`, whole numbers that are
    known when a formula is read; the first is how many units the result has. `zero_with` says what makes a
    unit of an elementwise operation zero: that all arguments of one of these groups are. One that is
    `nonnegative` never gives less than zero.
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
