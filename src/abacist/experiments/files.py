"""Experiments as TOML files: fields of a spec, lists multiplied out.

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

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from abacist.analysis.certificates.regions import counters_of
from abacist.analysis.horizons import Search
from abacist.corpora import PAPER, Source, source_asked_for
from abacist.errors import BadInput, UnknownName
from abacist.experiments.known_horizons import HorizonAim
from abacist.experiments.named_plugins import load_named_plugins
from abacist.experiments.own_languages import own_languages, with_languages
from abacist.experiments.plan import MOST_RUNS, PAPER_SETS, SETS, Task
from abacist.fields import check_fields, checked, declared, fits, in_words
from abacist.limits import TOML_BYTES
from abacist.specs import Spec, recipe_values
from abacist.specs.spec import PLAIN
from abacist.untrusted import load_text, read_toml
from abacist.wording import meant, several

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
    "distribution-horizons", "zoo", "far-beyond",
)  # fmt: skip

#: Combinations of settings, and runs of all of them, that one file may ask for.
MOST_TASKS, MOST_RUNS_IN_ALL = 10_000, 1_000_000

#: Former names of experiments.
ALIASES = {"table-1": "table-3"}


@dataclass(frozen=True)
class Experiment:
    """A named set of tasks; `about` says in a sentence or two what it is for."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    about: str = ""

    def __post_init__(self) -> None:
        check_fields(self)


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


@dataclass(frozen=True)
class _Words:
    """How a file says where words come from, in place of a spec's `source`."""

    grammar: str | None = None
    uniform: bool = False
    by_count: bool = False
    cut_off: bool = False
    by_length: bool = False
    length_weights: str | None = None


def _written(kinds: tuple[type, ...]) -> tuple[type, ...]:
    """The types with which a file writes a field down."""
    return tuple(own for kind in kinds for own in (PLAIN[kind][0] if kind in PLAIN else (kind,)))


#: What a file calls fields of a spec that have another name there.
_CALLED = {"lesson": "teach"}

#: Fields that are tables, and what one looks like.
_TABLES = {"horizon": "{ to = 200 }", "teach": '{ feed = "counterexamples" }'}

#: What refuses values of some fields, and what a file calls these.
_OWNERS = {"HorizonAim: factor": "saturate", "Search: ": "horizon: ", "Lesson: ": "teach: "}

#: Named ways of training, in place of the fields that they say something of.
_NAMED = {"recipe": (str,)}

#: The types of all fields that can be swept, and of those that cannot.
_SWEPT = (
    {
        _CALLED.get(name, name): _written(kinds)
        for name, kinds in declared(Spec).items()
        if Source not in kinds
    }
    | declared(_Words)
    | _NAMED
)
_SINGLE = declared(_Extras)


def catalogue() -> list[str]:
    """The names of the experiments that come with Abacist, in the paper's order."""
    return list(CATALOGUE)


@checked
def experiment_named(name: str, *, runs: int | None = None) -> Experiment:
    """An experiment that comes with Abacist."""
    known = ALIASES.get(name, name)
    if known not in (*CATALOGUE, *FURTHER):
        there = ", ".join((*CATALOGUE, *FURTHER))
        raise UnknownName(f"unknown experiment {name!r}; there are {there}")
    return _of_catalogue(known, runs)


@lru_cache(maxsize=64)  # reports and pages ask for the same ones over and over
def _of_catalogue(name: str, runs: int | None) -> Experiment:
    resource = files("abacist.experiments") / "catalogue" / f"{name}.toml"
    return parse_experiment(resource.read_text(encoding="utf-8"), f"{name}.toml", runs=runs)


@checked
def load_experiment(path: Path, *, runs: int | None = None) -> Experiment:
    """An experiment from a file."""
    return parse_experiment(load_text(path, TOML_BYTES), str(path), runs=runs)


@checked
def parse_experiment(text: str, name: str, *, runs: int | None = None) -> Experiment:
    """An experiment from the text of a file; `runs` replaces the number of runs of every task."""
    try:
        values = read_toml(text)
        load_named_plugins(values.pop("plugins", []), Path(name).parent)
        return _experiment(values, Path(name).stem, runs)
    except BadInput as error:
        said = str(error)
        for own, written in _OWNERS.items():
            said = f"{written}{said.removeprefix(own)}" if said.startswith(own) else said
        raise BadInput(f"{name}: {said}") from None


