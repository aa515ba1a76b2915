"""One time step of a network as a graph: the cell, the output layer and the loss, read as symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.algebra import Matrix, Symbol, leaf
from abacist.cells import OBJECTIVES, Layout
from abacist.compiler.formula_names import called_with_names
from abacist.errors import BadInput
from abacist.wording import several


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
    cell, outputs = layout.cell, layout.outputs

    def part(tensor: str, first: int, rows: int) -> Any:
        shape = layout.shapes[tensor]
        return (
            Matrix(tensor, first, rows, shape[1])
            if len(shape) > 1
            else leaf("parameter", rows, (tensor, first))
        )

    x = leaf("input", layout.inputs)
    states = tuple(leaf("state", size, index) for index, size in enumerate(layout.state_sizes))
    result, names = called_with_names(cell.step, layout.weights(part), x, *states)
    after = _checked(layout, result if isinstance(result, tuple) else (result,))
    names |= dict(zip(after, cell.state_names, strict=True))
    names |= {state: f"{name}_before" for name, state in zip(cell.state_names, states, strict=True)}
    sums = layout.sums(part, after[0])
    y = layout.scores(sums)
    target, scale, counted = (leaf(kind, outputs) for kind in ("target", "scale", "counted"))
    error, loss = OBJECTIVES[objective](sums, y, target, counted, scale, layout.threshold)
    names |= {y: "y", error: "error"}
    return StepGraph(layout, x, states, after, sums, y, target, scale, counted, loss, names)


def _checked(layout: Layout, after: tuple[Any, ...]) -> tuple[Symbol, ...]:
    """The states that a formula returns; one that is only handed on is computed, too."""
    cell = layout.cell
    if not all(isinstance(state, Symbol) for state in after):
        raise BadInput(f"Cell {cell.name}: its formula must return its states, got {after}")
    sizes = tuple(state.size for state in after)
    if sizes != layout.state_sizes:
        wanted = ", ".join(
            f"{name} {size}" for name, size in zip(cell.state_names, layout.state_sizes, strict=True)
        )
        raise BadInput(
            f"Cell {cell.name}: its formula must return {several(len(cell.states), 'state')} of these sizes "
            f"({wanted}), got {', '.join(map(str, sizes))}"
        )
    return tuple(s if s.arguments else s + 0.0 for s in after)
