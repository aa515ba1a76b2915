"""Regular languages: by an expression, which is read into the smallest automaton, and as sets.

Glushkov's construction: a state is the set of places in the expression where the last symbol may stand,
and after a place come those that may follow it.

    expression  = sequence ("|" sequence)*
    sequence    = (atom ("*" | "+" | "?")?)*
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

#: Signs with a meaning in other notations, and what is written here. Quoted, or among the glyphs that are
#: given, they are glyphs.
_ELSEWHERE = {
    "{": "write repetitions out, such as aaa for a{3}",
    "}": "write repetitions out, such as aaa for a{3}",
    "^": "expressions are of whole words, and a class names its glyphs, such as [ab]",
    "$": "expressions are of whole words",
    "\\": "write the glyphs themselves, such as [01]",
}
_REPEATED = ("*", "+", "?")
_RANGE = "write all glyphs of a class, such as [abc]"
_TOKEN = re.compile(r"'([^']+)'|(\S)")

#: Expressions that need more states would take minutes.
_MOST_STATES = 10_000


@dataclass(frozen=True)
class _Fragment:
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
    tokens = _tokens(owner, expression, glyphs or ())
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
    places = _Places(len(glyphs), budget)
    whole = _fragment(owner, tokens, glyphs, places)
    following = [whole.first, *places.following[1:]]  # place 0 stands before the word
    ends = whole.last | whole.empty
    met: set[int] = set()

    def moves(state: int) -> Iterator[tuple[int, int]]:
        budget.spend(state.bit_count() + len(glyphs))
        after = 0
        for place in _bits(state):
            after |= following[place]
        for symbol, standing in enumerate(places.standing):
            if places_after := after & standing:
                met.add(places_after)
                yield symbol, places_after
        if len(met) > _MOST_STATES:
            raise BadInput(f"{owner}: needs more than {_MOST_STATES:,} states")

    return smallest(explored(len(glyphs), 1, moves, lambda state: bool(state & ends)))


def _bits(mask: int) -> Iterator[int]:
    """The places of the bits of a mask."""
    digits = bin(mask)[:1:-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def _tokens(owner: str, text: str, glyphs: Sequence[str]) -> list[_Token]:
    EXPRESSION.check(owner, len(text))
    tokens, within = list[_Token](), False  # a class
    for match in _TOKEN.finditer(text):
        quoted, sign = match.groups()
        if sign == "'":
            raise BadInput(f"{owner}: the quote at character {match.start() + 1} has no end")
        kind = sign if sign and sign in _SPECIAL else "glyph"
        within = (within or kind == "[") and kind != "]"
        instead = _RANGE if within and sign == "-" else _ELSEWHERE.get(sign)
        if instead is not None and sign not in glyphs:
            place = f"{sign} at character {match.start() + 1}"
            raise BadInput(f"{owner}: {place} means nothing here; {instead}; '{sign}' in quotes is a glyph")
        if kind in _REPEATED and tokens and tokens[-1][0] in _REPEATED:  # elsewhere a+? is a lazy a+
            raise BadInput(f"{owner}: {sign} at character {match.start() + 1} is not expected after another")
        tokens.append((kind, quoted or sign, match.start()))
    return tokens


class _Places:
    """The places of symbols in an expression, numbered from 1.

    `following` has the places that may come after each, `standing` those where a symbol may stand, as bits.
    """

    def __init__(self, symbols: int, budget: Budget) -> None:
        self._budget = budget
        self.following, self.standing = [0], [0] * symbols

    def new(self, symbols: Sequence[int]) -> _Fragment:
        """A new place where one of some symbols stands."""
        place = 1 << len(self.following)
        self._budget.spend(len(symbols))
        self.following.append(0)
        for symbol in symbols:
            self.standing[symbol] |= place
        return _Fragment(False, place, place)

    def _link(self, before: _Fragment, after: _Fragment) -> None:
        self._budget.spend(before.last.bit_count())
        for place in _bits(before.last):
            self.following[place] |= after.first

    def repeated(self, fragment: _Fragment, sign: str) -> _Fragment:
        if sign != "?":
            self._link(fragment, fragment)
        return _Fragment(fragment.empty or sign != "+", fragment.first, fragment.last)

    def joined(self, alternatives: list[list[_Fragment]]) -> _Fragment:
        """Sequences of fragments, one of which is chosen."""
        whole = _Fragment(False)
        for sequence in alternatives:
            before = _Fragment(True)
            for after in sequence:
                self._link(before, after)
                before = _Fragment(
                    before.empty and after.empty,
                    before.first | (after.first if before.empty else 0),
                    after.last | (before.last if after.empty else 0),
                )
            whole = _Fragment(
                whole.empty or before.empty, whole.first | before.first, whole.last | before.last
            )
        return whole


def _fragment(owner: str, tokens: list[_Token], glyphs: tuple[str, ...], places: _Places) -> _Fragment:
    """The whole expression; `levels` has the alternatives inside every open bracket."""
    numbers = {glyph: symbol for symbol, glyph in enumerate(glyphs)}
    levels: list[list[list[_Fragment]]] = [[[]]]
    symbols: list[int] | None = None  # of an open class
    for kind, text, place in tokens:
        sequence = levels[-1][-1]
        if kind == "glyph":
            if text not in numbers:
                listed = " ".join(glyphs) or "none"
                raise BadInput(f"{owner}: {text} at character {place + 1} is not in the alphabet ({listed})")
            if symbols is None:
                sequence.append(places.new([numbers[text]]))
            else:
                symbols.append(numbers[text])
        elif symbols is not None and kind == "]":
            sequence.append(places.new(symbols))
            symbols = None
        elif symbols is None and kind == "[":
            symbols = []
        elif symbols is None and kind in ".ε":
            sequence.append(places.new(range(len(glyphs))) if kind == "." else _Fragment(True))
        elif symbols is None and kind == "(":
            levels.append([[]])
        elif symbols is None and kind == "|":
            levels[-1].append([])
        elif symbols is None and kind == ")" and len(levels) > 1:
            alternatives = levels.pop()
            levels[-1][-1].append(places.joined(alternatives))
        elif symbols is None and kind in "*+?" and sequence:
            sequence.append(places.repeated(sequence.pop(), kind))
        else:
            raise BadInput(f"{owner}: {text} at character {place + 1} is not expected there")
    if symbols is not None or len(levels) > 1:
        raise BadInput(f"{owner}: ends before a bracket is closed")
    return places.joined(levels[0])
