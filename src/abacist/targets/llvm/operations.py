"""Each operation as code for vectors of lanes. A further operation is a further line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import abacist.targets.llvm.bounds as bounds
import abacist.targets.llvm.exponentials as exponentials
import abacist.targets.llvm.functions as functions

#: By name: a function of `Vectors` and operands.
OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda v, a, b: v.builder.fadd(a, b),
    "subtract": lambda v, a, b: v.builder.fsub(a, b),
    "multiply": lambda v, a, b: v.builder.fmul(a, b),
    "divide": lambda v, a, b: v.builder.fdiv(a, b),
    "sigmoid": functions.sigmoid,
    "tanh": functions.tanh,
    "sigmoid_times_tanh": functions.sigmoid_times_tanh,
    "falling": bounds.falling,
    "twice_falling": bounds.twice_falling,
    "relu": functions.relu,
    "exponential": exponentials.exponential,
    "logarithm": exponentials.logarithm,
    "softplus": exponentials.softplus,
    "root": lambda v, x: v.intrinsic("sqrt", x),
    "minimum": functions.extreme_of("<"),
    "maximum": functions.extreme_of(">"),
    "least_product": functions.extreme_product_of("<", 0),
    "greatest_product": functions.extreme_product_of(">", 1),
    "absolute": lambda v, x: v.intrinsic("fabs", x),
    "where_positive": functions.where_positive,
}
