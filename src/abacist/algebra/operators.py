"""The signs of a formula: what + - * / mean for the values of a reading that do not compute at once."""

from __future__ import annotations

from typing import Any, NoReturn, Self

from abacist.algebra.operations import OPERATIONS, divide, formula_functions
from abacist.errors import BadInput


class Operators:
    """A value with signs; `apply` is what an operation, by its name, makes of some values."""

    @classmethod
    def apply(cls, operation: str, *values: Any) -> Self:
        result: Self = OPERATIONS[operation](*values)
        return result

    def __add__(self, other: Any) -> Self:
        return self.apply("add", self, other)

    def __radd__(self, other: Any) -> Self:
        return self.apply("add", other, self)

    def __sub__(self, other: Any) -> Self:
        return self.apply("subtract", self, other)

    def __rsub__(self, other: Any) -> Self:
        return self.apply("subtract", other, self)

    def __mul__(self, other: Any) -> Self:
        return self.apply("multiply", self, other)

    def __rmul__(self, other: Any) -> Self:
        return self.apply("multiply", other, self)

    def __truediv__(self, other: Any) -> Self:
        return self.apply("divide", self, other)

    def __rtruediv__(self, other: Any) -> Self:
        return self.apply("divide", other, self)

    def __neg__(self) -> Self:
        return 0.0 - self

    def __pow__(self, _: Any) -> NoReturn:
        raise BadInput(f"a formula cannot use **; {_there_are()}")

    __rpow__ = __pow__

    def __array_ufunc__(self, function: Any, _: str, *values: Any, **__: Any) -> Self:
        """NumPy's numbers may stand in a formula; its functions may not."""
        if function.__name__ in ("add", "subtract", "multiply", "divide"):
            return self.apply(function.__name__, *values)
        raise BadInput(f"a formula cannot use NumPy's {function.__name__}; {_there_are()}")


def _there_are() -> str:
    return f"there are + - * / and the functions of abacist.algebra: {', '.join(formula_functions())}"


class Enclosing:
    """A value between two bounds, the `lower` and the `upper`."""

    lower: Any

    #: NumPy's arrays leave the work to intervals.
    __array_ufunc__ = None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many units it has, and axes before them, as arrays have them."""
        return tuple(self.lower.shape)

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)
