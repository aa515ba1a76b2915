"""Algebra: what a formula can be written with, and what each reading makes of it."""

from abacist.algebra.interval_reading import IntervalMatrix
from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum
from abacist.algebra.operations import (
    OPERATIONS,
    Cost,
    Operation,
    Value,
    absolute,
    linear,
    maximum,
    minimum,
    relu,
    sigmoid,
    tanh,
)
from abacist.algebra.outward import Outward, decision_margin, outward_of
from abacist.algebra.readings import FormulaReading, register
from abacist.algebra.rounding import ROUNDING, SIGMOID_TIMES_TANH, Rounding
from abacist.algebra.symbols import Matrix, Symbol, in_order, leaf

__all__ = [
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
    "decision_margin",
    "in_order",
    "leaf",
    "linear",
    "maximum",
    "minimum",
    "outward_of",
    "register",
    "relu",
    "sigmoid",
    "tanh",
]
