"""Symbols and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from abacist.errors import BadInput, BadWord
from abacist.fields import check_fields, expect

#: A word is a sequence of symbols, each the index of its glyph in the alphabet.
Word = tuple[int, ...]

#: How the end of a word is written where a set of next symbols speaks of it.
END_GLYPH = "⊣"

_PAPER_PAIRS = ("()", "[]", "{}", "⟨⟩", "⌈⌉", "⌊⌋")
_ASCII = {"<": "⟨", ">": "⟩"}


def bracket_glyphs(pairs: int) -> tuple[str, ...]:
    """The glyphs of the first pairs of brackets: opening, closing, opening, …

    The first six are the paper's; pair 7 is written `(7` and `)7`.

    >>> bracket_glyphs(2)
    ('(', ')', '[', ']')
    """
    expect("bracket_glyphs: pairs", pairs, int)
    numbered = (f"{glyph}{pair}" for pair in range(len(_PAPER_PAIRS) + 1, pairs + 1) for glyph in "()")
    return (*"".join(_PAPER_PAIRS[: max(pairs, 0)]), *numbered)


@dataclass(frozen=True)
class Alphabet:
    """An ordered set of glyphs; a symbol is an index into it."""

    glyphs: tuple[str, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        for glyph in self.glyphs:
            expect("Alphabet: a glyph", glyph, str)
        if len(set(self.glyphs)) != len(self.glyphs):
            raise BadInput(f"Alphabet: glyphs must differ, got {' '.join(self.glyphs)}")
        for glyph in self.glyphs:
            if not glyph or any(c.isspace() for c in glyph) or glyph == END_GLYPH:
                raise BadInput(f"Alphabet: a glyph must be visible and not {END_GLYPH}, got {glyph!r}")

    def __len__(self) -> int:
        return len(self.glyphs)

    @cached_property
    def _symbols(self) -> dict[str, int]:
        symbols = {glyph: symbol for symbol, glyph in enumerate(self.glyphs)}
        return {sign: symbols[glyph] for sign, glyph in _ASCII.items() if glyph in symbols} | symbols

    @cached_property
    def _token(self) -> re.Pattern[str]:
        """White space, a glyph, or anything else."""
        longest_first = sorted(self._symbols, key=len, reverse=True)
        return re.compile(rf"\s+|({'|'.join(map(re.escape, longest_first)) or '(?!)'})|.", re.DOTALL)

    def parse(self, text: str) -> Word:
        """The word that a text writes; white space is ignored, `<` and `>` stand for ⟨ and ⟩."""
        expect("Alphabet: what is parsed", text, str)
        word: list[int] = []
        for token in self._token.finditer(text):
            if token[1]:
                word.append(self._symbols[token[1]])
            elif not token[0].isspace():
                place, glyphs = token.start() + 1, " ".join(map(repr, self.glyphs)) or "none"
                raise BadWord(f"{token[0]!r} at character {place} is not in the alphabet: {glyphs}")
        return tuple(word)

    def render(self, word: Iterable[int]) -> str:
        """The text of a word; `parse` is its inverse."""
        separator = "" if max(map(len, self.glyphs), default=1) == 1 else " "
        return separator.join(self.glyphs[symbol] for symbol in self.checked(tuple(word)))

    def render_set(self, symbols: Iterable[int]) -> str:
        """A set of next symbols, in the alphabet's order, with ⊣ for the end of the word."""
        ordered = tuple(sorted(symbols))
        marked = bool(ordered) and ordered[-1] == len(self)
        self.checked(ordered[:-1] if marked else ordered)
        return " ".join((*self.glyphs, END_GLYPH)[symbol] for symbol in ordered)

    def checked(self, word: Sequence[int]) -> Sequence[int]:
        """A word, unless one of its symbols is not in the alphabet."""
        most = len(self.glyphs) - 1
        for symbol in word:
            if not hasattr(symbol, "__index__") or not 0 <= symbol <= most:
                raise BadWord(f"symbols must be whole numbers from 0 to {most}, got {symbol!r}")
        return word
