"""Pretraining: a first phase of training, and the factor by which gates are sharpened after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

from abacist.cells import NEXT_SYMBOL, OBJECTIVES, Cell
from abacist.cells.sharpening import without_gates
from abacist.errors import BadField
from abacist.field_names import check_names, keywords_answered
from abacist.fields import Choice, Field, Normalised, Range, checked, records
from abacist.specs.lesson import Lesson


@keywords_answered
@dataclass(frozen=True)
class Pretraining(Normalised):
    """The first phase of a run: `epochs` of training on the run's words, then all gates × `sharpen`.

    What is left out, or None, is the spec's. The spec's own training begins with the resulting weights, and
    with an optimiser that has made no update yet. A default must never change: a key has only the fields
    that differ from theirs.

    >>> str(Pretraining(sharpen=16, objective="squared"))
    'epochs 20, sharpen 16, objective squared'
    """

    # fmt: off
    epochs: Annotated[int, Field("Epochs of the first phase.", Range(0, 1_000_000))] = 20
    sharpen: Annotated[float, Field("What gates are multiplied by after it.", Range(above=0))] = 1.0
    rate: Annotated[float | None, Field("Its learning rate.", Range(above=0))] = None
    decay: Annotated[float | None, Field("How weights decay in it.", Range(0.0))] = None
    objective: Annotated[str | None, Field("Its training loss.", Choice(OBJECTIVES))] = None
    carry_states: Annotated[bool | None, Field("Whether words in it begin with the states before.")] = None
    state_noise: Annotated[float | None, Field("The noise on initial states in it.", Range(0.0))] = None
    # fmt: on

    def __str__(self) -> str:
        texts = {n: f"{v:g}" if isinstance(v, float) else str(v).lower() for n, v in self.as_dict().items()}
        return ", ".join(f"{name} {text}" for name, text in texts.items())

    def check(self, objective: str, cell: Cell, lesson: Lesson | None) -> None:
        """Refuse what does not fit the objective, the cell or the lesson of a spec."""
        if lesson is not None:
            raise BadField("Spec", "pretrain", "must be left out where there is a lesson", str(self))
        if self.sharpen != 1 and not cell.sharpens:
            why = f"must be 1: {without_gates(cell.name)}"
            raise BadField("Pretraining", "sharpen", why, str(self.sharpen))
        first = self.objective or objective
        if first != objective and NEXT_SYMBOL in (first, objective):
            why = f"must be {objective}, as the spec's: {NEXT_SYMBOL} has other outputs"
            raise BadField("Pretraining", "objective", why, first)

    def settings(self) -> dict[str, Any]:
        """The fields of a spec that it changes."""
        values = {name: getattr(self, name) for name in records(type(self)) if name != "sharpen"}
        return {name: value for name, value in values.items() if value is not None}

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values: the epochs, and what differs from its default."""
        values = {name: (getattr(self, name), record.default) for name, record in records(type(self)).items()}
        return {name: value for name, (value, usual) in values.items() if name == "epochs" or value != usual}

    @classmethod
    @checked
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `as_dict`; what is left out has its default."""
        check_names(cls, values)
        return cls(**values)
