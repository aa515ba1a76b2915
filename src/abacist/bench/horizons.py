"""The interval program against intervals in NumPy, and against the processor's peak."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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

    Until a process has once freed a large array, the C library gives the memory of NumPy's intermediate
    results back after every step, and gets it anew, which takes NumPy half as long again.
    """
    np.ones(_LARGE)
    for hidden in (1, 3):
        sides, meter = _Sides(hidden), Peak()
        ours, theirs, _ = side_by_side(_REPEATS, sides.boxes, sides.numpy, meter.measure)
        rate, other = _TIMES * _BOXES / ours, _BOXES / theirs
        yield Row(f"{sides.name}, against intervals in NumPy", _rate(rate), _rate(other), rate / other, 75)
        work = target_named().flops(boxes_work(sides.layout, "float32").step, "float32", boxes=True)
        yield meter.row(sides.name, rate * work)


class _Sides:
    """Steps of the same boxes, by a compiled program and by NumPy."""

    def __init__(self, hidden: int) -> None:
        self.layout = layout = Layout(cell_named("lstm"), 2, hidden, 2)
        self._networks = networks = Networks.initial(layout, [0])
        self._middle = middle = np.random.default_rng(0).normal(size=(_BOXES, sum(layout.state_sizes)))
        self.boxes = _stepping(target_for(layout).stepping(networks, 0, True), layout, middle)
        self.name = f"steps of boxes (LSTM, {hidden} unit{'s' * (hidden > 1)})"

    def numpy(self) -> None:
        step_boxes(self._networks, 0, 0, self._middle - _RADIUS, self._middle + _RADIUS)


def _stepping(stepper: Stepper, layout: Layout, middle: NDArray[np.float64]) -> Callable[[], None]:
    """Steps of a batch of boxes, many times: states with a radius, lower bounds before upper ones."""
    before, after = (stepper.rows(_BOXES, numbers) for numbers in (stepper.width, stepper.results))
    vectors = np.split(middle.T, layout.state_starts[1:])
    before[:, :_BOXES] = np.concatenate([bound for v in vectors for bound in (v - _RADIUS, v + _RADIUS)])

    def step() -> None:
        for _ in range(_TIMES):
            stepper(0, before, after, _BOXES)

    step()
    return step


def _rate(steps: float) -> str:
    return f"{steps / 1e6:.3g} M steps/s"
