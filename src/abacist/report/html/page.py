"""The page: everything gathered from a store, and written as one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from abacist import __version__
from abacist.errors import AbacistError, BadFile
from abacist.experiments import FAILS, HOLDS, OPEN, PARTLY, Results, Verdict, check_claims
from abacist.experiments.paper import RUNS
from abacist.fields import checked
from abacist.files import check_parent, write_whole
from abacist.progress import Progress
from abacist.report.experiment_tables import table_of
from abacist.report.figures import Drawing, Picture, draw_pictures
from abacist.report.figures.own import OWN, store_pictures
from abacist.report.html.commands import Commands
from abacist.report.html.drawing import on_a_page
from abacist.report.html.table_rows import blocks_of, groups_of
from abacist.report.html.what_was_run import Part, experiments_table, parts, settings, versions_table, when
from abacist.report.own_runs import OwnRuns, own_runs
from abacist.report.own_table import first_rows, listed, own_table, same_in_words
from abacist.report.tables import Column, Table
from abacist.wording import plural

#: Rows of settings that a page shows; the commands show all.
_MOST_ROWS = 200

#: Where pictures come from: those that can be made of results, and a sentence for each that cannot.
Pictures = Callable[[Results], tuple[list[Picture], list[str]]]


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


@dataclass(frozen=True)
class _Drawn:
    """A picture, drawn."""

    picture: Picture
    markup: Markup


def all_pictures(results: Results) -> tuple[list[Picture], list[str]]:
    """The figures of a store that are drawn where none is named, and a sentence for each that cannot be."""
    made = store_pictures(results)
    return list(made.shown), list(made.impossible)


@checked
def write_report(
    results: Results,
    path: Path,
    *,
    draw: Pictures = all_pictures,
    drawing: Drawing = draw_pictures,
    progress: Progress | None = None,
) -> Written:
    """Write all that results have to say into one HTML file; the same ones give the same bytes.

    Runs of one's own stand first, by what varies among them; the paper's sections are there where its
    experiments are, or nothing else is.

    `draw` says which figures there are and `drawing` draws them; `progress` is told how many are drawn,
    and of how many.
    """
    _refuse(path)
    commands = Commands(results.folder)
    own = own_runs(results)
    found = [part for part in parts(results) if not own.groups or part.name in own.experiments]
    tables = [
        _Shown(
            table_of(part.experiment, results), part.experiment.about, commands.table(part.name, part.more)
        )
        for part in found
        if part.found
    ]
    verdicts = _verdicts(results, own)
    known, impossible = draw(results)
    drawings, undrawn = _drawings(known, drawing, progress)
    order = [task.spec for part in found for task in part.experiment.tasks]
    by_settings, same = settings(results, order)
    by_settings = first_rows(by_settings, _MOST_ROWS, commands.runs())
    undrawn = [f"Figure {sentence.removesuffix('.')}." for sentence in (*impossible, *undrawn)]
    missing = [*_missing_runs(found, commands), *_undecided(verdicts), *undrawn, *_left_out(results)]
    text = _template().render(
        runs=len(results.runs),
        outside=sum(run.spec.outside for run in results.runs),
        seconds=sum(run.outcome.seconds for run in results.runs),
        when=when(results.runs),
        version=__version__,
        versions=versions_table(results.runs),
        mixture=results.mixture,
        paper=own.paper_is_there,
        own=_own(own, commands),
        by=listed(own.varying) if own.varying else "",
        experiments=experiments_table(found, commands),
        settings=by_settings,
        same=same,
        table_3=next((shown for shown in tables if shown.table.name == "table-3"), None),
        tables=[shown for shown in tables if shown.table.name != "table-3"],
        claims=[(verdict, _figures_table(n, verdict)) for n, verdict in enumerate(verdicts, 1)],
        counts=Counter(verdict.verdict for verdict in verdicts),
        names={HOLDS: "holds", PARTLY: "partly", FAILS: "fails", OPEN: "open"},
        own_drawings=[drawn for drawn in drawings if drawn.picture.name.startswith(OWN)],
        drawings=[drawn for drawn in drawings if not drawn.picture.name.startswith(OWN)],
        missing=missing,
        commands=commands,
    )
    write_whole(path, text.encode(errors="backslashreplace"))
    return Written(len(tables) + bool(own.groups), len(verdicts), len(drawings), len(missing))


def _verdicts(results: Results, own: OwnRuns) -> list[Verdict]:
    """What became of the paper's claims; none beside runs of one's own that decide no part of any."""
    verdicts = check_claims(results, at_least=RUNS) if own.paper_is_there else []
    decided = any(verdict.verdict != OPEN for verdict in verdicts)
    return verdicts if decided or not own.groups else []


def _own(own: OwnRuns, commands: Commands) -> _Shown | None:
    """The table of runs of one's own, if there are any."""
    if not own.groups:
        return None
    command = commands.table("own")
    table = replace(own_table(own), title=f"Runs by {listed(own.varying)}" if own.varying else "All runs")
    told = [f"{plural(len(own.runs), 'run')} in {plural(len(own.groups), 'group')} of equal settings."]
    for what, same in same_in_words(own):
        of_them = " of them" if what.endswith("all") else ""
        told.append(f"{what.replace('the', 'The', 1)}{of_them}: {same}.")
    if own.near:
        told.append(
            f"{plural(own.near, 'group')}, which an experiment that comes with Abacist has, too, stand here "
            "since they differ from another in a single setting."
        )
    return _Shown(first_rows(table, _MOST_ROWS, command), " ".join(told), command)


