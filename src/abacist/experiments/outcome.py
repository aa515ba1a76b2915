"""What came of a run: accuracies, losses, horizons and circumstances, and a store's JSON of them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis import Horizon, Refutation, Search
from abacist.cells import cell_written, written_cell
from abacist.errors import BadInput, UnknownName
from abacist.experiments.plan import SETS, HorizonAim, key_of_text, on_stored_words
from abacist.fields import Checked, check_fields, checked, expect, expect_each, fits
from abacist.languages import Language
from abacist.specs import Networks, Spec, Taught
from abacist.untrusted import read_json
from abacist.wording import unknown

#: Shares of accepted words, by set and by the epochs after which they were taken.
Accuracy = Mapping[str, Mapping[int, float]]

#: Reads the run of a key again from its store, with its arrays.
Finder = Callable[[str], "Run"]


@dataclass(frozen=True)
class KnownHorizon(Checked):
    """A horizon that is known, the factor by which the gates were sharpened, and which words it is about.

    `words` is as in `HorizonAim`. `every_word` says whether the network is proved right on every word, up to
    the depth where its precision stops counting; None where nobody tried.
    """

    factor: float
    horizon: Horizon
    every_word: bool | None = None
    words: str = ""

    @property
    def question(self) -> tuple[float, str]:
        """What it is about, as of `HorizonAim`."""
        return self.factor, self.words

    def answers(self, aim: HorizonAim) -> bool:
        tried = self.every_word is not None or not aim.certify
        return self.question == aim.question and tried and self.horizon.answers(aim.search)

    def as_dict(self) -> dict[str, Any]:
        """In plain values, for JSON."""
        values = asdict(replace(self.horizon, language=None)) | {"factor": self.factor}
        del values["language"]
        return values | {"every_word": self.every_word} | ({"words": self.words} if self.words else {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], language: Language[Any] | None = None) -> KnownHorizon:
        """The inverse of `as_dict`; the language of the network is not among the values."""
        rest = {"searches": 1} | dict(values)  # an older version's
        factor, wrong, search = rest.pop("factor"), rest.pop("wrong"), Search(**rest.pop("search"))
        every_word, which = rest.pop("every_word"), rest.pop("words", "")
        if wrong is not None:
            words = {name: tuple(wrong[name]) for name in ("word", "predicted", "right")}
            wrong = Refutation(step=wrong["step"], **words)
        known = cls(factor, Horizon(wrong=wrong, search=search, **rest), every_word, which)
        with suppress(BadInput):  # the language of its words may not be at hand
            language = None if language is None else on_stored_words(language, which)
            return replace(known, horizon=replace(known.horizon, language=language))
        return known


def with_horizon(known: Iterable[KnownHorizon], new: KnownHorizon) -> tuple[KnownHorizon, ...]:
    """Known horizons with a further one, which also has what was known before of the same question.

    An older one stays where its search was not repeated, so that what was once answered stays answered.
    """
    listed, best, every_word = list(known), new.horizon, new.every_word
    for old in listed:
        if old.question == new.question:
            best = old.horizon.joined(best)
            every_word = old.every_word if every_word is None else every_word

    def is_repeated(old: Horizon) -> bool:
        return old.reached == 0 or best.answers(replace(old.search, budget=old.reached), old.searches)

    kept = [old for old in listed if old.question != new.question or not is_repeated(old.horizon)]
    return (*kept, KnownHorizon(new.factor, best, every_word, new.words))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a run.

    `losses` are the means of its epochs, `diverged` is the epoch in which its weights stopped being
    finite, `begun` is in seconds since 1970, `seconds` is what it took from its beginning, even where another
    run was finished on the way, and `versions` those of the software that made it, with the processor it
    was compiled for and the features of that; runs of older versions of Abacist lack some. `taught` tells of
    the lesson, where the spec has one: `losses` are then those of the epochs before the run was proved
    right. `horizons` are those that were looked for.
    """

    accuracy: Accuracy
    losses: Sequence[float]
    diverged: int | None
    begun: float
    seconds: float
    versions: Mapping[str, str]
    taught: Taught | None = None
    horizons: tuple[KnownHorizon, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.losses, array):
            object.__setattr__(self, "losses", array("d", self.losses))
        for name, shares in self.accuracy.items():
            if type(shares) is not _Shares:  # those were checked when they were read
                expect(f"Outcome: accuracy on {name}", shares, Mapping)
                _check_shares(shares, name)

    def share(self, name: str, epoch: int) -> float | None:
        """The share of accepted words of a set after an epoch; None if it is not known."""
        share = self.accuracy.get(name, {}).get(epoch)
        return None if share is None else float(share)

    def known(self) -> set[tuple[str, int]]:
        """The accuracies that are there: (set, epoch)."""
        return {(name, epoch) for name, shares in self.accuracy.items() for epoch in shares}

    def known_horizon(self, factor: float = 1.0, words: str = "") -> KnownHorizon | None:
        """What is known of the network's horizon, its gates sharpened by a factor; None if nothing is.

        `words` is the text of the language whose words it is about, such as `dyck-2`; empty for all words.
        """
        return next((one for one in self.every_horizon if one.question == (factor, words)), None)

    def horizon(self, factor: float = 1.0, words: str = "") -> Horizon | None:
        """The horizon of the network, its gates sharpened by a factor; None if nobody looked for it."""
        known = self.known_horizon(factor, words)
        return None if known is None else known.horizon

    @property
    def every_horizon(self) -> tuple[KnownHorizon, ...]:
        """One for every factor and set of words: the latest, which has all that was known before."""
        latest = {(one.words, one.factor): one for one in self.horizons}
        return tuple(latest[question] for question in sorted(latest))

    @property
    def latest_horizons(self) -> tuple[KnownHorizon, ...]:
        """Those of all words, one for every factor."""
        return tuple(one for one in self.every_horizon if not one.words)

    def unanswered(self, aims: Iterable[HorizonAim]) -> tuple[HorizonAim, ...]:
        """The horizons that are not known as well as they are asked for."""
        return tuple(aim for aim in aims if not any(one.answers(aim) for one in self.horizons))

    @property
    def processor(self) -> tuple[str, str] | None:
        """The processor that the run was computed on, and its features; None where nobody wrote it down."""
        name = self.versions.get("processor")
        return None if name is None else (name, self.versions.get("features", ""))

    def as_json(self) -> str:
        """All but the losses as text."""
        accuracy = {name: {str(e): s for e, s in shares.items()} for name, shares in self.accuracy.items()}
        values: dict[str, Any] = {name: getattr(self, name) for name in ("begun", "diverged", "seconds")}
        values |= {"accuracy": accuracy, "versions": dict(self.versions)}
        if self.taught is not None:
            values["taught"] = self.taught.as_dict()
        if self.horizons:
            values["horizons"] = [one.as_dict() for one in self.horizons]
        return json.dumps(values, sort_keys=True)

    @classmethod
    def from_json(
        cls, text: str, losses: bytes | None = None, language: Language[Any] | None = None
    ) -> Outcome:
        """The inverse of `as_json`, with losses as bytes of float64; older stores have them in the text."""
        try:
            values = read_json(text, lax=True)
            values["losses"] = array("d", values["losses"] if losses is None else losses)
            accuracy = values["accuracy"].items()
            values["accuracy"] = {name: _shares(*at, *at.values()) for name, at in accuracy}
            values["versions"] = _versions(*values["versions"].items())
            if "horizons" in values:
                horizons = values["horizons"]
                values["horizons"] = tuple(KnownHorizon.from_dict(one, language) for one in horizons)
            if "taught" in values:
                values["taught"] = Taught.from_dict(values["taught"])
            return cls(**values)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInput(f"Outcome: a value is missing or of the wrong kind ({error})") from None


