"""The report (`write_report`): everything gathered from a store, and written as one file."""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from abacist import __version__
from abacist.corpora import Source, Window
from abacist.errors import AbacistError, BadFile
from abacist.experiments import (
    FAILS,
    HOLDS,
    OPEN,
    PARTLY,
    Experiment,
    Results,
    Run,
    Verdict,
    catalogue,
    check_claims,
    experiment_named,
)
from abacist.experiments.paper_table import RUNS
from abacist.experiments.run_values import differing, readable
from abacist.fields import checked, records
from abacist.files import check_parent, write_whole
from abacist.labels import label_of
from abacist.report.experiment_tables import table_of
from abacist.report.figures import store_pictures
from abacist.report.figures.own import OWN
from abacist.report.html.markup import blocks_of, markup_of, template
from abacist.report.own_runs import OwnRuns, own_runs
from abacist.report.own_table import first_rows, own_table, same_in_words
from abacist.report.tables import Column, Table, headed
from abacist.specs import Spec
from abacist.wording import listed, plural, spans

#: What every row of the settings names, however many of them are equal.
_ALWAYS = ("language", "cell", "hidden", "epochs", "steps")

#: Rows of settings that a page shows; the commands show all.
_MOST_ROWS = 200


@dataclass(frozen=True)
class Written:
    """How much a report shows, and how many things it says are missing."""

    tables: int
    claims: int
    pictures: int
    missing: int


@dataclass(frozen=True)
class _Shown:
    """A table with what to look for in it and the command that produces it again."""

    table: Table
    about: str
    command: str


@checked
def write_report(
    results: Results, path: Path, *, progress: Callable[[float], object] = lambda share: None
) -> Written:
    """Write all that results have to say into one HTML file; the same ones give the same bytes.

    Runs of one's own stand first, by what varies among them; the paper's sections are there where its
    experiments are, or nothing else is.

    `progress` is told the share of the figures that are drawn.
    """
    if path.is_dir():  # said at once, not after all has been drawn
        raise BadFile(f"{path}: cannot be written, it is a folder")
    check_parent(path)

    def command(*words: str, runs: int | None = None) -> str:
        """A command that reads, or fills, the store."""
        more = [] if runs is None else ["--runs", str(runs)]
        return shlex.join(["abacist", *words, "--results", str(results.folder), *more])

    own = own_runs(results)
    every = [one for one in stored_experiments(results) if not own.groups or one.name in own.experiments]
    commands = {one.name: command("run", one.name, runs=one.more) for one in every}
    tables = [
        _Shown(
            table_of(one.experiment, results), one.experiment.about, command("table", one.name, runs=one.more)
        )
        for one in every
        if one.complete
    ]
    verdicts = _verdicts(results, own)
    pictures = store_pictures(results)
    drawn = []
    for number, picture in enumerate(pictures.shown, 1):
        drawn.append((picture, markup_of(picture)))
        progress(number / len(pictures.shown))
    failed = (f"{picture.name}: {why}" for picture, why in drawn if isinstance(why, AbacistError))
    drawings = [(picture, markup) for picture, markup in drawn if not isinstance(markup, AbacistError)]
    order = [task.spec for one in every for task in one.experiment.tasks]
    by_settings, same = settings(results, order)
    missing = [
        *(one.missing(commands[one.name]) for one in every if one.complete < one.wanted),
        *_undecided(verdicts),
        *(f"Figure {sentence.removesuffix('.')}." for sentence in (*pictures.impossible, *failed)),
        *(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in results.left_out),
    ]
    text = template("html/templates", "report.html.jinja").render(
        blocks_of=blocks_of,
        runs=len(results.runs),
        outside=sum(run.spec.outside for run in results.runs),
        seconds=sum(run.outcome.seconds for run in results.runs),
        when=when(results.runs),
        version=__version__,
        versions=versions_table(results.runs),
        mixture=results.mixture,
        paper=own.paper_is_there,
        own=_own(own, command("table", "own")) if own.groups else None,
        by=listed(own.varying) if own.varying else "",
        experiments=experiments_table(every, commands),
        settings=first_rows(by_settings, _MOST_ROWS, command("runs")),
        same=same,
        table_3=next((shown for shown in tables if shown.table.name == "table-3"), None),
        tables=[shown for shown in tables if shown.table.name != "table-3"],
        claims=[(verdict, _figures_table(n, verdict)) for n, verdict in enumerate(verdicts, 1)],
        counts=Counter(verdict.verdict for verdict in verdicts),
        names={HOLDS: "holds", PARTLY: "partly", FAILS: "fails", OPEN: "open"},
        own_drawings=[pair for pair in drawings if pair[0].name.startswith(OWN)],
        drawings=[pair for pair in drawings if not pair[0].name.startswith(OWN)],
        missing=missing,
        command=command,
    )
    write_whole(path, text.encode(errors="backslashreplace"))
    return Written(len(tables) + bool(own.groups), len(verdicts), len(drawings), len(missing))


