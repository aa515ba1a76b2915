"""Experiments as TOML files, read and checked (`parse_experiment`): fields of a spec, multiplied out.

    title = "My sweep"
    language = "dyck-1"
    cell = ["gru", "lstm"]
    hidden = [1, 2, 3]
    runs = 10

makes six tasks of ten runs. Tables `[[task]]` add to, or replace, what is said at the top. A line
`plugins = ["mine.py"]` names files with cells and languages of one's own, in the folder of the experiment.
A language may also be a table, `[language]`, or the name of one, `[languages.NAME]`; see
`languages/writing.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from abacist.analysis import Search
from abacist.analysis.certificates.search import counters_of
from abacist.cells import load_plugins
from abacist.corpora import PAPER, SourceChoice
from abacist.errors import BadField, BadInput, UnknownName
from abacist.experiments.own_languages import own_languages, with_languages
from abacist.experiments.plan import (
    ALL_WORDS,
    MOST_RUNS,
    PAPER_SETS,
    SETS,
    HorizonAim,
    Task,
    on_stored_words,
    texts_of_words,
)
from abacist.field_names import by_field, check_names, written_name
from abacist.fields import Checked, checked, fits, in_words, records
from abacist.labels import give_labels
from abacist.limits import TOML_BYTES
from abacist.specs import Lesson, Pretraining, Spec, spec_asked_for
from abacist.specs.spec import read_values, written_types
from abacist.untrusted import load_text, read_toml
from abacist.wording import a_few, did_you_mean, plural, unknown

_log = logging.getLogger("abacist")  # without a handler, Python writes its warnings to standard error

#: The experiments that come with Abacist, in the paper's order.
CATALOGUE = (
    "table-3",
    "few-units",
    "last-bracket",
    "epochs",
    "crossing",
    "recognition",
    "counting",
    "memories",
)

#: Further ones, which are large: they are run when they are asked for by name.
FURTHER = (
    "recipes", "recipes-beyond", "published", "own-orders", "distributions",
    "distribution-horizons", "zoo-tuning", "zoo", "zoo-memories", "zoo-uniform", "zoo-sizes", "blind-gates",
    "far-beyond", "training-grid", "teaching-controls", "minima", "initial-states", "support",
)  # fmt: skip

#: Combinations of settings, and runs of all of them, that one file may ask for.
MOST_TASKS, MOST_RUNS_IN_ALL = 10_000, 1_000_000

#: Former names of experiments.
ALIASES = {"table-1": "table-3"}


@dataclass(frozen=True)
class Experiment(Checked):
    """A named set of tasks; `about` says in a sentence or two what it is for."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    about: str = ""


@dataclass(frozen=True)
class _Extras:
    """What a file can say about a task besides the fields of its spec; never more than one value each."""

    runs: int = PAPER.runs
    seed: int = 0
    sets: tuple[str, ...] = PAPER_SETS
    at_epochs: tuple[int, ...] = ()
    horizon: dict[str, Any] | None = None
    saturate: tuple[float, ...] | None = None
    certify: bool = False
    label: str = ""


#: What a file calls fields that have another name here.
_CALLED = {"lesson": "teach", "factor": "saturate"}

#: The tables that have fields of their own: whose they are, and what they look like.
_TABLES: dict[str, tuple[type, str]] = {
    "horizon": (Search, "{ max_length = 200 }"),
    "teach": (Lesson, '{ feed = "counterexamples" }'),
    "pretrain": (Pretraining, "{ epochs = 20, sharpen = 16 }"),
}

#: The types of all fields that can be swept, and of those that cannot.
_SWEPT = {
    _CALLED.get(name, name): written_types(types)
    for name, types in (
        *((name, record.types) for of in (Spec, SourceChoice) for name, record in records(of).items()),
        ("recipe", (str,)),
    )
    if name != "source"
}
_SINGLE = {name: record.types for name, record in records(_Extras).items()}
_NAMES = {called: name for name, called in _CALLED.items()}


def catalogue() -> list[str]:
    """The names of the experiments that come with Abacist, in the paper's order."""
    return list(CATALOGUE)