class _Shares(dict[int, float]):
    """Shares by epoch that have been checked."""


def _check_shares(shares: Mapping[Any, Any], name: str) -> None:
    for epoch, share in shares.items():
        numbers = fits(epoch, (int,)) and fits(share, (float,))
        if not numbers or epoch < 0 or not 0 <= share <= 1:
            raise BadInput(
                f"Outcome: accuracy must be a share from 0 to 1 after an epoch, got {share!r} "
                f"after {epoch!r} on {name}"
            )


#: Thousands of runs share what they were made with, and many of them their accuracies: these are kept once.
#: Values are told apart by their types, too, so that what is read is written as it was.
@lru_cache(maxsize=1 << 16, typed=True)
def _shares(*items: Any) -> Mapping[int, float]:
    """All epochs, then all shares, as a mapping."""
    half = len(items) // 2
    shares = _Shares({int(epoch): share for epoch, share in zip(items[:half], items[half:], strict=True)})
    _check_shares(shares, "a set")
    return shares


@lru_cache(maxsize=1 << 10)
def _versions(*items: tuple[str, str]) -> Mapping[str, str]:
    return dict(items)


def keeps_moments(spec: Spec, numbers: int) -> bool:
    """Whether as many numbers are weights and both moments; of a cell that is not at hand nobody can tell."""
    return spec.cell.absence is None and numbers == 3 * spec.layout.size


