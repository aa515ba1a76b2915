"""Launching programs: words packed for lanes, arrays laid out, kernels called."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.compiler import plan_boxes, plan_judging, plan_stepping, plan_training
from abacist.compiler.statements import statement_lines
from abacist.corpora import Words
from abacist.errors import BadInput
from abacist.optimisers import MOMENTS
from abacist.specs import Networks, Spec
from abacist.targets.llvm import JUDGING_REGISTERS, LANES, STEPPING_REGISTERS
from abacist.targets.llvm.forward import judging_program, stepping_program, tracing_program
from abacist.targets.llvm.machine import Function, Program, processor
from abacist.targets.llvm.packing import aligned, pack_runs, pack_words
from abacist.targets.llvm.training import training_program
from abacist.targets.target import Judging, Training, TrainingState

Array = NDArray[Any]

#: The arguments of a training program that are the state of training.
_STATE = ("weights", *MOMENTS)

#: The number of pairs of arrays whose places a stepper remembers.
_MOST_PAIRS = 64


class LaneTraining(Training):
    """A block of runs, a lane each."""

    def __init__(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> None:
        layout, lanes, runs = spec.layout, LANES[spec.precision], len(words)
        packed = pack_runs(words, slots, layout.inputs, lanes, spec.precision)
        self._spec, self._lanes, self._runs, self._updates = spec, lanes, runs, state.updates
        options = spec.rule, spec.objective, spec.states_begin
        self._train = compiled(training_program, layout, spec.precision, *options)
        plan = plan_training(layout, spec.objective)
        self.lengths = packed["lengths"]
        steps = int(self.lengths.max(initial=0)) + 1
        vectors = dict.fromkeys((*_STATE, "gradient"), layout.size)
        vectors |= {"tape": plan.tape.width * steps, "adjoint": plan.scratch.width, "losses": 1}
        vectors |= {"carried": sum(layout.state_sizes)} if spec.carry_states else {}
        self._arrays: dict[str, Array] = packed | {
            name: aligned((count * lanes,), spec.precision) for name, count in vectors.items()
        }
        chosen = [*range(runs), *([0] * (lanes - runs))]
        for name, rows in zip(_STATE, (state.parameters, state.first, state.second), strict=True):
            self._arrays[name].reshape(layout.size, lanes)[:] = rows[chosen].T

    def advance(
        self, order: NDArray[np.int64], begin: int, end: int, rate: float, noise: Array | None = None
    ) -> Array:
        spec, losses = self._spec, self._arrays["losses"]
        losses[:] = 0
        if spec.carry_states and not begin:
            self._arrays["carried"][:] = 0
        if noise is not None:
            self._arrays["noise"] = aligned((noise[..., 0].size * self._lanes,), spec.precision)
            self._arrays["noise"].reshape(*noise.shape[:2], self._lanes)[..., : self._runs] = noise
        last = self._updates + 1 + -(-(end - begin) // spec.batch)
        with np.errstate(over="ignore"):  # what becomes infinite makes runs diverge, and they say so
            numbers = spec.rule.numbers(spec, self._updates + 1, last, rate).astype(spec.precision)
        settings = {"order": order, "numbers": numbers, "begin": begin, "end": end, "batch": spec.batch}
        self._updates += self._train(**self._arrays, **settings)
        return losses[: self._runs].copy()

    def state(self) -> TrainingState:
        rooms = (self._arrays[name].reshape(-1, self._lanes) for name in _STATE)
        weights, first, second = (room.T[: self._runs].copy() for room in rooms)
        return TrainingState(weights, first, second, self._updates)


#: What `Target.training` makes.
training = LaneTraining


def judging(networks: Networks, words: Words) -> Judging:
    """Make words ready for networks; see `Target`."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    lanes = JUDGING_REGISTERS * LANES[precision]
    packed, places = pack_words(words, layout.inputs, lanes, precision)
    groups = len(packed["lengths"])
    where = np.empty(len(words.lengths), np.int64)
    where[places] = np.arange(len(places))
    fits = has_lookup(precision, layout.inputs)
    width = plan_judging(layout, fits).room.width
    judge = compiled(judging_program, layout, precision, fits, words.partial)

    def ready(run: int) -> Callable[[], NDArray[np.int64]]:
        weights, verdicts = networks.parameters[run].copy(), aligned((groups * lanes,), precision)
        tables = _tables(networks, run) if fits else aligned((1,), precision)
        room = aligned((2 * width * lanes,), precision)

        def judge_them() -> NDArray[np.int64]:
            arrays = {"weights": weights, "tables": tables, "room": room, "verdicts": verdicts}
            judge(**packed, **arrays, begin=0, end=groups)
            return verdicts[where].astype(np.int64)

        return judge_them

    return ready