def _experiment(values: dict[str, Any], stem: str, runs: int | None) -> Experiment:
    said = {"title": values.pop("title", stem), "about": values.pop("about", "")}
    for field, value in said.items():
        _check(field, value, (str,))
    own = own_languages(values.pop("languages", {}))
    tables = values.pop("task", [{}])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput("tasks are tables, written [[task]]")
    fewer_or_more = {} if runs is None else {"runs": runs}
    whole = [with_languages(values | table | fewer_or_more, own) for table in tables]
    _refuse_too_many(whole)
    tasks = [task for table in whole for task in _multiplied(table, stem)]
    if not tasks:
        raise BadInput("asks for no runs at all: a list must not be empty")
    seen: set[Spec] = set()
    for task in tasks:
        if task.spec in seen:
            raise BadInput(f"two tasks have the same settings: {_setting(task.spec)}")
        seen.add(task.spec)
    return Experiment(stem, said["title"], tuple(tasks), said["about"])


def _refuse_too_many(tables: list[dict[str, Any]]) -> None:
    """Count before anything is multiplied out, which would take forever."""
    counts = [prod(len(v) for f, v in t.items() if f in _SWEPT and isinstance(v, list)) for t in tables]
    if sum(counts) > MOST_TASKS:
        raise BadInput(f"asks for {sum(counts):,} combinations of settings, and there may be {MOST_TASKS:,}")
    asked = [table.get("runs", PAPER.runs) for table in tables]
    runs = sum(count * many for count, many in zip(counts, asked, strict=True) if isinstance(many, int))
    if runs > MOST_RUNS_IN_ALL:
        raise BadInput(f"asks for {runs:,} runs in all, and there may be {MOST_RUNS_IN_ALL:,}")


def _setting(spec: Spec) -> str:
    """What tells a task from others in a message."""
    return f"{spec.cell.name} with {several(spec.hidden, 'unit')} on {spec.language.name}"


def _multiplied(values: dict[str, Any], stem: str) -> Iterator[Task]:
    """The tasks of one table: one for each combination of the values in its lists."""
    known = {**_SWEPT, **_SINGLE}
    for field in values:
        if field not in known:
            raise BadInput(
                f"there is no field {field!r}{meant(field, known)}; fields are {', '.join(sorted(known))}"
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
        what = f"a table, such as {_TABLES[field]}" if field in _TABLES else f"{in_words(kinds)}{quoted}"
        if kinds == (str, dict):
            what = "text in quotes or a table"
        raise BadInput(f"{field} must be {what}, got {_as_written(value)}")


def _as_written(value: Any) -> str:
    """A value as a file has it: true, not True."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _task(values: dict[str, Any], extras: _Extras, stem: str) -> Task:
    for field, value in values.items():
        _check(field, value, _SWEPT[field])
    if "recipe" in values:
        values = recipe_values(values.pop("recipe")) | values
    runs, seed = extras.runs, extras.seed
    if not 1 <= runs <= MOST_RUNS or seed < 0:
        raise BadInput(f"runs must be from 1 to {MOST_RUNS:,} and seed at least 0, got {runs} and {seed}")
    if not extras.sets:
        raise BadInput(f"sets must not be empty; there are {', '.join(SETS)}")
    words = {field: values.pop(field) for field in declared(_Words) if field in values}
    spec = Spec.from_dict(
        values | {name: values.pop(called) for name, called in _CALLED.items() if called in values}
    )
    spec = replace(spec, source=source_asked_for(spec.language, **words))
    spec.recipe(seed + runs - 1)  # refuses what does not exist
    if extras.certify:
        counters_of(spec.language)  # refuses a language without counters, of which nothing could be proved
    seeds = tuple(range(seed, seed + runs))
    return Task(stem, spec, seeds, extras.sets, extras.at_epochs, _aims(extras), extras.label)


def _aims(extras: _Extras) -> tuple[HorizonAim, ...]:
    """The horizons that a file asks for."""
    if extras.horizon is None:
        for field, asked in (("saturate", extras.saturate is not None), ("certify", extras.certify)):
            if asked:
                raise BadInput(f"{field} asks for horizons, so `horizon` must say how far to look")
        return ()
    known = declared(Search)
    for field, value in extras.horizon.items():
        if field not in known:
            raise BadInput(f"horizon has no field {field!r}; fields are {', '.join(known)}")
        _check(f"horizon: {field}", value, known[field])
    factors = (1.0,) if extras.saturate is None else extras.saturate
    if not factors:
        raise BadInput("saturate must not be empty; [1] are the gates as they are")
    search = Search(**extras.horizon)
    return tuple(HorizonAim(search, float(factor), extras.certify) for factor in factors)
