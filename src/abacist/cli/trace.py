"""`abacist trace` and `play`: what a network does on a word, drawn, as a table, and as it is typed.

In `play` the last steps of the word stand side by side; what a step has, its depths and states, one below the
other.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from abacist.analysis import TraceReading, follow
from abacist.cli.interrupt import HAS_TERMINALS
from abacist.cli.judge import recognition
from abacist.cli.networks import Network, OneNetwork
from abacist.cli.options import FigureOption, JsonOption, draw, input_lines, separated
from abacist.cli.parameters import Argument
from abacist.cli.screen import working
from abacist.cli.tables import show_table, table_lines, visible
from abacist.errors import BadInput, BadWord
from abacist.languages import Alphabet, Language, Word
from abacist.report import Column, Table
from abacist.report.tables import headed, known_number
from abacist.wording import escape_controls

if HAS_TERMINALS:
    import termios
    import tty

#: The columns that every part of a wide table has: the step and its symbol.
IN_EVERY_PART = 2


def trace(
    choice: OneNetwork,
    word: Annotated[str, Argument("Any string of symbols; white space is ignored, < > stand for ⟨ ⟩.")],
    values: Annotated[
        list[str] | None,
        "Values to show, such as c,h.",
        "states, but for memories, and outputs; all in CSV and JSON",
    ] = None,
    gates: Annotated[bool, "Show the gates, too."] = False,
    out: FigureOption = None,
    csv: Annotated[bool, "Print CSV instead of a table."] = False,
    json: JsonOption = False,
) -> None:
    """Follow a word through a network: states, gates, outputs, what is predicted and what is correct.

    Keys are those that `abacist runs` lists. An apostrophe marks a wrong step. Beginnings of words and
    strings outside the language are followed, too: nothing is correct or wrong once the language is left.
    A figure shows the depths above the values.

    Example: abacist trace 3f9c21aa "(()())" --values c,h --out trace.svg
    """
    if csv and json:
        raise BadInput("a trace is printed as CSV or as JSON, not as both")
    if values and gates:
        raise BadInput("--gates adds the gates to what is shown by default, so give it or --values")
    network, language = choice.load()
    reading = follow(network.networks, 0, language, word, steps=network.steps)
    states = list(network.networks.layout.cell.state_names)
    every = [*states, "y", *(name for name in reading.trace.values if name not in (*states, "y"))]
    plain = [name for name in (every if gates else [*states, "y"]) if name not in reading.trace.widths]
    named = separated(values)
    shown = named or (every if csv or json else plain)
    table = trace_table(reading, shown, network.title)
    show_table(table, "json" if json else "csv" if csv else "text", kept=IN_EVERY_PART)
    if out is not None:
        from abacist.report.figures import trace_figure

        draw(trace_figure(reading, named or (every if gates else states), network.title), out)


def trace_table(reading: TraceReading, names: list[str], title: str) -> Table:
    """A row for every step: the symbol, what is predicted and right, the depths and the values.

    What is right, and the depths, are missing once the language is left.
    """
    depths = headed(*reading.language.counter_names, of="depth", group="depth", digits=0)
    values = [
        Column(f"{name} {part.removeprefix('unit ')}", part.removeprefix("unit "), name, 3)
        for name in names
        for part in reading.value_names(name)
    ]
    numbers = np.concatenate([reading.values(name) for name in names], axis=1).astype(float)
    rows = []
    for time, glyph in enumerate(reading.glyphs):
        row: dict[str, Any] = {
            "step": time + 1,
            "symbol": glyph,
            "predicted": reading.predicted_set(time),
            "right": reading.right_set(time),
            "wrong": "'" if reading.wrong[time] else "",
        }
        if time < reading.inside:
            counts = reading.depths[time].tolist()
            row |= {column.key: depth for column, depth in zip(depths, counts, strict=True)}
        finite = map(known_number, numbers[time])
        rows.append(row | {column.key: value for column, value in zip(values, finite, strict=True)})
    columns = (*headed("step", "symbol", "predicted", "right", "wrong"), *depths, *values)
    wrong = f"{int(reading.wrong.sum())} of {int(reading.counted.sum())} judged steps are wrong"
    note = wrong if reading.member else f"{wrong}; {reading.membership()}"
    return Table("trace", title, columns, tuple(rows), note)


def play(choice: OneNetwork) -> None:
    """Type brackets, and see after each what a network predicts, what is allowed, and its states.

    Any string may be typed. Backspace takes a symbol back, Enter begins a new word, q or Ctrl-C leaves. Where
    standard input is no terminal, its lines are words, and every step of them is printed.

    Example: abacist play dyck-1-lstm --run 0
    """
    network, language = choice.load()
    if HAS_TERMINALS and sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(KeyboardInterrupt):  # nothing is lost, so that leaving is no failure
            _play(network, language)
        return
    words = input_lines()
    if not words:
        raise BadInput("no words: play in a terminal, or give words on standard input, one per line")
    names = [*network.networks.layout.cell.plain_states, "y"]
    for number, word in enumerate([language.alphabet.parse(text) for text in words]):
        print(end="\n" if number else "")
        reading = follow(network.networks, 0, language, word, steps=network.steps)
        show_table(trace_table(reading, names, network.title), kept=IN_EVERY_PART)


def _play(network: Network, language: Language[Any]) -> None:
    """Show the word as it is typed, until the user leaves."""
    console, typing = Console(highlight=False), Typing(language.alphabet)
    with single_keys() as keys:  # from now on, so that what is typed meanwhile is read later
        with working("getting ready"):
            follow(network.networks, 0, language, (0,), steps=network.steps)  # compiles
        frame = _frame(network, language, typing, console)
        with working(""), Live(frame, console=console, auto_refresh=False) as live:
            for key in keys:
                after = typing.pressed(key)
                if after == typing and key in (typing.leaves, END):
                    return
                typing = after
                live.update(_frame(network, language, typing, console), refresh=True)


def _frame(network: Network, language: Language[Any], typing: Typing, console: Console) -> Text:
    """All that is shown, at most as large as the terminal."""
    leave = "Ctrl-D" if typing.leaves != "q" else "q"
    glyphs = " ".join(language.alphabet.glyphs)
    lines = [Text(escape_controls(network.title), style="bold"), Text()]
    below = [Text(f"type {glyphs}; backspace takes back, Enter begins anew, {leave} leaves", style="dim")]
    if typing.word:
        reading = follow(network.networks, 0, language, typing.word, steps=network.steps)
        below = [Text(), *map(Text, last_step(reading, network.steps == "all")), *below]
        states = network.networks.layout.cell.plain_states
        height = max(console.height - len(lines) - len(below) - 1, 3)
        lines += live_word(reading, states, console.width, height)
    if typing.unfinished:
        below.append(Text(f"begun: {typing.unfinished}"))
    whole = Text("\n").join([*lines, *below])
    whole.no_wrap, whole.overflow = True, "ellipsis"
    return whole


#: What arrows and function keys send.
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|)")

BACKSPACE, END, NEW_WORD = ("\x7f", "\b"), "\x04", ("\r", "\n")


@contextmanager
def single_keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, without waiting for a line to end; Ctrl-C interrupts as ever.

    Keys that were pressed before are among them. The terminal is left as it was found.
    """
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSADRAIN)
        yield _pressed(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _pressed(number: int) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    while data := os.read(number, 1024):
        yield from _SEQUENCE.sub("", decoder.decode(data))


@dataclass(frozen=True)
class Typing:
    """A word as it is typed; `unfinished` is the beginning of a glyph of several characters."""

    alphabet: Alphabet
    word: Word = ()
    unfinished: str = ""

    def pressed(self, key: str) -> Typing:
        """What a key makes of it; one that means nothing here changes nothing."""
        if key in NEW_WORD:
            return Typing(self.alphabet)
        if key in BACKSPACE:
            if self.unfinished:
                return replace(self, unfinished=self.unfinished[:-1])
            return replace(self, word=self.word[:-1])
        # The last symbol may go on: with ten pairs of brackets, ( and 7 make (7.
        written = self.alphabet.render(self.word[-1:]) + self.unfinished + key
        try:
            return Typing(self.alphabet, (*self.word[:-1], *self.alphabet.parse(written)))
        except BadWord:
            begun = (written, self.unfinished + key)
            if any(glyph.startswith(begun) for glyph in self.alphabet.glyphs):
                return replace(self, unfinished=self.unfinished + key)
            return self

    @property
    def leaves(self) -> str:
        """The key that leaves, unless it is a symbol."""
        return END if any("q" in glyph for glyph in self.alphabet.glyphs) else "q"


def live_word(reading: TraceReading, states: tuple[str, ...], width: int, height: int) -> list[Text]:
    """The last steps of a word that a line has room for, and as many rows; those of the last state, which for
    an LSTM is what it remembers, come first."""
    table = visible(trace_table(reading, [states[-1], *states[:-1]], ""))
    rows = dict(zip(table.headings(), zip(*table.cells(), strict=True), strict=True))
    glyphs = rows["symbol"]
    for shown_elsewhere in ("step", "symbol", "predicted", "right"):
        del rows[shown_elsewhere]
    wide = 2 + max(len(cell) for cells in (glyphs, *rows.values()) for cell in cells)
    last = max(1, (width - max(map(len, rows)) - 2) // wide)
    columns = [Column(str(time), glyph, "", 0) for time, glyph in enumerate(glyphs)][-last:]
    listed = ({"": name} | {str(n): cell for n, cell in enumerate(cells)} for name, cells in rows.items())
    word = Table("", "", (Column("", "word"), *columns), tuple(listed))
    return [Text(line) if isinstance(line, str) else line for line in table_lines(word, width)][:height]


def last_step(reading: TraceReading, recognises: bool) -> list[str]:
    """What there is to say after the last symbol: both sets, the language's verdict and the network's."""
    time = len(reading) - 1
    sets = f"predicted {reading.predicted_set(time) or '—'}   allowed {reading.right_set(time) or '—'}"
    sentences = [f"{sets}{'   wrong' if reading.wrong[time] else ''}", reading.membership()]
    if recognises:
        at = None if reading.rejected_at is None else reading.rejected_at + 1
        sentences.append(recognition(at, len(reading), member=reading.member))
    return sentences
