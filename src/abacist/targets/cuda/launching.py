"""Launching programs: what is copied to the device, and what comes back.

All networks judge at once, on words that lie on the device sorted by their lengths.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from ctypes import c_int
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.corpora import Words
from abacist.corpora.words import EITHER
from abacist.specs import Networks, Spec
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.judging_program import judging_program
from abacist.targets.cuda.parameters import parameters_of
from abacist.targets.cuda.shapes import lanes_for, shape_for, shared_bytes, tape_bytes
from abacist.targets.cuda.training_program import training_program
from abacist.targets.cuda.updating import check_rule, numbers_of
from abacist.targets.cuda.words import LAYING_BLOCK, LAYING_PROGRAM, Batch, Slots, codes_of, slots_for
from abacist.targets.target import Judging, Training, TrainingState
from abacist.threads import parallel_map

Array = NDArray[Any]

#: Threads of a block, and verdicts that are waited for at a time.
_BLOCK, _VERDICTS = 128, 1 << 26

#: Blocks that a network's words are divided among, at most.
_DIVIDED = 16

#: Networks of a launch, at most.
_MOST_NETWORKS = 65_535


def lay(batch: Batch, lengths: Buffer, starts: Buffer, rows: Buffer, columns: int) -> None:
    """Lay some corpora into their columns of `rows`, (step, column)."""
    slots, count = batch.begins.shape
    kernel(LAYING_PROGRAM, "lay")(
        -(-slots * count // LAYING_BLOCK),
        LAYING_BLOCK,
        (
            Buffer.of(batch.codes), Buffer.of(batch.begins), lengths, starts, rows, c_int(slots),
            c_int(columns), c_int(batch.first), c_int(count),
        ),
    )  # fmt: skip


def _side_by_side(placed: Slots, lengths: Buffer, starts: Buffer) -> Buffer:
    """The codes of all corpora, (step, corpus)."""
    rows = Buffer.zeros(4 * max(placed.rows, 1) * len(placed.corpora))
    for batch in placed.batches():
        lay(batch, lengths, starts, rows, len(placed.corpora))
    return rows


class CudaTraining(Training):
    """Runs side by side, a few threads each."""

    def __init__(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> None:
        check_rule(spec)
        device()
        layout, precision = spec.layout, spec.precision
        placed = slots_for(words, slots, precision)
        self._spec, self._runs, self.lengths = spec, len(words), placed.lengths.max(axis=1, initial=0)
        longest = int(self.lengths.max(initial=0))
        self._shape = shape = shape_for(layout, precision, longest)
        self._parameters = parameters_of(layout, shape.lanes, spec.objective)
        self._grid = -(-self._runs * shape.lanes // shape.block)
        shared = shared_bytes(layout, precision, shape, longest)
        program = training_program(layout, precision, shape, spec.optimiser, spec.objective)
        self.kernel = kernel(program, "train", shared)
        self._corpora = len(placed.corpora)
        lengths, starts = Buffer.of(placed.lengths), Buffer.of(placed.starts)
        self._words = [_side_by_side(placed, lengths, starts), lengths, Buffer.of(placed.scales), starts]
        self._corpus_of = Buffer.of(placed.corpus_of)
        spread = [
            self._parameters.spread(array, shape.block)
            for array in (state.parameters, state.first, state.second)
        ]
        self._weights, self._moments = Buffer.of(spread[0]), Buffer.of(np.stack(spread[1:], axis=-1))
        self._tape = Buffer(tape_bytes(layout, precision, shape, longest) * self._grid)
        self._losses = Buffer.zeros(8 * self._runs)
        self._updates, self._at_rate = state.updates, Counter[float]()  # updates at each rate
        self._unused = state.parameters[:, self._parameters.unused]

    def advance(
        self, order: NDArray[np.int64], begin: int, end: int, rate: float, noise: Array | None = None
    ) -> Array:
        device()
        spec = self._spec
        self._losses.fill(np.zeros(self._runs))
        self.launch(order, begin, end, rate)
        losses = self._losses.read((self._runs,), np.float64)
        more = -(-(end - begin) // spec.batch)
        self._updates += more
        self._at_rate[rate] += more
        return losses

    def launch(self, order: NDArray[np.int64], begin: int, end: int, rate: float) -> None:
        """The same, without waiting for it."""
        spec = self._spec
        first = self._updates + 1
        self._order = Buffer.of(order.astype(np.int32))
        self._rules = Buffer.of(numbers_of(spec, first, first + -(-(end - begin) // spec.batch), rate))
        self.kernel(
            self._grid,
            self._shape.block,
            (
                *self._words, self._order, self._corpus_of, self._rules, self._weights, self._moments,
                self._tape, self._losses, c_int(self._runs), c_int(self._corpora), c_int(begin), c_int(end),
                c_int(spec.batch),
            ),
        )  # fmt: skip

    def state(self) -> TrainingState:
        device()
        spec = self._spec
        kind, shape = spec.precision, (self._grid, self._parameters.slots, self._shape.block)
        moments = self._moments.read((*shape, 2), kind)
        weights, first, second = (
            self._parameters.gathered(array, self._runs)
            for array in (self._weights.read(shape, kind), moments[..., 0], moments[..., 1])
        )
        left = math.prod((1 - rate * spec.decay) ** updates for rate, updates in self._at_rate.items())
        weights[:, self._parameters.unused] = self._unused * left
        return TrainingState(weights, first, second, self._updates)


#: What `Target.training` makes.
training = CudaTraining


class JudgedWords:
    """The words of some corpora on the device, one corpus after the other, the longest words of each first.

    `bounds` are the places between corpora, (corpus + 1,), and `numbers` the number of each word in its own.
    """

    def __init__(self, corpora: Sequence[Words]) -> None:
        self.bounds = np.cumsum([0, *(len(words.lengths) for words in corpora)])
        self.count, self.partial = int(self.bounds[-1]), any(words.partial for words in corpora)
        self.numbers = np.empty(self.count, np.int64)
        lengths, begins = np.empty(self.count, np.int32), np.empty((1, self.count), np.int64)
        ends = np.cumsum([0, *(len(words.symbols) for words in corpora)])
        codes = np.empty(int(ends[-1]), np.uint32)
        free = np.zeros(len(codes) if self.partial else 0, np.uint32)

        def fill(number: int) -> None:
            words, places = corpora[number], slice(self.bounds[number], self.bounds[number + 1])
            self.numbers[places] = order = np.argsort(-words.lengths, kind="stable")
            lengths[places], begins[0, places] = words.lengths[order], ends[number] + words.offsets[order]
            codes[ends[number] : ends[number + 1]] = codes_of(words)
            for output in range(words.targets.shape[1] if words.partial else 0):
                either = (words.targets[:, output] == EITHER).astype(np.uint32)
                free[ends[number] : ends[number + 1]] |= either << np.uint32(output)

        parallel_map(fill, range(len(corpora)))
        self.lengths, self._start = Buffer.of(lengths), Buffer.zeros(4)
        self._rows = int(lengths.max(initial=1))
        self.codes = self._side_by_side(codes, begins)
        self.either = self._side_by_side(free, begins) if self.partial else Buffer(0)

    def _side_by_side(self, codes: NDArray[np.uint32], begins: NDArray[np.int64]) -> Buffer:
        """A number for each step, (step, place)."""
        rows = Buffer(4 * self._rows * self.count)
        lay(Batch(codes, begins, 0), self.lengths, self._start, rows, self.count)
        return rows


class Verdicts:
    """What networks, (network, parameter), make of the words of a corpus each: their first wrong steps."""

    def __init__(
        self, networks: Buffer, layout: Layout, precision: str, words: JudgedWords, of: Array
    ) -> None:
        spans = np.column_stack((words.bounds[of], words.bounds[of + 1])).astype(np.int32)
        self._ends = np.cumsum([0, *(spans[:, 1] - spans[:, 0])])
        self._verdicts = Buffer(4 * int(self._ends[-1]))
        lanes = lanes_for(layout)
        source = judging_program(layout, precision, lanes, _BLOCK, words.partial)
        shared = parameters_of(layout, lanes).shared_numbers * lanes * np.dtype(precision).itemsize
        most = int((spans[:, 1] - spans[:, 0]).max(initial=1))
        divided = min(_DIVIDED, -(-most * lanes // _BLOCK))
        self._kept = (Buffer.of(spans), Buffer.of(self._ends[:-1].astype(np.int64)), networks)
        where = (*self._kept[:2], self._verdicts, c_int(words.count))
        given = (words.codes, words.either, words.lengths, networks, *where)
        kernel(source, "judge", shared)((divided, len(of)), _BLOCK, given)

    def read(self) -> list[NDArray[np.int32]]:
        """For each network, in the order of places."""
        verdicts = self._verdicts.read((int(self._ends[-1]),), np.int32)
        return np.split(verdicts, self._ends[1:-1])


def judging(networks: Networks, words: Words) -> Judging:
    """Make words ready for networks; see `Target`. A whole wave of them judges together."""
    device()
    ready, lock = JudgedWords([words]), Lock()
    wave = max(1, min(_VERDICTS // max(ready.count, 1), _MOST_NETWORKS))
    cache: dict[int, NDArray[np.int64]] = {}

    def judged(run: int) -> NDArray[np.int64]:
        with lock:
            if run not in cache:
                device()
                first = run - run % wave
                weights = networks.parameters[first : first + wave]
                of = np.zeros(len(weights), np.int64)
                verdicts = Verdicts(Buffer.of(weights), networks.layout, str(weights.dtype), ready, of).read()
                rows = np.empty((len(weights), ready.count), np.int64)
                rows[:, ready.numbers] = verdicts
                cache.clear()
                cache.update(enumerate(rows, first))
            return cache[run]

    return lambda run: lambda: judged(run)


def accepted(networks: Networks, words: Sequence[Words], of: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many words of its corpus each network accepts; see `Target`."""
    device()
    ready, counts = JudgedWords(words), np.zeros(len(networks), np.int64)
    most = int(np.diff(ready.bounds).max(initial=1))
    wave = max(1, min(_VERDICTS // most, _MOST_NETWORKS))
    for first in range(0, len(networks), wave):
        weights, chosen = networks.parameters[first : first + wave], of[first : first + wave]
        verdicts = Verdicts(Buffer.of(weights), networks.layout, str(weights.dtype), ready, chosen).read()
        counts[first : first + wave] = [int((row < 0).sum()) for row in verdicts]
    return counts
