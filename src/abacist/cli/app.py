"""The command `abacist`: its verbs, and how it ends.

Nothing heavy is imported here: `abacist --help` must not wait for Numba. Exit codes:
0 done, 1 failed, 2 misuse, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from abacist import __version__
from abacist.cli.bench import bench
from abacist.cli.corpus import corpus
from abacist.cli.exchange import export, import_
from abacist.cli.figures import figures
from abacist.cli.interrupt import watch
from abacist.cli.judge import judge
from abacist.cli.label import label
from abacist.cli.languages import languages
from abacist.cli.reduce import reduce
from abacist.cli.repair import repair
from abacist.cli.report import report
from abacist.cli.reproduce import reproduce
from abacist.cli.run import run as run_experiment
from abacist.cli.sample import sample
from abacist.cli.table import runs, table
from abacist.cli.trace import trace
from abacist.cli.train import train
from abacist.errors import AbacistError
from abacist.files import reason

app = typer.Typer(
    name="abacist",
    help="A laboratory for small recurrent networks that count.",
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"abacist {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


VERBS = (
    reproduce, run_experiment, table, runs, report, figures, repair, trace, train, judge, import_, export,
    languages, label, sample, reduce, corpus, bench,
)  # fmt: skip

for verb in VERBS:
    app.command(verb.__name__.rstrip("_"))(verb)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        return int(app(args=arguments, prog_name="abacist", standalone_mode=False) or 0)
    except typer.TyperException as error:
        _say(error.format_message())
        return error.exit_code
    except AbacistError as error:
        _say(str(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except MemoryError:
        _say("that needs more memory than there is")
        return 1
    except OSError as error:  # standard output cannot be written
        _say(f"standard output cannot be written, {reason(error)}")
        return 1
    except SystemExit:  # Typer's answer to a closed pipe: the reader, such as `head`, has seen enough
        return 0


def _say(message: str) -> None:
    print(f"abacist: {message}", file=sys.stderr)


def main() -> NoReturn:
    watch()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = run()
    if code == 130:
        _say("interrupted")
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            _say(f"standard output cannot be written, {reason(error)}")
            code = code or 1
    sys.exit(code)
