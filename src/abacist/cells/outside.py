"""Models from outside: known by a name and the settings they were made with, judged here, but not computed.

Where a run has a cell, a run of such a model has this: a name without a formula. It begins with `outside:`,
which no cell's name can, so that nobody takes one for the other, nor do their keys ever meet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from abacist.cells.definition import Cell, State
from abacist.cells.parameters import Part, Shapes
from abacist.errors import BadInput
from abacist.fields import checked, shown

_PREFIX = "outside:"

#: What such a model may be called: words of letters, digits and a few signs; and how long all may be.
_NAME, _LONGEST = re.compile(r"\w[\w.+-]*( [\w.+-]+)*"), 200


@dataclass(frozen=True)
class _Nothing:
    """The parameters of what has none here."""

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        return {}

    def bind(self, part: Part, hidden: int) -> Any:
        return None


def _no_formula(w: Any, x: Any, h: Any) -> Any:
    raise BadInput("a model from outside has no formula here, so it can be neither trained nor followed")


@dataclass(frozen=True)
class OutsideModel(Cell):
    """What stands in the place of a cell in runs of a model from outside."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "content", self.name)  # it is known by its name alone

    def __reduce__(self) -> tuple[Any, ...]:
        return outside_written, (self.name,)


@checked
def outside_model(name: str, settings: Mapping[str, Any] | None = None) -> OutsideModel:
    """A model from outside, by its name and the settings that tell it from others of that name.

    >>> outside_model("transformer", {"width": 32, "layers": 2}).name
    'outside:transformer (layers 2, width 32)'
    """
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"a model from outside: a name is made of letters, digits, '.', '+' and '-', got {shown(name)}"
        )
    told = []
    for field, value in sorted((settings or {}).items()):
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if not (isinstance(field, str) and _NAME.fullmatch(field) and _NAME.fullmatch(text)):
            raise BadInput(
                f"{name}: a setting is a name and a number or a word, got {shown(field)} = {shown(value)}"
            )
        told.append(f"{field} {text}")
    return outside_written(f"{_PREFIX}{name}" + (f" ({', '.join(told)})" if told else ""))


def is_outside(written: str) -> bool:
    """Whether a name is that of a model from outside."""
    return written.startswith(_PREFIX)


def outside_written(written: str) -> OutsideModel:
    """A model from outside by all that is written of it."""
    if not is_outside(written) or len(written) > _LONGEST or not written.isprintable():
        raise BadInput(
            f"a model from outside is {_PREFIX}NAME, of at most {_LONGEST} letters, got {shown(written)}"
        )
    return OutsideModel(written, _Nothing(), (State("h"),), _no_formula)
