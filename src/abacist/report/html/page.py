"""The report: everything gathered from a store, and written as one file."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from abacist import __version__
from abacist.errors import AbacistError, BadFile
from abacist.experiments import FAILS, HOLDS, OPEN, PARTLY, Results, Verdict, check_claims
from abacist.experiments.paper_table import RUNS
from abacist.fields import checked
from abacist.files import check_parent, write_whole
from abacist.progress import Progress
from abacist.report.experiment_tables import table_of
from abacist.report.figures import Drawing, draw_pictures, store_pictures
from abacist.report.figures.own import OWN
from abacist.report.html.markup import blocks_of, on_a_page, template
from abacist.report.html.what_was_run import experiments_table, parts, settings, versions_table, when
from abacist.report.own_runs import OwnRuns, own_runs
from abacist.report.own_table import first_rows, listed, own_table, same_in_words
from abacist.report.tables import Column, Table, headed
from abacist.wording import plural

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
    results: Results,
    path: Path,
    *,
    drawing: Drawing = draw_pictures,
    progress: Progress | None = None,
) -> Written:
    """Write all that results have to say into one HTML file; the same ones give the same bytes.

    Runs of one's own stand first, by what varies among them; the paper's sections are there where its
    experiments are, or nothing else is.

    `drawing` draws the figures; `progress` is told the share drawn.
    """
    if path.is_dir():  # said at once, not after all has been drawn
        raise BadFile(f"{path}: cannot be written, it is a folder")
    check_parent(path)

    def command(*words: str, runs: int | None = None) -> str:
        """A command that reads, or fills, the store."""
        more = [] if runs is None else ["--runs", str(runs)]
        return shlex.join(["abacist", *words, "--results", str(results.folder), *more])

    own = own_runs(results)
    every = [part for part in parts(results) if not own.groups or part.name in own.experiments]
    commands = {part.name: command("run", part.name, runs=part.more) for part in every}
    tables = [
        _Shown(
            table_of(one.experiment, results), one.experiment.about, command("table", one.name, runs=one.more)
        )
        for one in every
        if one.found
    ]
    verdicts = _verdicts(results, own)
    pictures = store_pictures(results)
    drawn = list(zip(pictures.shown, on_a_page(pictures.shown, drawing, progress), strict=True))
    failed = (f"{picture.name}: {why}" for picture, why in drawn if isinstance(why, AbacistError))
    drawings = [(picture, markup) for picture, markup in drawn if not isinstance(markup, AbacistError)]
    order = [task.spec for part in every for task in part.experiment.tasks]
    by_settings, same = settings(results, order)
    missing = [
        *(part.missing(commands[part.name]) for part in every if part.found < part.wanted),
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
    columns = (Column("about", "of"), *headed("verdict", "ours", "paper"), *headed("runs", digits=0))
    title = "What decides it: accuracies in percent, differences in points"
    return Table(f"claim-{number}", title, columns, tuple(vars(part) for part in verdict.parts))


def _undecided(verdicts: list[Verdict]) -> list[str]:
    """A sentence for every claim that lacks runs to decide all of its parts."""
    return [
        f"Claim “{verdict.claim}”: not decided in all its parts; it takes {RUNS} runs for each of "
        f"them, and one has {fewest or 'none'}."
        for verdict in verdicts
        if (fewest := min(part.runs for part in verdict.parts)) < RUNS
    ]
