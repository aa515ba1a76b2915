"""The Numba target itself: words packed for lanes, arrays laid out, kernels called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.compiler import (
    judging_program,
    judging_tables,
    room_width,
    step_graph,
    tape_width,
    trace_tape,
    tracing_program,
    training_program,
)
from abacist.corpora import Words
from abacist.specs import Networks, Spec
from abacist.targets.numba.lane_memory import aligned, has_lookup
from abacist.targets.numba.lanes import ABREAST, LANES
from abacist.targets.numba.packing import pack_runs, pack_words
from abacist.targets.numba.programs import kernel
from abacist.targets.target import TrainingState

Array = NDArray[Any]


class NumbaTraining:
    """A block of runs, a lane each."""

    def __init__(self, spec: Spec, state: TrainingState, words: Sequence[Words]) -> None:
        layout, lanes = spec.layout, LANES[spec.precision]
        self._spec, self._lanes, self._runs = spec, lanes, len(words)
        self._packed = pack_runs(words, layout.inputs, lanes, spec.precision)
        self._kernel = kernel(training_program, layout, spec.precision, "train")
        width, scratch = tape_width(layout)
        self._weights, self._first, self._second = (self._vectors(layout.size) for _ in range(3))
        chosen = [*range(self._runs), *([0] * (lanes - self._runs))]
        for room, source in (
            (self._weights, state.parameters),
            (self._first, state.first),
            (self._second, state.second),
        ):
            room.reshape(layout.size, lanes)[:] = source[chosen].T
        self._updates = state.updates
        self._gradient, self._adjoint = self._vectors(layout.size), self._vectors(scratch)
        self._losses = self._vectors(1)
        self._tape = self._vectors(width * (int(self._packed.lengths.max(initial=0)) + 1))

    def _vectors(self, count: int) -> Array:
        return aligned((count * self._lanes,), self._spec.precision)

    @property
    def slots(self) -> int:
        return len(self._packed.lengths)

    @property
    def mean_length(self) -> float:
        return float(self._packed.lengths.mean())

    def advance(self, order: NDArray[np.int64], begin: int, end: int) -> Array:
        spec, packed = self._spec, self._packed
        self._losses[:] = 0
        self._updates = self._kernel(
            order, packed.starts, packed.lengths, packed.codes, packed.counted, packed.targets,
            packed.scales, self._weights, self._first, self._second, self._gradient, self._tape,
            self._adjoint, self._losses, begin, end, spec.batch, self._updates, spec.rate, spec.beta1,
            spec.beta2, spec.epsilon,
        )  # fmt: skip
        return self._losses[: self._runs].copy()

    def state(self) -> TrainingState:
        rooms = (self._weights, self._first, self._second)
        weights, first, second = (room.reshape(-1, self._lanes).T[: self._runs].copy() for room in rooms)
        return TrainingState(weights, first, second, self._updates)


@dataclass(frozen=True)
class NumbaTarget:
    """Programs printed in Python, compiled by Numba."""

    name: str = "numba"

    def refusal(self, layout: Layout) -> str | None:
        return None

    def block(self, precision: str) -> int:
        return LANES[precision]

    def training(self, spec: Spec, state: TrainingState, words: Sequence[Words]) -> NumbaTraining:
        return NumbaTraining(spec, state, words)

    def judging(self, networks: Networks, run: int, words: Words) -> Callable[[], NDArray[np.int64]]:
        layout, precision = networks.layout, str(networks.parameters.dtype)
        lanes = ABREAST * LANES[precision]
        packed, places = pack_words(words, layout.inputs, lanes, precision)
        groups = len(packed.lengths)
        verdicts = aligned((groups * lanes,), precision)
        where = np.empty(len(words.lengths), np.int64)
        where[places] = np.arange(len(places))
        room = aligned((room_width(layout) * lanes,), precision)
        weights = networks.parameters[run].copy()
        fits = has_lookup(precision, layout.inputs)
        tables = _tables(networks, run) if fits else aligned((1,), precision)
        judge = kernel(judging_program, layout, precision, "judge", fits)

        def judge_them() -> NDArray[np.int64]:
            judge(
                packed.starts, packed.lengths, packed.codes, packed.counted, packed.targets,
                weights, tables, room, verdicts, 0, groups,
            )  # fmt: skip
            return verdicts[where].astype(np.int64)

        return judge_them

    def tracing(self, networks: Networks, run: int, word: Sequence[int]) -> dict[str, Array]:
        layout, precision = networks.layout, str(networks.parameters.dtype)
        lanes, steps = LANES[precision], len(word)
        graph = step_graph(layout)
        tape = trace_tape(graph)
        codes = aligned((max(steps, 1), lanes), np.uint8)
        codes[:steps] = np.asarray(word, np.uint8)[:, None]
        history = aligned(((steps + 1) * tape.width * lanes,), precision)
        weights = networks.parameters[run].copy()
        kernel(tracing_program, layout, precision, "trace")(steps, codes.reshape(-1), weights, history)
        rows = history.reshape(steps + 1, tape.width, lanes)[:, :, 0]
        values = {}
        for index, name in enumerate(layout.cell.states):
            values[name] = rows[1:, index * layout.hidden : (index + 1) * layout.hidden].copy()
        for symbol, offset in tape.offsets.items():
            name = graph.names.get(symbol, "")
            if symbol.arguments and name:
                values.setdefault(name, rows[:-1, offset : offset + symbol.size].copy())
        return values


def _tables(networks: Networks, run: int) -> Array:
    """What each symbol adds to each sum: a register a row, the symbol's number the lane."""
    tensors, parts = networks.tensors(run), judging_tables(networks.layout)
    precision = str(networks.parameters.dtype)
    tables = aligned((sum(part.matrix.rows for part in parts), LANES[precision]), precision)
    for part in parts:
        rows = slice(part.matrix.first_row, part.matrix.first_row + part.matrix.rows)
        value = tensors[part.matrix.tensor][rows]
        for tensor, first in part.biases:
            value = value + tensors[tensor][first : first + part.matrix.rows, None]
        tables[part.row : part.row + part.matrix.rows, : part.matrix.columns] = value
    return tables.reshape(-1)


TARGET = NumbaTarget()
