"""Automata as lists of texts, one for each move, and back; `writing` says what they look like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from abacist.errors import BadInput, NotDeterministic
from abacist.fields import expect_each, short_repr
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.finite_automaton import FiniteAutomaton, FiniteMove
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, StackMove
from abacist.limits import COUNTERS, MOVES, STACK_SYMBOLS, STATES

Machine = FiniteAutomaton | CounterAutomaton | PushdownAutomaton

_UPDATES = {"+": 1, "-": -1, "0": 0, "=": RESET}
_SIGNS = {update: sign for sign, update in _UPDATES.items()}

#: How a move is written, for messages.
_WRITTEN = {
    "finite": "STATE GLYPH STATE",
    "counter": "STATE GLYPH TESTS STATE UPDATES",
    "pushdown": "STATE GLYPH TOP STATE [pop] [push SYMBOL]",
}


def written_automaton(language: AutomatonLanguage) -> dict[str, Any]:
    """The kind of a language's automaton, its moves and what it accepts by, as texts."""
    machine, glyphs = language.machine, language.glyphs
    accepting = [str(state) for state in sorted(machine.accepting_states)]
    if isinstance(machine, FiniteAutomaton):
        moves = [f"{m.source} {glyphs[m.symbol]} {m.target}" for m in machine.moves]
        return {"kind": "finite", "accepting": accepting, "moves": moves}
    if isinstance(machine, CounterAutomaton):
        moves = [
            f"{m.source} {glyphs[m.symbol]} {m.tests} {m.target} {''.join(_SIGNS[u] for u in m.updates)}"
            for m in machine.moves
        ]
        accepting += [f"{state} {tests}" for state, tests in machine.acceptance]
        return {"kind": "counter", "counters": machine.counters, "accepting": accepting, "moves": moves}
    tops: dict[int | None, str] = {None: "*", EMPTY_STACK: "-"}
    moves = [
        f"{m.source} {glyphs[m.symbol]} {tops.get(m.top, m.top)} {m.target}"
        + (" pop" if m.pop else "")
        + ("" if m.push is None else f" push {m.push}")
        for m in machine.moves
    ]
    return {"kind": "pushdown", "accepting": accepting, "moves": moves}


def read_automaton(
    kind: str, values: Mapping[str, Any], glyphs: tuple[str, ...] | None, called: str
) -> tuple[Machine, tuple[str, ...]]:
    """An automaton from its texts, and its glyphs: those given, or those that its moves name, in order."""
    return _Reader(kind, values, glyphs, called).automaton()


class _Reader:
    """Reads the moves of one automaton, and numbers its states and stack symbols as they come."""

    def __init__(
        self, kind: str, values: Mapping[str, Any], glyphs: tuple[str, ...] | None, called: str
    ) -> None:
        self._kind, self._called = kind, f"language {short_repr(called)}"
        self._counters = values.get("counters", 1)
        COUNTERS.check(self._called, self._counters)
        for field in ("accepting", "moves"):
            if field not in values:
                raise BadInput(f"{self._called}: the field {field!r} is missing")
            expect_each(f"{self._called}: each of {field}", values[field], str)
        self._texts: Sequence[str] = values["moves"]
        MOVES.check(self._called, len(self._texts))
        words = [text.split() for text in self._texts]
        if kind == "counter" and not self._counters:  # there is nothing to be seen of no tests
            words = [[*move[:2], "", *move[2:], ""] for move in words]
        named = dict.fromkeys(move[1] for move in words if len(move) > 1)
        self._glyphs = tuple(named) if glyphs is None else glyphs
        self._states: dict[str, int] = {values["start"]: 0} if "start" in values else {}
        self._piles: dict[str, int] = {}
        read: Callable[[str, list[str]], Any] = getattr(self, f"_{kind}")
        self._moves = [read(text, move) for text, move in zip(self._texts, words, strict=True)]
        self._endings = [self._ending(text) for text in values["accepting"]]
        STATES.check(self._called, len(self._states))
        STACK_SYMBOLS.check(self._called, len(self._piles))

    def automaton(self) -> tuple[Machine, tuple[str, ...]]:
        try:
            return self._machine(), self._glyphs
        except NotDeterministic as error:
            second = short_repr(self._texts[self._moves.index(error.move)])
            why = f"moves must be deterministic, got {second} besides another"
        except BadInput as error:
            why = str(error)
        raise BadInput(f"{self._called}: {why}")

    def _machine(self) -> Machine:
        moves, states, symbols = tuple(self._moves), max(1, len(self._states)), len(self._glyphs)
        if self._kind == "counter":
            zero = "0" * self._counters
            plain = frozenset(state for state, tests in self._endings if tests == zero)
            others = tuple((state, tests) for state, tests in self._endings if tests != zero)
            return CounterAutomaton(symbols, states, self._counters, moves, plain, others)
        accepting = frozenset(state for state, _ in self._endings)
        if self._kind == "finite":
            return FiniteAutomaton(symbols, states, moves, accepting)
        return PushdownAutomaton(symbols, states, len(self._piles), moves, accepting)

    def _wrong(self, text: str) -> BadInput:
        return BadInput(f"{self._called}: a move must be {_WRITTEN[self._kind]!r}, got {text!r}")

    def _state(self, name: str) -> int:
        return self._states.setdefault(name, len(self._states))

    def _symbol(self, glyph: str) -> int:
        if glyph not in self._glyphs:
            raise BadInput(f"{self._called}: {glyph} is not one of its glyphs ({' '.join(self._glyphs)})")
        return self._glyphs.index(glyph)

    def _pile(self, name: str) -> int:
        return self._piles.setdefault(name, len(self._piles))

    def _ending(self, text: str) -> tuple[int, str]:
        name, *tests = text.split() or [""]
        if len(tests) > (self._kind == "counter") or not name:
            raise BadInput(f"{self._called}: accepting must name a state, got {text!r}")
        if name not in self._states and self._states:
            raise BadInput(f"{self._called}: no move leads to the accepting state {name}, or from it")
        return self._state(name), tests[0] if tests else "0" * self._counters

    def _finite(self, text: str, words: list[str]) -> FiniteMove:
        if len(words) != 3:
            raise self._wrong(text)
        source, glyph, target = words
        return FiniteMove(self._state(source), self._symbol(glyph), self._state(target))

    def _counter(self, text: str, words: list[str]) -> CounterMove:
        if len(words) != 5 or set(words[4]) - set(_UPDATES) or set(words[2]) - set("0+*"):
            raise self._wrong(text)
        source, glyph, tests, target, signs = words
        updates = tuple(_UPDATES[sign] for sign in signs)
        return CounterMove(self._state(source), self._symbol(glyph), tests, self._state(target), updates)

    def _pushdown(self, text: str, words: list[str]) -> StackMove:
        if len(words) < 4:
            raise self._wrong(text)
        source, glyph, name, target, *rest = words
        pop = rest[:1] == ["pop"]
        rest = rest[pop:]
        if rest and (len(rest) != 2 or rest[0] != "push"):
            raise self._wrong(text)
        top = {"*": None, "-": EMPTY_STACK}[name] if name in ("*", "-") else self._pile(name)
        push = self._pile(rest[1]) if rest else None
        return StackMove(self._state(source), self._symbol(glyph), top, self._state(target), pop, push)
