"""Plans: what is computed in which loop, what is kept and where. Frozen values, no text.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from abacist.algebra import OPERATIONS, Symbol, in_order
from abacist.cells import Layout
from abacist.compiler.adjoint import Adjoint, Band, Gradient, bands, differentiate
from abacist.compiler.filling import WHOLE, Filling, filling
from abacist.compiler.graph import StepGraph, step_graph
from abacist.compiler.places import InputTable, Tape, input_tables
from abacist.compiler.scheduling import Schedule, crossing, looked_at, schedule


@dataclass(frozen=True)
class Plan:
    """What is planned for a step."""

    graph: StepGraph

    @property
    def layout(self) -> Layout:
        return self.graph.layout


@dataclass(frozen=True)
class TrainingPlan(Plan):
    """The way forwards and back, and the sums of the gradients.

    `taped` are the symbols of the way forwards that the way back uses; `rows` the adjoints of affine
    maps, and `columns` the vectors, whose products the gradients sum. The tape holds for every step the
    states before it, the input, what is taped, and the rows. `scratch` holds two sets of adjoints of
    the states, which take turns, and what waits for a later loop of the way back. `filling` says how much of
    memories is worked on; what is not is never written, and so stays zero on the tape.
    """

    adjoint: Adjoint
    forward: Schedule
    backward: Schedule
    bands: tuple[Band, ...]
    rows: tuple[Symbol, ...]
    columns: tuple[Symbol, ...]
    taped: tuple[Symbol, ...]
    tape: Tape
    scratch: Tape
    filling: Filling

    @property
    def operations(self) -> set[str]:
        """The names of all operations on units that training takes, and so judging and tracing."""
        loops = (*self.forward.loops, *self.backward.loops)
        names = {symbol.operation for loop in loops for symbol in loop.symbols}
        return {name for name in names if OPERATIONS[name].elementwise}

    def on_tape(self, symbol: Symbol) -> int:
        """The place of a vector relative to its step; a new state lies in the next step's place."""
        if symbol in self.graph.after:
            return self.tape.width + self.layout.state_starts[self.graph.after.index(symbol)]
        return self.tape.offsets[symbol]


@lru_cache(maxsize=64)
def plan_training(layout: Layout, objective: str = "squared") -> TrainingPlan:
    """Plan the training of networks of a layout."""
    graph = step_graph(layout, objective)
    adjoint = differentiate(graph)
    grouped = tuple(bands(adjoint.gradients))
    rows = tuple(rows for band in grouped for rows in band.rows)
    columns = tuple(dict.fromkeys(g.columns for g in adjoint.gradients if g.columns is not None))
    forward = schedule((*graph.after, graph.loss))
    computed = _worth_keeping(forward)
    roots = (*adjoint.before, *rows)
    order = in_order(roots)
    used = set(roots).union(*(s.arguments for s in order if s not in computed))
    taped = tuple(symbol for symbol in order if symbol in computed and symbol in used)
    backward = schedule(roots, taped)
    kept = (s for s in (*taped, *crossing(forward), *columns) if s not in graph.after)
    tape = Tape.of((*graph.states, graph.x, *kept, *rows))
    waiting = (s for s in crossing(backward) if s not in taped and s not in graph.states)
    scratch = Tape.of(waiting, reserved=2 * sum(layout.state_sizes))
    filled = filling(graph, (graph.loss, *rows), adjoint)
    return TrainingPlan(
        graph, adjoint, forward, backward, grouped, rows, columns, taped, tape, scratch, filled
    )


def _worth_keeping(forward: Schedule) -> set[Symbol]:
    """What the way forwards computes, but for sums of views, which are made again where they are needed."""
    views, kept = set(forward.views), set()
    for symbol in (symbol for loop in forward.loops for symbol in loop.symbols):
        if symbol.operation == "add" and views.issuperset(symbol.arguments):
            views.add(symbol)
        else:
            kept.add(symbol)
    return kept


