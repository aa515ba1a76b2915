"""Launching programs: words packed for lanes, arrays laid out, kernels called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import plan_boxes, plan_judging, plan_stepping, plan_tracing, plan_training
from abacist.corpora import Words
from abacist.errors import BadInput
from abacist.specs import Networks, Spec
from abacist.targets.numba.forward_programs import (
    JUDGE_ARGUMENTS,
    TRACE_ARGUMENTS,
    judging_program,
    tracing_program,
)
from abacist.targets.numba.lane_memory import aligned, has_lookup
from abacist.targets.numba.packing import pack_runs, pack_words
from abacist.targets.numba.programs import kernel
from abacist.targets.numba.stepping_program import STEP_ARGUMENTS, stepping_program
from abacist.targets.numba.training_program import arguments_of, training_program
from abacist.targets.numba.widths import JUDGING_REGISTERS, LANES, STEPPING_REGISTERS
from abacist.targets.target import TrainingState

Array = NDArray[Any]


class NumbaTraining:
    """A block of runs, a lane each."""

    def __init__(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> None:
        layout, lanes = spec.layout, LANES[spec.precision]
        self._spec, self._lanes, self._runs = spec, lanes, len(words)
        self._packed = pack_runs(words, slots, layout.inputs, lanes, spec.precision)
        options = (layout, spec.precision, spec.rule, spec.objective)
        self._kernel = kernel(training_program, arguments_of(spec.rule), *options)
        self._settings = {name: getattr(spec, name) for name in spec.rule.settings}
        plan = plan_training(layout, spec.objective)
        self._weights, self._first, self._second = (self._vectors(layout.size) for _ in range(3))
        chosen = [*range(self._runs), *([0] * (lanes - self._runs))]
        for room, source in (
            (self._weights, state.parameters),
            (self._first, state.first),
            (self._second, state.second),
        ):
            room.reshape(layout.size, lanes)[:] = source[chosen].T
        self._updates = state.updates
        self._gradient, self._adjoint = self._vectors(layout.size), self._vectors(plan.scratch.width)
        self._losses = self._vectors(1)
        self._tape = self._vectors(plan.tape.width * (int(self._packed.lengths.max(initial=0)) + 1))

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
            order=order, starts=packed.starts, lengths=packed.lengths, codes=packed.codes,
            counted_steps=packed.counted, targets=packed.targets, scales=packed.scales,
            weights=self._weights, first=self._first, second=self._second, gradient=self._gradient,
            tape=self._tape, adjoint=self._adjoint, losses=self._losses, begin=begin, end=end,
            batch=spec.batch, updates=self._updates, **self._settings,
        )  # fmt: skip
        return self._losses[: self._runs].copy()

    def state(self) -> TrainingState:
        rooms = (self._weights, self._first, self._second)
        weights, first, second = (room.reshape(-1, self._lanes).T[: self._runs].copy() for room in rooms)
        return TrainingState(weights, first, second, self._updates)


def judging(networks: Networks, words: Words) -> Callable[[int], Callable[[], NDArray[np.int64]]]:
    """Make words ready for networks; see `Target`."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    lanes = JUDGING_REGISTERS * LANES[precision]
    packed, places = pack_words(words, layout.inputs, lanes, precision)
    groups = len(packed.lengths)
    where = np.empty(len(words.lengths), np.int64)
    where[places] = np.arange(len(places))
    fits = has_lookup(precision, layout.inputs)
    width = plan_judging(layout, fits).room.width
    judge = kernel(judging_program, JUDGE_ARGUMENTS, layout, precision, fits, words.partial)

    def ready(run: int) -> Callable[[], NDArray[np.int64]]:
        weights, verdicts = networks.parameters[run].copy(), aligned((groups * lanes,), precision)
        tables = _tables(networks, run) if fits else aligned((1,), precision)
        room = aligned((2 * width * lanes,), precision)

        def judge_them() -> NDArray[np.int64]:
            judge(
                starts=packed.starts, lengths=packed.lengths, codes=packed.codes,
                counted_steps=packed.counted, targets=packed.targets, weights=weights, tables=tables,
                room=room, verdicts=verdicts, begin=0, end=groups,
            )  # fmt: skip
            return verdicts[where].astype(np.int64)

        return judge_them

    return ready


