"""What a cell's parameters are: tensors with shapes, and how a formula gets to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

#: The shape of every tensor by name, in order.
Shapes = dict[str, tuple[int, ...]]

#: Some rows of a tensor in some reading: part(name, first row, number of rows).
Part = Callable[[str, int, int], Any]


@runtime_checkable
class Parameters(Protocol):
    """A kind of parameters: gates are one."""

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        """The tensors that a network of some size has."""

    def bind(self, part: Part, hidden: int) -> Any:
        """What a formula calls `w`, made of parts of the tensors."""
