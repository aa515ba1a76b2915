"""Tensors under names of a cell's own, for formulas in the notation of a paper."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import SimpleNamespace

from abacist.cells.parameters import Part, Shapes
from abacist.errors import BadInput
from abacist.fields import check_fields

#: What stands before a tensor's name in the parameters of a network.
PREFIX = "rnn."

#: Rows, and of a matrix columns; a vector has only rows.
_SHAPE = re.compile(r"(hidden|[1-9]\d*)( (hidden|inputs|[1-9]\d*))?")


@dataclass(frozen=True)
class Tensors:
    """The name of each tensor and its shape in words: `hidden inputs`, `hidden hidden`, `hidden`.

    A formula has them by their names: `linear(w.W_z, x) + w.b_z`.
    """

    declared: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        check_fields(self)
        names = [name for name, _ in self.declared]
        if not names or len(set(names)) < len(names):
            raise BadInput(f"Tensors: names must be given and differ, got {' '.join(names) or 'none'}")
        for name, shape in self.declared:
            if not _SHAPE.fullmatch(shape):
                raise BadInput(
                    f"Tensors: the shape of {name} must be rows, hidden or a number, and perhaps columns, "
                    f"got {shape!r}"
                )

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        sizes = {"inputs": inputs, "hidden": hidden}
        return {
            PREFIX + name: tuple(sizes[word] if word in sizes else int(word) for word in shape.split())
            for name, shape in self.declared
        }

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        """The tensors, whole."""
        rows = {name: shape.split()[0] for name, shape in self.declared}
        whole = {name: hidden if own == "hidden" else int(own) for name, own in rows.items()}
        return SimpleNamespace(**{name: part(PREFIX + name, 0, count) for name, count in whole.items()})


def tensors(**shapes: str) -> Tensors:
    """Parameters with names of their own: `tensors(W_z="hidden inputs", b_z="hidden")`."""
    return Tensors(tuple(shapes.items()))
