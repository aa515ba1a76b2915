"""Exploring all words of a language at once, length by length, with the states they lead a network to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.rounding import decision_margin
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.influence import influences
from abacist.analysis.horizons.layers import Layer, Ways, ways_on
from abacist.cells import Layout
from abacist.compiler import reached_numbers
from abacist.errors import BadInput
from abacist.specs import Networks
from abacist.targets import target_for

Array = NDArray[Any]

#: The cells of a grid are this wide to begin with, and then as wide as they must be.
_FIRST_WIDTH = 1e-4

#: How many numbers the boxes of one length may have in all; where states are not small, with what all symbols
#: make of them: half a gigabyte in float32.
_NUMBERS, _SMALL = 2**27, 64

#: Told the length reached, the limit and how many states there are; says whether to go on.
Going = Callable[[int, int, int], bool]


def always(_length: int, _limit: int, _states: int) -> bool:
    """Go on to the end."""
    return True


def with_room(most: int, layout: Layout) -> int:
    """So many boxes, or fewer, if a cell's states are so large that they would not fit into memory."""
    states, outputs = sum(layout.state_sizes), layout.outputs
    numbers = states + outputs if states <= _SMALL else states + layout.inputs * (states + outputs)
    return min(most, _NUMBERS // (2 * numbers))


def layer_bytes(most: int, layout: Layout, precision: str) -> int:
    """Bytes that so many boxes of one length take, with what all symbols make of them."""
    states, results = sum(layout.state_sizes), sum(layout.state_sizes) + layout.outputs
    return with_room(most, layout) * 2 * (states + layout.inputs * results) * np.dtype(precision).itemsize


class Exploration:
    """A layer of states, or of boxes of states, and the way to the next.

    `states` is (row, place), in the order of the layer's configurations; `after`, (symbol, row, place),
    is what each symbol makes of them. `budget` is how many a configuration may have, and `most` how many
    all of one length may have together: where there are many configurations, each has fewer. `matter` are
    the influences of the network's states, if they are known.
    """

    def __init__(
        self,
        networks: Networks,
        run: int,
        known: Configurations,
        *,
        boxes: bool,
        budget: int,
        steps: str,
        most: int | None = None,
        matter: Array | None = None,
    ) -> None:
        networks.check_language(known.language)
        if budget < 1:
            raise BadInput(f"horizon: budget must be at least 1, got {budget}")
        run = networks.checked_run(run)
        self._stepper = target_for(networks.layout).stepping(networks, run, boxes)
        self._symbols, self._steps = len(known.successors), steps
        self._widths: Array = np.zeros(0)
        self._influences = influences(networks, run, known) if matter is None else matter
        self._layout = networks.layout
        self.known, self.length = known, 0
        self.budget, self._most = budget, most
        self.margin = decision_margin(str(networks.parameters.dtype))
        self.states, self.after = self._stepper.rows(1, self._stepper.width), self._room(1)
        self.layer = Layer(np.zeros(1, np.int64), np.array([0, 1]))
        self.table, self.keys = np.empty(4 * budget + 1, np.int64), np.empty(4 * budget + 1, np.uint64)

    def _room(self, count: int) -> Array:
        stepper = self._stepper
        return stepper.rows(count, self._symbols * stepper.results).reshape(
            self._symbols, stepper.results, -1
        )

    @property
    def _numbers(self) -> NDArray[np.int64]:
        """Those of a state that may differ from zero in the next layer; the others are zeros."""
        return reached_numbers(self._layout, self.length + 1)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which numbers of a state, and which sums behind them, count in the next layer."""
        width = len(self._influences)
        return np.concatenate([self._numbers, np.arange(width, width + self._layout.outputs)])

    @property
    def influences(self) -> Array:
        """How much each number that counts matters."""
        return np.asarray(self._influences[self._numbers])

    def ways(self, limit: int) -> Ways | None:
        """The ways to the next layer, None where no word of fewer than `limit` symbols goes on."""
        ways = ways_on(self.known, self.layer, self.length, limit)
        return ways if len(ways.configurations) else None

    def step(self, ways: Ways) -> int:
        """Read one symbol more: fills `after`, and makes room for so many states of the next layer."""
        count = self.layer.count
        if self.after.shape[2] < count:
            del self.after  # before there is another one
            self.after = self._room(self._ahead(count))
        for symbol in np.unique(ways.symbols):
            self._stepper(int(symbol), self.states, self.after[symbol], count)
        candidates = np.add.reduceat(np.diff(self.layer.starts)[ways.sources], ways.starts[:-1])
        room = int(np.minimum(candidates, self.allowed(ways)).sum())
        if self.states.shape[1] < room:
            del self.states
            self.states = self._stepper.rows(self._ahead(room), self._stepper.width)
        if len(self._widths) < len(self.known):
            more = np.full(2 * len(self.known) - len(self._widths), _FIRST_WIDTH)
            self._widths = np.concatenate([self._widths, more])
        return room

    def _ahead(self, count: int) -> int:
        """Room for so many states and for those of some further layers, but for no more than there may be."""
        return max(count, 2 * count if self._most is None else min(2 * count, self._most))

    def allowed(self, ways: Ways) -> int:
        """How many states each configuration of the next layer may have."""
        if self._most is None:
            return self.budget
        return min(self.budget, max(1, self._most // len(ways.configurations)))

    def widths(self, ways: Ways) -> Array:
        """How wide the cells of each configuration's grid were when it was last met."""
        return self._widths[ways.configurations]

    def targets(self, ways: Ways) -> tuple[Array, Array]:
        """What is right, (configuration, output), and whether it counts, (configuration,)."""
        counted = self.known.last if self._steps == "last" else np.ones_like(self.known.last)
        return self.known.targets[ways.configurations], counted[ways.configurations]

    def finish(self, ways: Ways, starts: Array, widths: Array) -> None:
        """The next layer is made."""
        self._widths[ways.configurations] = widths
        self.layer, self.length = Layer(ways.configurations, starts), self.length + 1
