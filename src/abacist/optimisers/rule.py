"""The rule by which a run's weights change: gradients clipped or not, weights that decay, an optimiser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.optimisers.adam import ADAM
from abacist.optimisers.definition import Optimiser
from abacist.optimisers.expressions import at_least, at_most, root
from abacist.optimisers.rmsprop import RMSPROP
from abacist.optimisers.sgd import SGD

#: All optimisers by name. A further one is a further file, and a further line.
OPTIMISERS: dict[str, Optimiser] = {own.name: own for own in (ADAM, SGD, RMSPROP)}

#: What PyTorch adds to a norm, so that nothing is divided by zero.
_TINY = 1e-6


@dataclass(frozen=True)
class Rule:
    """What an update does, without its numbers: one program serves all rates.

    Gradients are clipped first, by their norm and then value by value, as PyTorch's `clip_grad_norm_` and
    `clip_grad_value_` do it; then weights decay, as those of AdamW; then the optimiser has its turn.
    """

    optimiser: str = ADAM.name
    decays: bool = False
    clips_norm: bool = False
    clips_value: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.optimiser not in OPTIMISERS:
            known = ", ".join(OPTIMISERS)
            raise BadInput(f"Rule: optimiser must be one of {known}, got {self.optimiser!r}")

    @property
    def formula(self) -> Optimiser:
        return OPTIMISERS[self.optimiser]

    @property
    def settings(self) -> tuple[str, ...]:
        """The fields of a spec that it reads."""
        further = {"decay": self.decays, "clip_norm": self.clips_norm, "clip_value": self.clips_value}
        return (*self.formula.settings, *(name for name, used in further.items() if used))

    def left(self, settings: Any) -> Any:
        """What decay leaves of a weight."""
        return 1.0 - settings.rate * settings.decay

    def shrink(self, squares: Any, limit: Any) -> Any:
        """What gradients are multiplied by, given the sum of their squares and the largest norm."""
        return at_most(1.0, limit / (root(squares) + _TINY))

    def cut(self, gradient: Any, limit: Any) -> Any:
        """A gradient within plus and minus a limit."""
        return at_most(limit, at_least(-limit, gradient))


def updated(
    rule: Rule, settings: Any, weights: Any, gradient: Any, moments: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The reading of arrays: weights, (parameter,), after an update, and both moments behind them."""
    if rule.clips_norm:
        gradient = gradient * rule.shrink((gradient * gradient).sum(), settings.clip_norm)
    if rule.clips_value:
        gradient = rule.cut(gradient, settings.clip_value)
    if rule.decays:
        weights = rule.left(settings) * weights
    own = rule.formula
    count = len(own.moments)
    after = own.advance(own.shared(settings), weights, gradient, moments[:count])
    return (*after, *moments[count:])
