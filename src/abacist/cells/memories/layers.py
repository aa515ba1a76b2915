"""The parameters of a controller with a memory: a recurrent layer of PyTorch, and linear layers beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

from abacist.cells.definition import Cell, Memory, State
from abacist.cells.parameters import AffineMap, Gates, Part, Shapes, in_numbers

Array = NDArray[Any]

#: Rows of a memory, as the authors of the generalised-Dyck paper have them.
ROWS = 104


@dataclass(frozen=True)
class ControllerLayers:
    """A recurrent layer with gates, called `rnn` or `lstm`, and linear layers by name.

    The shape of a linear layer is its outputs and inputs in words, such as `hidden width`: `width` is that of
    the memory's rows. Beside the input, the recurrent layer is given so many `reads` from the memory. A
    formula asks `w.f(x, h)` and `w.W_n(h)`, and `w.width`.
    """

    recurrent: str
    gates: Gates
    width: int
    linear: tuple[tuple[str, str], ...]
    reads: int = 0

    def _named(self, tensor: str) -> str:
        """A recurrent tensor's name, with that of its layer."""
        return f"{self.recurrent}.{tensor.partition('.')[2]}"

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        recurrent = self.gates.shapes(inputs + self.reads * self.width, hidden)
        shapes: Shapes = {self._named(name): shape for name, shape in recurrent.items()}
        for name, words in self.linear:
            outputs, own_inputs = in_numbers(words, hidden=hidden, width=self.width)
            shapes |= {f"{name}.weight": (outputs, own_inputs), f"{name}.bias": (outputs,)}
        return shapes

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        """The gates and the linear layers, made of their tensors."""
        gates = self.gates.bind(lambda name, first, rows: part(self._named(name), first, rows), hidden)
        layers = {}
        for name, words in self.linear:
            outputs, _ = in_numbers(words, hidden=hidden, width=self.width)
            layers[name] = AffineMap(part(f"{name}.weight", 0, outputs), part(f"{name}.bias", 0, outputs))
        return SimpleNamespace(**vars(gates), **layers, width=self.width)


def by_own_inputs(drawn: dict[str, Array]) -> dict[str, Array]:
    """Linear layers as PyTorch begins them: by how many inputs each has, not by how many units."""
    hidden = next(len(array[0]) for name, array in drawn.items() if name.endswith("weight_hh_l0"))
    result: dict[str, Array] = {}
    for layer in (name.removesuffix(".weight") for name in drawn if name.endswith(".weight")):
        factor = sqrt(hidden / drawn[f"{layer}.weight"].shape[1])
        result |= {f"{layer}.{kind}": factor * drawn[f"{layer}.{kind}"] for kind in ("weight", "bias")}
    return result


def memory(name: str, width: int, rows: int = ROWS) -> Memory:
    """A state of some rows of some width."""
    return Memory(name, per_unit=0, fixed=rows * width, rows=rows)


def memory_cell(
    name: str,
    formula: Callable[..., Any],
    states: tuple[State, ...],
    *,
    gates: str,
    width: int,
    layers: Mapping[str, str],
    recurrent: str = "rnn",
    reads: int = 0,
) -> Cell:
    """A cell with a memory whose rows have some width."""
    parameters = ControllerLayers(recurrent, Gates(tuple(gates.split())), width, tuple(layers.items()), reads)
    return Cell(name, parameters, states, formula, by_own_inputs)
