"""What a command shows of itself when it has been silent for long: by a clock that the tests set."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

from abacist.cli import screen as status
from abacist.cli.screen import Status
from abacist.progress import Progress, all_busy, busy

ERASE = "\r\x1b[J"


class Screen(io.StringIO):
    """A stream that keeps what was written, on a terminal or not."""

    def __init__(self, terminal: bool = True) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def new(self) -> str:
        """What was written since the last look."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    own = Clock()
    monkeypatch.setattr("abacist.progress.time", SimpleNamespace(monotonic=own))
    return own


def after(clock: Clock, seconds: float, shown: Status, screen: Screen) -> str:
    """What is shown when so many seconds have gone by."""
    clock.now += seconds
    shown.tick()
    return screen.new()


def test_after_two_seconds_of_silence_a_line_says_what_is_done_and_for_how_long(clock: Clock) -> None:
    screen = Screen()
    shown = Status(screen, "abacist report", clock)
    assert after(clock, 1, shown, screen) == ""
    assert after(clock, 1, shown, screen) == f"{ERASE}abacist report … 2 s"
    assert after(clock, 0.1, shown, screen) == ""
    with busy("compiling train ntm, 3 hidden"):
        assert after(clock, 0, shown, screen) == f"{ERASE}compiling train ntm, 3 hidden … 0 s"
        assert after(clock, 83, shown, screen) == f"{ERASE}compiling train ntm, 3 hidden … 1 min 23 s"
        with busy(""):
            assert after(clock, 1, shown, screen) == ERASE
    assert after(clock, 0, shown, screen) == f"{ERASE}abacist report … 1 min 26 s"


def test_it_makes_way_for_whatever_is_written_and_breaks_no_line(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    shown = Status(screen, "abacist delete", clock)
    stream = status._Noticed(screen, shown)
    after(clock, 2, shown, screen)
    print("Delete? [y/N] ", end="", file=stream)
    assert screen.new() == f"{ERASE}Delete? [y/N] "
    assert after(clock, 9, shown, screen) == ""
    print("\x1b[1A\x1b[2K\x1b[?25h", end="", file=stream)
    assert screen.new() == "\x1b[1A\x1b[2K\x1b[?25h"
    assert after(clock, 1, shown, screen) == ""
    assert after(clock, 1, shown, screen) == f"{ERASE}abacist delete … 13 s"
    assert stream.isatty()


def test_a_title_is_one_line_and_does_nothing_to_the_terminal(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    screen = Screen()
    shown = Status(screen, "abacist", clock)
    with busy("a \x1b[31mred cell of a plugin"):
        assert after(clock, 2, shown, screen) == rf"{ERASE}a \x1b[31mred cell "


def test_a_log_has_few_lines_and_none_for_a_command_that_writes_its_own(clock: Clock) -> None:
    screen = Screen(terminal=False)
    shown = Status(screen, "abacist stress", clock)
    stream = status._Noticed(screen, shown)
    assert after(clock, 1, shown, screen) == ""
    with busy("compiling"):
        lines = [after(clock, 1, shown, screen) for _ in range(100)]
    assert {second: line[21:] for second, line in enumerate(lines, 1) if line} == {
        second: f"compiling … {told}\n"
        for second, told in ((1, "1 s"), (10, "10 s"), (20, "20 s"), (40, "40 s"), (80, "1 min 20 s"))
    }
    assert after(clock, 1, shown, screen)[21:] == "abacist stress … 1 min 42 s\n"
    print("a line of a log", file=stream)
    screen.new()
    assert after(clock, 1000, shown, screen) == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_many_short_activities_are_no_silence(clock: Clock, terminal: bool) -> None:
    """Such as programs that are compiled one after the other."""
    screen = Screen(terminal)
    shown = Status(screen, "abacist page", clock)
    texts = []
    for number in range(4):
        with busy(f"compiling {number}"):
            texts.append(after(clock, 0.5, shown, screen))
    assert texts[:2] == ["", ""]
    assert "compiling 2" in texts[2]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_stream_that_nobody_reads_any_more_ends_nothing(clock: Clock, terminal: bool) -> None:
    class Broken(Screen):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    shown = Status(Broken(terminal), "abacist", clock)
    clock.now += 2
    shown.tick()
    shown.erase()


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal in place of both streams."""
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_streams_are_as_before_when_the_command_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABACIST_QUIET")
    monkeypatch.setattr(sys, "argv", ["abacist", "report"])
    terminal = on_a_terminal(monkeypatch)
    with status.status("abacist"):
        assert sys.stdout is not terminal
        assert sys.stderr is not terminal
    assert sys.stdout is sys.stderr is terminal


@pytest.mark.parametrize(("variable", "option"), [("1", "--force"), ("", "-q"), ("", "--quiet")])
def test_quiet_changes_nothing(monkeypatch: pytest.MonkeyPatch, variable: str, option: str) -> None:
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setenv("ABACIST_QUIET", variable)
    monkeypatch.setattr(sys, "argv", ["abacist", "run", "table-3", option])
    with status.status("abacist"):
        assert sys.stderr is terminal


def test_work_that_says_how_far_it_has_come_has_a_line_with_a_bar_each(clock: Clock) -> None:
    screen = Screen()
    shown = Status(screen, "abacist horizon", clock)
    with busy("networks") as networks, busy("lstm, seed 3") as network:
        networks(0.25)
        network(text="proved to 12")
        assert after(clock, 1, shown, screen) == ""
        lines = "█████░░░░░░░░░░░░░░░ networks … 25 %, about 30 s left\nlstm, seed 3: proved to 12 … 10 s"
        assert after(clock, 9, shown, screen) == f"{ERASE}{lines}"
        print("a line", file=status._Noticed(screen, shown))
        assert screen.new() == "\r\x1b[1A\x1b[Ja line\n"
        assert after(clock, 0, shown, screen) == f"{ERASE}{lines}"
        with busy("compiling train ntm"):
            assert after(clock, 0, shown, screen) == ""
            assert after(clock, 2, shown, screen).endswith("12 s\ncompiling train ntm … 2 s")


def test_a_log_says_how_far_it_has_come(clock: Clock) -> None:
    shown = Status(screen := Screen(terminal=False), "abacist horizon", clock)
    with busy("networks") as networks, busy("lstm, seed 3") as network:
        networks(0.5)
        network(text="proved to 12")
        line = "networks … 50 %, about 2 s left; lstm, seed 3: proved to 12 … 2 s\n"
        assert after(clock, 2, shown, screen)[21:] == line


def test_what_began_last_is_what_is_done() -> None:
    assert all_busy() == []
    with busy("outer") as outer:
        with busy("inner") as inner:
            assert all_busy() == [outer, inner]
        with pytest.raises(KeyError), busy("failing"):
            raise KeyError
        assert all_busy() == [outer]
    assert all_busy() == []


def test_parts_add_up_side_by_side_and_end_with_the_whole() -> None:
    told: list[float] = []
    whole = Progress(lambda own: told.append(own.share))
    first, second = whole.part(0.5), whole.part(0.25)
    first(0.5)
    second(1)
    first(1, "judging")
    first(0.2)
    assert told == [0.25, 0.5, 0.75, 0.75]
    assert whole.text == "judging"
    whole.cancel()
    with pytest.raises(KeyboardInterrupt):
        second()
    assert told == [0.25, 0.5, 0.75, 0.75]
