"""Comparisons: pairs of settings measure by measure, over the seeds that both have.

Runs are compared that differ in one field and agree in all others. Runs with the same seed and the same
settings of words have the same training set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from abacist.cells import CELLS
from abacist.errors import BadInput, UnknownName
from abacist.experiments.conditions import Conditions, fitting, known_field
from abacist.experiments.outcome import Run
from abacist.experiments.p_values import holm
from abacist.experiments.paired import (
    MOST_TIMES,
    PairedTest,
    Range,
    further_pairs,
    least_p_value,
    paired_test,
)
from abacist.experiments.plan import RECOGNITION_SETS, SETS
from abacist.experiments.results import Results
from abacist.experiments.run_values import CERTIFIED, HORIZONS, differing, fields_of, settings_of
from abacist.experiments.statistics import in_order
from abacist.experiments.store import Store
from abacist.fields import checked, records
from abacist.labels import label_of
from abacist.specs import Spec
from abacist.wording import listed, plural, unknown

#: What a pair of settings can turn out to be: which is larger, that all pairs are equal, or neither.
LARGER, SMALLER, EQUAL, INCONCLUSIVE = "larger", "smaller", "equal", "inconclusive"


@dataclass(frozen=True)
class Measure:
    """What is compared: its unit, the value of a run, None where it is not known, and what runs have it."""

    name: str
    unit: str
    value: Callable[[Run], Range | None]
    needs: str = ""


@dataclass(frozen=True)
class Difference:
    """Two values of a field, and what the paired runs say of first − second by a measure.

    `setting` is what the runs share beside the field. `adjusted` is the p-value adjusted for all
    differences of the comparison (Holm). `more_seeds` is how many more seeds would probably decide it; None
    where `most_seeds` more would not, and where it is decided.
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

    @property
    def known_difference(self) -> float | None:
        """The median difference; None where it is only known to lie in a range."""
        low, high = self.test.difference
        return low if low == high else None

    @property
    def most_seeds(self) -> int:
        """How many more seeds are simulated at most."""
        return (MOST_TIMES - 1) * self.test.pairs


@dataclass(frozen=True)
class Comparison:
    """All pairs of values of a field, or those with one value, by every measure.

    `same` is what all runs share, `family` the number of differences that p-values are adjusted for.
    """

    by: str
    level: float
    same: Mapping[str, Any]
    differences: tuple[Difference, ...]
    family: int
    notes: tuple[str, ...] = ()


@checked
def compare(
    source: Store | Results | Sequence[Results],
    by: str = "cell",
    *,
    against: str | float | None = None,
    where: Sequence[str] = (),
    measures: Sequence[str] = (),
    level: float = 0.95,
) -> Comparison:
    """Compare the runs of a store that differ in a field, such as their cells, pair by pair of equal seeds.

    Of several results, the values of earlier ones come first; within one, cells of one's own, then the
    paper's in its order. With `against`, only the differences other − against are computed.

    Measures are sets of words, whose accuracies are compared; `horizon`, the length of the shortest wrong
    word; `certified`, whether a network is proved right on every word; and `epochs` until it accepted the
    whole short set. By default all that are known but the training set.
    """
    if not 0 < level < 1:
        raise BadInput(f"compare: level must be between 0 and 1, got {level}")
    sources = [Results.of(source)] if isinstance(source, Store) else source
    sources = [sources] if isinstance(sources, Results) else sources
    every = {run.key: run for one in sources for run in one.runs}
    if not (runs := fitting(tuple(every.values()), where)):
        raise BadInput("compare: there are no runs" + " that fit" * bool(where))
    fields = fields_of(runs)
    by = known_field(by, fields)
    groups = _groups(runs, by)
    values = _values([one.runs for one in sources], runs, by)
    duels = [*combinations(values, 2)]
    if against is not None:
        reference = _reference(values, by, against, fields)
        duels = [(value, reference) for value in values if value != reference]
    chosen = _chosen(measures_of(runs), measures)
    every_pair = (pair for setting, by_value in groups for pair in _pairs(setting, by_value, duels, chosen))
    pairs = list({pair.key: pair for pair in every_pair}.values())
    if not pairs:
        raise BadInput(_why_not(runs, by, bool(groups)))
    varying = differing(setting for setting, _ in groups)
    shared = {name: value for name, value in groups[0][0].items() if name not in varying}
    tests = [paired_test(pair.one, pair.other, level) for pair in pairs]
    adjusted = holm([test.p_value for test in tests])
    differences = (
        _difference(pair, varying, test, p_value, level, len(tests))
        for pair, test, p_value in zip(pairs, tests, adjusted, strict=True)
    )
    notes = (*_notes(runs, chosen), *_too_many(tests, level))
    return Comparison(by, level, shared, tuple(differences), len(tests), notes)


