"""Boxes never miss: what any reading and any program makes of a state lies in what becomes of its box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.analysis.horizons.prover import bound_rows
from abacist.cells import CELLS, KNOWN, ZOO, Cell, Layout
from abacist.compiler.stepping import longest_sum
from abacist.engine import trace
from abacist.engine.reference import forward
from abacist.specs import Networks
from abacist.targets import target_for
from tests.cells.toys import TOYS, UNBOUNDED, limited
from tests.compiler.interval_reading import step_boxes, step_states
from tests.compiler.made_boxes import LARGEST, boxes_of_all_kinds, missed, scaled_networks, states_within

Array = NDArray[Any]

#: What is compiled here: every cell in both precisions, one to four units.
COMPILED = [
    ("lstm", 1, "float32"), ("lstm", 1, "float64"), ("lstm", 3, "float32"), ("gru", 2, "float32"),
    ("gru", 1, "float64"), ("rnn", 4, "float32"), ("rnn", 3, "float64"), ("rnn_relu", 2, "float32"),
    ("rnn_relu", 4, "float64"),
]  # fmt: skip
compiled = pytest.mark.parametrize(("cell", "hidden", "precision"), COMPILED)


def target_boxes(networks: Networks, run: int, word: Sequence[int], lower: Array, upper: Array) -> Array:
    """Boxes, (place, number), after each symbol of a word, (time, bound, place, number), by the target."""
    layout, places = networks.layout, len(lower)
    stepper = target_for(layout).stepping(networks, run, True)
    low, high = bound_rows(networks)
    before, after = stepper.rows(places, stepper.width), stepper.rows(places, stepper.results)
    width = stepper.width // 2
    before[low[:width], :places], before[high[:width], :places] = lower.T, upper.T
    steps = []
    for symbol in word:
        stepper(symbol, before, after, places)
        steps.append([after[low, :places].T, after[high, :places].T])
        before[:] = after[: stepper.width]
    return np.array(steps)


def target_states(networks: Networks, run: int, word: Sequence[int], states: Array) -> Array:
    """States, (place, number), after each symbol, (time, place, number), by the target."""
    stepper, places = target_for(networks.layout).stepping(networks, run, False), len(states)
    before, after = stepper.rows(places, stepper.width), stepper.rows(places, stepper.results)
    before[:, :places] = states.T
    steps = []
    for symbol in word:
        stepper(symbol, before, after, places)
        steps.append(after[:, :places].T.copy())
        before[:] = after[: stepper.width]
    return np.array(steps)


def plain_states(networks: Networks, word: Sequence[int], states: Array) -> Array:
    """The same of many networks by NumPy in float64, (time, network, place, number)."""
    steps, width = [], states.shape[-1]
    with np.errstate(all="ignore"):
        for symbol in word:
            steps.append(step_states(networks, symbol, states))
            states = steps[-1][..., :width]
    return np.array(steps)


def test_the_longest_sum_counts_every_term_that_is_added() -> None:
    for cell in CELLS.values():
        for inputs, hidden in ((2, 1), (4, 3), (2, 40)):
            layout = Layout(cell, inputs, hidden, inputs)
            assert longest_sum(layout) == inputs + 1 + hidden + 1
    for name, wanted in {"delayed": 2 + 1 + 3 + 1 + 1, "shaped": 6 + 1 + 1, "deep": 2 + 1 + 3 + 1}.items():
        assert longest_sum(Layout(TOYS[name], 2, 3, 2)) == wanted


#: Of the zoo and of memories, what `make test` compiles; all others are thorough.
_OFTEN = [("slstm", 1, "float32"), ("stack_rnn_1", 2, "float32")]

_ALL = [
    (cell, hidden, precision)
    for cell in KNOWN
    for hidden, precision in ((1, "float32"), (3, "float32"), (2, "float64"))
    if cell in ZOO or hidden > 1
]


@pytest.mark.parametrize(
    ("cell", "hidden", "precision"),
    [*_OFTEN, *(pytest.param(*case, marks=pytest.mark.thorough) for case in (*COMPILED, *_ALL))],
)
def test_no_box_misses_a_value(cell: str, hidden: int, precision: str) -> None:
    """Of the NumPy reading, or of a program; half of a memory's from the start, where memories are empty."""
    layout, rng = Layout(KNOWN[cell], 2, hidden, 2), np.random.default_rng(hidden)
    width, within = sum(layout.state_sizes), 3
    count, places = (1_120 if cell in CELLS else 100, 64) if width < 100 else (10, 32)
    networks, word = scaled_networks(layout, count, precision, rng), rng.integers(0, 2, 5).tolist()
    lower, upper = boxes_of_all_kinds((count, places, width), precision, rng)
    if cell not in CELLS:
        lower[::2], upper[::2] = 0, 0
    states = states_within(lower, upper, within, rng)
    plain = plain_states(networks, word, states.swapaxes(0, 1).reshape(count, within * places, width))
    narrow = 0.0
    for run in range(count):
        low, high = target_boxes(networks, run, word, lower[run], upper[run]).swapaxes(0, 1)
        low, high = np.tile(low, (1, within, 1)), np.tile(high, (1, within, 1))
        computed = target_states(networks, run, word, states[:, run].reshape(-1, width))
        assert not missed(computed, low, high).any()
        assert not missed(plain[:, run], low, high).any()
        narrow += float(((high - low) < 1e-2).mean())
    assert narrow > (0.01 if cell in CELLS else 0.3) * count  # many boxes are narrow


