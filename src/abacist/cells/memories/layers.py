"""The parameters of a controller with a memory: a recurrent layer of PyTorch, and linear layers beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any

from numpy.typing import NDArray

from abacist.algebra import linear
from abacist.cells.definition import Cell, Memory, State
from abacist.cells.parameters import Gates, GateWeights, Part, Shapes
from abacist.errors import BadInput
from abacist.fields import check_fields

Array = NDArray[Any]

#: Rows of a memory, as the authors of the generalised-Dyck paper have them.
ROWS = 104

#: Outputs and inputs of a linear layer.
_SHAPE = re.compile(r"(hidden|width|[1-9]\d*) (hidden|width|[1-9]\d*)")


@dataclass(frozen=True)
class LinearLayer:
    """A linear layer in any reading: `torch.nn.Linear`."""

    weight: Any
    bias: Any

    def __call__(self, x: Any) -> Any:
        """W x + b."""
        return linear(self.weight, x) + self.bias


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

    def __post_init__(self) -> None:
        check_fields(self)
        for name, least in (("width", 1), ("reads", 0)):
            if getattr(self, name) < least:
                raise BadInput(
                    f"ControllerLayers: {name} must be at least {least}, got {getattr(self, name)}"
                )
        for name, shape in self.linear:
            if not _SHAPE.fullmatch(shape):
                raise BadInput(
                    f"ControllerLayers: the shape of {name} must be two of hidden, width and numbers, "
                    f"got {shape!r}"
                )

    def _size(self, word: str, hidden: int) -> int:
        return {"hidden": hidden, "width": self.width}[word] if word.isalpha() else int(word)

    def _sizes(self, hidden: int) -> dict[str, tuple[int, int]]:
        """Outputs and inputs of every linear layer."""
        words = ((name, shape.split()) for name, shape in self.linear)
        return {name: (self._size(out, hidden), self._size(own, hidden)) for name, (out, own) in words}

    def _named(self, tensor: str) -> str:
        """A recurrent tensor's name, with that of its layer."""
        return f"{self.recurrent}.{tensor.partition('.')[2]}"

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        recurrent = self.gates.shapes(inputs + self.reads * self.width, hidden)
        shapes: Shapes = {self._named(name): shape for name, shape in recurrent.items()}
        for name, (outputs, own_inputs) in self._sizes(hidden).items():
            shapes |= {f"{name}.weight": (outputs, own_inputs), f"{name}.bias": (outputs,)}
        return shapes

    def bind(self, part: Part, hidden: int) -> ControllerWeights:
        """The gates and the linear layers, made of their tensors."""
        gates = self.gates.bind(lambda name, first, rows: part(self._named(name), first, rows), hidden)
        layers = {
            name: LinearLayer(part(f"{name}.weight", 0, outputs), part(f"{name}.bias", 0, outputs))
            for name, (outputs, _) in self._sizes(hidden).items()
        }
        return ControllerWeights(gates, layers, self.width)


class ControllerWeights:
    """Gates and linear layers by name, and the width of the memory's rows."""

    def __init__(self, gates: GateWeights, layers: dict[str, LinearLayer], width: int) -> None:
        self.__dict__.update(vars(gates) | layers)
        self.width = width

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the cell declares no gate and no layer called {name!r}")


def by_own_inputs(drawn: dict[str, Array]) -> dict[str, Array]:
    """Linear layers as PyTorch begins them: by how many inputs each has, not by how many units."""
    hidden = next(len(array[0]) for name, array in drawn.items() if name.endswith("weight_hh_l0"))
    layers = [name.removesuffix(".weight") for name in drawn if name.endswith(".weight")]
    factors = {layer: sqrt(hidden / drawn[f"{layer}.weight"].shape[1]) for layer in layers}
    return {
        f"{layer}.{kind}": factor * drawn[f"{layer}.{kind}"]
        for layer, factor in factors.items()
        for kind in ("weight", "bias")
    }


def memory_cell(
    name: str,
    formula: Callable[..., Any],
    *,
    gates: str,
    width: int,
    layers: Mapping[str, str],
    states: Mapping[str, str],
    recurrent: str = "rnn",
    reads: int = 0,
    rows: int = ROWS,
) -> Cell:
    """A cell with a memory of some rows of some width.

    The size of a state is said in words: `hidden`, `width`, `rows` or `rows width`, a whole memory, or a sum
    of these, such as `hidden + width`.
    """
    parameters = ControllerLayers(recurrent, Gates(tuple(gates.split())), width, tuple(layers.items()), reads)
    sizes, held = {"width": width, "rows": rows}, list[State]()
    for own, size in states.items():
        terms = size.split(" + ")
        fixed = sum(prod(sizes[word] for word in term.split()) for term in terms if term != "hidden")
        if size in ("rows", "rows width"):
            held.append(Memory(own, per_unit=0, fixed=fixed, rows=rows))
        else:
            held.append(State(own, per_unit=terms.count("hidden"), fixed=fixed))
    return Cell(name, parameters, tuple(held), formula, by_own_inputs)