def _values(sources: Sequence[Sequence[Run]], runs: Sequence[Run], by: str) -> list[Any]:
    """The values of the compared field, in the order in which they are compared."""
    places: dict[Any, int] = {}
    for place, of_source in enumerate(sources):
        for run in of_source:
            places.setdefault(settings_of(run.spec)[by], place)
    values = {settings_of(run.spec)[by] for run in runs}
    return sorted(values, key=lambda value: (places[value], _standing(by, value)))


def _standing(by: str, value: Any) -> tuple[Any, ...]:
    """What values are sorted by: cells of one's own, the paper's, others; numbers; texts."""
    if by != "cell":
        return in_order(value)
    paper = list(CELLS)
    return "#" not in value, paper.index(value) if value in paper else len(paper), value


def _reference(values: Sequence[Any], by: str, against: str | float, fields: Mapping[str, str]) -> Any:
    """The value that all others are compared with, as `--where` takes it, or by its label."""
    condition, label = Conditions.parse([f"{by}={against}"], fields), str(against).casefold()
    matches = [v for v in values if condition.fit({by: v}) or label_of(str(v)).casefold() == label]
    if not matches:
        raise UnknownName(unknown(by, str(against), (str(value).partition("#")[0] for value in values)))
    if len(matches) > 1:
        raise BadInput(f"compare: against must be one {by}, {against} is {listed(map(str, matches))}")
    return matches[0]


def _why_not(runs: Sequence[Run], by: str, differ: bool) -> str:
    """Why no runs can be compared."""
    rows = [settings_of(run.spec) for run in runs]
    if len({str(row[by]) for row in rows}) == 1:
        return f"compare: {by} is {rows[0][by]} in all runs; two values of it are needed"
    if differ:
        return f"compare: runs that differ in {by} alone have no seed, or no measure, in common"
    others = [name for name in differing(rows) if name != by]
    return f"compare: no two runs differ in {by} alone; they also differ in {', '.join(others)}"


def _too_many(tests: Sequence[PairedTest], level: float) -> Iterator[str]:
    """What to say where there are so many differences that no verdict is possible."""
    least = min(least_p_value(test.pairs) for test in tests)
    if least * len(tests) > 1 - level and any(test.ties < test.pairs for test in tests):
        yield (
            f"No row can be decided: there are {plural(len(tests), 'row')}, and the smallest p-value of so "
            f"few seeds is {least:.2g}. Choose fewer rows (--where, --measure), or train more seeds."
        )


def _difference(
    pair: _Pair, varying: Sequence[str], test: PairedTest, adjusted: float, level: float, tests: int
) -> Difference:
    """What was found out about a pair, with the verdict."""
    low, high = test.difference
    agree = high >= 0 if test.direction > 0 else low <= 0  # the median difference, with the sum of ranks
    verdict, more = INCONCLUSIVE, None
    if test.ties == test.pairs:
        verdict = EQUAL
    elif adjusted <= 1 - level and agree:
        verdict = LARGER if test.direction > 0 else SMALLER
    else:
        more = further_pairs(pair.one, pair.other, level, tests)
    setting, of = {name: pair.setting[name] for name in varying}, pair.measure
    return Difference(setting, pair.first, pair.second, of.name, of.unit, test, adjusted, verdict, more)


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
    if "horizon" in names and any(len(set(_horizon(run) or ())) > 1 for run in runs):
        yield (
            "Horizons that are not known exactly are ranges: beyond what is proved, up to the shortest wrong "
            "word found, if any."
        )


def measures_of(runs: Iterable[Run]) -> list[Measure]:
    """The measures that are known of some runs: accuracies, then horizons, then epochs."""
    known = list(runs)
    judged_on = dict.fromkeys(name for run in known for name in run.outcome.accuracy)
    sets = [name for name in SETS if name in judged_on and name not in RECOGNITION_SETS]
    sets += [name for name in judged_on if name not in SETS]
    accuracies = [Measure(name, "points", partial(_accuracy, name)) for name in sets]
    return [*accuracies, *(m for m in _FURTHER if any(m.value(run) is not None for run in known))]


