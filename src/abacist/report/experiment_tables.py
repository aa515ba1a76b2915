"""The tables of experiments, whatever their networks are judged on, and of the paper's claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf, sqrt
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
    Verdict,
    median_interval,
    percents,
    summarise,
)
from abacist.experiments.paper_table import RUNS, STATISTICS, printed_figures
from abacist.fields import checked
from abacist.report.distributions import Placed, adjusted, note_on, note_on_ours
from abacist.report.horizon_tables import horizons_table, is_survey, quartiles, survey_table
from abacist.report.own_runs import short_names
from abacist.report.own_table import about_runs
from abacist.report.run_table import SETTING, setting_of, swept_columns
from abacist.report.tables import Column, Table, headed
from abacist.report.training_table import sweeps_training, training_table
from abacist.wording import plural

_WHOSE = Column("figures", "figures")

#: The test of all figures of a network at once.
_JOINT = (Column("joint p", "p", "joint test", 3), Column("joint Holm", "Holm", "joint test", 3))

#: The ends of the interval of a median.
_ENDS = ("from", "to")

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

#: The columns of what was reached, in a table of tasks.
_REACHED = (
    Column("wrong min", "min", "wrong at"),
    Column("wrong quarter", "¼", "wrong at"),
    Column("wrong median", "median", "wrong at"),
    Column("wrong three quarters", "¾", "wrong at"),
    Column("proved", "proved"),
    Column("share", "%", "proved", 1),
    Column("share low", "% low", "proved", 1),
    Column("share high", "% high", "proved", 1),
    Column("every word", "word", "every", 0),
    Column("epochs trained", "epochs", "median"),
    Column("seconds each", "seconds", "mean", 2),
)

#: For programs: how many runs there are, how many are proved, and up to which length.
_FURTHER = ("runs", "proved runs", "proved to")

_LESSON_NOTE = (
    "Wrong at: length of the shortest word found that a network gets wrong, after its last round and before "
    "any sharpening at the end. Proved: runs proved right on every word of up to so many symbols, in percent "
    "with a 95 % interval (Wilson's). Every word: runs proved right on every word of any length, to the "
    "depth where their precision stops counting (2²⁴ in float32)."
)

_CLAIMS_NOTE = (
    "Estimates in percent, differences in points, both with 95 % intervals; p: beside the paper's runs. What "
    "ten runs did holds if at least half of all tens of ours do as well, and fails if p < 0.05."
)


@checked
def table_of(experiment: Experiment, results: Results) -> Table:
    """The table of an experiment: accuracies by set, or by epoch where it asks for several; where it asks
    for horizons, those, by cell where it is a survey, and with quartiles where it sweeps training; where all
    networks are taught, what they reached; where they are judged as recognisers, what they take and reject.

    Cells and languages of one's own go by their names where that is enough.
    """
    tasks = experiment.tasks
    if any(name in RECOGNITION_SETS for task in tasks for name in task.sets):
        make = _by_kind_of_string
    elif all(task.spec.lesson is not None for task in tasks):
        make = _by_lesson
    elif is_survey(experiment):
        make = survey_table
    elif sweeps_training(experiment):
        make = training_table
    elif any(task.horizons for task in tasks):
        make = horizons_table
    elif any(task.at_epochs for task in tasks):
        make = _by_epoch
    else:
        make = _by_set
    table = make(experiment, results)
    rows = table.rows
    for field in ("cell", "language"):
        names = short_names({row[field] for row in rows if field in row})
        rows = tuple(row | {field: names[row[field]]} if field in row else row for row in rows)
    about = about_runs([results.complete(task) for task in tasks])
    beside = ", beside the paper's" if about and any(row.get("figures") == "paper" for row in rows) else ""
    return replace(table, rows=rows, about=about + beside)


def _how_many(there: int, wanted: int) -> str:
    many = plural(wanted, "run")
    return f"ours, {many if there == wanted else f'{there} of {many}'}"


def _by_set(experiment: Experiment, results: Results) -> Table:
    """Beside the paper's figures the intervals of medians have rows of their own, else columns."""
    sets = tuple(dict.fromkeys(name for task in experiment.tasks for name in task.sets))
    papers = {
        task: printed_figures(task.spec) if set(task.sets) == set(PAPER_SETS) else None
        for task in experiment.tasks
    }
    apart = any(papers.values())
    many = any(len(results.complete(task)) > RUNS for task in experiment.tasks)
    rows: list[dict[str, Any]] = []
    by_paper: list[Placed] = []
    by_ours: list[Placed] = []
    for task in experiment.tasks:
        setting, runs = setting_of(task), results.complete(task)
        if (paper := papers[task]) is not None:
            printed = {f"{name} {s}": paper[name].of(s) for name in PAPER_SETS for s in STATISTICS}
            rows.append(setting | {"figures": "paper"} | printed)
        shares = {name: values for name in task.sets if len(values := percents(runs, name))}
        ours = {f"{name} {s}": v for name, values in shares.items() for s, v in summarise(values).items()}
        between = {name: median_interval(shares[name]) for name in shares if len(runs) > RUNS}
        ends = {
            f"{name} {end}": v for name, both in between.items() for end, v in zip(_ENDS, both, strict=True)
        }
        rows.append(setting | {"figures": _how_many(len(runs), len(task.seeds))} | ours | ends)
        if (beside := Placed.paper(task, runs)) is not None:
            rows.append(setting | {"figures": "p-value, paper", "joint p": beside.joint} | beside.p_values)
            by_paper.append(beside)
        if (placed := Placed.ours(task, runs)) is not None:
            rows.append(setting | {"figures": "p-value, ours", "joint p": placed.joint} | placed.p_values)
            by_ours.append(placed)
        for end in _ENDS if apart and len(runs) > RUNS else ():
            medians = {f"{name} median": ends[f"{name} {end}"] for name in between}
            rows.append(setting | {"figures": f"median {end}"} | medians)
    beside_paper = (row for row in rows if row["figures"] == "p-value, paper")
    for row, holms in zip(beside_paper, adjusted(by_paper), strict=True):
        row["joint Holm"] = holms
    notes = [
        "Accuracies in percent.",
        *([note_on(by_paper)] if by_paper else []),
        *([note_on_ours(by_ours)] if by_ours else []),
        *(["Median from, to: its 95 % bootstrap interval."] if many and apart else []),
        *(["From, to: the 95 % bootstrap interval of the median."] if many and not apart else []),
    ]
    shown = (*STATISTICS, *_ENDS) if many and not apart else STATISTICS
    numbers = (c for name in sets for c in headed(*shown, of=name, group=f"{name} set", digits=2))
    joint = _JOINT if by_paper else _JOINT[:1] if by_ours else ()
    return _of_tasks(experiment, results, (_WHOSE, *numbers, *joint), rows, " ".join(notes))