@dataclass(frozen=True, eq=False)
class Run:
    """A finished run: what was trained, from which seed, what came of it, and the weights.

    `kept` are the weights, and after them Adam's two moments where training may go on, or what reads the run
    again once they are needed; `has_moments` then says whether there are any.
    """

    spec: Spec
    seed: int
    outcome: Outcome
    kept: NDArray[Any] | Finder
    has_moments: bool = False
    key: str = field(init=False, repr=False, default="")

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "key", key_of_text(self.spec.key_text, self.seed))
        if not callable(self.kept):
            object.__setattr__(self, "has_moments", keeps_moments(self.spec, self.kept.size))

    def __repr__(self) -> str:
        spec, sets = self.spec, (name for name in self.outcome.accuracy if self.accuracy(name) is not None)
        shares = ", ".join(f"{name} {100 * (self.accuracy(name) or 0):.2f} %" for name in sets)
        end = "" if self.outcome.diverged is None else f"; diverged in epoch {self.outcome.diverged}"
        return (
            f"<Run: {spec.cell.name} on {spec.language.name}, {spec.units}, seed {self.seed}: {shares}{end}>"
        )

    def whole(self) -> Run:
        """The run with its arrays and losses, which another machine could not read from the store."""
        return self.kept(self.key) if callable(self.kept) else self

    @cached_property
    def arrays(self) -> NDArray[Any]:
        """The weights, and the moments where they were kept, one after the other."""
        return self.kept(self.key).arrays if callable(self.kept) else self.kept

    @property
    def weights(self) -> NDArray[Any]:
        """The weights, (parameter,)."""
        return self.arrays[: self.spec.layout.size] if self.has_moments else self.arrays

    @property
    def moments(self) -> NDArray[Any] | None:
        """Adam's two moments after the last epoch, (moment, parameter); None where they were not kept."""
        return self.arrays[self.spec.layout.size :].reshape(2, -1) if self.has_moments else None

    @property
    def networks(self) -> Networks:
        if self.spec.outside:
            raise BadInput(f"run {self.key[:8]}: {self.spec.cell.name} has no weights here, only results")
        cell, run = self.spec.cell, self
        if cell.absence is not None and cell_written(written_cell(cell)).absence is None:
            run = self.whole()  # the cell was defined since this was read
        return Networks(run.spec.layout, run.weights[None].copy())

    def accuracy(self, name: str, epoch: int | None = None) -> float | None:
        """The share of accepted words of a set after an epoch, by default the last; None if not judged."""
        if name not in self.outcome.accuracy and name not in SETS:
            raise UnknownName(unknown("set", name, dict.fromkeys([*self.outcome.accuracy, *SETS])))
        return self.share(name, epoch)

    def share(self, name: str, epoch: int | None = None) -> float | None:
        """The same of any set, such as those on which only other runs were judged."""
        return self.outcome.share(name, self.spec.epochs if epoch is None else epoch)


@dataclass(frozen=True, eq=False)
class Epoch:
    """What a callback is given: an epoch of some runs of a spec, which are trained side by side.

    `epoch` counts from 1; `losses` is (run,), in the order of `seeds`. `accuracies` has the shares, (run,),
    of each set that the networks were judged on after it. NaN: a run was not trained, or not judged.
    """

    spec: Spec
    seeds: tuple[int, ...]
    epoch: int
    losses: NDArray[np.float64]
    accuracies: Mapping[str, NDArray[np.float64]]


@checked
def percents(runs: Iterable[Run], name: str, epoch: int | None = None) -> NDArray[np.float64]:
    """The accuracies of runs on a set in percent, (run), without those that are not known."""
    listed = list(runs)
    expect_each("percents: each of runs", listed, Run)
    shares = (run.share(name, epoch) for run in listed)
    return np.array([100 * share for share in shares if share is not None])
