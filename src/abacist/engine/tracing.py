"""Tracing: every state, gate and output of a network on a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Memory, predicted
from abacist.errors import BadInput, UnknownName
from abacist.fields import checked, short_repr
from abacist.specs.networks import Networks
from abacist.targets import target_for


@dataclass(frozen=True, eq=False)
class Trace:
    """Values by the names that the cell's formula gives them, each (time, unit); outputs are `y`.

    `widths` are how many numbers a row has of those that are memories, `threshold` is that of the layout.
    """

    word: tuple[int, ...]
    values: dict[str, NDArray[Any]]
    widths: Mapping[str, int] = field(default_factory=dict)
    threshold: float | None = None

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.values:
            raise UnknownName(f"no value is called {name!r}; there are {', '.join(self.values)}")
        return self.values[name]

    @property
    def predicted(self) -> NDArray[np.bool_]:
        """Which outputs are predicted, (time, output)."""
        return predicted(self.values["y"], self.threshold)

    def _repr_html_(self) -> str:
        """A row for every step with all values but memories, for a notebook."""
        plain = ((name, array) for name, array in self.values.items() if name not in self.widths)
        names = [(name, unit) for name, array in plain for unit in range(array.shape[1])]
        heads = "".join(f"<th>{escape(name)}<sub>{unit + 1}</sub></th>" for name, unit in names)
        rows = (
            f"<tr><td>{time + 1}</td><td>{symbol}</td>"
            + "".join(f"<td>{self.values[name][time, unit]:.4f}</td>" for name, unit in names)
            + "</tr>"
            for time, symbol in enumerate(self.word)
        )
        return f"<table><tr><th>step</th><th>symbol</th>{heads}</tr>{''.join(rows)}</table>"


@checked
def trace(networks: Networks, run: int, word: Sequence[int] | NDArray[Any]) -> Trace:
    """Follow a word through one network."""
    run, inputs = networks.checked_run(run), networks.layout.inputs
    if not all(isinstance(code, int | np.integer) for code in word):
        raise BadInput(
            "trace: a word must be the numbers of its symbols, as alphabet.parse gives them, "
            f"got {short_repr(word)}"
        )
    for code in word:
        if not 0 <= code < inputs:
            raise BadInput(f"trace: symbols must be below {inputs}, got {code}")
    (values,) = target_for(networks.layout).tracing(networks, run, [tuple(word)])
    layout = networks.layout
    sizes = zip(layout.cell.states, layout.state_sizes, strict=True)
    widths = {own.name: size // own.rows for own, size in sizes if isinstance(own, Memory)}
    return Trace(tuple(word), values, widths, layout.threshold)
