"""Exploring all words of a language at once, length by length, with the states they lead a network to.

A layer is what words of one length lead to, by configuration.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.rounding import decision_margin
from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.cells import Layout
from abacist.compiler import reached_numbers
from abacist.errors import BadInput
from abacist.languages import refuse_recogniser
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.specs import Networks
from abacist.targets import target_for

next_layers = on_demand("abacist.analysis.horizons.next_layers")

#: Words that are followed, how many symbols of each, and how many steps ahead an influence is followed.
_WORDS, _SYMBOLS, _AHEAD = 256, 24, 24

#: Words that are followed where a memory is filled little by little: there are many numbers to be moved.
_FEW_WORDS = 32

#: How far a number is moved to see what becomes of it, and the least that it is taken to matter.
_SHIFT, _LEAST = 2.0**-7, 1e-3


def influences(networks: Networks, run: int, configurations: Configurations) -> NDArray[np.float64]:
    """The influence of each number of a state on later sums of the output layer, 1 for the largest.

    It is an estimate, by moving the states that random prefixes lead to: proofs do not rest on it, only
    where boxes are merged does. What these prefixes cannot have reached of a memory is taken to matter least.
    """
    reached = reached_numbers(networks.layout, _SYMBOLS)
    words = _WORDS if len(reached) == sum(networks.layout.state_sizes) else _FEW_WORDS
    stepper = target_for(networks.layout).stepping(networks, run, False)
    states, after = (stepper.rows(words, numbers) for numbers in (stepper.width, stepper.results))
    symbols = range(len(configurations.successors))
    here, rng = np.zeros(words, np.int64), np.random.default_rng(0)
    for _ in range(_SYMBOLS):
        configurations.expand(np.unique(here))
        following = configurations.successors[:, here]
        chosen = (rng.random(following.shape) * (following != NONE)).argmax(axis=0)
        ahead = following[chosen, np.arange(words)]
        read = states.copy()
        for symbol in symbols:
            stepper(symbol, states, after, words)
            mine = chosen == symbol
            read[:, :words][:, mine] = after[: stepper.width, :words][:, mine]
        alive = ahead != NONE
        states[:, :words][:, alive] = read[:, :words][:, alive]
        here = np.where(alive, ahead, here)
    slopes = np.zeros((stepper.results, stepper.width))
    for symbol in symbols:
        stepper(symbol, states, after, words)
        before = after.astype(np.float64)
        for number in reached:
            states[number] += _SHIFT
            stepper(symbol, states, after, words)
            states[number] -= _SHIFT
            moved = np.abs(after - before)[:, :words].mean(axis=1) / _SHIFT
            slopes[:, number] = np.maximum(slopes[:, number], moved)
    slopes = np.nan_to_num(slopes, posinf=0.0)
    result = np.full(stepper.width, _LEAST)
    counted = np.concatenate([reached, np.arange(stepper.width, stepper.results)])
    result[reached] = _summed(slopes[np.ix_(counted, reached)], len(reached))
    return result


def _summed(slopes: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """The influence of all later steps together, of which each begins with what the one before has."""
    on_states, reached = slopes[:width], slopes[width:].sum(axis=0)
    total = np.zeros(width)
    for _ in range(_AHEAD):
        total += reached
        reached = on_states.T @ reached
        if (largest := reached.max(initial=0.0)) > 1e30:
            total, reached = total / largest, reached / largest
    return np.asarray(np.maximum(total / max(total.max(initial=0.0), 1e-30), _LEAST))


Array = NDArray[Any]
Integers = NDArray[np.int64]

#: The cells of a grid are this wide to begin with, and then as wide as they must be.
_FIRST_WIDTH = 1e-4

#: How many numbers the boxes of one length may have in all; where states are not small, with what all symbols
#: make of them: half a gigabyte in float32.
_NUMBERS, _SMALL = 2**27, 64


@dataclass(frozen=True, eq=False)
class Ways:
    """How a layer leads to the next one: for each configuration there, the steps that lead to it.

    Those of configuration n are `symbols` and `sources` (numbers within the layer before) from
    `starts[n]` to `starts[n + 1]`.
    """

    configurations: Integers
    starts: Integers
    symbols: Integers
    sources: Integers


def ways_on(configurations: Configurations, layer: Integers, length: int, limit: int) -> Ways:
    """The ways on from the configurations of a length; only words of fewer than `limit` symbols count."""
    configurations.expand(layer)
    successors = configurations.successors[:, layer]
    alive = successors != NONE
    alive &= length + 1 + configurations.endings[np.where(alive, successors, 0)] < limit
    symbols, sources = np.nonzero(alive)
    reached, numbers = np.unique(successors[symbols, sources], return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(len(reached) + 1))
    return Ways(reached, starts, symbols[order], sources[order])


def boxes_that_fit(most: int, layout: Layout) -> int:
    """So many boxes, or fewer, if a cell's states are so large that they would not fit into memory."""
    states, outputs = sum(layout.state_sizes), layout.outputs
    numbers = states + outputs if states <= _SMALL else states + layout.inputs * (states + outputs)
    return min(most, _NUMBERS // (2 * numbers))


def layer_bytes(most: int, layout: Layout, precision: str) -> int:
    """Bytes that so many boxes of one length take, with what all symbols make of them."""
    states = sum(layout.state_sizes)
    bounds = 2 * (states + layout.inputs * (states + layout.outputs))
    return boxes_that_fit(most, layout) * bounds * np.dtype(precision).itemsize


class Exploration:
    """A layer of states, or of boxes of states, and the way to the next.

    `states` is (row, place); those of each configuration begin at `starts`, with one end more than
    configurations. `after`, (symbol, row, place), is what each symbol makes of them. It has `stopped` where
    it may not go on.

    `budget` is how many states, or boxes, a configuration may have, and `max_boxes` how many all of one
    length may have together: where there are many configurations, each has fewer, and a length with more
    configurations than that is the last. `steps` are those that count. `influence` is that of the network's
    states, if it is known. At a `deadline` of the performance counter the exploration stops. `progress` is
    called at every length.
    """

    def __init__(
        self,
        networks: Networks,
        run: int,
        configurations: Configurations,
        *,
        boxes: bool,
        budget: int,
        steps: str = "all",
        max_boxes: int = sys.maxsize,
        influence: Array | None = None,
        deadline: float = inf,
        progress: Progress | None = None,
    ) -> None:
        networks.check_language(configurations.language)
        if steps != "all":
            refuse_recogniser(configurations.language, f"horizon: steps {steps}")
        if budget < 1:
            raise BadInput(f"horizon: budget must be at least 1, got {budget}")
        run = networks.checked_run(run)
        self._stepper = target_for(networks.layout).stepping(networks, run, boxes)
        self._symbols, self.steps = len(configurations.successors), steps
        self._widths: Array = np.zeros(0)
        self._influence = influences(networks, run, configurations) if influence is None else influence
        self._layout = networks.layout
        self._deadline, self._progress = deadline, progress or Progress()
        self.configurations, self.length, self.stopped = configurations, 0, False
        self._budget, self._max_boxes = budget, max_boxes
        self._margin = decision_margin(str(networks.parameters.dtype))
        self.states, self.after = self._stepper.rows(1, self._stepper.width), self._results(1)
        self.layer, self.starts = np.zeros(1, np.int64), np.array([0, 1])
        self._table, self._keys = np.empty(4 * budget + 1, np.int64), np.empty(4 * budget + 1, np.uint64)

    def _results(self, count: int) -> Array:
        stepper = self._stepper
        rows = stepper.rows(count, self._symbols * stepper.results)
        return rows.reshape(self._symbols, stepper.results, -1)

    @property
    def _numbers(self) -> Integers:
        """Those of a state that may differ from zero in the next layer; the others are zeros."""
        return reached_numbers(self._layout, self.length + 1)

    @property
    def rows(self) -> Integers:
        """Which numbers of a state, and which sums behind them, count in the next layer."""
        width = len(self._influence)
        return np.concatenate([self._numbers, np.arange(width, width + self._layout.outputs)])

    def ways(self, limit: int) -> Ways | None:
        """The ways to the next layer; None at a stop, and if no word below the `limit` goes on."""
        ways = ways_on(self.configurations, self.layer, self.length, limit)
        if not len(ways.configurations):
            return None
        self._progress(text=f"length {self.length:,} of {limit - 1:,}")
        late = time.perf_counter() > self._deadline
        self.stopped = late or self.count > self._max_boxes
        return None if self.stopped else ways

    @property
    def count(self) -> int:
        """How many states the layer has."""
        return int(self.starts[-1])

    def places(self, ways: Ways) -> int:
        """How many states the next layer may have."""
        candidates = np.add.reduceat(np.diff(self.starts)[ways.sources], ways.starts[:-1])
        return int(np.minimum(candidates, self._allowed(ways)).sum())

    def _allowed(self, ways: Ways) -> int:
        """How many states each configuration of the next layer may have."""
        return min(self._budget, max(1, self._max_boxes // len(ways.configurations)))

    def advance(self, ways: Ways, kernel: Callable[..., None], *more: Any) -> None:
        """Read one symbol more; a kernel of `next_layers`, which is given more, makes the next layer."""
        count, capacity, reached = self.count, self.places(ways), ways.configurations
        counts = np.diff(self.starts)[ways.sources]  # of states that go each way
        before = np.append(0, np.cumsum(counts))
        shifts = (self.starts[ways.sources] - before[:-1]).astype(np.int32)
        places = np.arange(before[-1], dtype=np.int32) + np.repeat(shifts, counts)
        read = np.repeat(ways.symbols.astype(np.uint8), counts)
        if self.after.shape[2] < count:
            del self.after  # before there is another one
            self.after = self._results(self._ahead(count))
        for symbol in np.unique(ways.symbols):
            self._stepper(int(symbol), self.states, self.after[symbol], count)
        if self.states.shape[1] < capacity:
            del self.states
            self.states = self._stepper.rows(self._ahead(capacity), self._stepper.width)
        if len(self._widths) < len(self.configurations):
            wider = np.full(2 * len(self.configurations) - len(self._widths), _FIRST_WIDTH)
            self._widths = np.concatenate([self._widths, wider])
        widths, starts = self._widths[reached], np.zeros(len(reached) + 1, np.int64)
        counted = self.configurations.last | (self.steps != "last")
        kernel(
            self.after, read, places, before[ways.starts],
            self.configurations.targets[reached], counted[reached], self._influence[self._numbers],
            self._margin, self._allowed(ways), widths, self.states, starts, self._table, self._keys, *more,
        )  # fmt: skip
        self._widths[reached] = widths
        self.layer, self.starts, self.length = reached, starts, self.length + 1

    def _ahead(self, count: int) -> int:
        """Places for so many states and for those of further layers, but for no more than there may be."""
        return max(count, min(2 * count, self._max_boxes))
