"""Layers: a cell made of cells, one above the other; each reads the hidden state of the one below.

The combinator knows nothing of any formula. Tensors have PyTorch's names: those of layer k end with `_lk`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from numpy.typing import NDArray

from abacist.cells.definition import Cell
from abacist.cells.parameters import Part, Shapes
from abacist.errors import BadInput
from abacist.fields import check_fields

#: How many layers a network may have.
MOST_LAYERS = 8


@dataclass(frozen=True)
class Layers:
    """The parameters of a cell, once for every layer; a formula gets a tuple of its `w`, the lowest first."""

    cell: Cell
    count: int

    def __post_init__(self) -> None:
        check_fields(self)
        if not 2 <= self.count <= MOST_LAYERS:
            raise BadInput(f"Layers: there can be 2 to {MOST_LAYERS} layers, got {self.count}")

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        shapes: Shapes = {}
        for layer in range(self.count):
            of_cell = self.cell.parameters.shapes(inputs, hidden)
            shapes |= {of_layer(name, layer): shape for name, shape in of_cell.items()}
            inputs = self.cell.states[0].size(hidden, inputs)
        return shapes

    def bind(self, part: Part, hidden: int) -> tuple[Any, ...]:
        def part_of(layer: int) -> Part:
            return lambda name, first, rows: part(of_layer(name, layer), first, rows)

        return tuple(self.cell.parameters.bind(part_of(layer), hidden) for layer in range(self.count))

    def initial(self, drawn: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The tensors of each layer that begin otherwise, as the cell says."""
        assert self.cell.initial is not None
        names, result = self.cell.parameters.shapes(1, 1), dict[str, NDArray[Any]]()
        for layer in range(self.count):
            changed = self.cell.initial({name: drawn[of_layer(name, layer)] for name in names})
            result |= {of_layer(name, layer): array for name, array in changed.items()}
        return result


class Stacked(Cell):
    """A cell of several layers, all of one kind."""

    @cached_property
    def content(self) -> str:
        """That of a layer, and how many there are."""
        return f"{self.layer.content}_x{self.count}"

    def check_unchanged(self) -> None:
        self.layer.check_unchanged()

    def __reduce__(self) -> tuple[Any, ...]:
        return stacked, (self.layer, self.count)


@lru_cache(maxsize=1_000)
def stacked(cell: Cell, layers: int) -> Cell:
    """A cell of so many layers. Its states are those of the topmost layer, which the output layer reads, and
    behind them those of the others, from the lowest, with `_lk` behind their names."""
    if layers == 1:
        return cell
    kind, width, states = Layers(cell, layers), len(cell.states), [cell.states]
    for _ in range(layers - 1):  # how many numbers some have depends on the layer below
        states.append(tuple(state.above(states[-1][0]) for state in cell.states))
    *below, top = states
    lower = (replace(s, name=f"{s.name}_l{layer}") for layer, states in enumerate(below) for s in states)

    def step(w: Any, x: Any, *states: Any) -> tuple[Any, ...]:
        before = [states[first : first + width] for first in range(0, len(states), width)]
        after = []
        for weights, of_layer in zip(w, (*before[1:], before[0]), strict=True):
            after.append(cell.advance(weights, x, of_layer))
            x = after[-1][0]
        return tuple(state for of_layer in (after[-1], *after[:-1]) for state in of_layer)

    step.__wrapped__ = cell.step  # type: ignore[attr-defined]  # its variables name those of every layer
    return Stacked(f"{cell.name}_x{layers}", kind, (*top, *lower), step, cell.initial and kind.initial)


def of_layer(name: str, layer: int) -> str:
    """What a tensor of the lowest layer is called in another one.

    >>> of_layer("rnn.weight_ih_l0", 1), of_layer("rnn.W_z", 1), of_layer("rnn.W_z", 0)
    ('rnn.weight_ih_l1', 'rnn.W_z_l1', 'rnn.W_z')
    """
    return f"{name.removesuffix('_l0')}_l{layer}" if layer else name
