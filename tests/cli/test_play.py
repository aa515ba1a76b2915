"""`abacist play`: what is shown is what the network and the language say, and leaving is clean."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abacist.analysis import follow
from abacist.cli.trace import Typing, last_step, live_word, single_keys, trace_table
from abacist.languages import Dyck, language_named
from abacist.specs.files import save_folder
from tests.analysis.cases import networks, read
from tests.cli.command import inside, refused

pty = pytest.importorskip("pty")  # not every system has terminals of this kind
termios = pytest.importorskip("termios")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    save_folder(networks("dyck-1"), tmp_path / "nets", about={"language": "dyck-1"})
    return str(tmp_path / "nets")


class Terminal:
    """`abacist play` at work in a terminal of 80 by 24 characters."""

    def __init__(self, *arguments: str) -> None:
        self.own, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        self.ended, held = os.pipe()  # at its end when the process is
        size = {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "abacist", "play", *arguments],
            env=os.environ | size,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            pass_fds=(held,),
            start_new_session=True,
        )
        os.close(held)
        self._shown, self._seen = b"", 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for number in (self.own, self.theirs, self.ended):
            os.close(number)

    def until(self, text: str) -> str:
        """All that is shown until a text is, without colours and movements; then what comes after it."""
        while True:
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._shown.decode("utf-8", "ignore"))
            found = plain.find(text, self._seen)
            if found >= 0:
                begun, self._seen = self._seen, found + len(text)
                return plain[begun : self._seen]
            ready, _, _ = select.select([self.own, self.ended], [], [])
            assert self.own in ready, f"it ended, and {text!r} did not come, but {plain!r}"
            self._shown += os.read(self.own, 65536)

    def press(self, keys: str) -> None:
        os.write(self.own, keys.encode())

    def end(self) -> tuple[int, list[Any]]:
        """How it ended, and how it left the terminal."""
        return self.process.wait(), termios.tcgetattr(self.theirs)


@pytest.mark.parametrize("leave", ["q", pytest.param("\x04", marks=pytest.mark.thorough)])
def test_typing_stepping_back_and_leaving(folder: str, leave: str) -> None:
    with Terminal(folder, "--run", "1") as terminal:
        assert folder[:60] in terminal.until("q leaves")
        for key, told in (
            ("(", "ends too early"),
            (")", "in dyck-1\r"),
            (")", "left at 3: ) closes nothing"),
        ):
            terminal.press(key)
            terminal.until(told)
        terminal.press("x\x1b[A\x7f")  # neither x nor an arrow is a symbol
        frame = terminal.until("in dyck-1\r") + terminal.until("q leaves")
        reading = follow(networks("dyck-1"), 1, language_named("dyck-1"), "()")
        for sentence in last_step(reading, recognises=True):
            assert sentence in frame
        terminal.press(leave)
        assert terminal.end() == (0, terminal.before)


@pytest.mark.thorough
def test_ctrl_c_leaves_the_terminal_as_it_was(folder: str) -> None:
    with Terminal(folder) as terminal:
        terminal.press("(")  # long before anyone reads it
        terminal.until("ends too early")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == (0, terminal.before)


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of a terminal that is standard input."""
    own, theirs = pty.openpty()
    with open(theirs) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield own
    os.close(own)


def test_keys_pressed_before_anyone_reads_them_are_kept(keyboard: int) -> None:
    os.write(keyboard, b"(()")
    with single_keys() as keys:
        os.write(keyboard, b"q")
        assert next(keys) == "("
        assert [next(keys) for _ in range(3)] == ["(", ")", "q"]


def test_without_a_terminal_every_step_of_every_line_is_printed(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(())\n\n())(\n")))
    code, output, errors = inside("play", folder)
    assert (code, errors) == (0, "")
    first, second = (inside("trace", folder, word)[1] for word in ("(())", "())("))
    assert output == f"{first}\n{second}"


@pytest.mark.parametrize(
    ("stdin", "told"),
    [("", "no words: play in a terminal"), ("(]", "']' at character 2 is not in the alphabet")],
)
def test_what_cannot_be_played(folder: str, stdin: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    assert told in refused("play", folder)


def typed(language: Any, keys: str) -> Typing:
    typing = Typing(language.alphabet)
    for key in keys:
        typing = typing.pressed(key)
    return typing


@pytest.mark.parametrize("pairs", [1, 6, 7, 12])
def test_what_is_typed_is_what_the_alphabet_reads(pairs: int) -> None:
    language = Dyck(pairs)
    word = tuple(range(2 * pairs)) + tuple(reversed(range(2 * pairs)))
    text = language.alphabet.render(word)
    assert typed(language, text) == Typing(language.alphabet, word)
    assert typed(language, text + "\x7f" * 3).word == word[:-3]
    assert typed(language, text + "\r(").word == (0,)
    assert typed(language, "\x7f\x7f?!").word == ()


def test_a_glyph_that_is_begun_is_taken_back_before_symbols_are() -> None:
    begun = typed(Dyck(12), "()(1")
    assert (begun.word, begun.unfinished) == ((0, 1, 0), "1")
    assert begun.pressed("0").word == (0, 1, 18)
    assert begun.pressed("\x7f") == typed(Dyck(12), "()(")


@pytest.mark.parametrize("text", ["(", "(())", "([)]", "]["])
def test_a_word_is_shown_as_a_trace_has_it(text: str) -> None:
    reading = read("dyck-2", text)
    heading, _, *rows = (line.plain for line in live_word(reading, ("h", "c"), 200, 24))
    table = trace_table(reading, ["c", "h"], "")
    traced = dict(zip(table.headings(), zip(*table.cells(), strict=True), strict=True))
    assert heading.split() == ["word", *text]
    for row, name in zip(rows, ["wrong", *list(traced)[5:]], strict=True):
        assert row.startswith(f"{name} ")
        assert row[len(name) :].split() == [cell for cell in traced[name] if cell]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 12), (40, 5), (200, 60)])
@pytest.mark.parametrize("text", ["(", "([<)]{}" * 20])
def test_it_is_never_larger_than_the_terminal(width: int, height: int, text: str) -> None:
    reading = read("shuffle-6", text, hidden=8)
    lines = live_word(reading, ("h", "c"), width, height)
    assert len(lines) <= height
    assert all(len(line.plain) <= width for line in lines)
    assert lines[0].plain.split()[-1] == reading.glyphs[-1]
