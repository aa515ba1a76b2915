"""The command `abacist`: its verbs, and how it ends.

Verbs are loaded when they are invoked (`verbs.py`). Exit codes: 0 done, 1 failed, 2 misuse,
130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from abacist import __version__
from abacist.cli.interrupt import watch
from abacist.cli.screen import OutputLost, prepare, status, warn
from abacist.cli.verbs import STYLE, VERBS, VerbGroup, add_verbs
from abacist.errors import AbacistError
from abacist.files import reason

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


add_verbs(app)


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
    end = time.monotonic() + patience
    threads = [
        thread
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.current_thread()
    ]
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return any(thread.is_alive() for thread in threads)
