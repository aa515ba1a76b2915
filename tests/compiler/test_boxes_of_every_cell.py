"""Boxes of the zoo and of memories never miss: neither NumPy's values, nor those of a program."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.cells import KNOWN, ZOO, Layout
from tests.compiler.made_boxes import LARGEST, boxes_of_all_kinds, missed, scaled_networks, states_within
from tests.compiler.test_stepping import plain_states, target_boxes, target_states

#: What `make test` compiles; the others are thorough.
_OFTEN = [("slstm", 1, "float32"), ("stack_rnn_1", 2, "float32")]

_ALL = [
    (cell, hidden, precision)
    for cell in KNOWN
    for hidden, precision in ((1, "float32"), (3, "float32"), (2, "float64"))
    if cell in ZOO or hidden > 1
]


@pytest.mark.parametrize(
    ("cell", "hidden", "precision"),
    [*_OFTEN, *(pytest.param(*case, marks=pytest.mark.thorough) for case in _ALL)],
)
def test_no_box_misses_a_value(cell: str, hidden: int, precision: str) -> None:
    """Half of them from the start, where memories are empty; four symbols."""
    layout, rng = Layout(KNOWN[cell], 2, hidden, 2), np.random.default_rng(hidden)
    width, within = sum(layout.state_sizes), 3
    count, places = (100, 64) if width < 100 else (10, 32)
    networks, word = scaled_networks(layout, count, precision, rng), rng.integers(0, 2, 4).tolist()
    lower, upper = boxes_of_all_kinds((count, places, width), precision, rng)
    lower[::2], upper[::2] = 0, 0
    states = states_within(lower, upper, within, rng)
    plain = plain_states(networks, word, states.swapaxes(0, 1).reshape(count, within * places, width))
    told = 0.0
    for run in range(count):
        low, high = target_boxes(networks, run, word, lower[run], upper[run]).swapaxes(0, 1)
        low, high = np.tile(low, (1, within, 1)), np.tile(high, (1, within, 1))
        own = target_states(networks, run, word, states[:, run].reshape(-1, width))
        assert not missed(own, low, high).any()
        assert not missed(plain[:, run], low, high).any()
        told += float(((high - low) < 1e-2).mean())
    assert told > 0.3 * count  # many boxes are narrow: the law is not kept by saying nothing


@pytest.mark.parametrize("cell", ["slstm", "stack_rnn_1"])
def test_what_is_no_number_is_never_sure(cell: str) -> None:
    layout = Layout(KNOWN[cell], 2, 2 if cell == "stack_rnn_1" else 1, 2)
    width = sum(layout.state_sizes)
    networks = scaled_networks(layout, 5, "float32", np.random.default_rng(1))
    no_numbers = [(np.nan, np.nan), (np.nan, 1.0), (-1.0, np.nan), (-np.inf, np.inf), (0.0, np.inf)]
    lower, upper = np.zeros((2, len(no_numbers), width), "float32")
    for number, bounds in enumerate(no_numbers):
        lower[number, 0], upper[number, 0] = bounds
    for run in range(len(networks)):
        low, high = target_boxes(networks, run, [0], lower, upper)[0]
        assert not ((low > -LARGEST) & (high < LARGEST)).all(axis=1).any()
