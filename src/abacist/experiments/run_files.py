"""A run as a TOML file: `abacist run` on it gives the same key, and the same weights, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from abacist.cells import OWN_CELLS, Cell
from abacist.corpora import ByLength, Source, source_values
from abacist.errors import BadInput
from abacist.experiments.files import parse_experiment
from abacist.experiments.outcome import Run
from abacist.experiments.plan import SETS, run_key
from abacist.field_names import written_name
from abacist.fields import checked, records
from abacist.languages import OWN_LANGUAGES, Language
from abacist.registry import Offered
from abacist.specs import Lesson, Spec


@checked
def run_as_toml(run: Run) -> str:
    """A file with all settings of a run, those that it leaves to the paper in comments."""
    spec, judged = run.spec, run.outcome.known()
    sets = [name for name in SETS if any(name == one for one, _ in judged)]
    before = sorted({epoch for _, epoch in judged if epoch < spec.epochs})
    files = _plugin_files(spec.cell, spec.language)
    what = f"{spec.cell.name} with {spec.units} on {spec.language.name}"
    lines = [
        f"# run {run.key}",
        f"title = {_written(f'{what}, seed {run.seed}')}",
        *([f"plugins = {_written(files)}"] if files else []),
        *_settings(spec),
        "runs = 1",
        f"seed = {run.seed}",
        *([f"sets = {_written(sets)}"] if sets else []),
        *([f"at_epochs = {_written(before)}"] if before else []),
    ]
    text = "\n".join(lines) + "\n"
    (task,) = parse_experiment(text, "run.toml").tasks
    if run_key(task.spec, run.seed) != run.key:
        raise BadInput(f"run {run.key}: its settings cannot be written as a file")
    return text


def _settings(spec: Spec) -> list[str]:
    """A line for each field of a spec; what it leaves out the file leaves out, or the key would differ."""
    values = spec.as_dict() | {"lesson": None, "source": None}
    lines = [f"{name} = {_written(value)}" for name, value in values.items() if value is not None]
    if spec.source is not None:
        lines += [f"{name} = {_written(value)}" for name, value in _words(spec.source).items()]
    if spec.lesson is not None:
        written = {written_name(records(Lesson)[name]): value for name, value in asdict(spec.lesson).items()}
        lines.append(f"teach = {_written(written)}")
    recipe = spec.recipe(0)
    if spec.training is None:
        lines.append(f"# training: the paper's {recipe.splits[0].count:,} words")
    if spec.source is None:
        lines.append(f"# source: the usual one, {recipe.source}")
    return lines


def _words(source: Source) -> dict[str, Any]:
    """Where words come from, as files say it."""
    values = source_values(source)
    if isinstance(source, ByLength):
        return {"by_length": True} if not source.weights else {"length_weights": values["weights"]}
    grammar: dict[str, Any] = {} if values["grammar"] is None else {"grammar": values["grammar"]}
    if values["words"] == "uniform":
        return {"uniform": True} | (grammar or {"by_count": True})
    return grammar | ({"cut_off": True} if values["words"] == "cut-off" else {})


def _written(value: Any) -> str:
    """A plain value as TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_written(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _plugin_files(cell: Cell, language: Language[Any]) -> list[str]:
    """The files that a cell and a language come from, where they come from any."""
    added: list[Offered[Any]] = [*OWN_CELLS.added.values(), *OWN_LANGUAGES.added.values()]
    origins = [one.origin for one in added if one.thing in (cell, language.word_language)]
    return list(dict.fromkeys(str(Path(origin).resolve()) for origin in origins if Path(origin).is_file()))
