"""Options that several commands share, and words on standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import CELLS
from abacist.cli.screen import say
from abacist.corpora import PAPER
from abacist.errors import BadInput, UnknownName
from abacist.fields import Choice, Field, Range
from abacist.files import check_parent, reason
from abacist.progress import busy
from abacist.wording import one_of

#: The cells that there are, for help.
CELL_NAMES = f"{one_of(CELLS)}, another that `abacist cells` lists, or one of --plugin"

#: How a table can be printed.
FORMS = ("text", "md", "tex", "csv", "json")


def figure_file(path: Path | None) -> Path | None:
    """Refuse a file that no figure is written as, or whose folder is missing, before any work."""
    if path is not None:
        from abacist.report.figures import FIGURE_FORMS  # Matplotlib: most commands draw nothing

        if path.suffix.removeprefix(".") not in FIGURE_FORMS:
            raise BadInput(f"{path}: a figure is written as {', '.join(f'.{form}' for form in FIGURE_FORMS)}")
        check_parent(path)
    return path


def draw(figure: Any, path: Path, what: str = "") -> None:
    """Write a figure into a file, and say so."""
    from abacist.report.figures import write_figure

    write_figure(figure, path)
    say(f"{what}drawn in {path}")


FormOption = Annotated[str, Field("text, md, tex, csv or json.", Choice(FORMS), option="format")]
FigureOption = Annotated[
    Path | None, typer.Option(help="Draw a figure: .svg, .pdf or .png.", callback=figure_file)
]
LengthsOption = Annotated[str, Field("The lengths of the words.", metavar="LOW:HIGH")]
ResultsOption = Annotated[Path, typer.Option("--results", "--out", help="The folder with the store.")]
StoreOption = Annotated[Path, "The folder with the store."]
JobsOption = Annotated[
    int | None,
    Range(1),
    typer.Option(
        "--jobs", "--threads", help="How many blocks of runs to compute at once.", show_default="all cores"
    ),
]
RunsOption = Annotated[int | None, "Runs per task, instead of what the experiment says.", Range(1)]
JsonOption = Annotated[bool, "Print JSON instead of a table."]
SeedOption = Annotated[int, "The same seed gives the same words everywhere."]
LanguageArgument = Annotated[
    str,
    typer.Argument(
        help="A language, such as dyck-1 or shuffle-6 (see `abacist languages`), regex:EXPRESSION, or a TOML "
        "file with a table [language]."
    ),
]

#: The lengths of short words, as the command line writes them.
SHORT = str(PAPER.short)


def picked(names: Sequence[str], offered: Iterable[str], what: str) -> tuple[str, ...]:
    """What there is of some names, by default all, in the order in which it is offered; refuses others."""
    offered = tuple(offered)
    for name in names:
        if name not in offered:
            raise UnknownName(f"unknown {what} {name!r}; there are {', '.join(offered)}")
    return tuple(name for name in offered if not names or name in names)


def separated(values: Sequence[str] | None) -> list[str]:
    """The values of an option that may be repeated, or list several with commas between them."""
    return [name.strip() for value in values or () for name in value.split(",")]


#: Bytes of standard input that are read at most.
_MOST_INPUT = 50_000_000


def input_lines() -> list[str]:
    """The lines of standard input that are not empty."""
    try:
        with busy("" if sys.stdin.isatty() else "reading standard input"):
            data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    except OSError as error:
        raise BadInput(f"no words are given, and standard input cannot be read, {reason(error)}") from None
    if len(data) > _MOST_INPUT:
        raise BadInput(f"standard input has more than {_MOST_INPUT:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"standard input is not text in UTF-8, see line {line:,}") from None
    return [line for line in text.splitlines() if line.strip()]
