"""`abacist play`: type brackets, and see what a network makes of each.

A word has a column for every step. The sets of next symbols are rows of signs, the states rows of blocks
whose height is the value.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from abacist.analysis import TraceReading, follow
from abacist.cli.interrupt import HAS_TERMINALS
from abacist.cli.judge import recognition
from abacist.cli.networks import Network, OneNetwork
from abacist.cli.options import input_lines
from abacist.cli.screen import working
from abacist.cli.tables import show_table
from abacist.cli.trace import IN_EVERY_PART, trace_table
from abacist.errors import BadInput, BadWord
from abacist.languages import END_GLYPH, Alphabet, Language, Word
from abacist.wording import escape_controls, plural

if HAS_TERMINALS:
    import termios
    import tty


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
        sentences = [Text(), *map(Text, last_step(reading, network.steps == "all"))]
        below = [*sentences, Text(SIGNS_MEAN, style="dim"), *below]
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


_BLOCKS = "▁▂▃▄▅▆▇█"

#: How a symbol of a set is shown, by whether it is predicted and whether it is right.
SIGNS = {(True, True): "●", (False, False): "·", (True, False): "+", (False, True): "−"}
#: The same where nothing is right any more.
_OUTSIDE = {True: "○", False: "·"}
SIGNS_MEAN = "● predicted  · not  + predicted wrongly  − missing  ○ outside the language"

_WRONG, _FAINT = "bold red", "dim"

#: Ranks of rows; where there are too many, the last go: those in which nothing happens, those of symbols
#: that are always possible, and those of states before the last one, which for an LSTM is what it remembers.
_WORD, _HAPPENS, _REMEMBERED, _QUIET, _ALWAYS, _HIDDEN = range(6)


@dataclass(frozen=True)
class _Row:
    """A row: what it is called, a text for every step, how each looks, and its rank."""

    name: str
    cells: Sequence[str]
    looks: Sequence[str]
    rank: int = _WORD


def live_word(reading: TraceReading, states: tuple[str, ...], width: int, height: int) -> list[Text]:
    """The rows of a word, as many of its last steps as a line has room for, and at most so many rows."""
    rows = [*_word_rows(reading), *_set_rows(reading), *_depth_rows(reading)]
    rows += [row for name in (states[-1], *states[:-1]) for row in _state_rows(reading, name, states[-1])]
    quiet = [row.rank == _HAPPENS and set(row.cells) <= set("·0 ") for row in rows]
    ranked = sorted(range(len(rows)), key=lambda number: _QUIET if quiet[number] else rows[number].rank)
    shown = sorted(ranked if len(rows) <= height else ranked[: height - 1])
    lines = list(_lines([rows[number] for number in shown], width))
    if more := len(rows) - len(shown):
        lines.append(Text(f"… {plural(more, 'row')} more in a taller window", style=_FAINT))
    return lines


def last_step(reading: TraceReading, recognises: bool) -> list[str]:
    """What there is to say after the last symbol: both sets, the language's verdict and the network's."""
    time = len(reading) - 1
    sets = f"predicted {reading.predicted_set(time) or '—'}   allowed {reading.right_set(time) or '—'}"
    sentences = [f"{sets}{'   wrong' if reading.wrong[time] else ''}", reading.membership()]
    if recognises:
        at = None if reading.rejected_at is None else reading.rejected_at + 1
        sentences.append(recognition(at, len(reading), member=reading.left_at is None))
    return sentences


def _word_rows(reading: TraceReading) -> Iterator[_Row]:
    inside = [time < reading.inside for time in range(len(reading))]
    yield _Row("word", reading.glyphs, ["bold" if here else _FAINT for here in inside])
    marks = [
        "'" if wrong else " " if here else "x" for wrong, here in zip(reading.wrong, inside, strict=True)
    ]
    yield _Row("wrong ' outside x", marks, [_WRONG] * len(marks))


def _set_rows(reading: TraceReading) -> Iterator[_Row]:
    """A row for every output, those that are always possible first."""
    language = reading.language
    glyphs = (*language.alphabet.glyphs, END_GLYPH)
    for output in sorted(range(language.outputs), key=lambda output: output not in language.always):
        cells, looks = [], []
        for time, predicted in enumerate(reading.predicted[:, output].tolist()):
            right, outside = bool(reading.targets[time, output]), time >= reading.inside
            cells.append(_OUTSIDE[predicted] if outside else SIGNS[predicted, right])
            is_wrong = reading.counted[time] and predicted != right
            looks.append(_FAINT if outside else _WRONG if is_wrong else "")
        yield _Row(f"next {glyphs[output]}", cells, looks, _ALWAYS if output in language.always else _HAPPENS)


def _depth_rows(reading: TraceReading) -> Iterator[_Row]:
    for counter, name in enumerate(reading.language.counter_names):
        depths = [str(depth) for depth in reading.depths[: reading.inside, counter]]
        cells = (*depths, *" " * (len(reading) - len(depths)))
        yield _Row(f"depth {name}", cells, ("cyan",) * len(cells), _HAPPENS)


def _state_rows(reading: TraceReading, name: str, remembered: str) -> Iterator[_Row]:
    """A row for every unit: blocks from its least value to its greatest, or to zero."""
    values = np.asarray(reading.values(name), float)
    finite = np.where(np.isfinite(values), values, 0)
    low, high = np.minimum(finite.min(axis=0), 0), np.maximum(finite.max(axis=0), 0)
    heights = np.rint((finite - low) / np.where(high > low, high - low, 1) * (len(_BLOCKS) - 1)).astype(int)
    for unit, (column, last) in enumerate(zip(heights.T, values[-1], strict=True), 1):
        cells = [_BLOCKS[height] for height in column]
        rank = _REMEMBERED if name == remembered else _HIDDEN
        yield _Row(f"{name} {unit} {last:+8.3f}", cells, ["blue"] * len(cells), rank)


def _lines(rows: Sequence[_Row], width: int) -> Iterator[Text]:
    margin = max(len(row.name) for row in rows) + 2
    wide = 1 + max(len(cell) for row in rows for cell in row.cells)
    shown = max(1, (width - margin) // wide)
    for row in rows:
        line = Text(row.name.ljust(margin), no_wrap=True)
        for cell, look in list(zip(row.cells, row.looks, strict=True))[-shown:]:
            line.append(cell.ljust(wide), style=look)
        yield line
