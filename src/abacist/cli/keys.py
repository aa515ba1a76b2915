"""Keys as they are pressed, one by one, and what they make of a word."""

from __future__ import annotations

import codecs
import os
import re
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from abacist.cli.interrupt import check, signals_heard
from abacist.errors import BadWord
from abacist.languages import Alphabet, Word

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
