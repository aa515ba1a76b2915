"""How many floating-point operations a network's work takes: the yardstick for its speed.

Additions and multiplications count one, and a multiply-add two. An exponential is the target's to
price; comparisons, selections and moving bits count nothing. The product with a one-hot input counts as the
dense product that training makes of it; in judging, which looks it up, it counts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abacist.algebra import OPERATIONS, Cost, Symbol, in_order
from abacist.cells import Layout
from abacist.compiler.adjoint import differentiate
from abacist.compiler.graph import step_graph
from abacist.compiler.places import input_tables, parts_of
from abacist.compiler.scheduling import one_division
from abacist.compiler.stepping import plan_boxes

#: Floating-point operations of one parameter's update by Adam.
_ADAM = 14


@dataclass(frozen=True)
class Work:
    """What one step of a word costs, and one update of the weights."""

    step: Cost
    update: Cost = Cost()


def judging_work(layout: Layout) -> Work:
    """Judging: the states and the sums that decide, what is looked up left out.

    A sigmoid times a tanh takes one division, not two.
    """
    graph = step_graph(layout)
    roots = (*graph.after, graph.sums)
    looked_up = {term for symbol in input_tables(graph.after) for term in parts_of(symbol)}
    uses = Counter(argument for symbol in in_order(roots) for argument in symbol.arguments)
    saved = sum(symbol.size for symbol in in_order(roots) if one_division(symbol, uses))
    return Work(_cost(roots, looked_up) + Cost(-saved))


def boxes_work(layout: Layout, precision: str) -> Work:
    """A step of a box: the bounds of the states and of the sums that decide, what is done once left out."""
    plan = plan_boxes(layout, precision)
    once = (symbol for loop in plan.once.loops for symbol in loop.symbols)
    return Work(_cost(tuple(plan.after.offsets), once))


def training_work(layout: Layout) -> Work:
    """Training: forwards, back, the sums of the gradients, and Adam's update."""
    graph = step_graph(layout)
    adjoint = differentiate(graph)
    forward = (*graph.after, graph.loss)
    rows = tuple(dict.fromkeys(g.rows for g in adjoint.gradients))
    back = _cost((*adjoint.before, *rows), in_order(forward))
    sums = sum(2 * g.rows.size * g.columns.size for g in adjoint.gradients if g.columns is not None)
    biases = sum(2 * rows.size for rows in {g.rows for g in adjoint.gradients if g.columns is None})
    step = _cost(forward, ()) + back + Cost(sums + biases + layout.outputs)
    return Work(step, Cost(_ADAM * layout.size))


def _cost(roots: Sequence[Symbol], left_out: Iterable[Symbol]) -> Cost:
    done, total = set(left_out), Cost()
    for symbol in in_order(roots):
        if symbol.arguments and symbol not in done:
            total += OPERATIONS[symbol.operation].cost * symbol.work
    return total