def _verdicts(results: Results, own: OwnRuns) -> list[Verdict]:
    """What became of the paper's claims; none beside runs of one's own that decide no part of any."""
    verdicts = check_claims(results, at_least=RUNS) if own.paper_is_there else []
    decided = any(verdict.verdict != OPEN for verdict in verdicts)
    return verdicts if decided or not own.groups else []


def _own(own: OwnRuns, command: str) -> _Shown:
    table = replace(own_table(own), title=f"Runs by {listed(own.varying)}" if own.varying else "All runs")
    about = [f"{plural(len(own.runs), 'run')} in {plural(len(own.groups), 'group')} of equal settings."]
    for what, same in same_in_words(own):
        of_them = " of them" if what.endswith("all") else ""
        about.append(f"{what.replace('the', 'The', 1)}{of_them}: {same}.")
    if own.near:
        about.append(
            f"{plural(own.near, 'group')}, which an experiment that comes with Abacist has, too, stand here "
            "since they differ from another in a single setting."
        )
    return _Shown(first_rows(table, _MOST_ROWS, command), " ".join(about), command)


def _figures_table(number: int, verdict: Verdict) -> Table:
    columns = (Column("about", "of"), *headed("ours", "paper"), *headed("runs", digits=0), *headed("verdict"))
    title = "What decides it: accuracies in percent, differences in points"
    return Table(f"claim-{number}", title, columns, tuple(vars(part) for part in verdict.parts))


def _undecided(verdicts: list[Verdict]) -> list[str]:
    """A sentence for every claim that lacks runs to decide all of its parts."""
    return [
        f"Claim “{verdict.claim}”: not decided in all its parts; it takes {RUNS} runs for each of "
        f"them, and one has {fewest or 'none'}."
        for verdict in verdicts
        if (fewest := min((part.runs for part in verdict.parts if part.verdict == OPEN), default=RUNS)) < RUNS
    ]


@dataclass(frozen=True)
class StoredExperiment:
    """An experiment of the catalogue and the runs of it that the store has, judged on all it asks for.

    `more` is the number of runs of every task where that is not the catalogue's.
    """

    experiment: Experiment
    complete: int
    more: int | None

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def wanted(self) -> int:
        return sum(len(task.seeds) for task in self.experiment.tasks)

    def missing(self, command: str) -> str:
        """A sentence on the runs that are missing."""
        are = "is" if self.complete < 2 else "are"
        there = f"{self.complete or 'none'} of its {self.wanted:,} runs {are} in the store"
        return f"Experiment {self.name}: {there}; `{command}` adds the rest."


def stored_experiments(results: Results) -> list[StoredExperiment]:
    """All experiments of the catalogue, each with as many runs as the store has, its own at least."""
    every = []
    for name in catalogue():
        experiment = experiment_named(name)
        # of every task those that are complete, from seed 0 to the first that is not
        most = max(next(n for n in count() if not results.complete(t, [n])) for t in experiment.tasks)
        more = most if most > max(len(task.seeds) for task in experiment.tasks) else None
        if more is not None:
            experiment = experiment_named(name, runs=more)
        complete = sum(len(results.complete(task)) for task in experiment.tasks)
        every.append(StoredExperiment(experiment, complete, more))
    return every


