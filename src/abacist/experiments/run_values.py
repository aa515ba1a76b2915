"""Runs in plain values: the names and kinds of all fields that tables, conditions, frames and files share.

Settings are called as their options, with underscores: `train_words`. Accuracies are in percent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Source, source_values
from abacist.errors import UnknownName
from abacist.experiments.outcome import Run
from abacist.experiments.plan import SETS, TRAINING_WORDS, on_stored_words, on_words, words_text
from abacist.fields import records
from abacist.languages import Language, language_label, largest_length
from abacist.specs import Lesson, Pretraining, Spec
from abacist.specs.spec import plain_value
from abacist.wording import unknown

#: Fields that stand first, and are shown however many runs share their values.
FIRST = ("language", "cell", "hidden", "epochs")

#: The records of all settings by their columns: of a spec, and of the lesson that it may have.
_OF_SPEC = {record.column: record for record in records(Spec).values()}
_OF_LESSON = {f"lesson_{record.column}": record for record in records(Lesson).values()}

#: All other fields of a spec, so that runs of different settings never look alike.
OTHERS = tuple(column for column in _OF_SPEC if column not in FIRST)

#: Settings that are numbers, by their columns.
NUMBERS = frozenset(c for c, record in (_OF_SPEC | _OF_LESSON).items() if {int, float} & {*record.types})

#: What is known of a run's horizon, its gates as they are; there where some run of a store has one.
HORIZON = ("proved", "tried", "wrong", "certified")

#: The same on those words alone that a run's training words are drawn from, where these are not all words.
SUPPORT = tuple(f"support_{name}" for name in HORIZON if name != "tried")

#: How runs come to have a horizon, and to be certified.
HORIZONS = "ab.train(…, horizon=200) and `abacist horizon` find it"
CERTIFIED = "ab.train(…, horizon=200, certify=True) finds it"
SUPPORTED = "`abacist horizon --words training` finds it"

#: The parts of a lesson and what came of it; there where some run was taught.
LESSON = tuple(_OF_LESSON)
TAUGHT = ("taught_epochs", "taught_proved", "taught_sharpened")

#: When a run was begun, in seconds since 1970, and the processor that it was computed on.
CIRCUMSTANCES = ("begun", "processor")

#: Former names of fields, which conditions and options take for a version.
FORMER = {
    "training_words": "train_words",
    "short_window": "train_lengths",
    "long_window": "long_lengths",
    **{f"lesson_{record.name}": column for column, record in _OF_LESSON.items()},
}

#: Kinds of fields: a percentage is a number, too.
KEY, TEXT, NUMBER, PERCENT = "key", "text", "number", "percent"

#: The kinds of all fields; all others are those of sets, in percent.
_KINDS = {
    **dict.fromkeys(("seed", "loss", "diverged", "seconds", "begun", "proved", "tried", "wrong"), NUMBER),
    **dict.fromkeys((*TAUGHT, "support_proved", "support_wrong"), NUMBER),
    **{column: NUMBER if column in NUMBERS else TEXT for column in (*_OF_SPEC, *_OF_LESSON)},
    "key": KEY,
    "certified": TEXT,
    "support_certified": TEXT,
    "processor": TEXT,
}


def fields_of(runs: Iterable[Run]) -> dict[str, str]:
    """The fields that some runs have, in the order of tables, and the kind of each.

    Accuracies are under the names of their sets.
    """
    judged, measured, taught = dict[str, None](), set[str](), False
    for run in runs:
        judged.update(dict.fromkeys(run.outcome.accuracy))
        if run.outcome.horizons and _horizon(run):
            measured |= {"wrong", "certified", "tried" if run.spec.outside else "proved"}
        measured |= _support(run).keys()
        taught = taught or run.spec.lesson is not None
    sets = [*(name for name in SETS if name in judged), *(name for name in judged if name not in SETS)]
    names = (
        *("key", *FIRST, "seed", *map(set_column, sets)),
        *(name for name in (*HORIZON, *SUPPORT) if name in measured),
        *("loss", "diverged", "seconds", *OTHERS),
        *((*LESSON, *TAUGHT) if taught else ()),
        *CIRCUMSTANCES,
    )
    return {name: _KINDS.get(name, PERCENT) for name in names}


def run_rows(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """The values of runs by field, one by one, since all of them together need much memory.

    What is not known of a run is None, or left out.
    """
    spec, setting = None, dict[str, Any]()
    for run in runs:
        if run.spec is not spec:  # runs of one spec mostly stand together
            spec, setting = run.spec, settings_of(run.spec)
            if spec.lesson is not None:
                setting = setting | lesson_settings(spec.lesson)
        outcome = run.outcome
        row = {
            **setting,
            "key": run.key,
            "seed": run.seed,
            "loss": outcome.losses[-1] if outcome.losses else None,
            "diverged": outcome.diverged,
            "seconds": outcome.seconds,
            "begun": outcome.begun,
            "processor": outcome.versions.get("processor"),
        }
        for name, shares in outcome.accuracy.items():
            share = shares.get(run.spec.epochs)
            row[set_column(name)] = None if share is None else 100 * float(share)
        if outcome.horizons:
            row |= _horizon(run) | _support(run)
        if outcome.taught is not None:
            proved = largest_length(run.spec.language, outcome.taught.proved)
            values = (outcome.taught.rounds[-1].epochs, proved, outcome.taught.sharpened)
            row |= dict(zip(TAUGHT, values, strict=True))
        yield row


class Columns(dict[str, "NDArray[Any] | list[str | None]"]):
    """Columns by field, which say what is wrong with a name that they do not have."""

    def __missing__(self, name: str) -> NoReturn:
        if name in HORIZON:
            how = CERTIFIED if name == "certified" else HORIZONS
            raise UnknownName(f"frame: no run has a value of {name!r}: {how}")
        if name in SUPPORT:
            raise UnknownName(f"frame: no run has a value of {name!r}: {SUPPORTED}")
        raise UnknownName(f"frame: {unknown('column', str(name), self)}")


def columns_of(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, str]) -> Columns:
    """The values of rows by field: numbers as arrays, with NaN for what is not known, texts as lists."""
    columns = ((name, [row.get(name) for row in rows], kind) for name, kind in kinds.items())
    return Columns((name, _numbers(v) if kind in (NUMBER, PERCENT) else v) for name, v, kind in columns)


def _numbers(values: list[Any]) -> NDArray[Any]:
    """Numbers as an array: whole ones stay whole where all are known."""
    if values and all(type(value) is int for value in values):
        return np.array(values, np.int64 if -(2**63) <= min(values) <= max(values) < 2**63 else np.float64)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _support(run: Run) -> dict[str, Any]:
    """The same on the words that the run's training words are drawn from, where that was looked for."""
    language = run.spec.language
    if not any(one.words for one in run.outcome.horizons):
        return {}
    values = _horizon(run, words_text(on_words(language, TRAINING_WORDS, run.spec), language))
    return {f"support_{name}": value for name, value in values.items() if name != "tried"}


def _horizon(run: Run, words: str = "") -> dict[str, Any]:
    """How far a run is proved right, where it is wrong, and whether it is proved right on every word.

    Of a model from outside nothing is proved: all words of up to a length were tried.
    """
    result = run.outcome.known_horizon(words=words)
    if result is None:
        return {}
    wrong = None if result.horizon.wrong is None else len(result.horizon.wrong)
    certified = None if result.every_word is None else readable(result.every_word)
    length = result.horizon.proved_in(on_stored_words(run.spec.language, words))
    proved, tried = (None, length) if run.spec.outside else (length, None)
    return dict(zip(HORIZON, (proved, tried, wrong, certified), strict=True))


def set_column(name: str) -> str:
    """The field of a set's accuracy, which must not be that of anything else."""
    name = name.replace(" ", "_")
    return f"{name}_set" if name in _KINDS else name


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
        settings |= {name: settings[name] or "none" for name in ("lesson", "pretrain")}
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
    return str(value) if isinstance(value, Lesson | Pretraining) else plain_value(value)


def differing(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fields in which some rows differ, in their order."""
    listed = list(rows)
    return [name for name in (listed[0] if listed else ()) if len({str(row[name]) for row in listed}) > 1]
