"""Regular expressions: a small grammar of their own, read into the smallest automaton.

Brzozowski's derivatives: the derivative of an expression by a symbol describes what may follow that symbol,
and the finitely many derivatives that are left after simplification are the states.

    expression  = sequence ("|" sequence)*
    sequence    = (atom ("*" | "+" | "?")*)*
    atom        = "(" expression ")" | "[" glyph+ "]" | "." | "ε" | "'" glyph "'" | glyph
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from abacist.errors import BadInput
from abacist.fields import expect
from abacist.languages.finite_automaton import FiniteAutomaton
from abacist.languages.regular_sets import explored, smallest

_SPECIAL = "()[]|*+?.'ε"

#: Expressions with more derivatives would take minutes.
_MOST_STATES = 10_000


@dataclass(frozen=True)
class _Expression:
    """`kind` is one of: `none` (no word), `empty` (ε), `symbols`, `chain`, `either`, `star`."""

    kind: str
    parts: tuple[_Expression, ...] = ()
    symbols: frozenset[int] = frozenset()


_NONE, _EMPTY = _Expression("none"), _Expression("empty")


def _chain(first: _Expression, second: _Expression) -> _Expression:
    if _NONE in (first, second):
        return _NONE
    if _EMPTY in (first, second):
        return second if first == _EMPTY else first
    head = first.parts if first.kind == "chain" else (first,)
    tail = second.parts if second.kind == "chain" else (second,)
    return _Expression("chain", head + tail)


def _either(first: _Expression, second: _Expression) -> _Expression:
    parts: dict[_Expression, None] = {}
    for one in (first, second):
        parts |= dict.fromkeys(one.parts if one.kind == "either" else () if one == _NONE else (one,))
    ordered = tuple(sorted(parts, key=repr))
    return _NONE if not ordered else ordered[0] if len(ordered) == 1 else _Expression("either", ordered)


def _star(one: _Expression) -> _Expression:
    return _EMPTY if one in (_NONE, _EMPTY) else one if one.kind == "star" else _Expression("star", (one,))


@lru_cache(maxsize=100_000)
def _ends(one: _Expression) -> bool:
    """Whether an expression describes the empty word."""
    if one.kind in ("chain", "either"):
        return (all if one.kind == "chain" else any)(map(_ends, one.parts))
    return one.kind in ("empty", "star")


@lru_cache(maxsize=100_000)
def _after(one: _Expression, symbol: int) -> _Expression:
    """The derivative of an expression by a symbol."""
    match one.kind:
        case "symbols":
            return _EMPTY if symbol in one.symbols else _NONE
        case "star":
            return _chain(_after(one.parts[0], symbol), one)
        case "either":
            return reduce(_either, (_after(part, symbol) for part in one.parts))
        case "chain":
            first, rest = one.parts[0], reduce(_chain, one.parts[1:])
            later = _chain(_after(first, symbol), rest)
            return _either(later, _after(rest, symbol)) if _ends(first) else later
    return _NONE


def glyphs_of(text: str) -> tuple[str, ...]:
    """The glyphs that an expression names, in alphabetical order."""
    expect("a regular expression", text, str)
    return tuple(sorted({token[1] for token in _tokens(text) if token[0] == "glyph"}))


def regular_expression(text: str, glyphs: Sequence[str]) -> FiniteAutomaton:
    """The smallest automaton of a regular expression; symbol i is glyph i, and `.` any of them."""
    expect("a regular expression", text, str)
    root = _Parser(text, tuple(glyphs)).whole()
    known = 0

    def step(one: _Expression, symbol: int) -> _Expression | None:
        nonlocal known
        known += 1
        if known > _MOST_STATES * len(glyphs):
            raise BadInput(f"regular expression {text!r}: has more than {_MOST_STATES:,} derivatives")
        after = _after(one, symbol)
        return None if after == _NONE else after

    return smallest(explored(len(glyphs), root, step, _ends))


def _tokens(text: str) -> list[tuple[str, str, int]]:
    """What an expression consists of: its kind (`glyph`, or the sign itself), its text and its place."""
    tokens, place = [], 0
    while place < len(text):
        sign = text[place]
        if sign == "'":
            end = text.find("'", place + 1)
            if end < place + 2:
                raise BadInput(f"regular expression {text!r}: the quote at character {place + 1} has no end")
            tokens.append(("glyph", text[place + 1 : end], place))
            place = end
        elif not sign.isspace():
            tokens.append((sign if sign in _SPECIAL else "glyph", sign, place))
        place += 1
    return tokens


class _Parser:
    """Reads an expression from left to right."""

    def __init__(self, text: str, glyphs: tuple[str, ...]) -> None:
        self._text, self._tokens = text, _tokens(text)
        self._numbers = {glyph: symbol for symbol, glyph in enumerate(glyphs)}
        self._place = 0

    def whole(self) -> _Expression:
        try:
            found = self._expression()
        except RecursionError:
            raise BadInput(f"regular expression {self._text[:40]!r}…: is nested too deeply") from None
        if self._next() is not None:
            raise self._wrong("is not expected there")
        return found

    def _next(self) -> str | None:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else None

    def _wrong(self, why: str) -> BadInput:
        if self._place < len(self._tokens):
            _, text, place = self._tokens[self._place]
            return BadInput(f"regular expression {self._text!r}: {text} at character {place + 1} {why}")
        return BadInput(f"regular expression {self._text!r}: ends before a bracket is closed")

    def _expression(self) -> _Expression:
        found = self._sequence()
        while self._next() == "|":
            self._place += 1
            found = _either(found, self._sequence())
        return found

    def _sequence(self) -> _Expression:
        found = _EMPTY
        while self._next() not in (None, "|", ")"):
            found = _chain(found, self._repeated())
        return found

    def _repeated(self) -> _Expression:
        found = self._atom()
        while (sign := self._next()) in ("*", "+", "?"):
            self._place += 1
            if sign == "?":
                found = _either(_EMPTY, found)
            else:
                found = _star(found) if sign == "*" else _chain(found, _star(found))
        return found

    def _atom(self) -> _Expression:
        sign = self._next()
        if sign == "glyph":
            return _Expression("symbols", symbols=frozenset({self._symbol()}))
        if sign not in ("(", "[", ".", "ε"):
            raise self._wrong("is not expected there")
        self._place += 1
        if sign == ".":
            every = frozenset(self._numbers.values())
            return _Expression("symbols", symbols=every) if every else _NONE
        if sign == "ε":
            return _EMPTY
        found = self._expression() if sign == "(" else self._class()
        if self._next() != {"(": ")", "[": "]"}[sign]:
            raise self._wrong("is not expected there")
        self._place += 1
        return found

    def _class(self) -> _Expression:
        symbols = set()
        while self._next() == "glyph":
            symbols.add(self._symbol())
        return _Expression("symbols", symbols=frozenset(symbols)) if symbols else _NONE

    def _symbol(self) -> int:
        glyph = self._tokens[self._place][1]
        if glyph not in self._numbers:
            raise self._wrong(f"is not in the alphabet ({' '.join(self._numbers) or 'none'})")
        self._place += 1
        return self._numbers[glyph]
