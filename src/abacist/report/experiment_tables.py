"""The tables of experiments, whatever their networks are judged on, and of the paper's claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import EDITS
from abacist.experiments import (
    MEMBERS,
    PAPER_SETS,
    RECOGNITION_SETS,
    Experiment,
    Results,
    Run,
    Task,
    Verdict,
    median_interval,
    percents,
    summarise,
)
from abacist.experiments.paper import RUNS, STATISTICS, Figures, printed_figures
from abacist.fields import checked
from abacist.report.beside_paper import Placed, adjusted, everything, note_on, note_on_ours
from abacist.report.horizon_tables import horizons_table, is_survey, survey_table
from abacist.report.own_runs import short_names
from abacist.report.run_table import SETTING, setting_of, swept_columns
from abacist.report.tables import Column, Table, headed
from abacist.report.teaching_table import FURTHER, NOTE, REACHED, reached
from abacist.wording import several

_WHOSE = Column("figures", "figures")

#: The test of all figures of a network at once.
_JOINT = (Column("joint p", "p", "joint test", 3), Column("joint Holm", "Holm", "joint test", 3))

#: What is said of networks as recognisers, over all runs; the sets that it is made of depend on the task.
_RECOGNITION = {"taken": ("median",), "rejected": ("min", "median"), "balanced": ("median",)}

#: The kinds of edits, in few letters: the table is wide.
_EDIT_HEADINGS = dict(zip(EDITS, ("insert", "delete", "replace", "swap", "cut", "extend"), strict=True))

_RECOGNITION_NOTE = (
    "In percent. Accepted: words of the set whose predictions are all right, which is the paper's accuracy. "
    "Taken: words whose every symbol was predicted and whose end was allowed. Rejected: strings outside the "
    "language, the mean of the kinds of edits, whose medians stand on the right (cut: truncated). Balanced "
    "accuracy: the mean of taken and rejected."
)


@checked
def table_of(experiment: Experiment, results: Results) -> Table:
    """The table of an experiment: accuracies by set, or by epoch where it asks for several; where it asks
    for horizons, those, by cell where it is a survey; where all networks are taught, what they reached; where
    networks are judged as recognisers, what they take and reject.

    Cells and languages of one's own go by their names where that is enough.
    """
    tasks = experiment.tasks
    if any(name in RECOGNITION_SETS for task in tasks for name in task.sets):
        table = _by_kind_of_string(experiment, results)
    elif all(task.spec.lesson is not None for task in tasks):
        table = _by_lesson(experiment, results)
    elif is_survey(experiment):
        table = survey_table(experiment, results)
    elif any(task.horizons for task in tasks):
        table = horizons_table(experiment, results)
    elif any(task.at_epochs for task in tasks):
        table = _by_epoch(experiment, results)
    else:
        table = _by_set(experiment, results)
    rows = [dict(row) for row in table.rows]
    for field in ("cell", "language"):
        names = short_names({row[field] for row in rows if isinstance(row.get(field), str)})
        for row in rows:
            if row.get(field) in names:
                row[field] = names[row[field]]
    return replace(table, rows=tuple(rows))


def _how_many(there: int, wanted: int) -> str:
    many = several(wanted, "run")
    return f"ours, {many if there == wanted else f'{there} of {many}'}"


def _by_set(experiment: Experiment, results: Results) -> Table:
    """Beside the paper's figures the intervals of medians have rows of their own, else columns."""
    sets = tuple(dict.fromkeys(name for task in experiment.tasks for name in task.sets))
    papers = {task: _printed(task) for task in experiment.tasks}
    apart = any(papers.values())
    rows: list[dict[str, Any]] = []
    compared: list[tuple[Placed, dict[str, Any]]] = []
    many, ours_placed = False, list[Placed]()
    for task in experiment.tasks:
        setting, runs, paper = setting_of(task), results.complete(task), papers[task]
        if paper is not None:
            printed = {f"{name} {s}": paper[name].of(s) for name in PAPER_SETS for s in STATISTICS}
            rows.append(setting | {"figures": "paper"} | printed)
        ours: dict[str, Any] = setting | {"figures": _how_many(len(runs), len(task.seeds))}
        low, high = (setting | {"figures": f"median {end}"} for end in ("from", "to"))
        for name in task.sets:
            shares = percents(runs, name)
            if not len(shares):
                continue
            ours |= {f"{name} {s}": value for s, value in summarise(shares).items()}
            if len(runs) > RUNS:
                low[f"{name} median"], high[f"{name} median"] = between = median_interval(shares)
                ours[f"{name} from"], ours[f"{name} to"] = between
        rows.append(ours)
        beside = Placed.paper(task, runs)
        if beside is not None:
            rows.append(setting | {"figures": "p-value, paper"} | beside.p_values)
            compared.append((beside, rows[-1]))
        placed = Placed.ours(task, runs)
        if placed is not None:
            ours_placed.append(placed)
            rows.append(setting | {"figures": "p-value, ours"} | placed.p_values | {"joint p": placed.joint})
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
    numbers = (c for name in sets for c in headed(*shown, of=name, group=f"{name} set", digits=2))
    joint = _JOINT if networks else _JOINT[:1] if ours_placed else ()
    columns = (*SETTING, *swept_columns(experiment), _WHOSE, *numbers, *joint)
    note = " ".join(notes) + _on_diverged(experiment, results)
    return Table(experiment.name, experiment.title, columns, tuple(rows), note)