def _of_tasks(
    experiment: Experiment,
    results: Results,
    columns: Iterable[Column],
    rows: Iterable[dict[str, Any]],
    note: str,
    further: tuple[str, ...] = (),
) -> Table:
    """A table of an experiment whose rows are about its tasks: the columns of their settings stand first.

    The note ends with the number of runs whose weights did not stay finite, where there are any.
    """
    runs = {run.key: run for task in experiment.tasks for run in results.complete(task)}
    diverged = sum(run.outcome.diverged is not None for run in runs.values())
    note += f" {diverged} of {plural(len(runs), 'run')} diverged." if diverged else ""
    settings = (*SETTING, *swept_columns(experiment))
    return Table(experiment.name, experiment.title, (*settings, *columns), tuple(rows), note, further)


def _by_epoch(experiment: Experiment, results: Results) -> Table:
    epochs = tuple(dict.fromkeys(epoch for task in experiment.tasks for epoch in task.epochs))
    rows: list[dict[str, Any]] = []
    joint: list[tuple[dict[str, Any], dict[int, Placed]]] = []
    for task in experiment.tasks:
        runs = results.complete(task)
        paper = printed_figures(task.spec) or {}
        placed = {epoch: Placed.paper(task, runs, epoch) for epoch in task.epochs}
        beside = {epoch: one for epoch, one in placed.items() if one is not None}
        shared = setting_of(task) | {"runs": f"{len(runs)} of {len(task.seeds)}"}
        for name in task.sets:
            shares = {epoch: percents(runs, name, epoch) for epoch in task.epochs}
            medians = {f"epoch {epoch}": float(np.median(of)) for epoch, of in shares.items() if len(of)}
            printed = paper[name].median if name in paper else None
            rows.append(shared | {"set": name, "figures": "median", "paper": printed} | medians)
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
    columns = (
        *headed("set", *(["figures"] if joint else []), "runs"),
        *headed(*map(str, epochs), of="epoch", group="epoch", digits=2),
        Column("paper", "paper", "", 2),
    )
    note = "Median accuracies in percent after each number of epochs; paper: the paper's median."
    if joint:
        note += (
            " P-value: how probable it is that ten runs of ours give a median as unusual as the paper's, "
            "two-sided. Joint test: the same of all nine figures of a network together, adjusted after Holm "
            f"for {plural(len(joint), 'network')}."
        )
    return _of_tasks(experiment, results, columns, rows, note)


