"""Algebra: what a formula can be written with, and what each reading makes of it."""

from abacist.algebra.intervals import Interval, IntervalMatrix, Outward
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
from abacist.algebra.readings import FormulaReading, register
from abacist.algebra.symbols import Matrix, Symbol, in_order, leaf

__all__ = [
    "OPERATIONS",
    "Cost",
    "FormulaReading",
    "Interval",
    "IntervalMatrix",
    "Matrix",
    "Operation",
    "Outward",
    "Symbol",
    "Value",
    "absolute",
    "in_order",
    "leaf",
    "linear",
    "maximum",
    "minimum",
    "register",
    "relu",
    "sigmoid",
    "tanh",
]