def experiments_table(every: Iterable[StoredExperiment], commands: Mapping[str, str]) -> Table:
    """The experiments, how much of each is there, and the commands that run them, by name."""
    rows = tuple(
        {
            "name": one.name,
            "title": one.experiment.title,
            "runs": f"{one.complete:,} of {one.wanted:,}",
            "seeds": spans(seed for task in one.experiment.tasks for seed in task.seeds),
            "command": commands[one.name],
        }
        for one in every
    )
    columns = (
        Column("name", "experiment"),
        *headed("title", "runs", "seeds"),
        Column("command", "command that runs it"),
    )
    return Table(
        "experiments", "Experiments", columns, rows, "Run r draws its words and weights from seed r."
    )


def settings(results: Results, order: Sequence[Spec]) -> tuple[Table, list[tuple[str, Any]]]:
    """A row for every spec, in the order given, and the settings that are the same in all of them."""
    blocks = results.by_spec
    specs = dict.fromkeys((*(spec for spec in order if spec in blocks), *blocks))
    values = {spec: _in_words(spec) for spec in specs}
    swept = {*_ALWAYS, *differing(values.values())}
    columns = [Column(field.column, field.heading) for field in records(Spec).values()]
    rows = []
    for spec in specs:
        runs = [run.outcome for run in blocks[spec]]
        row: dict[str, Any] = values[spec] | {"runs": len(runs)}
        row |= {"seeds": spans(run.seed for run in blocks[spec])}
        row |= {"diverged": sum(outcome.diverged is not None for outcome in runs)}
        rows.append(row | {"seconds": sum(outcome.seconds for outcome in runs)})
    shown = (
        *(column for column in columns if column.key in swept),
        *headed("runs", "seeds", *(["diverged"] if any(row["diverged"] for row in rows) else [])),
        *headed("seconds", digits=1),
    )
    same = [(column.heading, rows[0][column.key]) for column in columns if column.key not in swept and rows]
    return Table("settings", "Runs by their settings", shown, tuple(rows)), same


def _in_words(spec: Spec) -> dict[str, str]:
    """The settings of a spec as texts by their columns, what it leaves to the paper filled in."""
    recipe, texts = spec.recipe(0), {}
    for field in records(Spec).values():
        value = getattr(spec, field.name)
        value = field.filled(recipe) if value is None and field.filled else value
        if field.trains and spec.outside:
            texts[field.column] = "—"
        elif isinstance(value, Window | Source):
            texts[field.column] = str(value).replace(":", "–") if isinstance(value, Window) else str(value)
        elif type(value) is int:
            texts[field.column] = f"{value:,}"
        else:
            texts[field.column] = "none" if value is None else label_of(str(readable(value)))
    if spec.source is None:
        texts["source"] = texts["source"].replace("the grammar with", "the paper’s grammar,")
    return texts


def versions_table(runs: Iterable[Run]) -> Table:
    """The versions of all that the runs were made with."""
    counts = Counter(item for run in runs for item in run.outcome.versions.items())
    rows = []
    for (name, version), with_it in sorted(counts.items()):
        if name == "features":  # of a processor: their number, and a name that only they have
            digest = hashlib.sha256(version.encode()).hexdigest()[:8]
            version = f"{plural(len(version.split()), 'feature')}, {digest}"
        rows.append({"name": name, "version": version, "runs": f"{with_it:,}"})
    columns = (Column("name", "software"), *headed("version"), Column("runs", "runs made with it"))
    return Table("versions", "Versions", columns, tuple(rows))


def when(runs: Sequence[Run]) -> tuple[str, str] | None:
    """When the first run was begun and the last one, in universal time; None without runs."""
    begun = [float(run.outcome.begun) for run in runs]
    if not begun:
        return None
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (min(begun), max(begun)))
    return f"{first:%Y-%m-%d %H:%M} UTC", f"{last:%Y-%m-%d %H:%M} UTC"
