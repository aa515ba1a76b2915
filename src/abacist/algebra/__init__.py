"""Algebra: what a formula can be written with, and what each reading makes of it."""

from abacist.algebra.operations import OPERATIONS, Cost, Operation, Value, linear, relu, sigmoid, tanh
from abacist.algebra.readings import FormulaReading, register
from abacist.algebra.symbols import Matrix, Symbol, in_order, leaf

__all__ = [
    "OPERATIONS",
    "Cost",
    "FormulaReading",
    "Matrix",
    "Operation",
    "Symbol",
    "Value",
    "in_order",
    "leaf",
    "linear",
    "register",
    "relu",
    "sigmoid",
    "tanh",
]
