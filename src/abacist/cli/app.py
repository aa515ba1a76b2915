"""The command `abacist`: its verbs, each loaded only when it is asked for, and how it ends.

`abacist --help` reads the summaries of verbs, the first lines of their docstrings, and imports none of them,
so that nobody waits for NumPy or Numba to read a list. A further verb is one further word.

Exit codes: 0 done, 1 failed, 2 misuse, 130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from abacist import __version__
from abacist.cli.interrupt import watch
from abacist.cli.mistakes import VerbCommand, in_one_sentence, unknown_command
from abacist.cli.parameters import renamed, with_options
from abacist.cli.screen import OutputLost, prepare, status, warn
from abacist.errors import AbacistError
from abacist.files import reason


@dataclass(frozen=True)
class Verb:
    """A verb: its name, which is that of its function, its module, and its group in help."""

    name: str
    module: str
    group: str

    @property
    def function(self) -> str:
        return f"{self.name}_" if iskeyword(self.name) else self.name

    @property
    def summary(self) -> str:
        """The first line of its help."""
        source = (Path(__file__).parent / f"{self.module}.py").read_text(encoding="utf-8")
        docstring = re.search(rf'^def {self.function}\(.*?\n    """(.*?)$', source, re.S | re.M)
        return "" if docstring is None else docstring[1]


#: The verbs in the order of help, by group and module.
_GROUPS = {
    "Run experiments": {"training": "reproduce run train teach"},
    "Look at results": {
        "results": "table distributions runs", "compare": "compare", "show": "show",
        "figures": "figures report page",
    },
    "One network": {
        "trace": "trace play", "judge": "judge", "counters": "counters stress"
    },
    "Prove": {"horizon": "horizon", "certificates": "certify check", "counters": "machine"},
    "Languages and words": {"catalogue": "languages label reduce", "corpora": "sample corpus score"},
    "Cells, models, files": {"catalogue": "cells", "exchange": "import export construct sharpen"},
    "Keep house": {"housekeeping": "repair merge delete vacuum bench"},
}  # fmt: skip
VERBS = {
    name: Verb(name, module, group)
    for group, modules in _GROUPS.items()
    for module, names in modules.items()
    for name in names.split()
}

#: Verbs by their former names, which work for a version.
_NEW_NAMES = {"saturate": "sharpen"}

#: How help looks, and how it is asked for, in the command and in every verb.
STYLE: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class VerbGroup(TyperGroup):
    """Lists verbs by their summaries, and loads the one that is invoked or asked for its own help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with in_one_sentence(self, args):
            return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        for name, listed in self.commands.items():
            listed.help = VERBS[name].summary
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        words = [*renamed(args[:1], _NEW_NAMES), *args[1:]]
        if words[0] not in self.commands and not ctx.resilient_parsing:
            raise unknown_command(words[0], self.commands)
        name, listed, rest = super().resolve_command(ctx, words)
        if name is None:
            return name, listed, rest
        command = command_of(VERBS[name])
        return name, command, renamed(rest, command.callback.new_names)


def command_of(verb: Verb) -> Any:
    """The command of a verb with all its options; imports its module."""
    function = getattr(import_module(f"abacist.cli.{verb.module}"), verb.function)
    alone = typer.Typer(add_completion=False, **STYLE)
    alone.command(verb.name, cls=VerbCommand)(with_options(function))
    return typer.main.get_command(alone)


app = typer.Typer(
    name="abacist", help="A laboratory for small recurrent networks that count.", cls=VerbGroup, **STYLE
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


def _not_loaded() -> None:
    """Stands in for a verb until it is invoked."""


for _verb in VERBS.values():
    app.command(_verb.name, rich_help_panel=_verb.group)(_not_loaded)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        return int(app(args=arguments, prog_name="abacist", standalone_mode=False) or 0)
    except typer.TyperException as error:
        warn(error.format_message())
        return error.exit_code
    except AbacistError as error:
        warn(str(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except MemoryError:
        warn("this needs more memory than there is")
        return 1
    except OSError as error:
        warn(f"{_place(error)}{reason(error)}")
        return 1
    except BaseException as error:
        plugins = sys.modules.get("abacist.cells.plugins")  # without any, it is not imported
        if plugins is not None and (failure := plugins.plugin_failure(error)):
            warn(failure)
            return 1
        if isinstance(error, SystemExit):  # Typer's answer to a closed pipe: the reader has seen enough
            return 0
        raise
    finally:
        gc.unfreeze()  # what the command has read (`stores.py`)


def _place(error: OSError) -> str:
    """The beginning of a sentence about an error of the system: what it is about, as far as it says so."""
    if isinstance(error, OutputLost):
        return "standard output cannot be written to, "
    return "the system refuses, " if error.filename is None else f"{os.fsdecode(error.filename)}: "


#: Variables that do not matter here, but with a wrong value keep Matplotlib or Numba from being imported.
_IGNORED = ("MPLBACKEND", "NUMBA_NUM_THREADS")


def main() -> NoReturn:
    for name in _IGNORED:
        os.environ.pop(name, None)
    prepare()  # before anything is opened that could take the place of a closed stream
    output = sys.stdout  # Typer puts another in its place, which hides that a pipe was closed
    with watch():
        try:
            verb = next((word for word in sys.argv[1:] if word in VERBS), "")
            with status(f"abacist {verb}".strip()):
                code = run()
        except KeyboardInterrupt:
            code = 130
        if code == 130:
            exec("")  # a Ctrl-C inside another exec, as imports have them, would make Python end by a signal
            warn("interrupted")
        try:
            output.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            if not code and error.errno != errno.EPIPE:
                warn(f"{_place(error)}{reason(error)}")
                code = 1
    if _has_threads_left():
        os._exit(code)
    sys.exit(code)


def _has_threads_left(patience: float = 0.3) -> bool:
    """Whether threads go on, such as one that compiles: Python would wait for them at its end."""
    others = [one for one in threading.enumerate() if not (one.daemon or one is threading.current_thread())]
    for thread in others:
        thread.join(patience / len(others))
    return any(thread.is_alive() for thread in others)
