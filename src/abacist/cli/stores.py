"""Stores: opening them, choosing among their runs, and how the specs of runs are told apart."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from abacist.cli.screen import say, warn
from abacist.errors import BadFile, UnknownName
from abacist.experiments import (
    FILE_NAME,
    Conditions,
    Experiment,
    Results,
    Run,
    Store,
    experiment_named,
    load_experiment,
    run_values,
)
from abacist.experiments.conditions import Alternative, Condition
from abacist.experiments.run_values import fields_of, run_rows
from abacist.experiments.statistics import in_order
from abacist.fields import Field
from abacist.files import absence
from abacist.specs import Spec

WhereOption = Annotated[
    list[str] | None,
    Field(
        "Only runs that fit, such as cell=gru,lstm or seed=0..9 or 'hidden>=2' (quoted, for the shell); "
        "also !=, <, <= and >. Accuracies are in percent: 'long>90'. May be repeated: all must hold, "
        "only values of one field are alternatives.",
        metavar="CONDITION",
    ),
]

#: How many values that there are a sentence has room for.
_LISTED = 20


def has_store(folder: Path) -> bool:
    """Whether there is a store in a folder."""
    return (folder / FILE_NAME).is_file()


def check_has_store(folder: Path, otherwise: str = "") -> None:
    """Refuse a folder without a store, in one sentence."""
    if not has_store(folder):
        otherwise = otherwise or "; run `abacist reproduce`, `abacist run` or `abacist train` first"
        raise absence(folder, f"holds no results{otherwise}")


def experiment_asked_for(name: str, runs: int | None) -> Experiment:
    """An experiment that comes with Abacist, by its name, or that of a TOML file."""
    path = Path(name)
    if path.suffix or path.is_file():
        return load_experiment(path, runs=runs)
    return experiment_named(name, runs=runs)


def open_results(folder: Path) -> Results:
    """All that the store of a folder has; what cannot be read there is named on standard error."""
    check_has_store(folder)
    with Store(folder, reading=True) as store:
        results = Results.of(store)
    gc.freeze()  # none of it becomes garbage before the command ends (`app.py`): it is not looked through
    for sentence in results.left_out:
        warn(sentence)
    return results


def run_named(beginning: str, folder: Path) -> Run:
    """The run of a store whose key begins so; only it is read."""
    check_has_store(folder)
    with Store(folder, reading=True) as store:
        keys = store.keys(beginning) if beginning else []
        run = store.get(keys[0]) if len(keys) == 1 else None
    if not keys:
        raise UnknownName(f"no run in {folder} has a key that begins with {beginning!r}; see `abacist runs`")
    if len(keys) > 1:
        some = ", ".join(key[:8] for key in keys[:5]) + (" …" if len(keys) > 5 else "")
        raise UnknownName(f"{len(keys)} runs in {folder} have keys that begin with {beginning!r}: {some}")
    if run is None:
        raise BadFile(f"{folder}: run {keys[0]} is damaged; `abacist repair` removes it")
    return run


def chosen(
    runs: Sequence[Run], where: Sequence[str], fields: Mapping[str, str] | None = None
) -> list[tuple[Run, dict[str, Any]]]:
    """The runs that fit all conditions, with their rows; says which values no run has."""
    conditions = Conditions.parse(where, fields_of(runs) if fields is None else fields)
    pairs = zip(runs, run_rows(runs), strict=True)
    fitting = [(run, row) for run, row in pairs if conditions.fit(row)]
    missing = [(one, part) for one in conditions.listed for part in _missing(one, runs)]
    for condition, part in missing:
        value = f"{condition.sign} {part.text}".removeprefix("= ")
        say(f"no run has {condition.field} {value}{_there_are(condition.field, runs)}")
    if where and runs and not fitting and not missing:
        say("no run fits all of these conditions")
    return fitting


def _missing(condition: Condition, runs: Sequence[Run]) -> list[Alternative]:
    """The values of a condition that a run was expected to have, and none has."""
    left = [] if condition.sign == "!=" else list(condition.alternatives)
    for row in run_rows(runs):
        value = row.get(condition.field)
        left = [] if condition.is_whole(value) else [part for part in left if not part.has(value)]
        if not left:
            break
    return left if runs else []


def _there_are(field: str, runs: Sequence[Run]) -> str:
    """The values that there are, where they are few, or the least and the most of many numbers."""
    values = {row.get(field) for row in run_rows(runs)}
    present: list[Any] = sorted((value for value in values if in_order(value)[0] < 2), key=in_order)
    if field == "key":
        present = sorted({str(key)[:8] for key in present})
    if len(present) <= _LISTED:
        return f"; there are {', '.join(map(str, present)) or 'none'}"
    return "" if isinstance(present[0], str) else f"; there are {present[0]} to {present[-1]}"


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as tables have them."""
    values = {spec: run_values.settings_of(spec) for spec in specs}
    layers = ["layers"] if any(spec.layers > 1 for spec in values) else []
    shown = dict.fromkeys((*run_values.FIRST, *layers, *run_values.differing(values.values())))
    return {spec: {name: setting[name] for name in shown} for spec, setting in values.items()}


def setting_named(setting: Mapping[str, Any]) -> str:
    """A setting in a sentence: `language dyck-1, cell lstm, hidden 1`."""
    return ", ".join(f"{name} {value}" for name, value in setting.items())


def seeds_named(seeds: Sequence[int]) -> str:
    """Seeds in a sentence: `seed 4`, `seeds 0–9`, or `seeds 0, 3, 7`."""
    return f"{'seed' if len(seeds) == 1 else 'seeds'} {seeds_as_text(seeds)}"


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Seeds as people write them: 0–9, or 0, 3, 7 where some between them are missing."""
    whole = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]}–{seeds[-1]}" if whole else ", ".join(map(str, seeds))
