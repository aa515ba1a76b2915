"""Algebra: what a formula can be written with, and what each reading makes of it."""

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
from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum
from abacist.algebra.operation import Cost, Operation, Value
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
from abacist.algebra.outward import Outward, decision_margin, outward_of
from abacist.algebra.readings import FormulaReading, register
from abacist.algebra.rounding import ROUNDING, SIGMOID_TIMES_TANH, Rounding
from abacist.algebra.symbols import Matrix, Symbol, in_order, leaf

__all__ = [
    "FORMER_NAMES",
    "OPERATIONS",
    "ROUNDING",
    "SIGMOID_TIMES_TANH",
    "Cost",
    "FormulaReading",
    "Interval",
    "IntervalMatrix",
    "IntervalProduct",
    "IntervalSum",
    "Matrix",
    "Operation",
    "Outward",
    "Rounding",
    "Symbol",
    "Value",
    "absolute",
    "cumulative_sum",
    "decision_margin",
    "divide",
    "exp",
    "highest",
    "in_order",
    "joined",
    "leaf",
    "linear",
    "log",
    "maximum",
    "minimum",
    "outer",
    "outward_of",
    "part",
    "popped",
    "pushed",
    "register",
    "relu",
    "repeat",
    "rotated_down",
    "rotated_up",
    "row",
    "segment_sum",
    "sigmoid",
    "softmax",
    "softplus",
    "sqrt",
    "sum_before",
    "sum_behind",
    "tanh",
    "unit",
    "weighted_read",
]


def __getattr__(name: str) -> Any:
    """An operation by its former name, for a version: `from abacist.algebra import exponential`."""
    if name in FORMER_NAMES.values():
        return next(OPERATIONS[now] for now, once in FORMER_NAMES.items() if once == name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
