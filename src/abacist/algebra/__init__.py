"""Algebra: what a formula can be written with, and what each reading makes of it.

`operation` is what an operation is and how a reading is chosen, `operations` are all of them with their
reading of arrays, `compositions` are made of them. Other readings are `symbols` and intervals: their values
in `intervals`, their operations in `interval_reading`, and by how much they are widened in `rounding`.
"""

from typing import Any

from abacist.algebra.compositions import (
    cumulative_sum,
    highest,
    joined,
    outer,
    popped,
    pushed,
    rotated_down,
    rotated_up,
    row,
    softmax,
    sum_before,
    sum_behind,
    unit,
    weighted_read,
)
from abacist.algebra.interval_reading import IntervalMatrix
from abacist.algebra.intervals import Interval
from abacist.algebra.operation import Cost, Operation, register, specialise
from abacist.algebra.operations import (
    FORMER_NAMES,
    OPERATIONS,
    absolute,
    divide,
    exp,
    linear,
    log,
    maximum,
    minimum,
    part,
    relu,
    repeat,
    segment_sum,
    sigmoid,
    softplus,
    sqrt,
    tanh,
)
from abacist.algebra.rounding import (
    ROUNDING,
    SIGMOID_TIMES_TANH,
    RoundingMargins,
    rounding_margins,
)
from abacist.algebra.symbols import Matrix, Symbol, in_order, leaf

__all__ = [
    "FORMER_NAMES", "OPERATIONS", "ROUNDING", "SIGMOID_TIMES_TANH", "Cost", "Interval", "IntervalMatrix",
    "Matrix", "Operation", "RoundingMargins", "Symbol", "absolute", "cumulative_sum", "divide", "exp",
    "highest", "in_order", "joined", "leaf", "linear", "log", "maximum", "minimum", "outer", "part",
    "popped", "pushed", "register", "relu", "repeat", "rotated_down", "rotated_up", "rounding_margins",
    "row", "segment_sum", "sigmoid", "softmax", "softplus", "specialise", "sqrt", "sum_before",
    "sum_behind", "tanh", "unit", "weighted_read",
]  # fmt: skip

#: What goes by a former name for a version, too: `from abacist.algebra import exponential`.
_FORMER: dict[str, Any] = {
    **{once: OPERATIONS[now] for now, once in FORMER_NAMES.items()},
    "Outward": RoundingMargins,
    "outward_of": rounding_margins,
    "own_way": specialise,
}


def __getattr__(name: str) -> Any:
    if name in _FORMER:
        return _FORMER[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
