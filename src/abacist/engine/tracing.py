"""Tracing: every state, gate and output of a network on a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import step_graph, trace_tape, tracing_program
from abacist.engine.lane_memory import aligned
from abacist.engine.lanes import LANES
from abacist.engine.networks import Networks
from abacist.engine.programs import kernel
from abacist.errors import BadInput


@dataclass(frozen=True, eq=False)
class Trace:
    """Values by the names that the cell's formula gives them, each (time, unit); outputs are `y`."""

    word: tuple[int, ...]
    values: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.values[name]

    @property
    def predicted(self) -> NDArray[np.bool_]:
        """Which outputs are predicted, (time, output)."""
        return np.asarray(self.values["y"] > 0.5)

    def _repr_html_(self) -> str:
        """A row for every step with all values, for a notebook."""
        names = [(name, unit) for name, array in self.values.items() for unit in range(array.shape[1])]
        heads = "".join(f"<th>{escape(name)}<sub>{unit + 1}</sub></th>" for name, unit in names)
        rows = (
            f"<tr><td>{time + 1}</td><td>{symbol}</td>"
            + "".join(f"<td>{self.values[name][time, unit]:.4f}</td>" for name, unit in names)
            + "</tr>"
            for time, symbol in enumerate(self.word)
        )
        return f"<table><tr><th>step</th><th>symbol</th>{heads}</tr>{''.join(rows)}</table>"


def trace(networks: Networks, run: int, word: Sequence[int]) -> Trace:
    """Follow a word through one network."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    lanes, steps = LANES[precision], len(word)
    if not all(isinstance(code, int | np.integer) for code in word):
        raise BadInput(f"trace: a word is the numbers of its symbols, as alphabet.parse gives, got {word!r}")
    for code in word:
        if not 0 <= code < layout.inputs:
            raise BadInput(f"trace: symbols must be below {layout.inputs}, got {code}")
    graph = step_graph(layout)
    tape = trace_tape(graph)
    codes = aligned((max(steps, 1), lanes), np.uint8)
    codes[:steps] = np.asarray(word, np.uint8)[:, None]
    history = aligned(((steps + 1) * tape.width * lanes,), precision)
    weights = networks.parameters[run].copy()
    kernel(tracing_program, layout, precision, "trace")(steps, codes.reshape(-1), weights, history)
    rows = history.reshape(steps + 1, tape.width, lanes)[:, :, 0]
    values = {}
    for index, name in enumerate(layout.cell.states):
        values[name] = rows[1:, index * layout.hidden : (index + 1) * layout.hidden].copy()
    for symbol, offset in tape.offsets.items():
        name = graph.names.get(symbol, "")
        if symbol.arguments and name:
            values.setdefault(name, rows[:-1, offset : offset + symbol.size].copy())
    return Trace(tuple(word), values)
