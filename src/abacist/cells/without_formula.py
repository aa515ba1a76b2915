"""Cells without a formula: one that a store names and nobody gave, and models from outside, only judged here.

Their runs can be listed, tabulated, merged and deleted; what needs their formula is refused. The name of a
model from outside begins with `outside:`, which no cell's name can, so that nobody takes one for the other,
nor do their keys ever meet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from abacist.cells.definition import Cell, State
from abacist.cells.parameters import Part, Shapes
from abacist.cells.registry import OWN_CELLS
from abacist.errors import BadInput, UnknownName
from abacist.fields import checked, short_repr

_PREFIX = "outside:"

#: What such a model may be called: words of letters, digits and a few signs; and how long all may be.
_NAME, _LONGEST = re.compile(r"\w[\w.+-]*( [\w.+-]+)*"), 200


@dataclass(frozen=True)
class _Absence:
    """What stands for the parameters and the formula of a cell, as it is written: whoever asks is refused."""

    written: str

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        return {} if is_outside(self.written) else self()

    def bind(self, part: Part, hidden: int) -> Any:
        self()

    def __call__(self, *_: Any) -> NoReturn:
        raise UnknownName(self.reason)

    @property
    def reason(self) -> str:
        if is_outside(self.written):
            return "a model from outside has no formula here, so it can be neither trained nor followed"
        return OWN_CELLS.absence(self.written, "its formula")


class WithoutFormula(Cell):
    """A cell that is known by what is written of it, and by its content, alone."""

    def __init__(self, name: str, content: str, written: str) -> None:
        absence = _Absence(written)
        super().__init__(name, absence, (State("h"),), absence)
        object.__setattr__(self, "content", content)

    @property
    def written(self) -> str:
        """What stands for it in specs, run keys and files."""
        assert isinstance(self.parameters, _Absence)
        return self.parameters.written

    @property
    def absence(self) -> str:
        assert isinstance(self.parameters, _Absence)
        return self.parameters.reason

    def check_unchanged(self) -> None:
        """There is nothing to compare: whoever needs the formula is refused."""
        raise UnknownName(self.absence)

    @property
    def gated(self) -> bool:
        """Nobody can say; runs that were trained had what they needed."""
        return True

    @property
    def sharpens(self) -> bool:
        return True


class AbsentCell(WithoutFormula):
    """A cell of which only the name and the first digits of the content are known."""

    def __init__(self, name: str, digits: str) -> None:
        super().__init__(name, digits, f"{name}#{digits}")

    @property
    def reason(self) -> str:
        """The sentence with which its formula is refused."""
        return self.absence

    def __reduce__(self) -> tuple[Any, ...]:
        return AbsentCell, (self.name, self.content)


class OutsideModel(WithoutFormula):
    """What stands in the place of a cell in runs of a model from outside: all that is written of it."""

    def __init__(self, written: str) -> None:
        if not is_outside(written) or len(written) > _LONGEST or not written.isprintable():
            raise BadInput(
                f"a model from outside is {_PREFIX}NAME, of at most {_LONGEST} letters, "
                f"got {short_repr(written)}"
            )
        super().__init__(written, written, written)

    def __reduce__(self) -> tuple[Any, ...]:
        return OutsideModel, (self.name,)


@checked
def outside_model(name: str, settings: Mapping[str, Any] | None = None) -> OutsideModel:
    """A model from outside, by its name and the settings that tell it from others of that name.

    >>> outside_model("transformer", {"width": 32, "layers": 2}).name
    'outside:transformer (layers 2, width 32)'
    """
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"a model from outside: a name is made of letters, digits, '.', '+' and '-', "
            f"got {short_repr(name)}"
        )
    told = []
    for field, value in sorted((settings or {}).items()):
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if not (isinstance(field, str) and _NAME.fullmatch(field) and _NAME.fullmatch(text)):
            raise BadInput(
                f"{name}: a setting is a name and a number or a word, "
                f"got {short_repr(field)} = {short_repr(value)}"
            )
        told.append(f"{field} {text}")
    return OutsideModel(f"{_PREFIX}{name}" + (f" ({', '.join(told)})" if told else ""))


def is_outside(written: str) -> bool:
    """Whether a name is that of a model from outside."""
    return written.startswith(_PREFIX)
