"""Runs of one's own: those that no experiment of the catalogue asks for, and what varies among them.

A run of the catalogue whose settings differ in one field from some run of one's own belongs to both: a sweep
over units must not lack the networks of table 3 that lie on its way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from abacist.cells import CELLS
from abacist.corpora import PAPER
from abacist.experiments import PAPER_SETS, SETS, Results, Run, Task, catalogue, experiment_named, percents
from abacist.experiments.run_values import NUMBERS, lesson_settings, settings_of
from abacist.fields import checked, records
from abacist.labels import label_of
from abacist.specs import Spec

#: Values of a number beyond which neighbours are gathered, and in how many blocks.
MOST_VALUES, _BLOCKS = 16, 8

#: What accuracies are gathered by.
_Key = TypeVar("_Key")

#: Sets in the order in which they are taken where only one can be shown.
_HEADLINE = (*reversed(PAPER_SETS), *SETS)


@dataclass(frozen=True, eq=False)
class Group:
    """Runs with the same settings, and those settings: None for what says nothing of them."""

    settings: Mapping[str, Any]
    runs: tuple[Run, ...]


@dataclass(frozen=True, eq=False)
class OwnRuns:
    """Runs in groups of equal settings, in the order of what varies.

    `varying` are the settings that differ from group to group, `same` those that do not, with their values;
    `experiments` are those of the catalogue that the store has, `near` is how many groups belong to it, too.
    """

    groups: tuple[Group, ...]
    varying: tuple[str, ...]
    same: Mapping[str, Any]
    experiments: tuple[str, ...]
    near: int = 0

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return tuple(run for group in self.groups for run in group.runs)

    def values(self, name: str) -> tuple[Any, ...]:
        """The values of a setting, in their order, of the groups that have it."""
        return in_order(name, {group.settings[name] for group in self.groups} - {None})

    @property
    def paper_is_there(self) -> bool:
        """Whether the paper's own sections have something to show, or there is nothing else."""
        return bool(self.experiments) or not self.groups

    @cached_property
    def judged_on(self) -> tuple[str, ...]:
        """The sets that some run was judged on in the end, the paper's first."""
        sets = {name for run in self.runs for name in run.outcome.accuracy if run.accuracy(name) is not None}
        return (*(n for n in SETS if n in sets), *sorted(sets - set(SETS)))

    @cached_property
    def headline_set(self) -> str | None:
        """The set to show where there is room for one; None without any.

        Most runs were judged on it, and they differ on it, if they do on any.
        """
        shares = {name: percents(self.runs, name) for name in self.judged_on}
        most = max(map(len, shares.values()), default=0)
        ranked = sorted(shares, key=lambda n: _HEADLINE.index(n) if n in _HEADLINE else len(_HEADLINE))
        common = [name for name in ranked if 2 * len(shares[name]) > most]
        return next((name for name in common if np.ptp(shares[name]) > 0), next(iter(common), None))

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much of the differences on that set every setting that varies explains."""
        judged_on = self.headline_set
        return {name: explained(self, name, judged_on) if judged_on else 0.0 for name in self.varying}


@checked
def own_runs(results: Results) -> OwnRuns:
    """The runs of one's own in a store, grouped by what varies among them."""
    tasks = {name: _tasks_there(name, results) for name in catalogue()}
    in_catalogue = {task.spec for name in catalogue() for task in experiment_named(name).tasks}
    own = [spec for spec in results.by_spec if spec not in in_catalogue]
    others = [spec for spec in results.by_spec if spec in in_catalogue]
    beside = {one for spec in own for one in _with_one_left_out(spec)} if others else set()
    near = [spec for spec in others if not beside.isdisjoint(_with_one_left_out(spec))]
    there = [
        name
        for name, some in tasks.items()
        if len(some) == len(experiment_named(name).tasks) or any(task.spec not in near for task in some)
    ]
    return _grouped({spec: results.by_spec[spec] for spec in (*own, *near)}, there, len(near))


@checked
def all_runs(results: Results) -> OwnRuns:
    """All runs of a store, whatever asked for them, grouped alike."""
    return _grouped(results.by_spec, [name for name in catalogue() if _tasks_there(name, results)])


@checked
def runs_of(tasks: Sequence[Task], results: Results) -> OwnRuns:
    """The runs of some tasks, judged on all that these ask for, grouped alike."""
    by_spec = {task.spec: tuple(results.complete(task)) for task in tasks}
    return _grouped({spec: runs for spec, runs in by_spec.items() if runs}, ())


def _tasks_there(name: str, results: Results) -> list[Task]:
    """The tasks of an experiment that some run was done for, judged on all that it asks for."""
    return [
        task
        for task in experiment_named(name).tasks
        if task.spec in results.by_spec
        and results.complete(task, [run.seed for run in results.by_spec[task.spec]])
    ]


