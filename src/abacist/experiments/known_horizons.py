"""Horizons of runs: what an experiment asks for, what is known, and the plain values that a store keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from abacist.analysis.horizons import Horizon, Refutation, Search
from abacist.errors import BadInput
from abacist.fields import check_fields


@dataclass(frozen=True)
class HorizonAim:
    """A horizon to be known: of a network whose gates are sharpened by a factor, 1 for as it is."""

    search: Search
    factor: float = 1.0

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 < self.factor < float("inf"):
            raise BadInput(f"HorizonAim: factor must be positive and finite, got {self.factor}")


@dataclass(frozen=True)
class KnownHorizon:
    """A horizon that is known, and the factor by which the gates were sharpened."""

    factor: float
    horizon: Horizon

    def __post_init__(self) -> None:
        check_fields(self)

    def answers(self, aim: HorizonAim) -> bool:
        return self.factor == aim.factor and self.horizon.answers(aim.search)

    def as_dict(self) -> dict[str, Any]:
        """In plain values, for JSON."""
        own = self.horizon
        wrong = None if own.wrong is None else asdict(own.wrong)
        return {
            "factor": self.factor,
            "proved": own.proved,
            "wrong": wrong,
            "search": asdict(own.search),
            "reached": own.reached,
            "seconds": own.seconds,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> KnownHorizon:
        """The inverse of `as_dict`."""
        rest = dict(values)
        factor, wrong, search = rest.pop("factor"), rest.pop("wrong"), Search(**rest.pop("search"))
        if wrong is not None:
            words = {name: tuple(wrong[name]) for name in ("word", "predicted", "right")}
            wrong = Refutation(step=wrong["step"], **words)
        return cls(factor, Horizon(wrong=wrong, search=search, **rest))


def with_horizon(known: Iterable[KnownHorizon], new: KnownHorizon) -> tuple[KnownHorizon, ...]:
    """Known horizons with a further one, which also has what was known before for the same factor.

    An older one stays where its search was not repeated, so that what was once answered stays answered.
    """
    listed, best = list(known), new.horizon
    for old in listed:
        if old.factor == new.factor:
            best = old.horizon.joined(best)
    kept = [old for old in listed if old.factor != new.factor or _says_more(old.horizon, best)]
    return (*kept, KnownHorizon(new.factor, best))


def _says_more(old: Horizon, best: Horizon) -> bool:
    """Whether a search was made to its end that the best one did not repeat."""
    return old.reached > 0 and not best.answers(replace(old.search, budget=old.reached))