def tracing(networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
    """For every word every named value of a network on it; see `Target`. A word goes into every lane."""
    lanes = LANES[str(networks.parameters.dtype)]
    blocks = (words[first : first + lanes] for first in range(0, len(words), lanes))
    return [values for block in blocks for values in _traced(networks, run, block)]


def _traced(networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
    """As many words as there are lanes, or fewer."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    lanes, steps = LANES[precision], max(map(len, words))
    plan = plan_tracing(layout)
    tape, names = plan.room, plan.graph.names
    codes = aligned((max(steps, 1), lanes), np.uint8)
    for lane, word in enumerate(words):
        codes[: len(word), lane] = word
    history = aligned(((steps + 1) * tape.width * lanes,), precision)
    weights = networks.parameters[run].copy()
    trace = kernel(tracing_program, TRACE_ARGUMENTS, layout, precision)
    trace(steps=steps, codes=codes.reshape(-1), weights=weights, history=history)
    rows = history.reshape(steps + 1, tape.width, lanes)
    states = zip(layout.cell.state_names, layout.state_starts, layout.state_sizes, strict=True)
    places = {name: (1, start, size) for name, start, size in states}
    for symbol, offset in tape.offsets.items():
        name = names.get(symbol, "")
        if symbol.arguments and name:
            places.setdefault(name, (0, offset, symbol.size))
    values = {
        name: rows[later : later + steps, start : start + size].transpose(2, 0, 1).copy()
        for name, (later, start, size) in places.items()
    }
    return [
        {name: of_all[lane, : len(word)] for name, of_all in values.items()}
        for lane, word in enumerate(words)
    ]


class NumbaStepper:
    """A network that takes states, or boxes, one symbol further: a lane each. See `Stepper`."""

    def __init__(self, networks: Networks, run: int, boxes: bool) -> None:
        layout, self._precision = networks.layout, str(networks.parameters.dtype)
        plan = plan_boxes(layout, self._precision) if boxes else plan_stepping(layout)
        self.width, self.results = plan.before.width, plan.after.width
        self._lanes = STEPPING_REGISTERS * LANES[self._precision]
        self._weights = plan.parameters(networks.parameters[run])
        self._room = aligned((plan.room.width * self._lanes,), self._precision)
        self._step = kernel(stepping_program, STEP_ARGUMENTS, layout, self._precision, boxes).function

    def rows(self, count: int, numbers: int) -> Array:
        groups = -(-max(count, 1) // self._lanes)
        odd = groups | 1  # rows that are a power of two apart would all want the same place in the cache
        return aligned((numbers, odd * self._lanes), self._precision)

    def __call__(self, symbol: int, before: Array, after: Array, count: int) -> None:
        whole = before.flags.c_contiguous and after.flags.c_contiguous
        # the program itself looks at addresses: asking NumPy takes as long as a thousand boxes
        if not (whole and self._step(symbol, before, after, count, self._weights, self._room)):
            raise BadInput("Stepper: states must lie in room made by its rows()")


def _tables(networks: Networks, run: int) -> Array:
    """What each symbol adds to each sum: a register a row, the symbol's number the lane."""
    tensors, parts = networks.tensors(run), plan_judging(networks.layout, True).tables.values()
    precision = str(networks.parameters.dtype)
    tables = aligned((sum(part.matrix.rows for part in parts), LANES[precision]), precision)
    for part in parts:
        rows = slice(part.matrix.first_row, part.matrix.first_row + part.matrix.rows)
        value = tensors[part.matrix.tensor][rows]
        for tensor, first in part.biases:
            value = value + tensors[tensor][first : first + part.matrix.rows, None]
        tables[part.row : part.row + part.matrix.rows, : part.matrix.columns] = value
    return tables.reshape(-1)
