"""The statements of a step, forwards and back for training, forwards for judging and tracing; of an update.

The surrounding program has set the vector `x`, the input, and names of places: `now` and `after` are where
this step's and the next step's vectors begin; `old` and `new` where the adjoints of the states after and
before it do.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import abacist.compiler.statements as st
from abacist.algebra import Symbol, in_order, leaf
from abacist.compiler.lowering import lowered
from abacist.compiler.places import Names, Places, Tape, of_unit
from abacist.compiler.plan import ForwardPlan, RecomputingPlan, TrainingPlan
from abacist.compiler.scheduling import Schedule, crossing, schedule
from abacist.optimisers import MOMENTS, Rule

_ZERO = st.Constant(0.0)


def forward_statements(plan: TrainingPlan) -> list[st.Statement]:
    """A step forwards: new states into the next step's place, the loss handed over.

    Where a word has ended, its states stay as they are, and nothing of it goes into gradients.
    """
    graph, layout = plan.graph, plan.layout
    places = Places(vectors={graph.x: "x"})
    for symbol, offset in plan.tape.offsets.items():
        if symbol not in plan.rows:
            places.put(symbol, st.Place("tape", "now", offset), _ZERO if symbol in plan.columns else None)
    for symbol, start, state in zip(graph.after, layout.state_starts, graph.states, strict=True):
        places.put(symbol, st.Place("tape", "after", start), st.Load(of_unit(places.memory[state])))
    places.hand_over(graph.loss, "loss")
    names, roots = Names(graph.names), (*graph.after, graph.loss)
    step = lowered(layout.starts, plan.forward, places, names, roots, plan.filling)
    return [st.StoreAll(places.memory[graph.x], "x", layout.inputs), *step]


def backward_statements(plan: TrainingPlan) -> list[st.Statement]:
    """A step back: the adjoints of its affine maps onto the tape, those of its states into `new`."""
    graph, before, starts = plan.graph, plan.adjoint.before, plan.layout.state_starts
    places, roots = Places(), (*before, *plan.rows)
    for symbol in (*plan.taped, *graph.states, graph.x):
        places.memory[symbol] = st.Place("tape", "now", plan.on_tape(symbol))
    for symbol in in_order(roots):
        if symbol.operation == "adjoint":
            places.elements[symbol] = st.Load(st.Place("adjoint", "old", starts[symbol.detail], 1))
    for symbol, offset in plan.scratch.offsets.items():
        places.put(symbol, st.Place("adjoint", offset=offset))
    for symbol in plan.rows:
        places.keep(symbol, st.Place("tape", "now", plan.tape.offsets[symbol]), _ZERO)
    whole: list[tuple[Symbol, st.Place, st.Place]] = []
    for symbol, start in zip(before, starts, strict=True):
        old, new = st.Place("adjoint", "old", start), st.Place("adjoint", "new", start)
        if symbol.operation == "transposed":
            whole.append((symbol, old, new))
        else:
            places.keep(symbol, new, st.Load(of_unit(old)))
    names = Names(graph.names)
    statements = lowered(plan.layout.starts, plan.backward, places, names, roots, plan.filling)
    return [*statements, *(st.StoreAll(new, names[symbol], symbol.size, old) for symbol, old, new in whole)]


def only_forward_statements(plan: ForwardPlan, array: str) -> list[st.Statement]:
    """A step that only goes forwards: what is in the plan's room is kept in an array."""
    graph, layout = plan.graph, plan.layout
    places = Places(vectors={graph.x: "x"}, tables=plan.tables)
    if plan.result is graph.sums:
        places.hand_over(graph.sums, "sums")
    for symbol, offset in plan.room.offsets.items():
        places.put(symbol, st.Place(array, "now", offset))
    for symbol, start in zip(graph.after, layout.state_starts, strict=True):
        places.put(symbol, st.Place(array, "after", start))
    step = lowered(layout.starts, plan.steps, places, Names(graph.names), plan.roots, plan.filling)
    return [st.StoreAll(places.memory[graph.x], "x", layout.inputs), *step] if graph.x in plan.room else step


def recomputed_forward(plan: RecomputingPlan, *, judging: bool = False) -> list[st.Statement]:
    """A step forwards: from the states `before` to those `after`; in judging, with the output layer's sums
    handed over."""
    sums = (plan.graph.sums,) if judging else ()
    roots = (*plan.graph.after, *sums)
    steps = schedule(roots)
    places = _places(plan, steps)
    for symbol, start in zip(plan.graph.after, plan.layout.state_starts, strict=True):
        places.kept.pop(symbol, None)  # also where a later loop needs it, it waits there
        places.put(symbol, st.Place("after", "", start))
    for symbol in sums:
        places.hand_over(symbol, "sums")
    return lowered(plan.layout.starts, steps, places, Names(plan.graph.names), roots)


