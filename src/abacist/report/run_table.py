"""The table of single runs: all that tells one from another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, lru_cache
from typing import Any

from abacist.corpora import source_values
from abacist.experiments import RECOGNITION_SETS, SETS, Outcome, Run
from abacist.fields import checked
from abacist.report.tables import Column, Table
from abacist.specs import Lesson, Spec

#: Fields that stand first, and are shown however many runs share their values.
FIRST = ("language", "cell", "hidden", "epochs")

#: Fields whose names are those of sets, and what their columns are called.
_FIELD_COLUMNS = {
    "training": "training words",
    "test": "test words",
    "short": "short window",
    "long": "long window",
}

#: All other fields, so that runs of different settings never look alike.
_OTHERS = tuple(
    _FIELD_COLUMNS.get(field.name, field.name) for field in fields(Spec) if field.name not in FIRST
)
_OWN = ("key", "seed", "loss", "diverged", "seconds")

#: What is known of a run's horizon, its gates as they are; shown where some run of a store has one.
_HORIZON = (
    Column("proved", "proved", "", 0),
    Column("wrong", "wrong", "", 0),
    Column("certified", "certified"),
)


@checked
def runs_table(runs: Sequence[Run]) -> Table:
    """A row for every run: its key and seed, its accuracies, and every field of its spec."""
    return Table("runs", "Runs", run_columns(runs), tuple(run_rows(runs)))


def run_rows(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """The rows of that table, one by one, so that those that nobody asks for need no room."""
    return (row.whole() for row in rows_on_demand(runs))


class RowOnDemand:
    """The row of one run, made when it is asked for more than what its spec, key and seed say."""

    __slots__ = ("_run", "_setting")

    def __init__(self, run: Run, setting: dict[str, Any]) -> None:
        self._run, self._setting = run, setting

    def get(self, column: str) -> Any:
        """The value in a column, None if there is none."""
        if column in self._setting:
            return self._setting[column]
        return self._own[column] if column in ("key", "seed") else self.whole().get(column)

    @property
    def _own(self) -> dict[str, Any]:
        return {"key": self._run.key[:8], "seed": self._run.seed}

    def whole(self) -> dict[str, Any]:
        """All values by their columns."""
        outcome, row = self._run.outcome, self._setting | self._own
        for name in outcome.accuracy:
            share = self._run.accuracy(name)
            row[_set_column(name)] = None if share is None else 100 * share
        row |= _horizon(outcome)
        row["loss"] = outcome.losses[-1] if outcome.losses else None
        row["diverged"], row["seconds"] = outcome.diverged, outcome.seconds
        return row


def rows_on_demand(runs: Iterable[Run]) -> Iterator[RowOnDemand]:
    """A row for every run, to be asked for single values or for all."""
    spec, setting = None, dict[str, Any]()
    for run in runs:
        if run.spec is not spec:  # runs of one spec mostly stand together
            spec, setting = run.spec, settings_of(run.spec)
        yield RowOnDemand(run, setting)


def run_columns(runs: Iterable[Run]) -> tuple[Column, ...]:
    """The columns of that table: one for every set that a run was judged on, and for horizons."""
    judged, known = dict[str, None](), False
    for run in runs:
        judged.update(dict.fromkeys(run.outcome.accuracy))
        known = known or bool(_horizon(run.outcome))
    sets = [*(name for name in SETS if name in judged), *(name for name in judged if name not in SETS)]
    return (
        Column("key", "key"),
        *(Column(name, name) for name in (*FIRST, "seed")),
        *(Column(_set_column(name), _set_column(name), "", 2) for name in sets),
        *(_HORIZON if known else ()),
        Column("loss", "loss", "", 8),
        Column("diverged", "diverged"),
        Column("seconds", "seconds", "", 2),
        *(Column(name, name) for name in _OTHERS),
    )


def _horizon(outcome: Outcome) -> dict[str, Any]:
    """How far a run is proved right, where it is wrong, and whether it is proved right on every word."""
    for known in outcome.latest_horizons if outcome.horizons else ():
        if known.factor == 1:
            own, every = known.horizon, known.every_word
            return {
                "proved": own.proved,
                "wrong": None if own.wrong is None else len(own.wrong),
                "certified": None if every is None else "yes" if every else "no",
            }
    return {}


@checked
def without_shared_settings(table: Table) -> Table:
    """A table of runs for the screen: without the columns of settings that all of its runs share.

    Also without the sets for recognition, which are too many for it and have a table of their own.
    """
    left_out = {name for name in _OTHERS if len({row[name] for row in table.rows}) < 2}
    left_out |= set(RECOGNITION_SETS)
    return replace(table, columns=tuple(column for column in table.columns if column.key not in left_out))


@cache
def _set_column(name: str) -> str:
    """The column of a set, which must not be that of anything else."""
    return f"{name} set" if name in (*FIRST, *_OTHERS, *_OWN, *(c.key for c in _HORIZON)) else name


@lru_cache(maxsize=10_000)
def settings_of(spec: Spec) -> dict[str, Any]:
    """The fields of a spec by their columns, what it leaves to the paper filled in."""
    recipe = spec.recipe(0)
    lesson = "none" if spec.lesson is None else str(spec.lesson)
    filled = {"training": recipe.splits[0].count, "source": source_values(recipe.source), "lesson": lesson}
    values = (spec.as_dict() | filled).items()
    return {_FIELD_COLUMNS.get(name, name): readable(value) for name, value in values}


def readable(value: Any) -> Any:
    """A field of a spec as people read it."""
    if not isinstance(value, dict):
        return value
    if "words" in value:
        return f"{value['words']} {value['grammar'] or ''}".strip()
    return str(Lesson.from_dict(value))