def _with_one_left_out(spec: Spec) -> Iterator[tuple[Any, ...]]:
    """All settings but one, for each of them; a model from outside is taken to be trained as in the paper."""
    settings = settings_of(spec)
    if spec.outside:
        units = {task.language: task.hidden for task in PAPER.tasks}
        usual = Spec(spec.language, CELLS["lstm"], units.get(spec.language.name, PAPER.tasks[0].hidden))
        settings = settings_of(usual) | {name: v for name, v in settings.items() if v is not None}
    values = tuple(settings.values())
    for place in range(len(values)):
        yield place, values[:place], values[place + 1 :]


def _grouped(by_spec: Mapping[Spec, tuple[Run, ...]], there: Iterable[str], near: int = 0) -> OwnRuns:
    settings = settings_apart(by_spec)
    names = list(next(iter(settings.values()), {}))
    values = {name: {one[name] for one in settings.values()} - {None} for name in names}
    varying = tuple(name for name in names if len(values[name]) > 1)
    same = {name: next(iter(some)) for name, some in values.items() if len(some) == 1}
    ranks = {name: {v: n for n, v in enumerate(in_order(name, values[name]))} for name in varying}
    groups = [Group(settings[spec], runs) for spec, runs in by_spec.items()]
    groups.sort(key=lambda group: [ranks[name].get(group.settings[name], -1) for name in varying])
    return OwnRuns(tuple(groups), varying, same, tuple(there), near)


def settings_apart(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """The settings of specs by their columns, as far as they can tell these apart.

    What all of them leave to the paper is left out, though it may depend on the language; where all have
    a lesson, it stands in its parts. Cells and languages of one's own go by their names where that is enough.
    """
    listed = list(specs)
    filled = [field for field in records(Spec).values() if field.filled]
    left = {field.column for field in filled if all(getattr(spec, field.name) is None for spec in listed)}
    apart = {
        spec: {name: value for name, value in settings_of(spec).items() if name not in left}
        for spec in listed
    }
    for field in ("cell", "language"):
        names = short_names({values[field] for values in apart.values()})
        for values in apart.values():
            values[field] = names[values[field]]
    if listed and all(spec.lesson is not None for spec in listed):
        for spec, values in apart.items():
            del values["lesson"]
            values |= lesson_settings(spec.lesson) if spec.lesson else {}
    return apart


def short_names(written: Iterable[str]) -> dict[str, str]:
    """What cells or languages are called, by how they are written: their labels, or names without digits.

    Where several would be called alike, they go by what is written.

    >>> short_names(["lstm", "mine#0123456789ab"])
    {'lstm': 'lstm', 'mine#0123456789ab': 'mine'}
    """
    names = {text: label_of(text).partition("#")[0] or text for text in written}
    many = Counter(names.values())
    return {text: name if many[name] == 1 else text for text, name in names.items()}


def in_order(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Values of a setting as people list them: numbers by size, cells as the paper has them."""
    if name in NUMBERS:
        return tuple(sorted(values))
    cells = {cell: place for place, cell in enumerate(CELLS)}

    def rank(value: Any) -> tuple[int, list[tuple[int, str]]]:
        parts = re.split(r"(\d+)", str(value))  # words and numbers in turns, so that dyck-2 precedes dyck-10
        natural = [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(parts)]
        return cells.get(value, len(cells)), natural

    return tuple(sorted(values, key=rank))


def neighbours(values: Iterable[float]) -> list[list[float]]:
    """Many values in a few blocks of neighbours, as many in each."""
    return [block.tolist() for block in np.array_split(np.array(sorted(values)), _BLOCKS)]


def accuracies(
    groups: Iterable[Group], judged_on: str, key: Callable[[Mapping[str, Any]], _Key]
) -> dict[_Key, NDArray[np.float64]]:
    """Accuracies in percent on a set, (run), by a key of settings; keys without any are left out."""
    by_key: dict[_Key, list[NDArray[np.float64]]] = {}
    for group in groups:
        by_key.setdefault(key(group.settings), []).append(percents(group.runs, judged_on))
    joined = {value: np.concatenate(parts) for value, parts in by_key.items()}
    return {value: shares for value, shares in joined.items() if len(shares)}


def explained(runs: OwnRuns, name: str, judged_on: str) -> float:
    """The share of the variance of accuracies on a set that lies between the values of a setting.

    0 where the setting makes no difference, 1 where nothing else does; 0 where all runs are alike. Of a
    number with many values neighbours are gathered: else each run would explain itself.
    """
    groups = (group for group in runs.groups if group.settings[name] is not None)
    by_value = accuracies(groups, judged_on, lambda settings: settings[name])
    gather = name in NUMBERS and len(by_value) > MOST_VALUES
    blocks = neighbours(by_value) if gather else [[value] for value in by_value]
    parts = [np.concatenate([by_value[value] for value in block]) for block in blocks]
    everything = np.concatenate(parts) if parts else np.zeros(0)
    total = float(((everything - everything.mean()) ** 2).sum()) if everything.size else 0.0
    if total < 1e-12:
        return 0.0
    return float(sum(len(p) * (p.mean() - everything.mean()) ** 2 for p in parts)) / total
