"""Plans for machines that compute faster than they remember: a step back first computes the step again.

Only the states are kept of every step. The way back takes those before a step, computes all else anew, and
adds the step's part to every gradient at once. The input's part of a sum is looked up, so the gradient of
a table is all that is summed of its matrix and its biases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from abacist.algebra import Symbol, in_order
from abacist.cells import Layout
from abacist.compiler.adjoint import Adjoint, Gradient, differentiate
from abacist.compiler.graph import StepGraph, step_graph
from abacist.compiler.lowering import lowered
from abacist.compiler.places import Names, Places, Tape
from abacist.compiler.plan import Plan
from abacist.compiler.scheduling import Schedule, crossing, schedule
from abacist.compiler.statements import Gather, Load, Place, Statement, StoreAll
from abacist.compiler.tables import InputTable, input_tables


@dataclass(frozen=True)
class RecomputingPlan(Plan):
    """The way back; the way forwards only finds the states.

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
    backward = schedule((*adjoint.before, *sums, graph.loss))
    tables = _tables(graph, sums)
    return RecomputingPlan(graph, adjoint, tables, backward, sums)


def _tables(graph: StepGraph, sums: dict[Symbol, tuple[Gradient, ...]]) -> dict[Symbol, InputTable]:
    """The tables whose matrix and biases all have the same gradient, but for the input."""
    together = [
        {(g.tensor, g.first_row) for g in gradients if g.columns in (None, graph.x)}
        for gradients in sums.values()
    ]
    return {
        symbol: table
        for symbol, table in input_tables(graph.after).items()
        if {(table.matrix.tensor, table.matrix.first_row), *table.biases} in together
    }


def recomputed_forward(plan: RecomputingPlan, *, judging: bool = False) -> list[Statement]:
    """A step forwards: from the states `before` to those `after`; in judging, with the output layer's sums
    handed over."""
    sums = (plan.graph.sums,) if judging else ()
    roots = (*plan.graph.after, *sums)
    steps = schedule(roots)
    places = _places(plan, steps)
    for symbol, start in zip(plan.graph.after, plan.layout.state_starts, strict=True):
        places.kept.pop(symbol, None)  # also where a later loop needs it, it waits there
        places.put(symbol, Place("after", "", start))
    for symbol in sums:
        places.hand_over(symbol, "sums")
    return lowered(plan.layout.starts, steps, places, Names(plan.graph.names), roots)


def recomputed_backward(plan: RecomputingPlan) -> tuple[list[Statement], dict[Symbol, str]]:
    """A step back, and the names of the whole vectors in it.

    From the states `before` and the adjoints `later` of those after it to the adjoints `earlier`. What is
    added to gradients is handed over: `sum 0` belongs to the first of the plan's sums.
    """
    graph, starts = plan.graph, plan.layout.state_starts
    places = _places(plan, plan.backward)
    for symbol in in_order(plan.roots):
        if symbol.operation == "adjoint":
            places.elements[symbol] = Load(Place("later", "", starts[symbol.detail], 1))
    for number, symbol in enumerate(plan.sums):
        places.hand_over(symbol, f"sum {number}")
    places.hand_over(graph.loss, "loss")
    names, whole = Names(graph.names), list[Statement]()
    for symbol, start in zip(plan.adjoint.before, starts, strict=True):
        place = Place("earlier", "", start)
        if symbol.operation == "transposed":
            whole.append(StoreAll(place, names[symbol], symbol.size))
        elif symbol.arguments:
            places.keep(symbol, place)
    statements = lowered(plan.layout.starts, plan.backward, places, names, plan.roots)
    first: list[Statement] = []
    for gradient in plan.adjoint.gradients:
        vector = gradient.columns
        if vector is not None and vector not in places.vectors:
            places.vectors[vector] = f"all_{names[vector]}"
            first.append(Gather(places.vectors[vector], places.memory[vector], vector.size))
    return [*first, *statements, *whole], places.vectors


def _places(plan: RecomputingPlan, steps: Schedule) -> Places:
    """Where states come from, and where what a later loop needs waits."""
    graph = plan.graph
    places = Places(vectors={graph.x: "x"}, tables=plan.tables)
    for state, start in zip(graph.states, plan.layout.state_starts, strict=True):
        places.put(state, Place("before", "", start))
    for symbol, offset in Tape.of(s for s in crossing(steps) if s not in graph.states).offsets.items():
        places.put(symbol, Place("room", "", offset))
    return places
