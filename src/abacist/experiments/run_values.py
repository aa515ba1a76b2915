"""Runs in plain values: the names and kinds of all fields that tables, conditions, frames and files share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from abacist.corpora import Source, source_values
from abacist.experiments.outcome import Run
from abacist.experiments.plan import SETS
from abacist.fields import records
from abacist.languages import Language, language_label, largest_length
from abacist.specs import Lesson, Spec
from abacist.specs.spec import plain_value

#: Fields that stand first, and are shown however many runs share their values.
FIRST = ("language", "cell", "hidden", "epochs")

#: The records of all settings by their columns: of a spec, and of the lesson that it may have.
_OF_SPEC = {record.column: record for record in records(Spec).values()}
_OF_LESSON = {f"lesson {record.column}": record for record in records(Lesson).values()}

#: All other fields of a spec, so that runs of different settings never look alike.
OTHERS = tuple(column for column in _OF_SPEC if column not in FIRST)

#: Settings that are numbers, by their columns.
NUMBERS = frozenset(column for column, record in (_OF_SPEC | _OF_LESSON).items() if record.is_number)

#: What is known of a run's horizon, its gates as they are; there where some run of a store has one.
HORIZON = ("proved", "tried", "wrong", "certified")

#: The parts of a lesson and what came of it; there where some run was taught.
LESSON = tuple(_OF_LESSON)
TAUGHT = ("taught epochs", "taught proved", "taught sharpened")

#: When a run was begun, in seconds since 1970, and the processor that it was computed on.
CIRCUMSTANCES = ("begun", "processor")

#: The names of all fields but those of sets.
_OF_RUNS = ("key", "seed", "loss", "diverged", "seconds", *CIRCUMSTANCES)
_NO_SETS = {*_OF_SPEC, *_OF_RUNS, *HORIZON, *LESSON, *TAUGHT}

#: Kinds of fields: a percentage is a number, too.
KEY, TEXT, NUMBER, PERCENT = "key", "text", "number", "percent"

_TEXTS = {*_OF_SPEC, *_OF_LESSON, "certified", "processor"} - NUMBERS


def fields_of(runs: Iterable[Run]) -> dict[str, str]:
    """The fields that some runs have, in the order of tables, and the kind of each.

    Accuracies are in percent, as tables show them, under the names of their sets.
    """
    judged, measured, taught = dict[str, None](), set[str](), False
    for run in runs:
        judged.update(dict.fromkeys(run.outcome.accuracy))
        if run.outcome.horizons and _horizon(run):
            measured |= {"wrong", "certified", "tried" if run.spec.outside else "proved"}
        taught = taught or run.spec.lesson is not None
    sets = [*(name for name in SETS if name in judged), *(name for name in judged if name not in SETS)]
    kinds = {"key": KEY} | {set_column(name): PERCENT for name in sets}
    names = (
        *("key", *FIRST, "seed", *map(set_column, sets)),
        *(name for name in HORIZON if name in measured),
        *("loss", "diverged", "seconds", *OTHERS),
        *((*LESSON, *TAUGHT) if taught else ()),
        *CIRCUMSTANCES,
    )
    return {name: kinds.get(name, TEXT if name in _TEXTS else NUMBER) for name in names}


def run_rows(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """The values of runs by field, one by one, so that those that nobody asks for need no room.

    What is not known of a run is None, or left out.
    """
    return (row.whole() for row in rows_on_demand(runs))


def rows_on_demand(runs: Iterable[Run]) -> Iterator[RowOnDemand]:
    """A row for every run, to be asked for single values or for all."""
    spec, setting = None, dict[str, Any]()
    for run in runs:
        if run.spec is not spec:  # runs of one spec mostly stand together
            spec, setting = run.spec, settings_of(run.spec)
            if spec.lesson is not None:
                setting = setting | lesson_settings(spec.lesson)
        yield RowOnDemand(run, setting)


class RowOnDemand:
    """The values of one run; those that its spec and seed do not say are made when they are asked for."""

    __slots__ = ("_run", "_setting", "_whole")

    def __init__(self, run: Run, setting: dict[str, Any]) -> None:
        self._run, self._setting = run, setting
        self._whole: dict[str, Any] | None = None

    def get(self, field: str) -> Any:
        """The value of a field, None if there is none."""
        if field in self._setting:
            return self._setting[field]
        return self._run.seed if field == "seed" else self.whole().get(field)

    def whole(self) -> dict[str, Any]:
        """All values by their fields."""
        if self._whole is None:
            self._whole = self._made()
        return self._whole

    def _made(self) -> dict[str, Any]:
        run, outcome = self._run, self._run.outcome
        row = self._setting | {"key": run.key, "seed": run.seed}
        for name in outcome.accuracy:
            share = run.accuracy(name)
            row[set_column(name)] = None if share is None else 100 * share
        if outcome.horizons:
            row |= _horizon(run)
        row["loss"] = outcome.losses[-1] if outcome.losses else None
        row["diverged"], row["seconds"] = outcome.diverged, outcome.seconds
        if outcome.taught is not None:
            proved = largest_length(run.spec.language, outcome.taught.proved)
            came = (outcome.taught.rounds[-1].epochs, proved, outcome.taught.sharpened)
            row |= dict(zip(TAUGHT, came, strict=True))
        row["begun"], row["processor"] = outcome.begun, outcome.versions.get("processor")
        return row


def _horizon(run: Run) -> dict[str, Any]:
    """How far a run is proved right, where it is wrong, and whether it is proved right on every word.

    Of a model from outside nothing is proved: all words of up to a length were tried.
    """
    known = run.outcome.known_horizon()
    if known is None:
        return {}
    wrong = None if known.horizon.wrong is None else len(known.horizon.wrong)
    certified = None if known.every_word is None else readable(known.every_word)
    length = known.horizon.proved_in(run.spec.language)
    proved, tried = (None, length) if run.spec.outside else (length, None)
    return dict(zip(HORIZON, (proved, tried, wrong, certified), strict=True))


def set_column(name: str) -> str:
    """The field of a set's accuracy, which must not be that of anything else."""
    return f"{name} set" if name in _NO_SETS else name


def lesson_settings(lesson: Lesson) -> dict[str, Any]:
    """The fields of a lesson by their names in tables."""
    return {column: getattr(lesson, record.name) for column, record in _OF_LESSON.items()}


@lru_cache(maxsize=10_000)
def settings_of(spec: Spec) -> dict[str, Any]:
    """The fields of a spec by their names in tables, what it leaves to the paper filled in.

    What says nothing of a model from outside is None.
    """
    recipe, settings = spec.recipe(0), {}
    for column, record in _OF_SPEC.items():
        value = getattr(spec, record.name)
        value = record.filled(recipe) if value is None and record.filled else value
        settings[column] = None if record.trains and spec.outside else readable(value)
    if not spec.outside:
        settings["lesson"] = settings["lesson"] or "none"
    return settings | {"language": language_label(spec.language)}


def readable(value: Any) -> Any:
    """A field of a spec as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Source):
        plain = source_values(value)
        return f"{plain['words']} {plain.get('grammar') or plain.get('weights') or ''}".strip()
    if isinstance(value, Language):
        return value.name
    return str(value) if isinstance(value, Lesson) else plain_value(value)


def differing(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fields in which some rows differ, in their order."""
    listed = list(rows)
    return [name for name in (listed[0] if listed else ()) if len({str(row[name]) for row in listed}) > 1]
