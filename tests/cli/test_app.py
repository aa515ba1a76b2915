"""The command as a whole: verbs are listed without being loaded, and loaded when they are asked for."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abacist.cli import app
from abacist.cli.app import VERBS, Verb, command_of
from abacist.cli.options import FORMS
from abacist.cli.screen import Output, OutputLost
from abacist.experiments import Store
from abacist.report import TABLE_FORMS
from tests.cli.command import inside
from tests.experiments.cases import TINY, made_up, small

_SCRIPT = """
import sys
from abacist.cli.app import run
run(sys.argv[1:])
print("loaded", *(m for m in ("numpy", "numba", "llvmlite", "matplotlib", "torch") if m in sys.modules))
"""


def loaded_by(*arguments: str) -> tuple[str, set[str]]:
    """What a command prints, and which heavy modules it has loaded by then."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    printed, _, names = done.stdout.rpartition("loaded")
    return printed, set(names.split())


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ()])
def test_help_lists_every_verb_and_loads_none(arguments: tuple[str, ...]) -> None:
    printed, loaded = loaded_by(*arguments)
    assert loaded == set()
    for verb in VERBS:
        assert f" {verb} " in printed


def test_help_lists_verbs_in_their_groups() -> None:
    text, groups = inside("--help")[1], list(dict.fromkeys(verb.group for verb in VERBS.values()))
    starts = [text.index(f"─ {group} ─") for group in groups]
    assert starts == sorted(starts)
    for group, start, end in zip(groups, starts, [*starts[1:], len(text)], strict=True):
        listed = re.findall(r"^│ (\w+)  ", text[start:end], re.MULTILINE)
        assert listed == [verb.name for verb in VERBS.values() if verb.group == group]


def test_tables_are_printed_in_all_their_forms() -> None:
    assert {"text", "latex", *TABLE_FORMS} == set(FORMS)


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
def test_a_verb_is_listed_with_the_first_line_of_its_help(verb: Verb) -> None:
    command = command_of(verb)
    assert command.name == verb.name
    assert command.help.splitlines()[0] == verb.summary


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    _, text, _ = inside(verb, "--help")
    assert f"abacist {verb}" in text.replace("Usage: abacist", "")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([made_up(small(), 0, {name: {"3": 0.5} for name in ("training", "short", "long")})])
    return tmp_path / "results"


@pytest.mark.thorough
def test_what_trains_and_draws_nothing_does_not_wait_for_compilers(results: Path) -> None:
    place, whole, more = ("--results", str(results)), results / "whole.toml", results / "more.toml"
    whole.write_text(TINY + "runs = 1\n")
    more.write_text(TINY + "runs = 20\n")
    for arguments in (
        ("languages",),
        ("label", "dyck-2", "([])"),
        ("reduce", "5", "()"),
        ("runs", *place),
        ("table", "few-units", *place),
        ("table", "claims", *place),
        ("export", "--csv", "-", *place),
        ("run", str(whole), *place),  # the store has all of it
        ("run", str(whole), "--dry-run", *place),
        ("run", str(more), "--dry-run", *place),
        ("train", "dyck-1", "lstm", "--dry-run", *place),
    ):
        assert loaded_by(*arguments)[1] == {"numpy"}, arguments


@pytest.mark.parametrize(
    ("words", "offered"),
    [("abacist tr", {"trace", "train"}), ("abacist train dyck-1 lstm --hid", {"--hidden"})],
)
def test_a_shell_completes_verbs_and_their_options(words: str, offered: set[str]) -> None:
    told = {"_ABACIST_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "abacist"], env=os.environ | told, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("name", ["MPLBACKEND", "NUMBA_NUM_THREADS"])
def test_a_variable_that_does_not_matter_cannot_end_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Matplotlib and Numba refuse to be imported for the sake of what the command does not use."""
    monkeypatch.setenv(name, "-1")
    monkeypatch.setattr(app, "prepare", lambda: None)
    monkeypatch.setattr(app, "run", lambda: int(name in os.environ))
    with pytest.raises(SystemExit) as end:
        app.main()
    assert end.value.code == 0


def test_interrupted_wherever_it_is_130(tmp_path: Path) -> None:
    """Also where the Ctrl-C came while a text was executed, which Python remembers to the end."""
    script = """
from abacist.cli import app
def interrupted():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 130
app.run = interrupted
app.main()
"""
    (tmp_path / "interrupted.py").write_text(script)
    called = [sys.executable, "-m", "interrupted"]  # as a module, as `python -m abacist` is
    done = subprocess.run(called, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "abacist: interrupted\n")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "a/b"), "a/b: no space left on device"),
        (OSError(errno.ENOSPC, "No space left on device"), "the system refuses, no space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", b"a\xff"), "a\\udcff: permission denied"),
        (FileNotFoundError(errno.ENOENT, "No such file", "a", None, "b"), "a: no such file"),
        (OSError("odd"), "the system refuses, odd"),
        (ConnectionResetError(errno.ECONNRESET, "Reset"), "the system refuses, reset"),
        (
            OutputLost(errno.EBADF, "Bad file descriptor"),
            "standard output cannot be written to, bad file descriptor",
        ),
    ],
)
def test_an_error_of_the_system_names_what_it_is_about(
    monkeypatch: pytest.MonkeyPatch, error: OSError, sentence: str
) -> None:
    """Only an error of standard output says that it is one."""

    def fails(**_: object) -> None:
        raise error

    monkeypatch.setattr("abacist.cli.app.app", fails)
    assert inside() == (1, "", f"abacist: {sentence}\n")


class _Full(io.RawIOBase):
    """A file that takes some bytes."""

    def __init__(self, room: int | None) -> None:
        self.room = room

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        if self.room is None:
            return None  # it would block
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = min(self.room, len(data))
        self.room -= written
        return written


@pytest.mark.parametrize(
    ("room", "what"), [(0, errno.ENOSPC), (3, errno.ENOSPC), (9_000, errno.ENOSPC), (None, 0)]
)
def test_an_error_of_standard_output_is_known_as_one(room: int | None, what: int) -> None:
    file = _Full(room)
    output = Output(file)
    with pytest.raises(OutputLost) as raised:
        print("é" * 10_000, file=output, flush=True)
    assert raised.value.errno == what
    file.room = 1_000_000
    output.close()