@checked
def experiment_named(name: str, *, runs: int | None = None) -> Experiment:
    """An experiment that comes with Abacist."""
    today = ALIASES.get(name, name)
    if today not in (*CATALOGUE, *FURTHER):
        raise UnknownName(unknown("experiment", name, (*CATALOGUE, *FURTHER)))
    resource = files("abacist.experiments") / "catalogue" / f"{today}.toml"
    return parse_experiment(resource.read_text(encoding="utf-8"), f"{today}.toml", runs=runs)


@checked
def load_experiment(path: Path, *, runs: int | None = None) -> Experiment:
    """An experiment from a file."""
    return parse_experiment(load_text(path, TOML_BYTES), str(path), runs=runs)


@checked
def parse_experiment(text: str, name: str, *, runs: int | None = None) -> Experiment:
    """An experiment from the text of a file; `runs` replaces the number of runs of every task."""
    try:
        values = read_toml(text)
        _load_plugins(values.pop("plugins", []), Path(name).parent)
        return _experiment(values, Path(name).stem, runs)
    except BadField as error:
        field = _CALLED.get(error.field, error.field)
        for table, (owner, _) in _TABLES.items():
            if owner.__name__ == error.owner:
                record = records(owner).get(field)
                field = f"{table}: {field if record is None else written_name(record)}"
        raise BadInput(f"{name}: {error.sentence(field)}") from None
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None


