"""Symbols and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

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


#: Blocks of up to twelve symbols, each as a character, that are repeated thrice or more.
_REPEATED = [re.compile(rf"(.{{{size}}})\1\1+", re.DOTALL) for size in range(1, 13)]


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

    @property
    def _separator(self) -> str:
        return "" if max(map(len, self.glyphs), default=1) == 1 else " "

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
        return self._separator.join(self.glyphs[symbol] for symbol in self.checked(tuple(word)))

    def shortened(self, word: Sequence[int], most: int = 60) -> str:
        """A word as people read it: blocks that are repeated thrice or more are written once, after their
        number.

        ()()()()(((( is `4×() 4×(`, without brackets of ours that could be taken for those of the word. A long
        one is cut in the middle, between blocks.
        """
        symbols, parts, place = "".join(map(chr, word)), list[str](), 0
        while place < len(symbols):
            matches = [match for pattern in _REPEATED if (match := pattern.match(symbols, place))]
            longest = max(matches, key=lambda match: len(match[0]), default=None)
            block = longest[1] if longest else symbols[place]
            times = len(longest[0]) // len(block) if longest else 1
            text = "".join(self.glyphs[ord(symbol)] for symbol in block)
            parts.append(text if times == 1 else f"{times}×{text}")
            place += len(block) * times
        apart = bool(self._separator)
        text = _joined(parts, apart)
        for kept in range(len(parts) - 1, -1, -1):
            if len(text) <= most:
                break
            first, last = parts[: (kept + 1) // 2], parts[len(parts) - kept // 2 :]
            text = f"{_joined(first, apart)} … {_joined(last, apart)}".strip()
        return text

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


def _joined(parts: Sequence[str], apart: bool) -> str:
    """Parts side by side; a repeated one stands between spaces, and all do where glyphs are words."""
    spaces = (" " * (apart or "×" in before + block) for before, block in pairwise(parts))
    return "".join(space + block for space, block in zip(("", *spaces), parts, strict=False))