def accepted(networks: Networks, words: Sequence[Words], of: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many words of its corpus each network accepts; see `Target`."""
    counts = np.zeros(len(networks), np.int64)
    for number, corpus in enumerate(words):
        ready = judging(networks, corpus)
        for run in np.flatnonzero(of == number).tolist():
            counts[run] = (ready(run)() < 0).sum()
    return counts


def tracing(networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
    """For every word every named value of a network on it; see `Target`. A word goes into every lane."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    trace = compiled(tracing_program, layout, precision)
    lanes, width, weights = LANES[precision], trace.plan.room.width, networks.parameters[run].copy()
    traces: list[dict[str, Array]] = []
    for first in range(0, len(words), lanes):
        block = words[first : first + lanes]
        steps = max(map(len, block))
        codes = aligned((max(steps, 1), lanes), np.uint8)
        for lane, word in enumerate(block):
            codes[: len(word), lane] = word
        history = aligned(((steps + 1) * width * lanes,), precision)
        trace(steps=steps, codes=codes.reshape(-1), weights=weights, history=history)
        rows, values = history.reshape(steps + 1, width, lanes), {}
        for name, (place, size) in trace.plan.values.items():
            later, start = divmod(place, width)
            values[name] = rows[later : later + steps, start : start + size].transpose(2, 0, 1).copy()
        for lane, word in enumerate(block):
            traces.append({name: of_all[lane, : len(word)] for name, of_all in values.items()})
    return traces


class LaneStepper:
    """A network that takes states, or boxes, one symbol further: a lane each. See `Stepper`."""

    def __init__(self, networks: Networks, run: int, boxes: bool) -> None:
        layout, self._precision = networks.layout, str(networks.parameters.dtype)
        plan = plan_boxes(layout, self._precision) if boxes else plan_stepping(layout)
        self.width, self.results = plan.before.width, plan.after.width
        self._lanes = STEPPING_REGISTERS * LANES[self._precision]
        self._weights = plan.parameters(networks.parameters[run])
        self._room = aligned((plan.room.width * self._lanes,), self._precision)
        self._pairs: dict[tuple[int, int], _RowPair] = {}
        self._function = compiled(stepping_program, layout, self._precision, boxes)
        self._step = self._function.pointer  # valid as long as the function is there

    def rows(self, count: int, numbers: int) -> Array:
        groups = -(-max(count, 1) // self._lanes)
        odd = groups | 1  # rows that are a power of two apart would all want the same place in the cache
        return aligned((numbers, odd * self._lanes), self._precision)

    def __call__(self, symbol: int, before: Array, after: Array, count: int) -> None:
        pair = self._pairs.get((id(before), id(after)))
        if pair is None or pair.before() is not before or pair.after() is not after:
            pair = self._look(before, after)
        self._step(symbol, -(-count // self._lanes), pair.address)

    def _look(self, before: Array, after: Array) -> _RowPair:
        """Where rows lie. It is remembered: asking NumPy takes as long as a thousand boxes."""
        for rows in (before, after):
            whole = rows.dtype == self._precision and rows.flags.c_contiguous
            if not whole or rows.ctypes.data % 64 or rows.shape[1] % self._lanes:
                raise BadInput("Stepper: states must lie in arrays made by its rows()")
        if len(self._pairs) >= _MOST_PAIRS:
            self._pairs.clear()
        arrays = (before, after, self._weights, self._room)
        strides = (rows.shape[1] // self._lanes for rows in (before, after))
        places = np.array([*(array.ctypes.data for array in arrays), *strides], np.int64)
        pair = _RowPair(weakref.ref(before), weakref.ref(after), places, places.ctypes.data)
        self._pairs[id(before), id(after)] = pair
        return pair


#: What `Target.stepping` makes.
stepping = LaneStepper


class _RowPair(NamedTuple):
    """Two arrays of rows, and the argument `places` of a stepping program."""

    before: Callable[[], Array | None]
    after: Callable[[], Array | None]
    places: NDArray[np.int64]
    address: int


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


def has_lookup(precision: str, symbols: int) -> bool:
    """Whether a table of so many numbers fits into a register that the processor can look up in."""
    return "+avx512f" in processor()[1] and symbols <= LANES[precision]


def listing(spec: Spec, program: str) -> Iterator[str]:
    """The lines of a program: its statements as comments, then its IR."""
    network = spec.layout, spec.precision
    programs = {
        "train": lambda: training_program(*network, spec.rule, spec.objective, spec.states_begin),
        "judge": lambda: judging_program(*network),
        "trace": lambda: tracing_program(*network),
        "step": lambda: stepping_program(*network, False),
        "boxes": lambda: stepping_program(*network, True),
    }
    if program not in programs:
        raise BadInput(f"a program is one of {', '.join(programs)}, got {program!r}")
    source = programs[program]()
    for title, statements in source.statements.items():
        yield f"; {title}"
        yield from (f";   {line}" for line in statement_lines(statements))
        yield ";"
    yield from source.ir.splitlines()


_lock = threading.RLock()


def compiled(emit: Callable[..., Program], layout: Layout, precision: str, *options: Any) -> Function:
    """The function of a program for a layout, the same one for all threads."""
    with _lock:
        return _compiled(emit, layout, precision, *options)


@lru_cache(maxsize=64)
def _compiled(emit: Callable[..., Program], layout: Layout, precision: str, *options: Any) -> Function:
    return Function(emit(layout, precision, *options))
