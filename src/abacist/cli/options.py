"""Options that several commands share, and words on standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS
from abacist.corpora import PAPER
from abacist.errors import BadInput
from abacist.files import reason
from abacist.progress import busy
from abacist.wording import one_of

#: The cells that there are, for help.
CELL_NAMES = f"{one_of(CELLS)}, another that `abacist cells` lists, or one of --plugin"

ResultsOption = Annotated[Path, typer.Option("--results", "--out", help="The folder with the store.")]
StoreOption = Annotated[Path, typer.Option("--results", help="The folder with the store.")]
JobsOption = Annotated[
    int | None, typer.Option(help="How many blocks of runs to compute at once.", show_default="all cores")
]
RunsOption = Annotated[int | None, typer.Option(help="Runs per task, instead of what the experiment says.")]
KeepMomentsOption = Annotated[
    bool, typer.Option("--keep-moments", help="Keep Adam's moments, too: more epochs later go on from there.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Recompute what the store already has.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would run, and about how long it would take.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        help="Compute on a Dask cluster: the address of its scheduler, a file with it, or local:N for N "
        "processes here.",
        show_default="threads of this process",
    ),
]
ShardOption = Annotated[
    str | None,
    typer.Option(
        help="Only part i of n, written i/n, in a store of its own, to be merged later.",
        show_default="all",
    ),
]
FormOption = Annotated[str, typer.Option("--format", help="text, md, tex, csv or json.")]


def check_counts(**counts: int | None) -> None:
    """Refuse options that must be at least 1."""
    for name, value in counts.items():
        if value is not None and value < 1:
            raise BadInput(f"--{name} must be at least 1, got {value}")


def check_factor(option: str, value: float) -> None:
    """Refuse a factor that gates cannot be multiplied by."""
    if not 0 < value < float("inf"):
        raise BadInput(f"{option} must be positive and finite, got {value}")


def separated(values: Sequence[str] | None) -> list[str]:
    """The values of an option that may be repeated, or list several with commas between them."""
    return [name for value in values or () for name in value.split(",")]


#: The lengths of short words, as the command line writes them.
SHORT = str(PAPER.short)

SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same words everywhere.")]
LanguageArgument = Annotated[
    str,
    typer.Argument(
        help="A language, such as dyck-1 or shuffle-6 (see `abacist languages`), regex:EXPRESSION, or a TOML "
        "file with a table [language]."
    ),
]


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
