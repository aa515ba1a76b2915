"""Launching programs: what is copied to the device, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words
from abacist.specs import Spec
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.network import parameters_of
from abacist.targets.cuda.rules import numbers_of
from abacist.targets.cuda.shapes import shape_for, shared_bytes, tape_bytes
from abacist.targets.cuda.training_program import Shape, training_program
from abacist.targets.cuda.words import LAYING_BLOCK, LAYING_PROGRAM, Part, Slots, slots_for
from abacist.targets.target import TrainingState

Array = NDArray[Any]


def lay(part: Part, lengths: Buffer, starts: Buffer, rows: Buffer, columns: int) -> None:
    """Lay some corpora into their columns of `rows`, (step, column)."""
    slots, count = part.begins.shape
    kernel(LAYING_PROGRAM, "lay")(
        -(-slots * count // LAYING_BLOCK),
        LAYING_BLOCK,
        (
            Buffer.of(part.codes), Buffer.of(part.begins), lengths, starts, rows, c_int(slots),
            c_int(columns), c_int(part.first), c_int(count),
        ),
    )  # fmt: skip


def _side_by_side(own: Slots, lengths: Buffer, starts: Buffer) -> Buffer:
    """The codes of all corpora, (step, corpus)."""
    rows = Buffer.zeros(4 * max(own.rows, 1) * len(own.corpora))
    for part in own.parts():
        lay(part, lengths, starts, rows, len(own.corpora))
    return rows


class CudaTraining:
    """Runs side by side, a few threads each."""

    def __init__(
        self,
        spec: Spec,
        state: TrainingState,
        words: Sequence[Words],
        slots: Sequence[NDArray[np.int64]],
        shape: Shape | None = None,
    ) -> None:
        device()
        layout, precision = spec.layout, spec.precision
        own = slots_for(words, slots, precision)
        self._spec, self._runs, self._lengths = spec, len(words), own.lengths
        longest = int(own.lengths.max(initial=0))
        self.shape = shape = shape or shape_for(layout, precision, longest)
        self._own = parameters_of(layout, shape.lanes, spec.objective)
        self._grid = -(-self._runs * shape.lanes // shape.block)
        shared = shared_bytes(layout, precision, shape, longest)
        program = training_program(layout, precision, shape, spec.optimiser, spec.objective)
        self.kernel = kernel(program, "train", shared)
        self._corpora = len(own.corpora)
        lengths, starts = Buffer.of(own.lengths), Buffer.of(own.starts)
        self._words = [_side_by_side(own, lengths, starts), lengths, Buffer.of(own.scales), starts]
        self._corpus_of = Buffer.of(own.corpus_of)
        spread = [
            self._own.spread(array, shape.block) for array in (state.parameters, state.first, state.second)
        ]
        self._weights, self._moments = Buffer.of(spread[0]), Buffer.of(np.stack(spread[1:], axis=-1))
        self._tape = Buffer(tape_bytes(layout, precision, shape, longest) * self._grid)
        self._losses = Buffer.zeros(8 * self._runs)
        self._updates, self._advanced = state.updates, 0
        self._unused = state.parameters[:, self._own.unused]

    @property
    def slots(self) -> int:
        return len(self._lengths)

    @property
    def mean_length(self) -> float:
        return float(self._lengths.max(axis=1, initial=0).mean())

    def advance(self, order: NDArray[np.int64], begin: int, end: int) -> Array:
        device()
        spec = self._spec
        self._losses.fill(np.zeros(self._runs))
        self.launch(order, begin, end)
        losses = self._losses.read((self._runs,), np.float64)
        more = -(-(end - begin) // spec.batch)
        self._updates, self._advanced = self._updates + more, self._advanced + more
        return losses

    def launch(self, order: NDArray[np.int64], begin: int, end: int) -> None:
        """The same, without waiting for it."""
        spec = self._spec
        first = self._updates + 1
        self._order = Buffer.of(order.astype(np.int32))
        self._rules = Buffer.of(numbers_of(spec, first, first + -(-(end - begin) // spec.batch)))
        self.kernel(
            self._grid,
            self.shape.block,
            (
                *self._words, self._order, self._corpus_of, self._rules, self._weights, self._moments,
                self._tape, self._losses, c_int(self._runs), c_int(self._corpora), c_int(begin), c_int(end),
                c_int(spec.batch),
            ),
        )  # fmt: skip

    def state(self) -> TrainingState:
        device()
        spec = self._spec
        kind, shape = spec.precision, (self._grid, self._own.slots, self.shape.block)
        moments = self._moments.read((*shape, 2), kind)
        weights, first, second = (
            self._own.gathered(array, self._runs)
            for array in (self._weights.read(shape, kind), moments[..., 0], moments[..., 1])
        )
        weights[:, self._own.unused] = self._unused * (1 - spec.rate * spec.decay) ** self._advanced
        return TrainingState(weights, first, second, self._updates)
