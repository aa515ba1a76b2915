"""Algebra: what a formula can be written with, and what each reading makes of it."""

from abacist.algebra import arrays as arrays  # registers the reading
from abacist.algebra.functions import Value, linear, relu, sigmoid, tanh
from abacist.algebra.symbols import ELEMENTWISE, Matrix, Symbol, leaf, unary

__all__ = [
    "ELEMENTWISE",
    "Matrix",
    "Symbol",
    "Value",
    "leaf",
    "linear",
    "relu",
    "sigmoid",
    "tanh",
    "unary",
]
