"""One time step of a network as a graph: the cell, the output layer and the loss, read as symbols."""

from __future__ import annotations

from dataclasses import dataclass

from abacist.algebra import Symbol, leaf
from abacist.cells import OBJECTIVES, Layout
from abacist.cells.content import checked_states, symbols_of
from abacist.compiler.formula_names import called_with_names


@dataclass(frozen=True)
class StepGraph:
    """The symbols of a step: what goes in, what comes out, and the names that the formula gives them.

    `sums` are those of the output layer, whose signs decide, and `y` the scores made of them.
    """

    layout: Layout
    x: Symbol
    states: tuple[Symbol, ...]
    after: tuple[Symbol, ...]
    sums: Symbol
    y: Symbol
    target: Symbol
    scale: Symbol
    counted: Symbol
    loss: Symbol
    names: dict[Symbol, str]


def step_graph(layout: Layout, objective: str = "squared") -> StepGraph:
    """Read a cell's formula, the output layer and the loss, one of `OBJECTIVES`, as symbols."""
    cell, outputs, part = layout.cell, layout.outputs, symbols_of(layout.shapes)
    cell.check_unchanged()
    x = leaf("input", layout.inputs)
    states = tuple(leaf("state", size, index) for index, size in enumerate(layout.state_sizes))
    result, names = called_with_names(cell.step, layout.weights(part), x, *states)
    after = checked_states(cell, result, layout.state_sizes)
    after = tuple(s if s.arguments else s + 0.0 for s in after)  # one that is only handed on is computed, too
    names |= dict(zip(after, cell.state_names, strict=True))
    names |= {state: f"{name}_before" for name, state in zip(cell.state_names, states, strict=True)}
    sums = layout.sums(part, after[0])
    y = layout.scores(sums)
    target, scale, counted = (leaf(kind, outputs) for kind in ("target", "scale", "counted"))
    error, loss = OBJECTIVES[objective](sums, y, target, counted, scale, layout.threshold)
    names |= {y: "y", error: "error"}
    return StepGraph(layout, x, states, after, sums, y, target, scale, counted, loss, names)
