"""Schedules: the learning rate of each epoch. The engine asks before it; programs know no schedules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from abacist.errors import BadField, BadInput
from abacist.fields import Choice, Field, Range, expect, normalise_fields

_RULE = "must be constant, cosine, cosine:EPOCHS, step:EPOCHS or step:EPOCHS:FACTOR"


@dataclass(frozen=True)
class Schedule:
    """How the learning rate changes from epoch to epoch, as PyTorch's schedulers change it.

    With `cosine` (`CosineAnnealingLR`) it falls to 0 within `period` epochs along half a cosine; with `step`
    (`StepLR`) it is multiplied by `factor` after every `period` epochs. A `cosine` without a period lasts as
    long as the training.

    >>> step = Schedule.parse("step:10:0.5")
    >>> str(step), step.rate(0.1, epoch=25)
    ('step:10:0.5', 0.025)
    """

    name: Annotated[str, Field("", Choice(("constant", "cosine", "step")))] = "constant"
    period: Annotated[int, Field("", Range(0, 1_000_000))] = 0
    factor: Annotated[float, Field("", Range(above=0))] = 0.1

    def __post_init__(self) -> None:
        normalise_fields(self)
        stepwise = self.name == "step"
        if (self.name == "constant" and self.period) or (stepwise and not self.period):
            raise BadField(
                "Schedule", "period", "is the number of epochs of step or cosine", str(self.period)
            )
        if not stepwise and self.factor != Schedule.factor:
            raise BadField("Schedule", "factor", "is read by step alone", str(self.factor))

    @classmethod
    def parse(cls, text: str) -> Schedule:
        """Read `constant`, `cosine`, `cosine:20`, `step:10` or `step:10:0.5`."""
        expect("schedule", text, str)
        name, _, numbers = text.partition(":")
        period, _, factor = numbers.partition(":")
        try:
            return cls(name, int(period or 0), float(factor or cls.factor))
        except (BadInput, ValueError):
            raise BadField("", "schedule", _RULE, repr(text)) from None

    def __str__(self) -> str:
        numbers = [self.period] * (self.period > 0) + [self.factor] * (self.name == "step")
        return ":".join((self.name, *map(str, numbers)))

    def rate(self, rate: float, epoch: int) -> float:
        """The rate of an epoch, counted from 0, where that of the first one is given."""
        if self.name == "cosine":
            return rate * (1 + math.cos(math.pi * epoch / self.period)) / 2
        return rate * self.factor ** (epoch // self.period) if self.name == "step" else rate