def _load_plugins(names: Any, folder: Path) -> None:
    """Load the Python files that a file in a folder names; their paths begin there."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f'plugins must be a list of files, such as ["mine.py"], got {names!r}')
    load_plugins([folder / name for name in names])


def _experiment(values: dict[str, Any], stem: str, runs: int | None) -> Experiment:
    texts = {"title": values.pop("title", stem), "about": values.pop("about", "")}
    for field, value in texts.items():
        _check(field, value, (str,))
    give_labels(values.pop("labels", {}))
    languages = own_languages(values.pop("languages", {}))
    tables = values.pop("task", [{}])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput("tasks are tables, written [[task]]")
    fewer_or_more = {} if runs is None else {"runs": runs}
    whole = [with_languages(values | table | fewer_or_more, languages) for table in tables]
    _refuse_too_many(whole)
    tasks = [task for table in whole for task in _multiplied(table, stem)]
    if not tasks:
        raise BadInput("asks for no runs at all: a list must not be empty")
    seen: set[Spec] = set()
    for spec in (task.spec for task in tasks):
        if spec in seen:
            setting = f"{spec.cell.name} with {plural(spec.hidden, 'unit')} on {spec.language.name}"
            raise BadInput(f"two tasks have the same settings: {setting}")
        seen.add(spec)
    return Experiment(stem, texts["title"], tuple(tasks), texts["about"])


def _refuse_too_many(tables: list[dict[str, Any]]) -> None:
    """Count before anything is multiplied out, which would take forever."""
    counts = [prod(len(v) for f, v in t.items() if f in _SWEPT and isinstance(v, list)) for t in tables]
    if sum(counts) > MOST_TASKS:
        raise BadInput(f"asks for {sum(counts):,} combinations of settings, and there may be {MOST_TASKS:,}")
    numbers = [table.get("runs", PAPER.runs) for table in tables]
    runs = sum(count * many for count, many in zip(counts, numbers, strict=True) if isinstance(many, int))
    if runs > MOST_RUNS_IN_ALL:
        raise BadInput(f"asks for {runs:,} runs in all, and there may be {MOST_RUNS_IN_ALL:,}")


def _multiplied(values: dict[str, Any], stem: str) -> Iterator[Task]:
    """The tasks of one table: one for each combination of the values in its lists."""
    fields, values = {**_SWEPT, **_SINGLE}, by_field(Spec, values)
    for field in values:
        if field not in fields:
            raise BadInput(
                f"there is no field {field!r}{did_you_mean(field, fields) or f'; fields are {a_few(fields)}'}"
            )
    for field in ("language", "cell"):
        if field not in values:
            raise BadInput(f"the field {field!r} is missing")
    extras = _Extras(**{field: _extra(field, values[field]) for field in _SINGLE if field in values})
    lists = {field: _list(field, value) for field, value in values.items() if field in _SWEPT}
    for combination in product(*lists.values()):
        yield _task(dict(zip(lists, combination, strict=True)), extras, stem)


def _extra(field: str, value: Any) -> Any:
    """The value of a field that is not swept."""
    if tuple in _SINGLE[field]:
        listed = _list(field, value) if isinstance(value, list) else None
        kind = {"at_epochs": int, "saturate": float}.get(field, str)
        if listed is None or not all(fits(one, (kind,)) for one in listed):
            of = "" if kind is str or listed is None else " of numbers"
            raise BadInput(f"{field} must be a list{of}, got {value!r}")
        return tuple(listed)
    if isinstance(value, list) and field in ("runs", "seed"):
        raise BadInput(f"{field} must be one number, got {value!r}; `runs` says how many seeds there are")
    _check(field, value, _SINGLE[field])
    if field == "label" and (not value.strip() or not value.isprintable()):
        raise BadInput(f"label must be a few words in one line, got {value!r}")
    return value


def _list(field: str, value: Any) -> list[Any]:
    """The values of a field, one or many, all different."""
    listed = value if isinstance(value, list) else [value]
    seen: set[Any] = set()
    for one in listed:
        if not isinstance(one, Hashable):  # a list or a table, which no field takes
            continue
        if one in seen:
            raise BadInput(f"{field} must not repeat a value, got {one!r} again")
        seen.add(one)
    return listed


def _check(field: str, value: Any, kinds: tuple[type, ...]) -> None:
    if not fits(value, kinds):
        quoted = " in quotes" if str in kinds else ""
        what = f"a table, such as {_TABLES[field][1]}" if field in _TABLES else f"{in_words(kinds)}{quoted}"
        if kinds == (str, dict):
            what = "text in quotes or a table"
        got = str(value).lower() if isinstance(value, bool) else repr(value)  # as a file has it
        raise BadInput(f"{field} must be {what}, got {got}")


def _task(values: dict[str, Any], extras: _Extras, stem: str) -> Task:
    _say_new_names(values, extras)
    for field, value in values.items():
        _check(field, value, _SWEPT[field])
    runs, seed = extras.runs, extras.seed
    if not 1 <= runs <= MOST_RUNS or seed < 0:
        raise BadInput(f"runs must be from 1 to {MOST_RUNS:,} and seed at least 0, got {runs} and {seed}")
    if not extras.sets:
        raise BadInput(f"sets must not be empty; there are {a_few(SETS)}")
    named = {_NAMES.get(called, called): value for called, value in values.items()}
    spec = spec_asked_for(named | read_values(Spec, named))
    spec.recipe(seed + runs - 1)  # refuses what does not exist
    seeds, aims = tuple(range(seed, seed + runs)), _aims(extras, spec)
    for aim in aims if extras.certify else ():
        counters_of(on_stored_words(spec.language, aim.words))  # refuses what nothing could be proved of
    return Task(stem, spec, seeds, extras.sets, extras.at_epochs, aims, extras.label)


def _say_new_names(values: Mapping[str, Any], extras: _Extras) -> None:
    """Say, once, what fields with a former name are called now."""
    for name, table in (("horizon", extras.horizon), ("teach", values.get("teach"))):
        for record in records(_TABLES[name][0]).values():
            if isinstance(table, dict) and record.formerly in table:
                _say_once(f"{name}: {record.formerly} is now called {written_name(record)}")


@lru_cache(maxsize=64)
def _say_once(sentence: str) -> None:
    _log.warning("abacist: %s", sentence)


def _aims(extras: _Extras, spec: Spec) -> tuple[HorizonAim, ...]:
    """The horizons that a file asks for, each once."""
    if extras.horizon is None:
        for field, is_set in (("saturate", extras.saturate is not None), ("certify", extras.certify)):
            if is_set:
                raise BadInput(f"{field} asks for horizons, so `horizon` must say how far to look")
        return ()
    horizon = dict(extras.horizon)
    words = texts_of_words(horizon.pop("words", ALL_WORDS), spec)
    values = by_field(Search, horizon)
    check_names(Search, values)
    factors = (1.0,) if extras.saturate is None else extras.saturate
    if not factors:
        raise BadInput("saturate must not be empty; [1] are the gates as they are")
    search = Search(**values)
    return tuple(HorizonAim(search, float(f), extras.certify, text) for text in words for f in factors)
