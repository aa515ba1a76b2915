"""The tables of the experiments, made of the results in a store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from abacist.experiments import (
    PAPER_SETS,
    Experiment,
    Results,
    Task,
    Verdict,
    median_interval,
    percents,
    summarise,
)
from abacist.experiments.paper import RUNS, STATISTICS, Figures, printed_figures
from abacist.fields import checked
from abacist.report.beside_paper import Placed, adjusted, everything, note_on, note_on_ours
from abacist.report.horizon_tables import horizons_table
from abacist.report.survey_table import is_survey, survey_table
from abacist.report.swept_settings import setting_of, swept_columns
from abacist.report.tables import Column, Table
from abacist.report.teaching_table import FURTHER, NOTE, REACHED, reached
from abacist.wording import plural

_SETTING = (Column("language", "task"), Column("cell", "model"), Column("hidden", "units"))
_WHOSE = Column("figures", "figures")
#: The test of all figures of a network at once.
_JOINT = (Column("joint p", "p", "joint test", 3), Column("joint Holm", "Holm", "joint test", 3))


def _swept(experiment: Experiment) -> tuple[Column, ...]:
    """Columns for all fields that tell rows apart."""
    return (*_SETTING, *swept_columns(experiment))


def _how_many(found: int, wanted: int) -> str:
    many = plural(wanted, "run")
    return f"ours, {many if found == wanted else f'{found} of {many}'}"


@checked
def table_of(experiment: Experiment, results: Results) -> Table:
    """The table of an experiment: accuracies by set, or by epoch where it asks for several; where it asks
    for horizons, those, by cell where it is a survey; where all networks are taught, what they reached."""
    if all(task.spec.lesson is not None for task in experiment.tasks):
        return _by_lesson(experiment, results)
    if is_survey(experiment):
        return survey_table(experiment, results)
    if any(task.horizons for task in experiment.tasks):
        return horizons_table(experiment, results)
    if any(task.at_epochs for task in experiment.tasks):
        return _by_epoch(experiment, results)
    return _by_set(experiment, results)


def _by_set(experiment: Experiment, results: Results) -> Table:
    """Beside the paper's figures the intervals of medians have rows of their own, else columns."""
    sets = tuple(dict.fromkeys(name for task in experiment.tasks for name in task.sets))
    papers = {task: _printed(task) for task in experiment.tasks}
    apart = any(papers.values())
    rows: list[dict[str, Any]] = []
    compared: list[tuple[Placed, dict[str, Any]]] = []
    many, ours_placed = False, list[Placed]()
    for task in experiment.tasks:
        setting = setting_of(task)
        paper = papers[task]
        runs = results.complete(task)
        if paper is not None:
            printed = {f"{name} {s}": paper[name].of(s) for name in PAPER_SETS for s in STATISTICS}
            rows.append(setting | {"figures": "paper"} | printed)
        ours: dict[str, Any] = setting | {"figures": _how_many(len(runs), len(task.seeds))}
        low, high = (setting | {"figures": f"median {end}"} for end in ("from", "to"))
        for name in task.sets:
            found = percents(runs, name)
            if not len(found):
                continue
            ours |= {f"{name} {s}": value for s, value in summarise(found).items()}
            if len(runs) > RUNS:
                low[f"{name} median"], high[f"{name} median"] = between = median_interval(found)
                ours[f"{name} from"], ours[f"{name} to"] = between
        rows.append(ours)
        beside = Placed.paper(task, runs)
        if beside is not None:
            rows.append(setting | {"figures": "p-value, paper"} | beside.p_values)
            compared.append((beside, rows[-1]))
        placed = Placed.ours(task, runs)
        if placed is not None:
            ours_placed.append(placed)
            chances = placed.p_values | {"joint p": placed.joint}
            rows.append(setting | {"figures": "p-value, ours"} | chances)
        if len(runs) > RUNS:
            rows += [low, high] if apart else []
            many = True
    networks = [beside for beside, _ in compared]
    for (beside, row), holms in zip(compared, adjusted(networks), strict=True):
        row |= {"joint p": beside.joint, "joint Holm": holms}
    notes = [
        "Accuracies in percent.",
        *([note_on(networks)] if networks else []),
        *([note_on_ours(ours_placed)] if ours_placed else []),
        *(["Median from, to: its 95 % bootstrap interval."] if many and apart else []),
        *(["From, to: the 95 % bootstrap interval of the median."] if many and not apart else []),
    ]
    shown = (*STATISTICS, "from", "to") if many and not apart else STATISTICS
    numbers = tuple(Column(f"{name} {s}", s, f"{name} set", 2) for name in sets for s in shown)
    columns = (
        *_swept(experiment),
        _WHOSE,
        *numbers,
        *(_JOINT if networks else _JOINT[:1] if ours_placed else ()),
    )
    note = " ".join(notes) + _on_diverged(experiment, results)
    return Table(experiment.name, experiment.title, columns, tuple(rows), note)


