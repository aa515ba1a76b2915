"""Running the command: in a process of its own as a user does, or quickly inside this one."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from abacist.cli.app import run


def abacist(*arguments: str, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run `abacist` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "abacist", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        input=stdin,
        check=False,
    )


def inside(*arguments: str) -> tuple[int, str, str]:
    """Run the command inside this process, which shows no progress: its exit code, output and errors."""
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as errors:
        code = run(arguments)
    return code, output.getvalue(), errors.getvalue()


def shown(*arguments: str) -> str:
    """What a command that succeeds prints to standard output."""
    code, output, errors = inside(*arguments)
    assert code == 0, errors
    return output


def refused(*arguments: str, code: int = 2) -> str:
    """The one sentence with which the command refuses; nothing on standard output, no traceback."""
    ended, output, errors = inside(*arguments)
    assert (ended, output) == (code, ""), errors
    assert errors.startswith("abacist: ")
    assert errors.count("\n") == 1
    return errors


def split(line: str) -> tuple[str, ...]:
    """The words of a part of a command line."""
    return tuple(line.split())
