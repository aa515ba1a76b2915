"""Cells and layouts of wrong parts are refused in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from abacist.cells import Cell, Gates, Layout, State, cell, cell_named
from tests.wrong_input import is_refused


def _formula(w: Any, x: Any, h: Any) -> Any:
    return w.h(x, h)


@pytest.mark.parametrize(
    ("of", "inputs"), [("lstm", 2), (cell_named("lstm"), "2"), (cell_named("lstm"), 2.5), (None, 2)]
)
def test_layouts(of: Any, inputs: Any) -> None:
    is_refused(lambda: Layout(of, inputs, 3, 2))


@pytest.mark.parametrize(("name", "per_unit"), [(3, 1), ("h", "1")])
def test_states(name: Any, per_unit: Any) -> None:
    is_refused(lambda: State(name, per_unit))


def test_cells() -> None:
    wrong: Any = "h"
    is_refused(lambda: Cell("mine", Gates(("h",)), (wrong,), _formula))
    is_refused(lambda: Cell("mine", wrong, (State("h"),), _formula))
    is_refused(lambda: Gates(wrong))
    is_refused(lambda: cell("h")(wrong))
    is_refused(lambda: cell(parameters=wrong)(_formula))
    is_refused(lambda: cell("h", states={"h": wrong})(_formula))


@pytest.mark.parametrize("name", [3, None, "", "lsmt"])
def test_names(name: Any) -> None:
    is_refused(lambda: cell_named(name))