def _refuse(path: Path) -> None:
    """Say at once, not after all has been drawn, that a file cannot be written."""
    if path.is_dir():
        raise BadFile(f"{path}: cannot be written, it is a folder")
    check_parent(path)


def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("abacist.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"blocks_of": blocks_of, "groups_of": groups_of}
    return environment.get_template("report.html.jinja")


def _figures_table(number: int, verdict: Verdict) -> Table:
    """The figures that decide a claim, part by part."""
    keys = ("about", "verdict", "ours", "paper")
    columns = (*(Column(key, {"about": "of"}.get(key, key)) for key in keys), Column("runs", "runs", "", 0))
    rows = tuple(vars(part) for part in verdict.parts)
    return Table(
        f"claim-{number}", "What decides it: accuracies in percent, differences in points", columns, rows
    )


def _drawings(
    known: Sequence[Picture], drawing: Drawing, progress: Progress | None
) -> tuple[list[_Drawn], list[str]]:
    """All pictures that can be drawn, and a sentence for each that cannot."""
    made: list[_Drawn] = []
    undrawn: list[str] = []
    for picture, markup in zip(known, on_a_page(known, drawing, progress), strict=True):
        if isinstance(markup, AbacistError):
            undrawn.append(f"{picture.name}: {markup}")
        else:
            made.append(_Drawn(picture, markup))
    return made, undrawn


def _missing_runs(found: list[Part], commands: Commands) -> list[str]:
    """A sentence for every experiment that is not complete."""
    return [
        f"Experiment {part.name}: {part.found or 'none'} of its {part.wanted:,} runs "
        f"{'is' if part.found < 2 else 'are'} in the store; "
        f"`{commands.run(part.name, part.more)}` adds the rest."
        for part in found
        if part.found < part.wanted
    ]


def _left_out(results: Results) -> list[str]:
    """A sentence for every row of the store that could not be read."""
    return [f"{sentence[:1].upper()}{sentence[1:]}." for sentence in results.left_out]


def _undecided(verdicts: list[Verdict]) -> list[str]:
    """A sentence for every claim that lacks runs to decide all of its parts."""
    return [
        f"Claim “{verdict.claim}”: not decided in all its parts; it takes {RUNS} runs for each of "
        f"them, and one has {fewest or 'none'}."
        for verdict in verdicts
        if (fewest := min(part.runs for part in verdict.parts)) < RUNS
    ]