def _printed(task: Task) -> dict[str, Figures] | None:
    """The paper's figures for a task, where it was judged on the same sets."""
    return printed_figures(task.spec) if set(task.sets) == set(PAPER_SETS) else None


def _by_epoch(experiment: Experiment, results: Results) -> Table:
    epochs = tuple(dict.fromkeys(epoch for task in experiment.tasks for epoch in task.epochs))
    numbers = tuple(Column(f"epoch {e}", str(e), "epoch", 2) for e in epochs)
    rows: list[dict[str, Any]] = []
    joint: list[tuple[dict[str, Any], dict[int, Placed]]] = []
    together: dict[str, Any] = {"language": "all", "set": "all", "figures": "joint test, Fisher"}
    for task in experiment.tasks:
        runs = results.complete(task)
        paper = printed_figures(task.spec)
        found = {epoch: Placed.paper(task, runs, epoch) for epoch in task.epochs}
        beside = {epoch: one for epoch, one in found.items() if one is not None}
        shared = setting_of(task) | {"runs": f"{len(runs)} of {len(task.seeds)}"}
        for name in task.sets:
            row: dict[str, Any] = shared | {"set": name, "figures": "median"}
            for epoch in task.epochs:
                shares = percents(runs, name, epoch)
                row[f"epoch {epoch}"] = float(np.median(shares)) if len(shares) else None
            row["paper"] = paper[name].median if paper is not None and name in paper else None
            rows.append(row)
            if beside:
                chances = {f"epoch {epoch}": one.p_values[f"{name} median"] for epoch, one in beside.items()}
                rows.append(shared | {"set": name, "figures": "p-value"} | chances)
        if beside:
            rows.append(shared | {"set": "all", "figures": "joint test, Holm"})
            joint.append((rows[-1], beside))
    for epoch in epochs:
        compared = [(row, beside[epoch]) for row, beside in joint if epoch in beside]
        networks = [one for _, one in compared]
        for (row, _), holms in zip(compared, adjusted(networks), strict=True):
            row[f"epoch {epoch}"] = holms
        if networks:
            together[f"epoch {epoch}"] = everything(networks)
    if joint:
        rows.append(together)
    columns = (
        *_swept(experiment),
        Column("set", "set"),
        *((Column("figures", "figures"),) if joint else ()),
        Column("runs", "runs"),
        *numbers,
        Column("paper", "paper", "", 2),
    )
    note = "Median accuracies in percent after each number of epochs; paper: the paper's median."
    if joint:
        note += (
            " P-value: how probable it is that ten runs of ours give a median as unusual as the paper's, "
            "two-sided. Joint test: the same of all nine figures of a network together, adjusted after Holm "
            f"for {plural(len(joint), 'network')}; all networks together (Fisher) in the last row."
        )
    return Table(
        experiment.name, experiment.title, columns, tuple(rows), note + _on_diverged(experiment, results)
    )


def _by_lesson(experiment: Experiment, results: Results) -> Table:
    rows = []
    for task in experiment.tasks:
        runs = results.complete(task)
        rows.append(setting_of(task) | {"figures": _how_many(len(runs), len(task.seeds))} | reached(runs))
    columns = (*_swept(experiment), _WHOSE, *REACHED)
    note = NOTE + _on_diverged(experiment, results)
    return Table(experiment.name, experiment.title, columns, tuple(rows), note, FURTHER)


def _on_diverged(experiment: Experiment, results: Results) -> str:
    """A sentence on the runs whose weights did not stay finite, where there are any."""
    runs = {run.key: run for task in experiment.tasks for run in results.complete(task)}
    diverged = sum(run.outcome.diverged is not None for run in runs.values())
    return f" {diverged} of {plural(len(runs), 'run')} diverged." if diverged else ""


def claims_table(verdicts: Iterable[Verdict]) -> Table:
    """The claims in the paper's words, with their verdicts and the figures that decide them."""
    rows = [
        {
            "claim": f"“{v.claim}”",
            "verdict": v.verdict,
            "which": v.which or None,
            "place": v.place,
            "rule": v.rule,
            "figures": "; ".join(f"{p.about}: {p.ours} (paper: {p.paper})" for p in v.parts),
        }
        for v in verdicts
    ]
    columns = tuple(Column(key, key) for key in ("claim", "verdict", "which", "place", "rule", "figures"))
    note = "Which: what a claim that holds in part holds for. Accuracies in percent, differences in points."
    return Table("claims", "The paper's claims", columns, tuple(rows), note)
