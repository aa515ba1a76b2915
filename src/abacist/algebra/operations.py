"""The operations of formulas: one record each, with everything that is known about it.

A record says what the operation means for arrays, how to differentiate it and what it costs, and is
itself the function that formulas call. The last axis of an array is its units. A further operation is a
further record, and a line in each target that can compute it; those that cannot say so.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any, NoReturn, Self

import numpy as np

from abacist.algebra.instead import refusals, refuse_function
from abacist.algebra.operation import Array, Cost, Operation

#: Infinities and NaN are results like any others.
_overflows = np.errstate(over="ignore")
_undefined = np.errstate(divide="ignore", invalid="ignore")

#: Which arguments make a result zero: one alone, or each of two, or both together.
_ONE, _EITHER, _BOTH = ((0,),), ((0,), (1,)), ((0, 1),)


def _part(x: Array, size: int, first: int) -> Array:
    """Units from `first` on, (…, size), with zeros where x has none."""
    result = np.zeros((*x.shape[:-1], size), x.dtype)
    begin, end = max(first, 0), min(first + size, x.shape[-1])
    if begin < end:
        result[..., begin - first : end - first] = x[..., begin:end]
    return result


add = Operation("add", 2, lambda a, b: a + b, lambda d, y, a, b: (d, d), Cost(1), sign="+", zero_with=_BOTH)
subtract = Operation(
    "subtract", 2, lambda a, b: a - b, lambda d, y, a, b: (d, -d), Cost(1), sign="-", zero_with=_BOTH
)
multiply = Operation(
    "multiply", 2, lambda a, b: a * b, lambda d, y, a, b: (d * b, d * a), Cost(1), sign="*", zero_with=_EITHER
)
divide = Operation(
    "divide", 2, _undefined(np.divide), lambda d, y, a, b: (d / b, -(d * y / b)), Cost(1), sign="/"
)

#: 1 / (1 + e⁻ˣ).
sigmoid = Operation(
    "sigmoid",
    1,
    _overflows(lambda x: 1 / (1 + np.exp(-x))),
    lambda d, y, x: (d * (y * (1 - y)),),
    Cost(2, 1),
    nonnegative=True,
)

#: The hyperbolic tangent, (1 − e⁻²ˣ) / (1 + e⁻²ˣ).
tanh = Operation("tanh", 1, np.tanh, lambda d, y, x: (d * (1 - y * y),), Cost(3, 1), zero_with=_ONE)

#: max(x, 0).
relu: Operation = Operation(
    "relu",
    1,
    lambda x: np.maximum(x, 0),
    lambda d, y, x: (where_positive(y, d),),
    Cost(),
    zero_with=_ONE,
    nonnegative=True,
)

#: eˣ.
exp = Operation("exp", 1, _overflows(np.exp), lambda d, y, x: (d * y,), Cost(0, 1), nonnegative=True)

#: The natural logarithm.
log = Operation("log", 1, _undefined(np.log), lambda d, y, x: (d / x,), Cost(0, 1))

#: The square root.
sqrt = Operation(
    "sqrt", 1, _undefined(np.sqrt), lambda d, y, x: (0.5 * d / y,), Cost(1), zero_with=_ONE, nonnegative=True
)

#: log(1 + eˣ).
softplus = Operation(
    "softplus",
    1,
    lambda x: np.logaddexp(0, x),
    lambda d, y, x: (d * sigmoid(x),),
    Cost(2, 2),
    nonnegative=True,
)

#: The smaller of two values; NaN if one of them is.
minimum: Operation = Operation(
    "minimum",
    2,
    np.minimum,
    lambda d, y, a, b: (d - where_positive(a - b, d), where_positive(a - b, d)),
    Cost(),
    zero_with=_BOTH,
)

#: The larger of two values; NaN if one of them is.
maximum: Operation = Operation(
    "maximum",
    2,
    np.maximum,
    lambda d, y, a, b: (where_positive(a - b, d), d - where_positive(a - b, d)),
    Cost(),
    zero_with=_BOTH,
)

#: The smaller of a·x + s and b·x + s; NaN if the first is. The bounds of intervals are made of this and the
#: next three, formulas are not, so nobody asks for their derivatives.
least_product = Operation("least_product", 4, lambda a, b, x, s: np.minimum(a * x, b * x) + s, None, Cost(3))

#: The larger of a·x + s and b·x + s; NaN if the second is.
greatest_product = Operation(
    "greatest_product", 4, lambda a, b, x, s: np.maximum(a * x, b * x) + s, None, Cost(3)
)

#: 1 / (1 + 2ˣ), a sigmoid that falls: the bounds of sigmoids.
sigmoid_bound = Operation("sigmoid_bound", 1, _overflows(lambda x: 1 / (1 + np.exp2(x))), None, Cost(2, 1))

#: 2 / (1 + 2ˣ) + s: the bounds of tanh.
tanh_bound = Operation(
    "tanh_bound", 2, _overflows(lambda x, s: 2 * (1 / (1 + np.exp2(x))) + s), None, Cost(3, 1)
)

#: |x|.
absolute: Operation = Operation(
    "absolute",
    1,
    np.abs,
    lambda d, y, x: (where_positive(x, d) - where_positive(-x, d),),
    Cost(),
    zero_with=_ONE,
    nonnegative=True,
)

#: The second value where the first is positive, and zero elsewhere.
where_positive: Operation = Operation(
    "where_positive",
    2,
    lambda condition, x: np.where(condition > 0, x, 0.0),
    lambda d, y, condition, x: (0.0 * d, where_positive(condition, d)),
    Cost(),
    zero_with=_EITHER,
)

#: The product of a matrix, (row, column), with a vector, (column,).
linear = Operation(
    "linear", 2, lambda matrix, x: (matrix @ x[..., None])[..., 0], None, Cost(2), elementwise=False
)

#: A sum of products with transposed matrices: what `linear` sends back. Only adjoints have it.
transposed = Operation(
    "transposed",
    2,
    lambda matrix, x: (np.swapaxes(matrix, -1, -2) @ x[..., None])[..., 0],
    None,
    Cost(2),
    elementwise=False,
)

#: So many units of a vector from some place on, and zeros where it has none: slices, shifts, joints.
part: Operation = Operation(
    "part",
    1,
    _part,
    lambda d, y, x, size, first: (part(d, x.shape[-1], -first),),
    Cost(),
    elementwise=False,
    sizes=2,
)

#: Units of x repeated: unit u of so many is unit u // inner of x, which begins anew where it ends.
repeat: Operation = Operation(
    "repeat",
    1,
    lambda x, size, inner: x[..., np.arange(size) // inner % x.shape[-1]],
    lambda d, y, x, size, inner: (segment_sum(d, x.shape[-1], inner),),
    Cost(),
    elementwise=False,
    sizes=2,
)

#: Sums, one for each unit that `repeat` would have repeated: of all units, of every row, of every column.
segment_sum: Operation = Operation(
    "segment_sum",
    1,
    lambda x, size, inner: x.reshape(*x.shape[:-1], -1, size, inner).sum((-3, -1)),
    lambda d, y, x, size, inner: (repeat(d, x.shape[-1], inner),),
    Cost(1),
    elementwise=False,
    sizes=2,
)

#: All operations by name.
OPERATIONS: dict[str, Operation] = {
    value.name: value for value in list(globals().values()) if isinstance(value, Operation)
}


def operation_named(name: str) -> Operation:
    return OPERATIONS[name]


#: Operations that formulas use travel to other processes by name, so that they are the same ones there.
copyreg.pickle(Operation, lambda operation: (operation_named, (operation.name,)))

#: What operations were called once, by what they are called now: contents of cells, and so run keys, have
#: these names for ever; formulas may use them for a version.
FORMER_NAMES = {
    "exp": "exponential",
    "log": "logarithm",
    "sqrt": "root",
    "repeat": "spread",
    "segment_sum": "total",
    "sigmoid_bound": "falling",
    "tanh_bound": "twice_falling",
}


def formula_functions() -> list[str]:
    """The names of the functions of units that a formula may call."""
    return [
        operation.name
        for operation in OPERATIONS.values()
        if operation.elementwise and operation.derivative and not operation.sign
        if operation is not where_positive
    ]


def _sign(operation: str, *, reflected: bool = False) -> Callable[[Any, Any], Any]:
    """A sign as a method: an operation on a value and another; `reflected`, on the other and the value."""

    def method(self: Any, other: Any) -> Any:
        return self.apply(operation, other, self) if reflected else self.apply(operation, self, other)

    return method


class Operators:
    """A value with signs; `apply` is what an operation, by its name, makes of some values."""

    __add__, __radd__ = _sign("add"), _sign("add", reflected=True)
    __sub__, __rsub__ = _sign("subtract"), _sign("subtract", reflected=True)
    __mul__, __rmul__ = _sign("multiply"), _sign("multiply", reflected=True)
    __truediv__, __rtruediv__ = _sign("divide"), _sign("divide", reflected=True)

    @classmethod
    def apply(cls, operation: str, *values: Any) -> Self:
        result: Self = OPERATIONS[operation](*values)
        return result

    def __neg__(self) -> Any:
        return 0.0 - self

    def __array_ufunc__(self, function: Any, _: str, *values: Any, **__: Any) -> Self:
        """NumPy's numbers may stand in a formula; its functions may not."""
        if function.__name__ not in ("add", "subtract", "multiply", "divide"):
            refuse_function("NumPy", function.__name__, formula_functions())
        return self.apply(function.__name__, *values)

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        refuse_function("NumPy", function.__name__, formula_functions())

    @classmethod
    def __torch_function__(cls, function: Any, *_: Any) -> NoReturn:
        refuse_function("PyTorch", function.__name__, formula_functions())


for _name, _method in refusals().items():
    setattr(Operators, _name, _method)
