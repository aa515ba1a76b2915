"""The interval program against intervals in NumPy, against the processor's peak, and against points."""

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
_BOXES, _TIMES = 4_096, 40

#: Half their width.
_RADIUS = 1e-3


def rows() -> Iterator[Row]:
    """All rows of the speed table that are about horizons, on one core."""
    for hidden in (1, 3):
        layout = Layout(cell_named("lstm"), 2, hidden, 2)
        networks = Networks.initial(layout, [0])
        boxes, points = (target_for(layout).stepping(networks, 0, own) for own in (True, False))
        middle = np.random.default_rng(0).normal(size=(_BOXES, sum(layout.state_sizes)))

        def plain(networks: Networks = networks, middle: NDArray[np.float64] = middle) -> None:
            step_boxes(networks, 0, 0, middle - _RADIUS, middle + _RADIUS)

        compiled, single = _stepping(boxes, layout, middle), _stepping(points, layout, middle)
        meter = Peak()
        ours, theirs, point, _ = side_by_side(7, compiled, plain, single, meter.measure)
        name = f"LSTM, {hidden} unit{'s' * (hidden > 1)}"
        rate = _TIMES * _BOXES / ours
        yield Row(
            f"steps of boxes ({name}), against intervals in NumPy",
            _rate(rate),
            _rate(_BOXES / theirs),
            rate / (_BOXES / theirs),
            100,
        )
        states = _rate(_TIMES * _BOXES / point)
        yield Row(f"steps of boxes ({name}), against steps of states", _rate(rate), states, point / ours, 0.2)
        work = target_named().flops(boxes_work(layout, "float32").step, "float32", boxes=True)
        yield meter.row(f"steps of boxes ({name})", rate * work)


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
