"""A cell that is not at hand: a store names it, and its formula is in a file that nobody gave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from abacist.cells.definition import Cell, State
from abacist.cells.parameters import Part, Shapes
from abacist.cells.register import offered, plain
from abacist.errors import UnknownName
from abacist.fields import check_fields


@dataclass(frozen=True)
class _Absence:
    """What stands for the parameters and the formula of a cell: whoever asks for them is told."""

    name: str
    digits: str

    def __post_init__(self) -> None:
        check_fields(self)

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        self._tell()

    def bind(self, part: Part, hidden: int) -> Any:
        self._tell()

    def __call__(self, *_: Any) -> NoReturn:
        self._tell()

    def _tell(self) -> NoReturn:
        raise UnknownName(self.reason)

    @property
    def reason(self) -> str:
        other = offered().get(plain(self.name))
        there = f", and the {self.name} in {other.origin} is another one" if other else ""
        return (
            f"cell {self.name}#{self.digits}: its formula is not at hand{there}; give the file that defines "
            "it with --plugin FILE"
        )


class AbsentCell(Cell):
    """A cell of which only the name and the first digits of the content are known.

    Runs of it can be listed, tabulated, merged and deleted; what needs its formula is refused.
    """

    def __init__(self, name: str, digits: str) -> None:
        absence = _Absence(name, digits)
        super().__init__(name, absence, (State("h"),), absence)
        object.__setattr__(self, "content", digits)

    @property
    def reason(self) -> str:
        """The sentence with which its formula is refused."""
        assert isinstance(self.parameters, _Absence)
        return self.parameters.reason

    @property
    def gated(self) -> bool:
        """Nobody can say; runs that were trained had what they needed."""
        return True

    @property
    def sharpens(self) -> bool:
        return True

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return AbsentCell, (self.name, self.content)
