"""Horizons of runs: what an experiment asks for, what is known, and the plain values that a store keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

from abacist.analysis import Horizon, Refutation, Search
from abacist.fields import Checked, Field, Normalised, Range
from abacist.languages import Language


@dataclass(frozen=True)
class HorizonAim(Normalised):
    """A horizon to be known: of a network whose gates are sharpened by a factor, 1 for as it is.

    With `certify` also whether the network can be proved right on every word, whatever its length.
    """

    search: Search
    factor: Annotated[float, Field(rule=Range(above=0))] = 1.0
    certify: bool = False


@dataclass(frozen=True)
class KnownHorizon(Checked):
    """A horizon that is known, and the factor by which the gates were sharpened.

    `every_word` says whether the network is proved right on every word, up to the depth where its
    precision stops counting; None where nobody tried.
    """

    factor: float
    horizon: Horizon
    every_word: bool | None = None

    def answers(self, aim: HorizonAim) -> bool:
        tried = self.every_word is not None or not aim.certify
        return self.factor == aim.factor and tried and self.horizon.answers(aim.search)

    def as_dict(self) -> dict[str, Any]:
        """In plain values, for JSON."""
        values = asdict(replace(self.horizon, language=None)) | {"factor": self.factor}
        del values["language"]
        return values | {"every_word": self.every_word}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], language: Language[Any] | None = None) -> KnownHorizon:
        """The inverse of `as_dict`; the language of the network is not among the values."""
        rest = dict(values)
        factor, wrong, search = rest.pop("factor"), rest.pop("wrong"), Search(**rest.pop("search"))
        every_word = rest.pop("every_word")
        if wrong is not None:
            words = {name: tuple(wrong[name]) for name in ("word", "predicted", "right")}
            wrong = Refutation(step=wrong["step"], **words)
        return cls(factor, Horizon(wrong=wrong, search=search, language=language, **rest), every_word)


def with_horizon(known: Iterable[KnownHorizon], new: KnownHorizon) -> tuple[KnownHorizon, ...]:
    """Known horizons with a further one, which also has what was known before for the same factor.

    An older one stays where its search was not repeated, so that what was once answered stays answered.
    """
    listed, best, every_word = list(known), new.horizon, new.every_word
    for old in listed:
        if old.factor == new.factor:
            best = old.horizon.joined(best)
            every_word = old.every_word if every_word is None else every_word
    kept = [old for old in listed if old.factor != new.factor or _says_more(old.horizon, best)]
    return (*kept, KnownHorizon(new.factor, best, every_word))


def _says_more(old: Horizon, best: Horizon) -> bool:
    """Whether a search was made to its end that the best one did not repeat."""
    return old.reached > 0 and not best.answers(replace(old.search, budget=old.reached))
