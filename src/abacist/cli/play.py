"""`abacist play`: type brackets, and see what a network makes of each.

A word has a column for every step. The sets of next symbols are rows of signs, the states rows of blocks
whose height is the value.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from abacist.analysis import TraceReading, follow
from abacist.cli.interrupt import check, signals_heard
from abacist.cli.networks import Network, OneNetwork
from abacist.cli.options import input_lines
from abacist.cli.screen import working
from abacist.cli.trace import show_trace
from abacist.errors import BadInput, BadWord
from abacist.languages import END_GLYPH, Alphabet, Language, Word
from abacist.wording import several, visible


def play(choice: OneNetwork) -> None:
    """Type brackets, and see after each what a network predicts, what is allowed, and its states.

    Any string may be typed. Backspace takes a symbol back, Enter begins a new word, q or Ctrl-C leaves. Where
    standard input is no terminal, its lines are words, and every step of them is printed.

    Example: abacist play dyck-1-lstm --run 0
    """
    network, language = choice.load()
    if keys_can_be_read():
        with suppress(KeyboardInterrupt):  # nothing is lost, so that leaving is no failure
            _play(network, language)
        return
    words = input_lines()
    if not words:
        raise BadInput("no words: play in a terminal, or give words on standard input, one per line")
    states = network.networks.layout.cell.plain_states
    for number, word in enumerate([language.alphabet.parse(text) for text in words]):
        print(end="\n" if number else "")
        show_trace(follow(network.networks, 0, language, word, steps=network.steps), states, network.title)


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
    lines = [Text(visible(network.title), style="bold"), Text()]
    told = [Text(f"type {glyphs}; backspace takes back, Enter begins anew, {leave} leaves", style="dim")]
    if typing.word:
        reading = follow(network.networks, 0, language, typing.word, steps=network.steps)
        sentences = [Text(), *map(Text, last_step(reading, network.steps == "all"))]
        told = [*sentences, Text(SIGNS_MEAN, style="dim"), *told]
        states = network.networks.layout.cell.plain_states
        room = console.height - len(lines) - len(told) - 1
        lines += live_word(reading, states, console.width, max(room, 3))
    if typing.unfinished:
        told.append(Text(f"begun: {typing.unfinished}"))
    whole = Text("\n").join([*lines, *told])
    whole.no_wrap, whole.overflow = True, "ellipsis"
    return whole


try:
    import termios
    import tty
except ImportError:  # not every system has terminals of this kind; there, lines are read
    _HAS_TERMINALS = False
else:
    _HAS_TERMINALS = True

#: What arrows and function keys send.
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|)")

BACKSPACE, END, NEW_WORD = ("\x7f", "\b"), "\x04", ("\r", "\n")


def keys_can_be_read() -> bool:
    """Whether someone sits before a terminal that can be asked for single keys."""
    return _HAS_TERMINALS and sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def single_keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, without waiting for a line to end; Ctrl-C interrupts as ever.

    Keys that were pressed before are among them. The terminal is left as it was found.
    """
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    with signals_heard() as ear:
        try:
            tty.setcbreak(number, termios.TCSADRAIN)
            yield _pressed(number, ear)
        finally:
            termios.tcsetattr(number, termios.TCSADRAIN, before)


def _pressed(number: int, ear: socket.socket) -> Iterator[str]:
    streams: list[Any] = [number, ear]
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    while True:
        ready, _, _ = select.select(streams, [], [])
        if ear in ready:
            ear.recv(64)
            check()
        if number in ready:
            if not (data := os.read(number, 1024)):
                return
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


@dataclass(frozen=True)
class Row:
    """A row: what it is called, a text for every step, and how each looks."""

    name: str
    cells: tuple[str, ...]
    looks: tuple[str, ...]


