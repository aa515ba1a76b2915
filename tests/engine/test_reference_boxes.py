"""Boxes in the slow reference: no state in a box is missed; alone a network is read as among others."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.cells import KNOWN, Layout
from abacist.engine import reference
from tests.compiler.interval_reading import step_boxes, step_states
from tests.compiler.made_boxes import boxes_of_all_kinds, missed, scaled_networks, states_within


@pytest.mark.parametrize("precision", ["float32", pytest.param("float64", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("cell", KNOWN)
def test_a_step_of_boxes(cell: str, precision: str) -> None:
    layout, rng = Layout(KNOWN[cell], 3, 2, 2), np.random.default_rng(11)
    networks = scaled_networks(layout, 20, precision, rng)
    lower, upper = boxes_of_all_kinds((20, 30, sum(layout.state_sizes)), precision, rng)
    states = states_within(lower, upper, 3, rng)
    for symbol in range(3):
        all_low, all_high = step_boxes(networks, symbol, lower, upper)
        after = np.stack([step_states(networks, symbol, within) for within in states])
        for run in range(0, len(networks), 3):
            low, high = reference.step_boxes(networks, run, symbol, lower[run], upper[run])
            np.testing.assert_allclose(low, all_low[run], rtol=1e-12)
            np.testing.assert_allclose(high, all_high[run], rtol=1e-12)
            assert not missed(after[:, run], low, high).any()