def _by_lesson(experiment: Experiment, results: Results) -> Table:
    rows = []
    for task in experiment.tasks:
        runs = results.complete(task)
        rows.append(setting_of(task) | {"figures": _how_many(len(runs), len(task.seeds))} | _reached(runs))
    return _of_tasks(experiment, results, (_WHOSE, *_REACHED), rows, _LESSON_NOTE, _FURTHER)


def wrong_at(runs: Sequence[Run], number: int = -1) -> list[float]:
    """The length of the shortest failing word of each run after a round, its last if it had fewer; infinite
    where none was found."""
    rounds = [run.outcome.taught.rounds for run in runs if run.outcome.taught is not None]
    lengths = [of_run[min(number, len(of_run) - 1)].length for of_run in rounds]
    return [inf if length is None else float(length) for length in lengths]


def proved_to(runs: Sequence[Run], length: int) -> int:
    """How many runs are proved right on all words of up to some length."""
    return sum(run.outcome.taught is not None and run.outcome.taught.proved >= length for run in runs)


def share_interval(count: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share, from 0 to 1."""
    z = 1.959963984540054
    share, scale = count / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def _reached(runs: Sequence[Run]) -> dict[str, Any]:
    """The values of those columns for the runs of one task."""
    taught = [run for run in runs if run.outcome.taught is not None]
    if not taught or taught[0].spec.lesson is None:
        return {}
    to = taught[0].spec.lesson.to
    proved = proved_to(taught, to)
    low, high = share_interval(proved, len(taught))
    certified = [
        horizon.every_word for run in taught for horizon in run.outcome.latest_horizons if horizon.factor == 1
    ]
    tried = [every for every in certified if every is not None]
    names = [column.key for column in _REACHED[:4]]
    return {
        **dict(zip(names, quartiles(wrong_at(taught), to), strict=True)),
        "proved": f"{proved} of {len(taught)} to {to}",
        "runs": len(taught),
        "proved runs": proved,
        "proved to": to,
        "share": 100 * proved / len(taught),
        "share low": 100 * low,
        "share high": 100 * high,
        "every word": sum(tried) if tried else None,
        "epochs trained": int(np.median([len(run.outcome.losses) for run in taught])),
        "seconds each": float(np.mean([run.outcome.seconds for run in taught])),
    }


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
        *headed("set", "runs"),
        *headed("median", of="accepted", group="accepted", digits=2),
        *(c for name, shown in _RECOGNITION.items() for c in headed(*shown, of=name, group=name, digits=2)),
        *(Column(f"{kind} median", h, "rejected, by edit", 2) for kind, h in _EDIT_HEADINGS.items()),
    )
    return _of_tasks(experiment, results, columns, rows, _RECOGNITION_NOTE)


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
    """The claims in the paper's words, with estimates and their intervals first, and then the verdicts."""
    rows = [
        {
            "claim": f"“{v.claim}”",
            "place": v.place,
            "figures": "; ".join(f"{p.about}: {p.ours} (paper: {p.paper})" for p in v.parts),
            "verdict": v.verdict,
            "which": v.which or None,
            "rule": v.rule,
        }
        for v in verdicts
    ]
    columns = headed("claim", "place", "figures", "verdict", "which", "rule")
    return Table("claims", "The paper's claims", columns, tuple(rows), _CLAIMS_NOTE)
