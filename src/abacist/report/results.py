"""The tables of the experiments, made of the runs in a store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import source_values
from abacist.experiments import (
    TABLE_1,
    Experiment,
    Run,
    Store,
    Task,
    Verdict,
    median_interval,
    probability,
    run_key,
    summarise,
)
from abacist.experiments.paper import SETS, STATISTICS
from abacist.report.tables import Column, Table
from abacist.specs import Spec
from abacist.wording import several

_SETTING = (Column("language", "task"), Column("cell", "model"), Column("hidden", "units"))
_NAMED = ("language", "cell", "hidden")
_WHOSE = Column("figures", "figures")
_NOTE_ON_MANY = (
    "Accuracies in percent. Probability: that ten runs of ours give a figure at least as far from what they "
    "usually give as the paper's, by resampling. Median from, to: its 95 % bootstrap interval."
)


def found_runs(task: Task, store: Store) -> list[Run]:
    """The runs of a task that the store has, judged on all that it asks for."""
    runs = (store.get(run_key(task.spec, seed)) for seed in task.seeds)
    return [run for run in runs if run is not None and task.wanted() <= run.known()]


def _shares(runs: Iterable[Run], name: str, epoch: int | None = None) -> NDArray[np.float64]:
    found = (run.accuracy(name, epoch) for run in runs)
    return np.array([100 * share for share in found if share is not None])


def _setting(task: Task) -> dict[str, Any]:
    return {name: _plain(value) for name, value in task.spec.as_dict().items()}


def _plain(value: Any) -> Any:
    """A field of a spec as people read it."""
    return f"{value['words']} {value['grammar'] or ''}".strip() if isinstance(value, dict) else value


def _swept(experiment: Experiment) -> tuple[Column, ...]:
    """Columns for the other fields that differ from task to task, so that rows can be told apart."""
    settings = [_setting(task) for task in experiment.tasks]
    names = [n for n in settings[0] if n not in _NAMED and len({s[n] for s in settings}) > 1]
    return (*_SETTING, *(Column(name, name) for name in names))


def _how_many(found: int, wanted: int) -> str:
    many = several(wanted, "run")
    return f"ours, {many if found == wanted else f'{found} of {many}'}"


def table_of(experiment: Experiment, store: Store) -> Table:
    """The table of an experiment: accuracies by set, or by epoch where it asks for several."""
    if any(task.at_epochs for task in experiment.tasks):
        return _by_epoch(experiment, store)
    return _by_set(experiment, store)


def _by_set(experiment: Experiment, store: Store) -> Table:
    sets = tuple(dict.fromkeys(name for task in experiment.tasks for name in task.sets))
    numbers = tuple(Column(f"{name} {s}", s, f"{name} set", 2) for name in sets for s in STATISTICS)
    rows: list[dict[str, Any]] = []
    note = "Accuracies in percent."
    for task in experiment.tasks:
        setting = _setting(task)
        paper = TABLE_1.get((setting["language"], setting["cell"]))
        as_printed = paper is not None and set(task.sets) == set(SETS) and _paper_units(task)
        runs = found_runs(task, store)
        if as_printed and paper is not None:
            printed = {f"{name} {s}": paper[name].of(s) for name in SETS for s in STATISTICS}
            rows.append(setting | {"figures": "paper"} | printed)
        ours: dict[str, Any] = setting | {"figures": _how_many(len(runs), len(task.seeds))}
        chances: dict[str, Any] = setting | {"figures": "probability"}
        low, high = setting | {"figures": "median from"}, setting | {"figures": "median to"}
        for name in task.sets:
            shares = _shares(runs, name)
            if not len(shares):
                continue
            ours |= {f"{name} {s}": value for s, value in summarise(shares).items()}
            low[f"{name} median"], high[f"{name} median"] = median_interval(shares)
            if as_printed and paper is not None:
                chances |= {f"{name} {s}": probability(shares, paper[name].of(s), s) for s in STATISTICS}
        rows.append(ours)
        if len(runs) > 10:
            rows += [chances, low, high] if as_printed else [low, high]
            note = _NOTE_ON_MANY
    return Table(
        experiment.name, experiment.title, (*_swept(experiment), _WHOSE, *numbers), tuple(rows), note
    )


def _paper_units(task: Task) -> bool:
    units = {"dyck-1": 3, "shuffle-2": 4, "shuffle-6": 8, "dyck-2": 4}
    spec = task.spec
    usual = Spec(spec.language, spec.cell, hidden=units.get(spec.language.name, 1), epochs=spec.epochs)
    return spec == usual


def _by_epoch(experiment: Experiment, store: Store) -> Table:
    epochs = tuple(dict.fromkeys(epoch for task in experiment.tasks for epoch in task.epochs))
    numbers = tuple(Column(f"epoch {e}", str(e), "epoch", 2) for e in epochs)
    rows: list[dict[str, Any]] = []
    for task in experiment.tasks:
        runs = found_runs(task, store)
        setting = _setting(task)
        paper = TABLE_1.get((setting["language"], setting["cell"])) if _paper_units(task) else None
        for name in task.sets:
            row: dict[str, Any] = setting | {"set": name, "runs": f"{len(runs)} of {len(task.seeds)}"}
            for epoch in task.epochs:
                shares = _shares(runs, name, epoch)
                row[f"epoch {epoch}"] = float(np.median(shares)) if len(shares) else None
            row["paper"] = paper[name].median if paper is not None and name in paper else None
            rows.append(row)
    columns = (
        *_swept(experiment),
        Column("set", "set"),
        Column("runs", "runs"),
        *numbers,
        Column("paper", "paper", "", 2),
    )
    return Table(
        experiment.name,
        experiment.title,
        columns,
        tuple(rows),
        "Medians of accuracies in percent after so many epochs; paper: its median.",
    )


def claims_table(verdicts: Iterable[Verdict]) -> Table:
    """The claims with their verdicts and the figures that decide them."""
    rows = []
    for v in verdicts:
        figures = "; ".join(
            f"{name}: {f['median']:.2f} ({f['min']:.2f} to {f['max']:.2f})"
            if f["runs"]
            else f"{name}: no runs"
            for name, f in v.figures.items()
        )
        rows.append(
            {"claim": v.claim, "place": v.place, "rule": v.rule, "verdict": v.verdict, "figures": figures}
        )
    columns = tuple(Column(key, key) for key in ("claim", "verdict", "place", "rule", "figures"))
    note = "Figures: median (minimum to maximum) accuracy in percent."
    return Table("claims", "The paper's claims", columns, tuple(rows), note)


#: Fields of a spec that would have the name of a set, and what their columns are called.
_COLUMN = {"training": "training words", "test": "test words", "short": "short window", "long": "long window"}


def runs_table(runs: Iterable[Run]) -> Table:
    """Every single run."""
    more = ("steps", "precision", "batch", "rate", "training", "test", "source", "short", "long")
    names = ("language", "cell", "hidden", "epochs", *more)
    rows = []
    sets: dict[str, None] = {}
    for run in runs:
        values = run.spec.as_dict()
        recipe = run.spec.recipe(run.seed)
        values |= {"training": recipe.splits[0].count, "source": source_values(recipe.source)}
        row = {_COLUMN.get(name, name): _plain(values[name]) for name in names}
        row |= {"key": run.key[:8], "seed": run.seed}
        for name in run.results["accuracy"]:
            sets[name] = None
            share = run.accuracy(name)
            row[name] = None if share is None else 100 * share
        losses = run.results["losses"]
        row |= {"loss": losses[-1] if losses else None, "diverged": run.results["diverged"]}
        rows.append(row | {"seconds": run.results["seconds"]})
    columns = (
        Column("key", "key"),
        *(Column(name, name) for name in ("language", "cell", "hidden", "epochs", "seed")),
        *(Column(name, name, "", 2) for name in sets),
        Column("loss", "loss", "", 8),
        Column("diverged", "diverged"),
        Column("seconds", "seconds", "", 2),
        *(Column(_COLUMN.get(name, name), _COLUMN.get(name, name)) for name in more),
    )
    return Table("runs", "Runs", columns, tuple(rows))