def live_word(reading: TraceReading, states: tuple[str, ...], width: int, height: int) -> list[Text]:
    """The rows of a word, as many of its last steps as a line has room for, and at most so many rows.

    Where there are too many, hidden states go before the last of the states, which for an LSTM is what it
    remembers, then the symbols that are always possible, then rows in which nothing happens, then what is
    lowest.
    """
    word, remembered = list(_word_rows(reading)), list(_state_rows(reading, states[-1]))
    rows = [*word, *_set_rows(reading, spare=False), *_depth_rows(reading), *remembered]
    always = list(_set_rows(reading, spare=True))
    hidden = [row for name in states[:-1] for row in _state_rows(reading, name)]
    if len(rows) + len(always) <= height:
        rows[len(word) : len(word)] = always
    if len(rows) + len(hidden) <= height:
        rows += hidden
    if len(rows) > height:
        rows = [row for row in rows if row in (*word, *remembered) or not set(row.cells) <= set("·0 ")]
    more = len(rows) - height
    if more > 0:
        rows = rows[: height - 1]
    lines = list(_lines(rows, width))
    if more > 0:
        lines.append(Text(f"… {several(more + 1, 'row')} more in a taller window", style=_FAINT))
    return lines


def last_step(reading: TraceReading, recognises: bool) -> list[str]:
    """What there is to say after the last symbol: both sets, the language's verdict and the network's."""
    time = len(reading) - 1
    sets = f"predicted {reading.predicted_set(time) or '—'}   allowed {reading.right_set(time) or '—'}"
    told = [f"{sets}{'   wrong' if reading.wrong[time] else ''}", reading.membership()]
    if recognises:
        at = reading.rejected_at
        place = "its end" if at == len(reading) else None if at is None else at + 1
        verdict = "takes it" if at is None else f"rejects at {place}"
        told.append(f"{verdict}: {'right' if (at is None) == (reading.left_at is None) else 'wrong'}")
    return told


def _word_rows(reading: TraceReading) -> Iterator[Row]:
    inside = [time < reading.inside for time in range(len(reading))]
    looks = tuple("bold" if here else _FAINT for here in inside)
    yield Row("word", tuple(reading.glyphs), looks)
    marks = tuple(
        "'" if wrong else " " if here else "x" for wrong, here in zip(reading.wrong, inside, strict=True)
    )
    yield Row("wrong ' outside x", marks, (_WRONG,) * len(reading))


def _set_rows(reading: TraceReading, *, spare: bool) -> Iterator[Row]:
    """A row for every output: those that are always possible are spare."""
    language = reading.language
    glyphs = (*language.alphabet.glyphs, END_GLYPH)
    for output in range(language.outputs):
        if (output in language.always) != spare:
            continue
        cells, looks = [], []
        for time, predicted in enumerate(reading.predicted[:, output].tolist()):
            if time >= reading.inside:
                cells.append(_OUTSIDE[predicted])
                looks.append(_FAINT)
                continue
            right = bool(reading.targets[time, output])
            cells.append(SIGNS[predicted, right])
            looks.append(_WRONG if reading.counted[time] and predicted != right else "")
        yield Row(f"next {glyphs[output]}", tuple(cells), tuple(looks))


def _depth_rows(reading: TraceReading) -> Iterator[Row]:
    for counter, name in enumerate(reading.language.counter_names):
        known = [str(depth) for depth in reading.depths[: reading.inside, counter]]
        cells = (*known, *" " * (len(reading) - len(known)))
        yield Row(f"depth {name}", cells, ("cyan",) * len(cells))


def _state_rows(reading: TraceReading, name: str) -> Iterator[Row]:
    """A row for every unit: blocks from its least value to its greatest, or to zero."""
    values = np.asarray(reading.values(name), float)
    finite = np.where(np.isfinite(values), values, 0)
    low, high = np.minimum(finite.min(axis=0), 0), np.maximum(finite.max(axis=0), 0)
    heights = np.rint((finite - low) / np.where(high > low, high - low, 1) * (len(_BLOCKS) - 1)).astype(int)
    for unit, (own, last) in enumerate(zip(heights.T, values[-1], strict=True)):
        cells = tuple(_BLOCKS[height] for height in own)
        yield Row(f"{name} {unit + 1} {last:+8.3f}", cells, ("blue",) * len(cells))


def _lines(rows: list[Row], width: int) -> Iterator[Text]:
    names = max(len(row.name) for row in rows) + 2
    own = 1 + max(len(cell) for row in rows for cell in row.cells)
    shown = max(1, (width - names) // own)
    for row in rows:
        line = Text(row.name.ljust(names), no_wrap=True)
        for cell, look in list(zip(row.cells, row.looks, strict=True))[-shown:]:
            line.append(cell.ljust(own), style=look)
        yield line