@compiled
def test_boxes_of_the_target_are_hardly_wider_than_those_of_numpy(
    cell: str, hidden: int, precision: str
) -> None:
    layout, rng = Layout(CELLS[cell], 2, hidden, 2), np.random.default_rng(hidden)
    count, places, width = 40, 64, sum(layout.state_sizes)
    networks = scaled_networks(layout, count, precision, rng)
    lower, upper = boxes_of_all_kinds((count, places, width), precision, rng)
    plain_low, plain_high = step_boxes(networks, 1, lower, upper)
    for run in range(count):
        low, high = target_boxes(networks, run, [1], lower[run], upper[run])[0].astype(np.float64)
        assert (high - low <= 1.5 * (plain_high[run] - plain_low[run])).all()


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize(
    "cell", [*CELLS.values(), *TOYS.values(), *UNBOUNDED.values()], ids=lambda cell: cell.name
)
def test_the_numpy_reading_of_intervals_misses_nothing(cell: Cell, precision: str) -> None:
    rng = np.random.default_rng(7)
    for hidden in (1, 2, 4):
        layout = Layout(cell, 3, hidden, 2)
        count, places, width = 100, 40, sum(layout.state_sizes)
        networks = scaled_networks(layout, count, precision, rng)
        lower, upper = boxes_of_all_kinds((count, places, width), precision, rng)
        states = states_within(lower, upper, 3, rng)
        for symbol in range(3):
            low, high = step_boxes(networks, symbol, lower, upper)
            assert (low <= high).all()
            for within in states:
                assert not missed(step_states(networks, symbol, within), low, high).any()


@compiled
def test_traces_stay_within_boxes_from_the_start(cell: str, hidden: int, precision: str) -> None:
    layout, rng = Layout(CELLS[cell], 2, hidden, 2), np.random.default_rng(5)
    networks, word = scaled_networks(layout, 20, precision, rng), rng.integers(0, 2, 12).tolist()
    start = np.zeros((1, sum(layout.state_sizes)), precision)
    for run in range(len(networks)):
        low, high = target_boxes(networks, run, word, start, start)[:, :, 0].swapaxes(0, 1)
        traced, (plain, scores) = trace(networks, run, word), forward(networks, run, word)
        for values in (traced.values, plain):
            found = np.concatenate([values[name] for name in layout.cell.state_names], axis=1)
            assert not missed(found, low[:, : found.shape[1]], high[:, : found.shape[1]]).any()
        with np.errstate(divide="ignore"):
            sums = np.log(scores) - np.log1p(-scores)
        middle = np.abs(sums) < 3  # elsewhere the logarithms are too inexact
        slack = 1e-12
        sums_low, sums_high = low[:, -layout.outputs :] - slack, high[:, -layout.outputs :] + slack
        assert not missed(sums, sums_low, sums_high)[middle].any()


@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("hidden", [1, 2])
def test_what_becomes_of_a_box_does_not_depend_on_the_others(cell: str, hidden: int) -> None:
    """Nor on how many groups of them there are, an odd or an even number."""
    layout, rng = Layout(CELLS[cell], 2, hidden, 2), np.random.default_rng(8)
    networks = scaled_networks(layout, 1, "float32", rng)
    lower, upper = boxes_of_all_kinds((200, sum(layout.state_sizes)), "float32", rng)
    whole = target_boxes(networks, 0, [1, 0], lower, upper)
    for places in (1, 31, 32, 33, 64, 65, 97, 150):
        some = target_boxes(networks, 0, [1, 0], lower[:places], upper[:places])
        np.testing.assert_array_equal(some, whole[:, :, :places])


#: Bounds of which at least one is no number, or none that counts.
_NOTHING = [
    (np.nan, np.nan), (np.nan, 1.0), (-1.0, np.nan), (0.0, np.inf), (-np.inf, 0.0), (-np.inf, np.inf),
    (np.inf, np.inf), (-np.inf, -np.inf),
]  # fmt: skip


def _nothing_in_each(width: int, precision: str) -> tuple[Array, Array]:
    """Boxes that are zero but for one number, of which nothing is known."""
    lower, upper = np.zeros((2, len(_NOTHING) * width, width), precision)
    for place in range(width):
        for number, bounds in enumerate(_NOTHING, start=place * len(_NOTHING)):
            lower[number, place], upper[number, place] = bounds
    return lower, upper


@pytest.mark.parametrize(
    ("cell", "hidden", "precision"),
    [
        (CELLS["lstm"], 1, "float32"), (CELLS["lstm"], 1, "float64"), (CELLS["rnn"], 4, "float32"),
        (KNOWN["slstm"], 1, "float32"), (KNOWN["stack_rnn_1"], 2, "float32"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_never_sure(cell: Cell, hidden: int, precision: str) -> None:
    layout, rng = Layout(cell, 2, hidden, 2), np.random.default_rng(1)
    networks, width = scaled_networks(layout, 20, precision, rng), sum(layout.state_sizes)
    lower, upper = _nothing_in_each(width, precision)
    for run in range(len(networks)):
        low, high = target_boxes(networks, run, [0], lower, upper)[0]
        assert not ((low > -LARGEST) & (high < LARGEST)).all(axis=1).any()
        broken = networks.parameters[run].copy()
        broken[run] = _NOTHING[run % len(_NOTHING)][run % 2]
        start = np.zeros((1, width), precision)
        low, high = target_boxes(Networks(layout, broken[None]), 0, [0, 0], start, start)[-1]
        assert np.isfinite(broken[run]) or not ((low > -LARGEST) & (high < LARGEST)).all()


def test_nor_is_the_smaller_of_it_and_a_number() -> None:
    networks = scaled_networks(Layout(limited, 2, 1, 2), 20, "float32", np.random.default_rng(1))
    lower, upper = _nothing_in_each(1, "float32")
    for run in range(len(networks)):
        low, high = target_boxes(networks, run, [0], lower, upper)[0]
        assert not ((low > -LARGEST) & (high < LARGEST)).all(axis=1).any()