def recomputed_backward(plan: RecomputingPlan) -> tuple[list[st.Statement], dict[Symbol, str]]:
    """A step back, and the names of the whole vectors in it.

    From the states `before` and the adjoints `later` of those after it to the adjoints `earlier`. What is
    added to gradients is handed over: `sum 0` belongs to the first of the plan's sums.
    """
    graph, starts = plan.graph, plan.layout.state_starts
    places = _places(plan, plan.backward)
    for symbol in in_order(plan.roots):
        if symbol.operation == "adjoint":
            places.elements[symbol] = st.Load(st.Place("later", "", starts[symbol.detail], 1))
    for number, symbol in enumerate(plan.sums):
        places.hand_over(symbol, f"sum {number}")
    places.hand_over(graph.loss, "loss")
    names, whole = Names(graph.names), list[st.Statement]()
    for symbol, start in zip(plan.adjoint.before, starts, strict=True):
        place = st.Place("earlier", "", start)
        if symbol.operation == "transposed":
            whole.append(st.StoreAll(place, names[symbol], symbol.size))
        elif symbol.arguments:
            places.keep(symbol, place)
    statements = lowered(plan.layout.starts, plan.backward, places, names, plan.roots)
    first: list[st.Statement] = []
    for gradient in plan.adjoint.gradients:
        vector = gradient.columns
        if vector is not None and vector not in places.vectors:
            places.vectors[vector] = f"all_{names[vector]}"
            first.append(st.Gather(places.vectors[vector], places.memory[vector], vector.size))
    return [*first, *statements, *whole], places.vectors


def _places(plan: RecomputingPlan, steps: Schedule) -> Places:
    """Where states come from, and where what a later loop needs waits."""
    graph = plan.graph
    places = Places(vectors={graph.x: "x"}, tables=plan.tables)
    for state, start in zip(graph.states, plan.layout.state_starts, strict=True):
        places.put(state, st.Place("before", "", start))
    for symbol, offset in Tape.of(s for s in crossing(steps) if s not in graph.states).offsets.items():
        places.put(symbol, st.Place("room", "", offset))
    return places


def update_statements(rule: Rule, size: int) -> list[st.Statement]:
    """An update of `size` parameters: `weights`, `first` and `second` change, `gradient` becomes zero.

    The program provides the rule's numbers by name, and `shrink` where gradients are clipped by their norm.
    """
    places = Places()

    def read(name: str, *, stored: bool) -> Symbol:
        symbol = leaf("state", size, name)
        places.elements[symbol] = st.Load(of_unit(st.Place(name))) if stored else st.Given(name)
        return symbol

    numbers = SimpleNamespace(**{name: read(name, stored=False) for name in rule.names})
    arrays = MOMENTS[: len(rule.formula.moments)]
    weight, gradient, *moments = (read(name, stored=True) for name in ("weights", "gradient", *arrays))
    before = rule.prepared(
        numbers, weight, gradient, read("shrink", stored=False) if rule.clips_norm else None
    )
    after = rule.formula.advance(numbers, *before, tuple(moments))
    for array, symbol in zip(("weights", *arrays), after, strict=True):
        places.keep(symbol, st.Place(array))
    roots = (*before, *after)
    (loop,) = lowered({}, schedule(roots), places, Names({}), roots)
    assert isinstance(loop, st.UnitLoop)
    last = max(level for level, _ in loop.body)
    computed = [(level, one) for level, one in loop.body if not isinstance(one, st.Store)]
    stores = [(last, one) for _, one in loop.body if isinstance(one, st.Store)]  # old moments may be needed
    clear = st.Store(of_unit(st.Place("gradient")), _ZERO)
    return [replace(loop, body=(*computed, *stores, (last, clear)))]


def shrink_statements(rule: Rule) -> list[st.Statement]:
    """The factor of gradients that are clipped by their norm: `shrink`, made of `squares` and `clip_norm`."""
    places = Places()
    squares, limit = leaf("state", 1, "squares"), leaf("state", 1, "clip_norm")
    places.elements |= {squares: st.Given("squares"), limit: st.Given("clip_norm")}
    result = rule.shrink(squares, limit)
    places.hand_over(result, "shrink")
    return lowered({}, schedule((result,)), places, Names({}), (result,))
