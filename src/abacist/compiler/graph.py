"""One time step of a network as a graph: the cell, the output layer and the loss, read as symbols.

The names that a formula gives to its values, its local variables, are interface: what it calls `f` or `c`
names the columns of its traces, the variables of its programs and the panels of figures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from abacist.algebra import Symbol, leaf
from abacist.algebra.operations import where_positive
from abacist.cells import OBJECTIVES, Layout
from abacist.cells.content import checked_states, symbols_of
from abacist.threads import ThreadPool


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
    counted: Symbol
    loss: Symbol
    names: dict[Symbol, str]


def step_graph(layout: Layout, objective: str = "squared") -> StepGraph:
    """Read a cell's formula, the output layer and the loss, one of `OBJECTIVES`, as symbols."""
    cell, outputs, tensor_slice = layout.cell, layout.outputs, symbols_of(layout.shapes)
    cell.check_unchanged()
    x = leaf("input", layout.inputs)
    states = tuple(leaf("state", size, index) for index, size in enumerate(layout.state_sizes))
    result, names = called_with_names(cell.step, layout.weights(tensor_slice), x, *states)
    after = checked_states(cell, result, layout.state_sizes)
    after = tuple(s if s.arguments else s + 0.0 for s in after)  # one that is only handed on is computed, too
    names |= dict(zip(after, cell.state_names, strict=True))
    names |= {state: f"{name}_before" for name, state in zip(cell.state_names, states, strict=True)}
    sums = layout.sums(tensor_slice, after[0])
    y = layout.scores(sums)
    target, scale, counted = (leaf(kind, outputs) for kind in ("target", "scale", "counted"))
    deviation, weighted = OBJECTIVES[objective]
    error = where_positive(counted, deviation(sums, y, target, layout.threshold))  # zero where no step counts
    loss = weighted(error, scale)
    names |= {y: "y", error: "error"}
    return StepGraph(layout, x, states, after, sums, y, target, counted, loss, names)


def called_with_names(formula: Callable[..., Any], *arguments: Any) -> tuple[Any, dict[Symbol, str]]:
    """Call a formula; its result, and what its local variables call the symbols when it returns.

    A formula that is made of another, as layers are, has the names of that one: as they are at its last call,
    and with `_l0`, `_l1` … behind them at those before. In its own thread, so that the caller's profiler or
    debugger is left alone.
    """
    code = getattr(formula, "__wrapped__", formula).__code__
    calls: list[dict[Symbol, str]] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is code:
            named = {value: name for name, value in frame.f_locals.items() if isinstance(value, Symbol)}
            calls.append({symbol: name for symbol, name in named.items() if symbol.arguments})

    def called() -> Any:
        sys.setprofile(watch)
        return formula(*arguments)

    with ThreadPool(1) as thread:
        result = thread.submit(called).result()
    names = dict(calls[-1]) if calls else {}
    for number, earlier in enumerate(calls[:-1]):
        names |= {symbol: f"{name}_l{number}" for symbol, name in earlier.items() if symbol not in names}
    return result, names
