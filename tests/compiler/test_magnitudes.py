"""No program overflows within a step of what is proved: a NaN would be in no box."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.algebra.rounding import LARGEST
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.prover import is_provable, prove
from abacist.cells import KNOWN, MEMORIES, ZOO, Cell, Layout
from abacist.cells.layers import stacked
from abacist.compiler.magnitudes import largest_states
from abacist.engine import trace
from abacist.languages import language_named
from abacist.specs import Networks
from tests.cells.toys import clipped, explosive, shaped
from tests.engine.cases import has_boxes


def _always_one(cell: Cell, size: float) -> Networks:
    """A network that is right on all of 1* as long as its state, which has no weight, is a number."""
    layout = Layout(cell, 2, 1, 3)
    weights = np.zeros(layout.size, np.float32)
    weights[layout.starts["rnn.bias_ih_l0"] :][:2] = size, -18  # a gate that is shut, but for 1.5e-8
    weights[layout.starts["output.bias"] :] = [-1, 1, 1]
    return Networks(layout, weights[None])


#: Cells that multiply what may be large more than once within a step, which is no matter with usual weights.
_SEVERAL = ("selective", "slstm", "mlstm", "selective_open", "slstm_open", "mlstm_open")


@pytest.mark.parametrize("cell", [explosive, clipped], ids=lambda cell: cell.name)
def test_what_overflows_within_a_step_is_not_proved(cell: Cell) -> None:
    known = Configurations(language_named("tomita-1"))
    for size, right in ((10.0, True), (1e10, True), (1e12, False)):
        networks = _always_one(cell, np.nextafter(np.float32(size), np.float32(0)))
        assert bool(np.isfinite(trace(networks, 0, [1, 1]).values["h"]).all()) == right
        assert prove(networks, 0, known, limit=5, budget=8) == (1 if size > 10 else 5)
        assert is_provable(networks, 0) == (size <= 10)


def test_cells_that_multiply_once_have_states_of_any_size_that_is_provable() -> None:
    """So nothing changes for those that come with Abacist, of one layer and of several."""
    once = [cell for cell in KNOWN.values() if cell.name not in (*_SEVERAL, *MEMORIES)]
    usual = [*(cell for cell in once if has_boxes(cell)), shaped]
    for cell in (*usual, *(stacked(own, 2) for own in usual)):
        for hidden in (1, 100):
            layout = Layout(cell, 4, hidden, 4)
            for weight, wanted in ((1.0, LARGEST), (0.99e12, LARGEST), (1.01e12, 0.0), (np.nan, 0.0)):
                weights = np.full(layout.size, -weight, np.float32)
                assert largest_states(layout, weights) == wanted, (cell.name, weight)


@pytest.mark.parametrize("cell", [*ZOO.values(), *MEMORIES.values()], ids=lambda cell: cell.name)
def test_every_cell_with_usual_weights_has_states_of_any_size(cell: Cell) -> None:
    layout = Layout(cell, 4, 8, 4)
    assert largest_states(layout, np.full(layout.size, -100.0, np.float32)) == LARGEST
