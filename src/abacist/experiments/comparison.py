"""Comparisons: pairs of settings measure by measure, over the seeds that both have.

Runs are compared that differ in one field and agree in all others. The seed gives a run its words, so that
both runs of a pair have the same training set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from abacist.errors import BadInput, UnknownName
from abacist.experiments.conditions import fitting, known_field
from abacist.experiments.outcome import Run
from abacist.experiments.p_values import holm
from abacist.experiments.paired import PairedTest, Range, further_pairs, paired_test
from abacist.experiments.plan import RECOGNITION_SETS, SETS
from abacist.experiments.results import Results
from abacist.experiments.run_values import differing, fields_of, settings_of
from abacist.experiments.statistics import in_order
from abacist.experiments.store import Store
from abacist.fields import checked
from abacist.wording import did_you_mean

#: What a pair of settings can turn out to be: which is larger, that all pairs are equal, or neither.
LARGER, SMALLER, EQUAL, INCONCLUSIVE = "larger", "smaller", "equal", "inconclusive"


@dataclass(frozen=True)
class Measure:
    """What is compared: its unit, and the value of a run, None where it is not known."""

    name: str
    unit: str
    value: Callable[[Run], Range | None]


@dataclass(frozen=True)
class Difference:
    """Two values of a field, and what the paired runs say of first − second by a measure.

    `setting` is what the runs share beside the field. `adjusted` is the p-value adjusted for all
    differences of the comparison (Holm). `more_seeds` is how many more seeds would probably decide it; None
    where 20 times as many would not, and where it is decided.
    """

    setting: Mapping[str, Any]
    first: Any
    second: Any
    measure: str
    unit: str
    test: PairedTest
    adjusted: float
    verdict: str
    more_seeds: int | None


@dataclass(frozen=True)
class Comparison:
    """All pairs of values of a field, by every measure; `same` is what all runs share."""

    by: str
    level: float
    same: Mapping[str, Any]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()


@checked
def compare(
    source: Store | Results,
    by: str = "cell",
    *,
    where: Sequence[str] = (),
    measures: Sequence[str] = (),
    level: float = 0.95,
) -> Comparison:
    """Compare the runs of a store that differ in a field, such as their cells, pair by pair of equal seeds.

    Measures are sets of words, whose accuracies are compared; `wrong`, the length of the shortest wrong
    word found; `certified`, whether a network is proved right on every word; and `epochs` until it accepted
    the whole short set. By default all that are known.
    """
    if not 0 < level < 1:
        raise BadInput(f"compare: level must be between 0 and 1, got {level}")
    runs = fitting((Results.of(source) if isinstance(source, Store) else source).runs, where)
    by = known_field(by, fields_of(runs) if runs else (by,))
    groups = _groups(runs, by)
    chosen = _chosen(measures_of(runs), measures)
    pairs = [pair for setting, values in groups for pair in _pairs(setting, values, chosen)]
    if not pairs:
        raise BadInput(
            f"compare: no two runs with the same seed differ in {by} alone and have a measure in common"
        )
    varying = differing(setting for setting, _ in groups)
    shared = {name: value for name, value in groups[0][0].items() if name not in varying}
    tests = [paired_test(pair.one, pair.other, level) for pair in pairs]
    adjusted = holm([test.p_value for test in tests])
    differences = (
        _difference(pair, {name: pair.setting[name] for name in varying}, test, p_value, level, len(tests))
        for pair, test, p_value in zip(pairs, tests, adjusted, strict=True)
    )
    return Comparison(by, level, shared, tuple(differences), tuple(_notes(runs, chosen)))


def _difference(
    pair: _Pair, setting: Mapping[str, Any], test: PairedTest, adjusted: float, level: float, tests: int
) -> Difference:
    """What was found out about a pair, with the verdict."""
    if test.ties == test.pairs:
        verdict, more = EQUAL, None
    elif adjusted <= 1 - level:
        verdict, more = (LARGER if test.wins > test.losses else SMALLER), None
    else:
        verdict, more = INCONCLUSIVE, further_pairs(pair.one, pair.other, level, tests)
    measure = pair.measure
    return Difference(
        setting, pair.first, pair.second, measure.name, measure.unit, test, adjusted, verdict, more
    )


def _notes(runs: Sequence[Run], measures: Sequence[Measure]) -> Iterator[str]:
    """What a reader must know of some measures."""
    names = {measure.name for measure in measures}
    if "short" in names and any(not run.spec.distinct for run in runs):
        yield (
            "Words were drawn with repetition, so that the short set has words of the training set: "
            "accuracy on it is no test."
        )
    if "training" in names:
        yield "The training set is no test: networks were trained on its words."
    if "wrong" in names and any((_wrong(run) or (0, 0))[1] == np.inf for run in runs):
        yield "Where no wrong word is known, it is longer than all words that are proved."


def measures_of(runs: Iterable[Run]) -> list[Measure]:
    """The measures that are known of some runs: accuracies, then horizons, then epochs."""
    listed = list(runs)
    judged_on = dict.fromkeys(name for run in listed for name in run.outcome.accuracy)
    sets = [name for name in SETS if name in judged_on and name not in RECOGNITION_SETS]
    sets += [name for name in judged_on if name not in SETS]
    others = (
        Measure("wrong", "symbols", _wrong),
        Measure("certified", "points", _certified),
        Measure("epochs", "epochs", _epochs),
    )
    accuracies = [Measure(name, "points", partial(_accuracy, name)) for name in sets]
    return [*accuracies, *(m for m in others if any(m.value(run) is not None for run in listed))]


def _accuracy(name: str, run: Run) -> Range | None:
    share = run.accuracy(name)
    return None if share is None else (100 * share, 100 * share)


def _wrong(run: Run) -> Range | None:
    """The length of the shortest wrong word: of one that was found, or beyond what is proved."""
    horizon = run.outcome.horizon()
    if horizon is None:
        return None
    if horizon.wrong is not None:
        return float(len(horizon.wrong)), float(len(horizon.wrong))
    return float(horizon.proved_in(run.spec.language) + 1), np.inf


def _certified(run: Run) -> Range | None:
    known = run.outcome.known_horizon()
    if known is None or known.every_word is None:
        return None
    return 100.0 * known.every_word, 100.0 * known.every_word


def _epochs(run: Run) -> Range | None:
    """Epochs until the whole short set was accepted, where it was judged more than once."""
    shares = sorted(run.outcome.accuracy.get("short", {}).items())
    if len(shares) < 2:
        return None
    before = 0
    for epoch, share in shares:
        if share == 1:
            return float(before + 1), float(epoch)
        before = epoch
    return float(before + 1), np.inf


def _chosen(known: Sequence[Measure], names: Sequence[str]) -> list[Measure]:
    by_name = {measure.name: measure for measure in known}
    for name in names:
        if name not in by_name:
            raise UnknownName(
                f"unknown measure {name!r}{did_you_mean(name, by_name)}; these runs have {', '.join(by_name)}"
            )
    return [by_name[name] for name in dict.fromkeys(names)] if names else list(known)


#: What runs share, and the runs of each value of the compared field by seed.
_Group = tuple[Mapping[str, Any], Mapping[Any, Mapping[int, Run]]]


def _groups(runs: Sequence[Run], by: str) -> list[_Group]:
    """Runs that agree in all settings but one.

    A model from outside has no settings of training: it is in all groups that agree with its other settings.
    """
    if runs and by not in settings_of(runs[0].spec):
        raise BadInput(f"compare: runs are compared by a setting, such as cell or hidden, got {by!r}")
    groups: dict[tuple[Any, ...], dict[Any, dict[int, Run]]] = {}
    names = [name for name in (settings_of(runs[0].spec) if runs else ()) if name != by]
    for run in sorted(runs, key=lambda run: run.spec.outside):
        settings = settings_of(run.spec) | ({"hidden": None} if run.spec.outside else {})
        key = tuple(settings[name] for name in names)
        fits = [key]
        if run.spec.outside:
            fits = [other for other in groups if _agrees(key, other)] or [key]
        for other in fits:
            groups.setdefault(other, {}).setdefault(settings[by], {})[run.seed] = run
    ordered = sorted(groups.items(), key=lambda item: [in_order(value) for value in item[0]])
    return [(dict(zip(names, key, strict=True)), values) for key, values in ordered if len(values) > 1]


def _agrees(outside: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether settings are those of another run, as far as there are any."""
    return all(value in (None, known) for value, known in zip(outside, other, strict=True))


@dataclass(frozen=True)
class _Pair:
    """Two values of the compared field, and the values of a measure of all seeds that both have."""

    setting: Mapping[str, Any]
    first: Any
    second: Any
    measure: Measure
    one: list[Range]
    other: list[Range]


def _pairs(
    setting: Mapping[str, Any], values: Mapping[Any, Mapping[int, Run]], measures: Sequence[Measure]
) -> Iterator[_Pair]:
    """All pairs of values of a field by every measure that some seed has for both."""
    for measure in measures:
        for first, second in combinations(sorted(values, key=in_order), 2):
            seeds = sorted(values[first].keys() & values[second].keys())
            ranges = [
                (measure.value(values[first][seed]), measure.value(values[second][seed])) for seed in seeds
            ]
            common = [(one, other) for one, other in ranges if one is not None and other is not None]
            if common:
                one, other = zip(*common, strict=True)
                yield _Pair(setting, first, second, measure, [*one], [*other])
