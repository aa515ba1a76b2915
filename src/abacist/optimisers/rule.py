"""The rule by which a run's weights change: gradients clipped or not, weights that decay, an optimiser."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import maximum, minimum, sqrt
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.optimisers.formulas import OPTIMISERS, Optimiser

#: PyTorch adds it to a norm, so that nothing is divided by zero.
_TINY = 1e-6


@dataclass(frozen=True)
class Rule:
    """What an update does, without its numbers: one program serves all rates.

    Gradients are clipped first, by their norm and then value by value, as PyTorch's `clip_grad_norm_` and
    `clip_grad_value_` do it; then weights decay, as those of AdamW; then the optimiser has its turn.
    """

    optimiser: str = "adam"
    decays: bool = False
    clips_norm: bool = False
    clips_value: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.optimiser not in OPTIMISERS:
            listed = ", ".join(OPTIMISERS)
            raise BadInput(f"Rule: optimiser must be one of {listed}, got {self.optimiser!r}")

    @property
    def formula(self) -> Optimiser:
        return OPTIMISERS[self.optimiser]

    @property
    def settings(self) -> tuple[str, ...]:
        """The fields of a spec that it reads."""
        further = {"decay": self.decays, "clip_norm": self.clips_norm, "clip_value": self.clips_value}
        return (*self.formula.settings, *(name for name, used in further.items() if used))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numbers that all weights share."""
        ones = SimpleNamespace(**dict.fromkeys((*self.settings, "updates"), 1))
        with np.errstate(all="ignore"):
            return tuple(self._numbers(ones))

    def _numbers(self, settings: Any) -> dict[str, Any]:
        left = {"left": 1.0 - settings.rate * settings.decay} if self.decays else {}
        limits = {name: getattr(settings, name) for name in self.settings if name.startswith("clip_")}
        return self.formula.numbers(settings) | left | limits

    def numbers(self, settings: Any, first: int, last: int, rate: float | None = None) -> NDArray[np.float64]:
        """The numbers of the updates from `first`, counted from 1, to below `last`: (update, number).

        Their learning rate is that of the settings, unless a schedule says another.
        """
        updates = np.arange(first, last)
        values = {name: getattr(settings, name) for name in self.settings}
        if rate is not None:
            values["rate"] = rate
        columns = self._numbers(SimpleNamespace(**values, updates=updates)).values()
        return np.column_stack([np.broadcast_to(column, updates.shape) for column in columns])

    def shrink(self, squares: Any, limit: Any) -> Any:
        """The factor of gradients, given the sum of their squares and the largest norm."""
        return minimum(limit / (sqrt(squares) + _TINY), 1.0)

    def prepared(self, numbers: Any, weight: Any, gradient: Any, shrink: Any = None) -> tuple[Any, Any]:
        """The decayed weight and the clipped gradient: what the optimiser's formula takes."""
        if self.clips_norm:
            gradient = shrink * gradient
        if self.clips_value:
            gradient = minimum(numbers.clip_value, maximum(-numbers.clip_value, gradient))
        return (numbers.left * weight if self.decays else weight), gradient
