"""One time step of a network as a graph: the cell, the output layer and the loss, read as symbols."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import Any

from abacist.algebra import Matrix, Symbol, leaf, unary
from abacist.cells import Gate, Weights, readout, squared_error
from abacist.cells.layout import (
    BIAS_HH,
    BIAS_IH,
    OUTPUT_BIAS,
    OUTPUT_WEIGHT,
    WEIGHT_HH,
    WEIGHT_IH,
    Layout,
)
from abacist.errors import BadInput
from abacist.wording import several


@dataclass(frozen=True)
class StepGraph:
    """The symbols of a step: what goes in, what comes out, and the names that the formula gives them."""

    layout: Layout
    x: Symbol
    states: tuple[Symbol, ...]
    after: tuple[Symbol, ...]
    y: Symbol
    target: Symbol
    loss: Symbol
    names: dict[Symbol, str]


def step_graph(layout: Layout) -> StepGraph:
    """Read a cell's formula, the output layer and the loss as symbols."""
    cell, hidden = layout.cell, layout.hidden
    x = leaf("input", layout.inputs)
    states = tuple(leaf("state", hidden, index) for index in range(len(cell.states)))

    def gate(index: int) -> Gate:
        row = index * hidden
        return Gate(
            Matrix(WEIGHT_IH, row, hidden, layout.inputs),
            Matrix(WEIGHT_HH, row, hidden, hidden),
            leaf("parameter", hidden, (BIAS_IH, row)),
            leaf("parameter", hidden, (BIAS_HH, row)),
        )

    after, names = _with_names(cell.step, Weights(cell.gates, gate), x, *states)
    after = after if isinstance(after, tuple) else (after,)
    if not all(isinstance(state, Symbol) for state in after):
        raise BadInput(f"Cell {cell.name}: its formula must return its states, got {after}")
    sizes = [state.size for state in after]
    if sizes != [hidden] * len(states):
        raise BadInput(
            f"Cell {cell.name}: its formula must return {several(len(states), 'state')} of {hidden} units "
            f"({', '.join(cell.states)}), got sizes {sizes}"
        )
    after = tuple(s if s.arguments else s + 0.0 for s in after)  # a state that is handed on is computed too
    for name, symbol in zip(cell.states, after, strict=True):
        names[symbol] = name
    names |= {state: f"{name}_before" for name, state in zip(cell.states, states, strict=True)}
    y = readout(
        Matrix(OUTPUT_WEIGHT, 0, layout.outputs, hidden),
        leaf("parameter", layout.outputs, (OUTPUT_BIAS, 0)),
        after[0],
    )
    target = leaf("target", layout.outputs)
    error = unary("where_counted", y - target)
    loss = squared_error(error, leaf("scale", layout.outputs))
    return StepGraph(layout, x, states, after, y, target, loss, names | {y: "y", error: "error"})


def _with_names(formula: Any, *arguments: Any) -> tuple[Any, dict[Symbol, str]]:
    """Call a formula, and learn what its local variables call the symbols.

    In a thread of its own, so that a profiler or debugger of the caller's is left alone.
    """
    names: dict[Symbol, str] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is formula.__code__:
            found = {value: name for name, value in frame.f_locals.items() if isinstance(value, Symbol)}
            names.update({symbol: name for symbol, name in found.items() if symbol.arguments})

    def called() -> Any:
        sys.setprofile(watch)
        return formula(*arguments)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(called).result(), names


def in_order(roots: Iterable[Symbol]) -> list[Symbol]:
    """All symbols that the roots need, arguments before their users."""
    ordered: list[Symbol] = []
    seen: set[Symbol] = set()

    def visit(symbol: Symbol) -> None:
        if symbol not in seen:
            seen.add(symbol)
            for argument in symbol.arguments:
                visit(argument)
            ordered.append(symbol)

    for root in roots:
        visit(root)
    return ordered
