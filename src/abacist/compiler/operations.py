"""How many floating-point operations a network's work takes: the yardstick for its speed.

Additions and multiplications count one, and a multiply-add two. An activation counts its
polynomial, its sums and its division; comparisons, selections and moving bits count nothing.
The product with a one-hot input counts as the dense product that training makes of it; in judging,
which looks it up, it counts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from abacist.algebra import Symbol
from abacist.cells.layout import Layout
from abacist.compiler.adjoint import differentiate
from abacist.compiler.graph import in_order, step_graph
from abacist.compiler.schedule import one_division
from abacist.compiler.tables import input_tables, parts_of

#: The degree of the polynomial for a power of two in each precision.
DEGREE = {"float32": 5, "float64": 11}


@dataclass(frozen=True)
class Operations:
    """Operations for one step of a word, and for one update of the weights."""

    step: int
    update: int = 0


def activation(operation: str, precision: str) -> int:
    """Operations of one sigmoid or tanh: two multiply-adds and a subtraction to split the
    exponent, the polynomial, one or two sums, a division."""
    return 5 + 2 * DEGREE[precision] + {"sigmoid": 2, "tanh": 3}[operation]


def judging_operations(layout: Layout, precision: str) -> Operations:
    """Judging: the states and the sums before the last sigmoid, what is looked up left out.

    A sigmoid times a tanh takes one division, not two.
    """
    graph = step_graph(layout)
    roots = (*graph.after, graph.y.arguments[0])
    tables = input_tables(graph.after)
    looked_up = {part for symbol in tables for part in parts_of(symbol)}
    uses = Counter(argument for symbol in in_order(roots) for argument in symbol.arguments)
    saved = sum(symbol.size for symbol in in_order(roots) if one_division(symbol, uses))
    return Operations(_count(roots, looked_up, precision) - saved)


def training_operations(layout: Layout, precision: str) -> Operations:
    """Training: forwards, back, the sums of the gradients, and Adam's update."""
    graph = step_graph(layout)
    adjoint = differentiate(graph)
    forward = (*graph.after, graph.loss)
    rows = {g.rows for g in adjoint.gradients}
    back = _count((*adjoint.before, *rows), in_order(forward), precision)
    sums = sum(2 * g.rows.size * g.columns.size for g in adjoint.gradients if g.columns is not None)
    biases = sum(2 * rows.size for rows in {g.rows for g in adjoint.gradients if g.columns is None})
    loss = layout.outputs
    adam = 14 * layout.size
    return Operations(_count(forward, (), precision) + back + sums + biases + loss, adam)


def _count(roots: Iterable[Symbol], known: Iterable[Symbol], precision: str) -> int:
    done = set(known)
    return sum(_cost(symbol, precision) for symbol in in_order(roots) if symbol not in done)


def _cost(symbol: Symbol, precision: str) -> int:
    match symbol.operation:
        case "add" | "subtract" | "multiply":
            return symbol.size
        case "linear":
            return 2 * symbol.size * symbol.arguments[0].size
        case "transposed":
            return sum(2 * matrix.rows * matrix.columns for matrix in symbol.detail)
        case "sigmoid" | "tanh":
            return symbol.size * activation(symbol.operation, precision)
    return 0
