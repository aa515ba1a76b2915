"""Plans: what is computed in which loop, what is kept and where. Frozen values, no text.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from abacist.algebra import Symbol, in_order
from abacist.cells import Layout
from abacist.compiler.adjoint import Adjoint, differentiate
from abacist.compiler.bands import Band, bands
from abacist.compiler.graph import StepGraph, step_graph
from abacist.compiler.scheduling import Schedule, crossing, schedule
from abacist.compiler.tables import InputTable, input_tables
from abacist.compiler.tape import Tape


@dataclass(frozen=True)
class TrainingPlan:
    """The way forwards and back, and the sums of the gradients.

    `taped` are the symbols of the way forwards that the way back uses; `rows` the adjoints of affine
    maps, and `columns` the vectors, whose products the gradients sum. The tape holds for every step the
    states before it, the input, what is taped, and the rows. `scratch` holds two sets of adjoints of
    the states, which take turns, and what waits for a later loop of the way back.
    """

    graph: StepGraph
    adjoint: Adjoint
    forward: Schedule
    backward: Schedule
    bands: tuple[Band, ...]
    rows: tuple[Symbol, ...]
    columns: tuple[Symbol, ...]
    taped: tuple[Symbol, ...]
    tape: Tape
    scratch: Tape

    @property
    def layout(self) -> Layout:
        return self.graph.layout

    def on_tape(self, symbol: Symbol) -> int:
        """The place of a vector relative to its step; a new state lies in the next step's place."""
        if symbol in self.graph.after:
            return self.tape.width + self.layout.state_starts[self.graph.after.index(symbol)]
        return self.tape.offsets[symbol]


@lru_cache(maxsize=64)
def plan_training(layout: Layout) -> TrainingPlan:
    """Plan the training of networks of a layout."""
    graph = step_graph(layout)
    adjoint = differentiate(graph)
    grouped = tuple(bands(adjoint.gradients))
    rows = tuple(rows for band in grouped for rows in band.rows)
    columns = tuple(dict.fromkeys(g.columns for g in adjoint.gradients if g.columns is not None))
    forward = schedule((*graph.after, graph.loss))
    computed = {s for loop in forward.loops for s in loop.symbols}
    roots = (*adjoint.before, *rows)
    taped = _used_back(roots, computed)
    backward = schedule(roots, taped)
    kept = (s for s in (*taped, *crossing(forward), *columns) if s not in graph.after)
    tape = Tape.of((*graph.states, graph.x, *kept, *rows))
    waiting = (s for s in crossing(backward) if s not in taped and s not in graph.states)
    scratch = Tape.of(waiting, reserved=2 * sum(layout.state_sizes))
    return TrainingPlan(graph, adjoint, forward, backward, grouped, rows, columns, taped, tape, scratch)


def _used_back(roots: tuple[Symbol, ...], computed: set[Symbol]) -> tuple[Symbol, ...]:
    """The symbols of the way forwards that the way back uses."""
    order = in_order(roots)
    used = set(roots).union(*(s.arguments for s in order if s not in computed))
    return tuple(symbol for symbol in order if symbol in computed and symbol in used)


@dataclass(frozen=True)
class ForwardPlan:
    """A step that only goes forwards: to the states and `result`. `room` holds what a step keeps."""

    graph: StepGraph
    result: Symbol
    steps: Schedule
    room: Tape
    tables: dict[Symbol, InputTable]

    @property
    def layout(self) -> Layout:
        return self.graph.layout

    @property
    def roots(self) -> tuple[Symbol, ...]:
        return (*self.graph.after, self.result)


@lru_cache(maxsize=64)
def plan_judging(layout: Layout, tables: bool = False) -> ForwardPlan:
    """Plan judging, which needs no history. With `tables`, the input's part of every sum is looked up."""
    graph = step_graph(layout)
    known = input_tables(graph.after) if tables else {}
    return ForwardPlan(
        graph, graph.sums, schedule((*graph.after, graph.sums)), Tape.of(_needed(graph)), known
    )


@lru_cache(maxsize=64)
def plan_tracing(layout: Layout) -> ForwardPlan:
    """Plan tracing, which keeps everything that has a name."""
    graph = step_graph(layout)
    steps = schedule((*graph.after, graph.y))
    computed = {s for loop in steps.loops for s in loop.symbols}
    named = (s for s in graph.names if s not in graph.after and s in computed)
    return ForwardPlan(graph, graph.y, steps, Tape.of((*_needed(graph), *named)), {})


def _needed(graph: StepGraph) -> tuple[Symbol, ...]:
    """The states, and what must wait in memory for a later loop of the step."""
    waiting = crossing(schedule((*graph.after, graph.y)))
    return (*graph.states, *(s for s in waiting if s not in graph.after))