@dataclass(frozen=True)
class ForwardPlan(Plan):
    """A step that only goes forwards: to the states and `result`. `room` holds what a step keeps.

    `filling` says how much of memories is worked on; the rest of the room must be zero.
    """

    result: Symbol
    steps: Schedule
    room: Tape
    tables: dict[Symbol, InputTable]
    filling: Filling = WHOLE

    @property
    def roots(self) -> tuple[Symbol, ...]:
        return (*self.graph.after, self.result)

    @property
    def values(self) -> dict[str, tuple[int, int]]:
        """Where every value with a name begins, counted from its step's room, and its size: new states lie
        behind that."""
        layout = self.layout
        states = zip(layout.cell.state_names, layout.state_starts, layout.state_sizes, strict=True)
        values = {name: (self.room.width + start, size) for name, start, size in states}
        for symbol, offset in self.room.offsets.items():
            if symbol.arguments and (name := self.graph.names.get(symbol, "")):
                values.setdefault(name, (offset, symbol.size))
        return values


@lru_cache(maxsize=64)
def plan_judging(layout: Layout, tables: bool = False) -> ForwardPlan:
    """Plan judging, which needs no history. With `tables`, the input's part of every sum is looked up."""
    graph = step_graph(layout)
    looked_up = input_tables(graph.after) if tables else {}
    steps, room = schedule((*graph.after, graph.sums)), Tape.of(_needed(graph))
    return ForwardPlan(graph, graph.sums, steps, room, looked_up, filling(graph, (graph.sums,)))


@lru_cache(maxsize=64)
def plan_tracing(layout: Layout) -> ForwardPlan:
    """Plan tracing, which keeps everything that has a name."""
    graph = step_graph(layout)
    steps = schedule((*graph.after, graph.y))
    computed = {s for loop in steps.loops for s in loop.symbols}
    named = [s for s in graph.names if s not in graph.after and s in computed]
    filled = filling(graph, (graph.y, *named))
    return ForwardPlan(graph, graph.y, steps, Tape.of((*_needed(graph), *named)), {}, filled)


def _needed(graph: StepGraph) -> tuple[Symbol, ...]:
    """The states, the input if it is looked at, and what must wait in memory for a later loop."""
    steps = schedule((*graph.after, graph.y))
    x = [graph.x] if looked_at(steps, graph.x) else []
    return (*graph.states, *x, *(s for s in crossing(steps) if s not in graph.after))


@dataclass(frozen=True)
class RecomputingPlan(Plan):
    """The way back on machines that compute faster than they remember.

    Only the states are kept of every step. The way back takes those before a step, computes all else anew,
    and adds the step's part to every gradient at once. The input's part of a sum is looked up, so the
    gradient of a table is all that is summed of its matrix and its biases.

    `sums` are the gradients that a step adds to, by the adjoint that they have in common: those of a
    table's matrix and biases are one, that of the table.
    """

    adjoint: Adjoint
    tables: dict[Symbol, InputTable]
    backward: Schedule
    sums: dict[Symbol, tuple[Gradient, ...]]

    @property
    def roots(self) -> tuple[Symbol, ...]:
        """What the way back computes."""
        return (*self.adjoint.before, *self.sums, self.graph.loss)


@lru_cache(maxsize=64)
def plan_recomputing(layout: Layout, objective: str = "squared") -> RecomputingPlan:
    """Plan training that remembers nothing but the states."""
    graph = step_graph(layout, objective)
    adjoint = differentiate(graph)
    sums: dict[Symbol, tuple[Gradient, ...]] = {}
    for gradient in adjoint.gradients:
        sums[gradient.rows] = (*sums.get(gradient.rows, ()), gradient)
    together = [
        {(g.tensor, g.first_row) for g in gradients if g.columns in (None, graph.x)}
        for gradients in sums.values()
    ]
    tables = {  # whose matrix and biases all have the same gradient, but for the input
        symbol: table
        for symbol, table in input_tables(graph.after).items()
        if {(table.matrix.tensor, table.matrix.first_row), *table.biases} in together
    }
    backward = schedule((*adjoint.before, *sums, graph.loss))
    return RecomputingPlan(graph, adjoint, tables, backward, sums)
