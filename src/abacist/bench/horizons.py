"""The interval program against intervals in NumPy, against the processor's peak, and against points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from abacist.bench.measure import Peak, Row, side_by_side
from abacist.cells import Layout, cell_named
from abacist.compiler import boxes_work
from abacist.engine.reference import step_boxes
from abacist.specs import Networks
from abacist.targets import Stepper, target_for, target_named

#: Boxes in a batch: as many as NumPy likes, and as fit into the second cache.
_BOXES, _TIMES, _REPEATS = 4_096, 40, 15

#: Numbers of an array of 31 MB, the largest that the C library takes for usual.
_LARGE = 3_900_000

#: Half their width.
_RADIUS = 1e-3


def rows() -> Iterator[Row]:
    """All rows of the speed table that are about horizons, on one core.

    They are measured in a process of their own. Until a process has once freed a large array, the C library
    gives the memory of NumPy's intermediate results back after every step, and gets it anew; a NumPy program
    begins like that. What other parts have done before must not decide which of the two is measured, so both
    are. Compiling is among these, and is done in another process.
    """
    for work in (_compiled, _measured):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            yield from process.submit(work).result()


def _compiled() -> list[Row]:
    """Nothing is measured here: what will be is in the cache."""
    for hidden in (1, 3):
        _Sides(hidden)
    return []


def _measured() -> list[Row]:
    found = [row for hidden in (1, 3) for row in _against_numpy(hidden)]
    np.ones(_LARGE)  # and freed
    again = "with memory that it has kept"
    return [*found, *(_peer_row(_Sides(hidden), f", {again}", 75) for hidden in (1, 3))]


class _Sides:
    """Steps of the same boxes, and of the states in their middles, by compiled programs and by NumPy."""

    def __init__(self, hidden: int) -> None:
        self.layout = layout = Layout(cell_named("lstm"), 2, hidden, 2)
        self._networks = networks = Networks.initial(layout, [0])
        self._middle = middle = np.random.default_rng(0).normal(size=(_BOXES, sum(layout.state_sizes)))
        self.boxes, self.points = (
            _stepping(target_for(layout).stepping(networks, 0, own), layout, middle) for own in (True, False)
        )
        self.name = f"steps of boxes (LSTM, {hidden} unit{'s' * (hidden > 1)})"

    def numpy(self) -> None:
        step_boxes(self._networks, 0, 0, self._middle - _RADIUS, self._middle + _RADIUS)


def _against_numpy(hidden: int) -> Iterator[Row]:
    sides, meter = _Sides(hidden), Peak()
    yield _peer_row(sides, "", 100)
    ours, point, _ = side_by_side(_REPEATS, sides.boxes, sides.points, meter.measure)
    rate = _TIMES * _BOXES / ours
    states = _rate(_TIMES * _BOXES / point)
    yield Row(f"{sides.name}, against steps of states", _rate(rate), states, point / ours, 0.2)
    work = target_named().flops(boxes_work(sides.layout, "float32").step, "float32", boxes=True)
    yield meter.row(sides.name, rate * work)


def _peer_row(sides: _Sides, how: str, at_least: float) -> Row:
    ours, theirs = side_by_side(_REPEATS, sides.boxes, sides.numpy)
    what = f"{sides.name}, against intervals in NumPy{how}"
    return Row(what, _rate(_TIMES * _BOXES / ours), _rate(_BOXES / theirs), _TIMES * theirs / ours, at_least)


def _stepping(stepper: Stepper, layout: Layout, middle: NDArray[np.float64]) -> Callable[[], None]:
    """Steps of a batch, many times; boxes are states with a radius, lower bounds before upper ones."""
    before, after = (stepper.rows(_BOXES, numbers) for numbers in (stepper.width, stepper.results))
    vectors = np.split(middle.T, layout.state_starts[1:])
    if stepper.width > middle.shape[1]:
        vectors = [bound for v in vectors for bound in (v - _RADIUS, v + _RADIUS)]
    before[:, :_BOXES] = np.concatenate(vectors)

    def step() -> None:
        for _ in range(_TIMES):
            stepper(0, before, after, _BOXES)

    step()
    return step


def _rate(steps: float) -> str:
    return f"{steps / 1e6:.3g} M steps/s"