def _accuracy(name: str, run: Run) -> Range | None:
    return _in_percent(run.share(name))


def _in_percent(share: float | None) -> Range | None:
    return None if share is None else (100.0 * share, 100.0 * share)


def _horizon(run: Run) -> Range | None:
    """The length of the shortest wrong word: beyond what is proved, at most that of one that was found."""
    horizon = run.outcome.horizon()
    if horizon is None:
        return None
    return float(horizon.proved + 1), np.inf if horizon.wrong is None else float(len(horizon.wrong))


def _certified(run: Run) -> Range | None:
    known = run.outcome.known_horizon()
    return None if known is None else _in_percent(known.every_word)


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


_FURTHER = (
    Measure("horizon", "symbols", _horizon, HORIZONS),
    Measure("certified", "points", _certified, CERTIFIED),
    Measure("epochs", "epochs", _epochs, "runs judged after several epochs, with at_epochs, have it"),
)


def _chosen(known: Sequence[Measure], names: Sequence[str]) -> list[Measure]:
    by_name = {measure.name: measure for measure in known}
    for name in names:
        if name not in by_name:
            why = {measure.name: measure.needs for measure in _FURTHER}.get(name)
            if why is not None:
                raise BadInput(f"compare: no run has the measure {name}: {why}")
            raise UnknownName(unknown("measure", name, by_name))
    if names:
        return [by_name[name] for name in dict.fromkeys(names)]
    return [measure for measure in known if measure.name != "training"] or list(known)


#: What runs share, and the runs of each value of the compared field by seed.
_Group = tuple[Mapping[str, Any], Mapping[Any, Mapping[int, Run]]]


def _groups(runs: Sequence[Run], by: str) -> list[_Group]:
    """Runs that agree in all settings but one.

    A model from outside has no settings of training: it is in all groups that agree with its other settings.
    """
    first = settings_of(runs[0].spec)
    if by not in first:
        varying = ", ".join(differing(settings_of(run.spec) for run in runs)) or "none differs"
        raise BadInput(f"compare: runs are compared by a setting ({varying}), got {by!r}")
    groups: dict[tuple[Any, ...], dict[Any, dict[int, Run]]] = {}
    names = [name for name in first if name != by]

    def agree(outside: Sequence[Any], other: Sequence[Any]) -> bool:
        return all(value in (None, known) for value, known in zip(outside, other, strict=True))

    for run in sorted(runs, key=lambda run: run.spec.outside):
        settings = settings_of(run.spec) | ({"hidden": None} if run.spec.outside else {})
        key = tuple(settings[name] for name in names)
        for other in [one for one in groups if run.spec.outside and agree(key, one)] or [key]:
            groups.setdefault(other, {}).setdefault(settings[by], {})[run.seed] = run
    ordered = sorted(groups.items(), key=lambda item: [in_order(value) for value in item[0]])
    return [(dict(zip(names, key, strict=True)), values) for key, values in ordered if len(values) > 1]


#: Settings that a model from outside does not have.
_UNKNOWN_OUTSIDE = {record.column for record in records(Spec).values() if record.trains} | {"hidden"}


@dataclass(frozen=True)
class _Pair:
    """Two values of the compared field, and the values of a measure of all seeds that both have."""

    setting: Mapping[str, Any]
    first: Any
    second: Any
    measure: Measure
    one: list[Range]
    other: list[Range]
    key: tuple[str, ...]


def _pairs(
    setting: Mapping[str, Any],
    values: Mapping[Any, Mapping[int, Run]],
    duels: Sequence[tuple[Any, Any]],
    measures: Sequence[Measure],
) -> Iterator[_Pair]:
    """The pairs of values of a field by every measure that some seed has for both."""
    for measure in measures:
        for first, second in duels:
            if first not in values or second not in values:
                continue
            seeds = sorted(values[first].keys() & values[second].keys())
            runs = [(values[first][seed], values[second][seed]) for seed in seeds]
            ranges = [(measure.value(one), measure.value(other)) for one, other in runs]
            common = [(one, other) for one, other in ranges if one is not None and other is not None]
            if common:
                ones, others = zip(*common, strict=True)
                if all(run.spec.outside for pair in runs for run in pair):  # the same beside all trained runs
                    setting = {name: None if name in _UNKNOWN_OUTSIDE else v for name, v in setting.items()}
                key = (measure.name, *(run.key for pair in runs for run in pair))
                yield _Pair(setting, first, second, measure, [*ones], [*others], key)
