"""Launching programs: how they lie on the device, what is copied there, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_double, c_int
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.corpora import Words
from abacist.specs import Spec
from abacist.targets.cuda.driver import Buffer, DeviceFull, Kernel, device
from abacist.targets.cuda.laying_program import LAYING_BLOCK, LAYING_PROGRAM
from abacist.targets.cuda.network import parameters_of
from abacist.targets.cuda.nvrtc import compile_for
from abacist.targets.cuda.rules import numbers_of
from abacist.targets.cuda.training_program import (
    Shape,
    table_width,
    tape_width,
    training_program,
)
from abacist.targets.cuda.words import Part, Slots, slots_for
from abacist.targets.target import TrainingState

Array = NDArray[Any]

#: Threads of a block; registers of a multiprocessor, and the most that a thread has.
_BLOCK, _REGISTERS, _MOST_REGISTERS = 64, 65_536, 255

#: Numbers in the registers of a thread besides weights and gradients, about.
_OTHER_REGISTERS = 70

#: Parameters that a lane has at most, and lanes of a run.
_MOST_SLOTS, _MOST_LANES = 110, 32

#: Bytes of shared memory that the device keeps of a block; blocks below which memory is the better place.
_SHARED_BY_OTHERS, _FEWEST_BLOCKS = 1_024, 2

#: How much of the memory that is free a wave may take.
_SHARE_OF_MEMORY = 0.8

#: Bytes that the words of a wave may take there.
_MOST_WORDS = 8 << 30


def lanes_for(layout: Layout) -> int:
    """How many threads share a run: one as long as weights and gradients fit into its registers."""
    lanes = 1
    while parameters_of(layout, lanes).slots > _MOST_SLOTS and lanes < _MOST_LANES:
        lanes *= 2
    return lanes


def shape_for(layout: Layout, precision: str, longest: int) -> Shape:
    """How a training program lies on the device, for words of some length: as many blocks as have room.

    Where shared memory has no room for the states of a word, they lie in memory.
    """
    lanes, size = lanes_for(layout), np.dtype(precision).itemsize
    numbers = 2 * parameters_of(layout, lanes).slots + _OTHER_REGISTERS
    blocks = _REGISTERS // (_BLOCK * min(_MOST_REGISTERS, numbers * size // 4))
    shape = Shape(lanes, _BLOCK, blocks, True)
    room = device().shared // (shared_bytes(layout, precision, shape, longest) + _SHARED_BY_OTHERS)
    if room >= min(blocks, _FEWEST_BLOCKS):
        return Shape(lanes, _BLOCK, min(blocks, room), True)
    return Shape(lanes, _BLOCK, blocks, False)


@lru_cache(maxsize=256)  # a block that was planned must still fit when others have taken memory
def wave(spec: Spec) -> int:
    """How many runs are trained at a time: those that are in flight at once, if there is memory for them.

    Each corpus may have words as long as any. Here words take several times the room that they take on
    the device, so there are fewer runs where each has words of its own.
    """
    layout, itemsize = spec.layout, np.dtype(spec.precision).itemsize
    split = spec.recipe(0).splits[0]
    shape = shape_for(layout, spec.precision, split.window.high)
    words = 4 * split.count * (split.window.high + 1 + itemsize // 4)
    tape = 0 if shape.shared_tape else split.window.high * tape_width(layout, shape.lanes) * shape.lanes
    run = itemsize * (3 * parameters_of(layout, shape.lanes).slots * shape.lanes + tape)
    in_flight = device().multiprocessors * shape.blocks * shape.block // shape.lanes
    room = int(_SHARE_OF_MEMORY * device().free)
    if room < words + run:
        raise DeviceFull(
            f"CUDA: {device().name} has not the memory for a single run of {split.count:,} words"
        )
    corpora = max(1, min(room, _MOST_WORDS) // words)
    if 0 < spec.pool <= corpora:
        return max(1, min(in_flight, (room - spec.pool * words) // run))
    return max(1, min(in_flight, corpora, room // (words + run)))


def shared_bytes(layout: Layout, precision: str, shape: Shape, longest: int) -> int:
    """The shared memory of a block."""
    numbers = table_width(layout, shape.lanes)
    if shape.shared_tape:
        numbers += longest * tape_width(layout, shape.lanes)
    return numbers * shape.block * np.dtype(precision).itemsize


@lru_cache(maxsize=64)
def training_kernel(
    layout: Layout,
    precision: str,
    shape: Shape,
    shared: int,
    optimiser: str = "adam",
    objective: str = "squared",
) -> Kernel:
    text = training_program(layout, precision, shape, optimiser, objective)
    return Kernel(compile_for(text, device().architecture), "train", shared)


@lru_cache(maxsize=1)
def _laying_kernel() -> Kernel:
    return Kernel(compile_for(LAYING_PROGRAM, device().architecture), "lay")


def lay(part: Part, lengths: Buffer, starts: Buffer, rows: Buffer, columns: int) -> None:
    """Lay some corpora into their columns of `rows`, (step, column)."""
    slots, count = part.begins.shape
    _laying_kernel()(
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
        self._threads = self._grid * shape.block
        shared = shared_bytes(layout, precision, shape, longest)
        self.kernel = training_kernel(layout, precision, shape, shared, spec.optimiser, spec.objective)
        self._corpora = len(own.corpora)
        lengths, starts = Buffer.of(own.lengths), Buffer.of(own.starts)
        self._words = [_side_by_side(own, lengths, starts), lengths, Buffer.of(own.scales), starts]
        self._corpus_of = Buffer.of(own.corpus_of)
        spread = [
            self._own.spread(array, self._threads) for array in (state.parameters, state.first, state.second)
        ]
        self._weights, self._moments = Buffer.of(spread[0]), Buffer.of(np.stack(spread[1:], axis=-1))
        size = np.dtype(precision).itemsize
        room = 0 if shape.shared_tape else longest * tape_width(layout, shape.lanes) * self._threads * size
        self._tape = Buffer(room)
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
        updates = self._updates + 1 + np.arange(-(-(end - begin) // spec.batch))
        self._order = Buffer.of(order.astype(np.int32))
        self._corrections = Buffer.of(numbers_of(spec, updates))
        self.kernel(
            self._grid,
            self.shape.block,
            (
                *self._words, self._order, self._corpus_of, self._corrections, self._weights, self._moments,
                self._tape, self._losses, c_int(self._runs), c_int(self._corpora), c_int(begin), c_int(end),
                c_int(spec.batch), c_double(spec.beta1), c_double(spec.beta2), c_double(spec.epsilon),
                c_double(1 - spec.rate * spec.decay),
            ),
        )  # fmt: skip

    def state(self) -> TrainingState:
        device()
        spec = self._spec
        kind, shape = spec.precision, (self._own.slots, self._threads)
        moments = self._moments.read((*shape, 2), kind)
        weights, first, second = (
            self._own.gathered(array, self._runs)
            for array in (self._weights.read(shape, kind), moments[..., 0], moments[..., 1])
        )
        weights[:, self._own.unused] = self._unused * (1 - spec.rate * spec.decay) ** self._advanced
        return TrainingState(weights, first, second, self._updates)
