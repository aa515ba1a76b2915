"""Regular languages: by an expression, which is read into the smallest automaton, and as sets.

Glushkov's construction: a state is the set of places in the expression where the last symbol may stand,
and after a place come those that may follow it.

    expression  = sequence ("|" sequence)*
    sequence    = (atom ("*" | "+" | "?")*)*
    atom        = "(" expression ")" | "[" glyph+ "]" | "." | "ε" | "'" glyph "'" | glyph
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from abacist.errors import BadInput
from abacist.fields import checked, expect, short_repr
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.finite_automaton import FiniteAutomaton, both, explored, smallest
from abacist.limits import EXPRESSION, EXPRESSION_STEPS, Budget

#: Kind (`glyph`, or the sign itself), text and place of a part of an expression.
_Token = tuple[str, str, int]

_SPECIAL = "()[]|*+?.ε"
_TOKEN = re.compile(r"'([^']+)'|(\S)")

#: Expressions that need more states would take minutes.
_MOST_STATES = 10_000


@dataclass(frozen=True)
class _Part:
    """A part of an expression: whether it may be empty, and the places it begins and ends at, as bits."""

    empty: bool
    first: int = 0
    last: int = 0


@checked
def regular(
    expression: str, *, glyphs: Sequence[str] | None = None, title: str | None = None, marks_end: bool = True
) -> AutomatonLanguage:
    """The language of a regular expression, over the glyphs it names or over those given.

    >>> regular("a(b|c)*", title="tails").counts(3)
    [0, 1, 2, 4]
    """
    owner = f"regular expression {short_repr(expression)}"
    tokens = _tokens(owner, expression)
    named = sorted({text for kind, text, _ in tokens if kind == "glyph"})
    alphabet = tuple(named if glyphs is None else glyphs)
    machine = _automaton(owner, tokens, alphabet)
    return AutomatonLanguage(machine, alphabet, expression if title is None else title, marks_end)


def union(first: AutomatonLanguage, second: AutomatonLanguage) -> AutomatonLanguage:
    """The words of either of two regular languages over the same glyphs."""
    return _combined("union", "∪", first, second, any)


def intersection(first: AutomatonLanguage, second: AutomatonLanguage) -> AutomatonLanguage:
    """The words that two regular languages over the same glyphs share."""
    return _combined("intersection", "∩", first, second, all)


def _combined(
    what: str,
    sign: str,
    first: AutomatonLanguage,
    second: AutomatonLanguage,
    accepts: Callable[[Iterable[bool]], bool],
) -> AutomatonLanguage:
    machines = []
    for language in (first, second):
        expect(f"{what}: each of the two", language, AutomatonLanguage)
        if not isinstance(language.machine, FiniteAutomaton):
            raise BadInput(
                f"{what}: only regular languages have one here, and {language.name} is not given as one"
            )
        machines.append(language.machine)
    if first.glyphs != second.glyphs:
        raise BadInput(
            f"{what}: both languages need the same glyphs, got {' '.join(first.glyphs)} "
            f"and {' '.join(second.glyphs)}"
        )
    title = f"{first.title} {sign} {second.title}"
    return AutomatonLanguage(both(machines[0], machines[1], accepts), first.glyphs, title)


def _automaton(owner: str, tokens: list[_Token], glyphs: tuple[str, ...]) -> FiniteAutomaton:
    """The smallest automaton of a regular expression; symbol i is glyph i, and `.` any of them."""
    budget = Budget(owner, EXPRESSION_STEPS)
    parser = _Parser(owner, tokens, glyphs, budget)
    whole = parser.whole()
    following = [whole.first, *parser.following[1:]]  # place 0 stands before the word
    ends = whole.last | whole.empty
    met: set[int] = set()

    def moves(places: int) -> Iterator[tuple[int, int]]:
        budget.spend(places.bit_count() + len(glyphs))
        after = 0
        for place in _bits(places):
            after |= following[place]
        for symbol, standing in enumerate(parser.standing):
            if places_after := after & standing:
                met.add(places_after)
                yield symbol, places_after
        if len(met) > _MOST_STATES:
            raise BadInput(f"{owner}: needs more than {_MOST_STATES:,} states")

    return smallest(explored(len(glyphs), 1, moves, lambda places: bool(places & ends)))


def _bits(mask: int) -> Iterator[int]:
    """The places of the bits of a mask."""
    digits = bin(mask)[:1:-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def _tokens(owner: str, text: str) -> list[_Token]:
    EXPRESSION.check(owner, len(text))
    tokens = []
    for match in _TOKEN.finditer(text):
        quoted, sign = match.groups()
        if sign == "'":
            raise BadInput(f"{owner}: the quote at character {match.start() + 1} has no end")
        kind = sign if sign and sign in _SPECIAL else "glyph"
        tokens.append((kind, quoted or sign, match.start()))
    return tokens


class _Parser:
    """Reads an expression from left to right, and numbers the places of symbols in it from 1.

    `following` has the places that may come after each, `standing` those where a symbol may stand, as bits.
    """

    def __init__(self, owner: str, tokens: list[_Token], glyphs: tuple[str, ...], budget: Budget) -> None:
        self._owner, self._tokens, self._budget = owner, tokens, budget
        self._numbers = {glyph: symbol for symbol, glyph in enumerate(glyphs)}
        self._place = 0
        self.following, self.standing = [0], [0] * len(glyphs)

    def whole(self) -> _Part:
        try:
            part = self._expression()
        except RecursionError:
            raise BadInput(f"{self._owner}: is nested too deeply") from None
        if self._next() is not None:
            raise self._wrong("is not expected there")
        return part

    def _next(self) -> str | None:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else None

    def _wrong(self, why: str) -> BadInput:
        if self._place < len(self._tokens):
            _, text, place = self._tokens[self._place]
            return BadInput(f"{self._owner}: {text} at character {place + 1} {why}")
        return BadInput(f"{self._owner}: ends before a bracket is closed")

    def _expression(self) -> _Part:
        part = self._sequence()
        while self._next() == "|":
            self._place += 1
            other = self._sequence()
            part = _Part(part.empty or other.empty, part.first | other.first, part.last | other.last)
        return part

    def _sequence(self) -> _Part:
        part = _Part(True)
        while self._next() not in (None, "|", ")"):
            after = self._repeated()
            self._link(part, after)
            part = _Part(
                part.empty and after.empty,
                part.first | (after.first if part.empty else 0),
                after.last | (part.last if after.empty else 0),
            )
        return part

    def _link(self, before: _Part, after: _Part) -> None:
        self._budget.spend(before.last.bit_count())
        for place in _bits(before.last):
            self.following[place] |= after.first

    def _repeated(self) -> _Part:
        part = self._atom()
        while (sign := self._next()) in ("*", "+", "?"):
            self._place += 1
            if sign != "?":
                self._link(part, part)
            part = _Part(part.empty or sign != "+", part.first, part.last)
        return part

    def _atom(self) -> _Part:
        sign = self._next()
        if sign == "glyph":
            return self._standing([self._symbol()])
        if sign not in ("(", "[", ".", "ε"):
            raise self._wrong("is not expected there")
        self._place += 1
        if sign == ".":
            return self._standing(list(self._numbers.values()))
        if sign == "ε":
            return _Part(True)
        if sign == "(":
            part = self._expression()
        else:
            symbols = []
            while self._next() == "glyph":
                symbols.append(self._symbol())
            part = self._standing(symbols)
        if self._next() != {"(": ")", "[": "]"}[sign]:
            raise self._wrong("is not expected there")
        self._place += 1
        return part

    def _standing(self, symbols: list[int]) -> _Part:
        """A new place where one of some symbols stands."""
        place = 1 << len(self.following)
        self._budget.spend(len(symbols))
        self.following.append(0)
        for symbol in symbols:
            self.standing[symbol] |= place
        return _Part(False, place, place)

    def _symbol(self) -> int:
        glyph = self._tokens[self._place][1]
        if glyph not in self._numbers:
            raise self._wrong(f"is not in the alphabet ({' '.join(self._numbers) or 'none'})")
        self._place += 1
        return self._numbers[glyph]
