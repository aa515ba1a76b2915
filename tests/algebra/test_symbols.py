"""The reading of symbols: what a formula may say, and what it is told when it says something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from abacist.algebra import Symbol, leaf
from abacist.errors import BadInput


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.float64(2), np.int64(2)])
def test_numbers_of_any_kind_are_constants_on_either_side(number: Any) -> None:
    x = leaf("input", 3)
    for grown, place in ((number - x, 0), (x - number, 1), (number * x, 0), (x + number, 1), (number / x, 0)):
        assert isinstance(grown, Symbol)
        assert grown.arguments[1 - place] is x
        assert (grown.arguments[place].operation, grown.arguments[place].detail) == ("constant", 2.0)


def test_vectors_of_different_sizes_do_not_add() -> None:
    with pytest.raises(BadInput, match="add needs vectors of the same size, got 3 and 4"):
        leaf("input", 3) + leaf("state", 4, 0)


@pytest.mark.parametrize(
    ("formula", "what"),
    [
        (lambda x: np.tanh(x), "use NumPy's tanh; use tanh of abacist.algebra"),
        (lambda x: np.maximum(x, 0), "use NumPy's maximum; use maximum of abacist.algebra"),
        (lambda x: x**2, r"use \*\*; write x \* x, sqrt\(x\) or exp\(p \* log\(x\)\)"),
        (lambda x: 2**x, r"use \*\*; write x \* x, sqrt\(x\) or exp\(p \* log\(x\)\)"),
        (
            lambda x: np.fft.fft(x),
            r"use NumPy's fft; there are \+ - \* / and the functions of abacist.algebra, such as sigmoid, "
            "tanh, relu, exp, log, sqrt, softplus, minimum, maximum or absolute",
        ),
    ],
)
def test_what_a_formula_cannot_say_is_named_with_what_it_can(
    formula: Callable[[Any], Any], what: str
) -> None:
    with pytest.raises(BadInput, match=f"^a formula cannot {what}$"):
        formula(leaf("input", 3))