def _printed(task: Task) -> dict[str, Figures] | None:
    """The paper's figures for a task, where it was judged on the same sets."""
    return printed_figures(task.spec) if set(task.sets) == set(PAPER_SETS) else None


def _by_epoch(experiment: Experiment, results: Results) -> Table:
    epochs = tuple(dict.fromkeys(epoch for task in experiment.tasks for epoch in task.epochs))
    rows: list[dict[str, Any]] = []
    joint: list[tuple[dict[str, Any], dict[int, Placed]]] = []
    together: dict[str, Any] = {"language": "all", "set": "all", "figures": "joint test, Fisher"}
    for task in experiment.tasks:
        runs = results.complete(task)
        paper = printed_figures(task.spec)
        placed = {epoch: Placed.paper(task, runs, epoch) for epoch in task.epochs}
        beside = {epoch: one for epoch, one in placed.items() if one is not None}
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
    columns = (
        *SETTING,
        *swept_columns(experiment),
        *headed("set", *(["figures"] if joint else []), "runs"),
        *headed(*map(str, epochs), of="epoch", group="epoch", digits=2),
        Column("paper", "paper", "", 2),
    )
    note = "Median accuracies in percent after each number of epochs; paper: the paper's median."
    if joint:
        rows.append(together)
        note += (
            " P-value: how probable it is that ten runs of ours give a median as unusual as the paper's, "
            "two-sided. Joint test: the same of all nine figures of a network together, adjusted after Holm "
            f"for {several(len(joint), 'network')}; all networks together (Fisher) in the last row."
        )
    note += _on_diverged(experiment, results)
    return Table(experiment.name, experiment.title, columns, tuple(rows), note)


def _by_lesson(experiment: Experiment, results: Results) -> Table:
    rows = []
    for task in experiment.tasks:
        runs = results.complete(task)
        rows.append(setting_of(task) | {"figures": _how_many(len(runs), len(task.seeds))} | reached(runs))
    columns = (*SETTING, *swept_columns(experiment), _WHOSE, *REACHED)
    note = NOTE + _on_diverged(experiment, results)
    return Table(experiment.name, experiment.title, columns, tuple(rows), note, FURTHER)


def _on_diverged(experiment: Experiment, results: Results) -> str:
    """A sentence on the runs whose weights did not stay finite, where there are any."""
    runs = {run.key: run for task in experiment.tasks for run in results.complete(task)}
    diverged = sum(run.outcome.diverged is not None for run in runs.values())
    return f" {diverged} of {several(len(runs), 'run')} diverged." if diverged else ""


def _by_kind_of_string(experiment: Experiment, results: Results) -> Table:
    """Members taken and strings outside the language rejected: a row for every task and test set."""
    rows: list[dict[str, Any]] = []
    for task in experiment.tasks:
        runs, wanted = results.complete(task), len(task.seeds)
        kinds = [name.rpartition(" ")[::2] for name in task.sets if name in RECOGNITION_SETS]
        for test in dict.fromkeys(test for _, test in kinds):
            many = str(wanted) if len(runs) == wanted else f"{len(runs)} of {wanted}"
            figures = _recognition(runs, test, [kind for kind, of in kinds if of == test])
            rows.append(setting_of(task) | {"set": test, "runs": many} | figures)
    columns = (
        *SETTING,
        *swept_columns(experiment),
        *headed("set", "runs"),
        *headed("median", of="accepted", group="accepted", digits=2),
        *(c for name, shown in _RECOGNITION.items() for c in headed(*shown, of=name, group=name, digits=2)),
        *(Column(f"{kind} median", h, "rejected, by edit", 2) for kind, h in _EDIT_HEADINGS.items()),
    )
    return Table(experiment.name, experiment.title, columns, tuple(rows), _RECOGNITION_NOTE)


def _recognition(runs: Sequence[Run], test: str, kinds: Sequence[str]) -> dict[str, Any]:
    """What is known of runs on one test set and the strings near its words."""
    if not runs:
        return {}
    accepted = percents(runs, test)
    figures = {"accepted median": float(np.median(accepted))} if len(accepted) else {}
    outside = {kind: percents(runs, f"{kind} {test}") for kind in kinds if kind in EDITS}
    shares: dict[str, NDArray[Any]] = {}
    if MEMBERS in kinds:
        shares["taken"] = percents(runs, f"{MEMBERS} {test}")
    if outside:
        shares["rejected"] = np.mean(list(outside.values()), axis=0)
    if len(shares) == 2:
        shares["balanced"] = (shares["taken"] + shares["rejected"]) / 2
    for name, values in shares.items():
        figures |= {f"{name} {s}": float(getattr(np, s)(values)) for s in _RECOGNITION[name]}
    return figures | {f"{kind} median": float(np.median(values)) for kind, values in outside.items()}


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
    columns = headed("claim", "verdict", "which", "place", "rule", "figures")
    note = "Which: what a claim that holds in part holds for. Accuracies in percent, differences in points."
    return Table("claims", "The paper's claims", columns, tuple(rows), note)
