"""What an optimiser is: one update of the weights as a formula."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields

#: The moments that there is room for, and what a program calls their arrays.
MOMENTS = ("first", "second")

#: Rows of numbers that are the same for all weights, by name.
Rows = tuple[dict[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Optimiser:
    """How weights follow their gradients.

    `numbers(s)` are those that all weights share, in rows that belong together, made of the settings and of
    `s.updates`, the number of this update from 1. `step(n, w, g, …)` takes these, a weight, its gradient and
    its moments, at most two, which are zero at first, and returns the new weight and the new moments.
    `settings` are the fields of a spec that it reads.
    """

    name: str
    meaning: str
    settings: tuple[str, ...]
    numbers: Callable[[Any], Rows]
    step: Callable[..., Any]

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.moments) > len(MOMENTS):
            got = ", ".join(self.moments)
            raise BadInput(f"Optimiser {self.name}: there is room for {len(MOMENTS)} moments, got {got}")

    @property
    def moments(self) -> tuple[str, ...]:
        """What its formula calls its moments."""
        return tuple(inspect.signature(self.step).parameters)[3:]

    def shared(self, settings: Any) -> SimpleNamespace:
        """The numbers that all weights share, by name."""
        return SimpleNamespace(
            **{name: value for row in self.numbers(settings) for name, value in row.items()}
        )

    def advance(self, shared: Any, weight: Any, gradient: Any, moments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The new weight, and the new moments behind it."""
        after = self.step(shared, weight, gradient, *moments)
        return after if isinstance(after, tuple) else (after,)
