"""Experiments as TOML files: fields of a spec, lists multiplied out.

    title = "My sweep"
    language = "dyck-1"
    cell = ["gru", "lstm"]
    hidden = [1, 2, 3]
    runs = 10

makes six tasks of ten runs. Tables `[[task]]` add to, or replace, what is said at the top.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from abacist.errors import BadFile, BadInput, UnknownName
from abacist.experiments.plan import PAPER_SETS, SETS, Task
from abacist.files import reason
from abacist.specs import Spec

_SPEC_FIELDS = {field.name: field for field in fields(Spec)}
_OWN = ("runs", "seed", "sets", "at_epochs", "grammar", "uniform")
_KINDS: dict[str, Any] = {
    "hidden": int, "epochs": int, "batch": int, "training": int, "test": int, "runs": int, "seed": int,
    "rate": (int, float), "beta1": (int, float), "beta2": (int, float), "epsilon": (int, float),
    "language": str, "cell": str, "precision": str, "steps": str, "short": str, "long": str,
    "grammar": str, "uniform": bool,
}  # fmt: skip


_WORDS = {int: "a whole number", (int, float): "a number", str: "a text in quotes", bool: "true or false"}


#: Names that experiments had before.
ALIASES = {"table-1": "table-3"}


@dataclass(frozen=True)
class Experiment:
    """A named set of tasks; `about` says what to look for in its table."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    about: str = ""


def catalogue() -> list[str]:
    """The names of the experiments that come with Abacist, in the paper's order."""
    return ["table-3", "few-units", "last-bracket", "epochs", "crossing"]


def experiment_named(name: str, *, runs: int | None = None) -> Experiment:
    """An experiment that comes with Abacist."""
    name = ALIASES.get(name, name)
    if name not in catalogue():
        raise UnknownName(f"unknown experiment {name!r}; there are {', '.join(catalogue())}")
    resource = files("abacist.experiments") / "catalogue" / f"{name}.toml"
    return parse_experiment(resource.read_text(), f"{name}.toml", runs=runs)


def load_experiment(path: Path, *, runs: int | None = None) -> Experiment:
    """An experiment from a file."""
    try:
        text = path.read_text()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read, {reason(error)}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path}: is no text file") from None
    return parse_experiment(text, str(path), runs=runs)


def parse_experiment(text: str, name: str, *, runs: int | None = None) -> Experiment:
    """An experiment from the text of a file; `runs` replaces the number of runs of every task."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{name}: is no TOML, {error}") from None
    except RecursionError:
        raise BadInput(f"{name}: lists must not be nested that deeply") from None
    own = values.pop("task", [{}])
    title = values.pop("title", Path(name).stem)
    about = values.pop("about", "")
    if not isinstance(own, list) or not all(isinstance(task, dict) for task in own):
        raise BadInput(f"{name}: tasks are tables, written [[task]]")
    stem = Path(name).stem
    tasks = []
    for task in own:
        fields_of_task = values | task
        if runs is not None:
            fields_of_task["runs"] = runs
        tasks += _multiplied(fields_of_task, name, stem)
    if not tasks:
        raise BadInput(f"{name}: asks for no run at all, a list must not be empty")
    return Experiment(stem, str(title), tuple(tasks), str(about))


def _multiplied(values: dict[str, Any], name: str, stem: str) -> list[Task]:
    """The tasks of one table: one for each combination of the values in its lists."""
    known = {*_SPEC_FIELDS, *_OWN} - {"source"}
    for field in values:
        if field not in known:
            raise BadInput(f"{name}: there is no field {field!r}; fields are {', '.join(sorted(known))}")
    for field in ("language", "cell"):
        if field not in values:
            raise BadInput(f"{name}: the field {field!r} is missing")
    sets, at_epochs = values.pop("sets", list(PAPER_SETS)), values.pop("at_epochs", [])
    for field, given, kind in (("sets", sets, str), ("at_epochs", at_epochs, int)):
        if not isinstance(given, list) or not all(isinstance(v, kind) for v in given):
            raise BadInput(f"{name}: {field} must be a list, got {given!r}")
    if not sets:
        raise BadInput(f"{name}: sets must not be empty; there are {', '.join(SETS)}")
    lists = {field: v if isinstance(v, list) else [v] for field, v in values.items()}
    tasks = []
    for combination in product(*lists.values()):
        chosen = dict(zip(lists, combination, strict=True))
        for field, value in chosen.items():
            kind = _KINDS[field]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise BadInput(f"{name}: {field} must be {_WORDS[kind]}, got {value!r}")
        try:
            tasks.append(_task(chosen, stem, tuple(sets), tuple(at_epochs)))
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    return tasks


def _task(values: dict[str, Any], stem: str, sets: tuple[str, ...], at_epochs: tuple[int, ...]) -> Task:
    runs, seed = values.pop("runs", 10), values.pop("seed", 0)
    if not 1 <= runs <= 100_000 or seed < 0:
        raise BadInput(f"runs must be 1 to 100,000 and seed at least 0, got {runs} and {seed}")
    grammar, uniform = values.pop("grammar", None), values.pop("uniform", False)
    if grammar is not None or uniform:
        values["source"] = {"words": "uniform" if uniform else "grammar", "grammar": grammar or "1/2,1/4"}
    spec = Spec.from_dict(values)
    spec.recipe(seed + runs - 1)  # refuses what does not exist
    return Task(stem, spec, tuple(range(seed, seed + runs)), sets, at_epochs)
