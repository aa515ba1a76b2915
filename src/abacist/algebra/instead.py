"""What Python, NumPy and PyTorch have and formulas have not, each with what a formula says instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from abacist.errors import BadInput
from abacist.wording import one_of


class NoFormula(BadInput):
    """A formula says something that only Python can."""


class NoMethod(NoFormula, AttributeError):
    """A formula asks a vector for what only arrays have."""


_CHOOSE = "use a gate, as in g * a + (1 - g) * b, or maximum(a, b), minimum(a, b) or relu(x)"

#: Methods that Python calls, and what is said of them.
_REFUSED = {
    "__lt__ __le__ __gt__ __ge__": f"compare values, as <, max and sorted do; {_CHOOSE}",
    "__bool__": f"decide by a value, as if, ==, and, or and not do; {_CHOOSE}",
    "__pow__ __rpow__": "use **; write x * x, sqrt(x) or exp(p * log(x))",
    "__abs__": "use abs; write absolute(x)",
    "__matmul__ __rmatmul__": "use @; write linear(w.W, x), where W is a tensor of the cell",
    "__floordiv__ __rfloordiv__ __mod__ __rmod__ __round__ __floor__ __ceil__ __trunc__": (
        "round, as //, % and round do; it has + - * / and smooth functions such as sigmoid(x)"
    ),
    "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __invert__": (
        "use & | ^ ~; of values from 0 to 1 a * b is and, maximum(a, b) is or, 1 - a is not"
    ),
    "__float__ __int__ __index__ __complex__": (
        "make a number of a vector, as float, range and the functions of math do; "
        "use those of abacist.algebra, such as tanh(x)"
    ),
    "__getitem__": "take items; write unit(x, place) or part(x, size, first)",
    "__setitem__ __delitem__": (
        "change items; make a new vector, such as joined(a, b), pushed(memory, row) or g * a + (1 - g) * b"
    ),
    "__iter__": "loop over units; operations are on all of them, and segment_sum(x, 1, 1) is their sum",
}

#: Functions of NumPy and PyTorch, and what a formula says instead; others are called the same.
_FUNCTIONS = {
    "absolute(x)": "abs absolute fabs",
    "x * x": "square",
    "-x": "negative neg",
    "relu(x)": "heaviside",
    "linear(w.W, x)": "dot matmul mm mv einsum vdot inner",
    "joined(a, b)": "concatenate concat cat hstack stack append",
    "segment_sum(x, 1, 1)": "sum",
    "segment_sum(x, 1, 1) / x.shape[-1]": "mean average",
    "cumulative_sum(x)": "cumsum",
    "highest(x)": "max amax",
    "exp(p * log(x))": "power pow float_power",
    "minimum(maximum(x, a), b)": "clip clamp",
    "part(x, size, first)": "split take narrow",
    "g * a + (1 - g) * b": "where",
}
_INSTEAD = {name: instead for instead, names in _FUNCTIONS.items() for name in names.split()}


def refusals() -> dict[str, Callable[..., NoReturn]]:
    """A method for everything that Python would call."""

    def refusing(sentence: str) -> Callable[..., NoReturn]:
        def method(*_: Any) -> NoReturn:
            raise NoFormula(f"a formula cannot {sentence}")

        return method

    return {name: refusing(sentence) for names, sentence in _REFUSED.items() for name in names.split()}


def refuse_function(
    owner: str, name: str, functions: Iterable[str], kind: type[NoFormula] = NoFormula
) -> NoReturn:
    """Refuse a function of a library, or of a vector; `functions` are those that formulas have."""
    known = [*functions]
    instead = f"{name} of abacist.algebra" if name in known else _INSTEAD.get(name)
    there_are = f"there are + - * / and the functions of abacist.algebra, such as {one_of(known)}"
    raise kind(f"a formula cannot use {owner}'s {name}; {there_are if instead is None else f'use {instead}'}")
