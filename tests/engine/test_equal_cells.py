"""Cells whose formulas differ in names alone are equal, and are traced by one program, by its own plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.algebra import sigmoid, tanh
from abacist.cells import Cell, Layout, cell
from abacist.compiler import plan_tracing
from abacist.engine import trace
from abacist.engine.reference import forward
from abacist.targets.webassembly import module_text
from abacist.targets.webassembly.programs import step_program, steps_bytes
from tests.engine.cases import random_networks


def cells() -> list[Cell]:
    """The same formula twice; the second has more names."""

    @cell(gates="f n")
    def alike(w: Any, x: Any, h: Any) -> Any:
        return sigmoid(w.f(x, h)) * h + tanh(w.n(x, h))

    short = alike

    @cell(gates="f n")  # type: ignore[no-redef]
    def alike(w: Any, x: Any, h: Any) -> Any:
        forget = sigmoid(w.f(x, h))
        new = tanh(w.n(x, h))
        kept = forget * h
        return kept + new

    return [short, alike]


@pytest.mark.parametrize("order", [1, -1])
def test_both_are_traced_rightly_whoever_comes_first(order: int) -> None:
    """Plans are remembered for a while: the second cell may be planned anew, after the program was made."""
    first, second = cells()[::order]
    assert Layout(first, 2, 3, 2) == Layout(second, 2, 3, 2)
    word = (0, 0, 1, 0, 1)
    for own in (first, second):
        plan_tracing.cache_clear()
        networks = random_networks(Layout(own, 2, 3, 2), 1, seed=2)
        states, outputs = forward(networks, 0, word)
        traced = trace(networks, 0, word)
        np.testing.assert_allclose(traced.values["h"], states["h"], rtol=1e-12)
        np.testing.assert_allclose(traced.values["y"], outputs, rtol=1e-12)


def test_a_program_for_the_browser_has_the_places_of_its_own_plan() -> None:
    first, second = (Layout(own, 2, 5, 2) for own in cells())
    code, width = steps_bytes({"alike": first}), step_program(first)[0].room.width
    plan_tracing.cache_clear()
    assert (steps_bytes({"alike": second}), step_program(second)[0].room.width) == (code, width)
    assert module_text([first]) == module_text([second])
