"""The statements of a step: forwards and back for training, forwards for judging and tracing.

Places have names that the surrounding program has set: `now` and `after` are where this step's and
the next step's vectors begin; `old` and `new` where the adjoints of the states after and before it do.
"""

from __future__ import annotations

from collections.abc import Sequence

from abacist.algebra import Symbol, in_order
from abacist.compiler.lowering import Lowering
from abacist.compiler.names import Names
from abacist.compiler.places import Places, of_unit
from abacist.compiler.plan import ForwardPlan, TrainingPlan
from abacist.compiler.scheduling import Schedule
from abacist.compiler.statements import Constant, Load, Place, Statement, StoreAll

_ZERO = Constant(0.0)


def forward_statements(plan: TrainingPlan) -> list[Statement]:
    """A step forwards: new states into the next step's place, the loss handed over.

    Where a word has ended, its states stay as they are, and nothing of it goes into gradients.
    """
    graph, starts = plan.graph, plan.layout.state_starts
    places = Places(vectors={graph.x: "x"})
    for symbol, offset in plan.tape.offsets.items():
        place = Place("tape", "now", offset)
        if symbol in graph.states or symbol is graph.x:
            places.memory[symbol] = place
        elif symbol not in plan.rows:
            places.memory[symbol] = place
            places.keep(symbol, place, _ZERO if symbol in plan.columns else None)
    for symbol, start, state in zip(graph.after, starts, graph.states, strict=True):
        places.memory[symbol] = Place("tape", "after", start)
        places.keep(symbol, places.memory[symbol], Load(of_unit(places.memory[state])))
    places.hand_over(graph.loss, "loss")
    return _lowered(plan, plan.forward, places, (*graph.after, graph.loss))


def backward_statements(plan: TrainingPlan) -> list[Statement]:
    """A step back: the adjoints of its affine maps onto the tape, those of its states into `new`."""
    graph, adjoint, starts = plan.graph, plan.adjoint, plan.layout.state_starts
    places = Places()
    for symbol in (*plan.taped, *graph.states, graph.x):
        places.memory[symbol] = Place("tape", "now", plan.on_tape(symbol))
    for symbol in in_order((*adjoint.before, *plan.rows)):
        if symbol.operation == "adjoint":
            places.elements[symbol] = Load(Place("adjoint", "old", starts[symbol.detail], 1))
    for symbol, offset in plan.scratch.offsets.items():
        places.memory[symbol] = Place("adjoint", offset=offset)
        if symbol.operation != "transposed":
            places.keep(symbol, places.memory[symbol])
    for symbol in plan.rows:
        places.keep(symbol, Place("tape", "now", plan.tape.offsets[symbol]), _ZERO)
    whole: list[tuple[Symbol, Place, Place]] = []
    for symbol, start in zip(adjoint.before, starts, strict=True):
        old, new = Place("adjoint", "old", start), Place("adjoint", "new", start)
        if symbol.operation == "transposed":
            whole.append((symbol, old, new))
        else:
            places.keep(symbol, new, Load(of_unit(old)))
    names = Names(graph.names)
    statements = _lowered(plan, plan.backward, places, (*adjoint.before, *plan.rows), names)
    stored = [StoreAll(new, names[symbol], symbol.size, old) for symbol, old, new in whole]
    return [*statements, *stored]


def only_forward_statements(plan: ForwardPlan, array: str) -> list[Statement]:
    """A step that only goes forwards: what is in the plan's room is kept in an array."""
    graph = plan.graph
    places = Places(vectors={graph.x: "x"}, tables=plan.tables)
    if plan.result is graph.sums:
        places.hand_over(graph.sums, "sums")
    for symbol, offset in plan.room.offsets.items():
        places.memory[symbol] = Place(array, "now", offset)
        if symbol.arguments:
            places.keep(symbol, places.memory[symbol])
    for symbol, start in zip(graph.after, plan.layout.state_starts, strict=True):
        places.memory[symbol] = Place(array, "after", start)
        places.keep(symbol, places.memory[symbol])
    return _lowered(plan, plan.steps, places, plan.roots)


def _lowered(
    plan: TrainingPlan | ForwardPlan,
    steps: Schedule,
    places: Places,
    roots: Sequence[Symbol],
    names: Names | None = None,
) -> list[Statement]:
    names = names or Names(plan.graph.names)
    return list(Lowering(plan.layout.starts, steps, places, names, roots, plan.filling).statements())
