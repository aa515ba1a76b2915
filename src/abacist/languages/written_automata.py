"""Automata as lists of texts, one for each move, and back; `writing` says what they look like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from abacist.errors import BadInput, BadMove
from abacist.fields import expect_each, short_repr
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.finite_automaton import FiniteAutomaton, FiniteMove
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, StackMove
from abacist.languages.regular_expressions import regular
from abacist.limits import COUNTERS, MOVES, STACK_SYMBOLS, STATES

Machine = FiniteAutomaton | CounterAutomaton | PushdownAutomaton

_UPDATES = {"+": 1, "-": -1, "0": 0, "=": RESET}
_SIGNS = {update: sign for sign, update in _UPDATES.items()}

#: How a move is written: for messages, and with one space between two words.
_WRITTEN = {
    "finite": "STATE GLYPH STATE",
    "counter": "STATE GLYPH TESTS STATE UPDATES, of tests 0 + * and updates + - 0 =",
    "pushdown": "STATE GLYPH TOP STATE [pop] [push SYMBOL]",
}
_STEP = r"(?P<source>\S+) (?P<glyph>\S+)"
_PATTERNS = {
    "finite": rf"{_STEP} (?P<target>\S+)",
    "counter": rf"{_STEP} (?P<tests>[0+*]+) (?P<target>\S+) (?P<updates>[-+0=]+)",
    "pushdown": rf"{_STEP} (?P<top>\S+) (?P<target>\S+)(?P<pop> pop)?(?: push (?P<push>\S+))?",
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


def read_language(
    values: Mapping[str, Any], glyphs: tuple[str, ...] | None, title: str, marks_end: bool = True
) -> AutomatonLanguage:
    """A language from the table of its automaton, or of its regular expression."""
    if "regex" in values:
        return regular(values["regex"], glyphs=glyphs, title=title, marks_end=marks_end)
    machine, glyphs = _Reader(values.get("kind", "finite"), values, glyphs, title).automaton()
    return AutomatonLanguage(machine, glyphs, title, marks_end)


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
        matches = [self._matched(text) for text in self._texts]
        self._glyphs = tuple(dict.fromkeys(m["glyph"] for m in matches)) if glyphs is None else glyphs
        self._states: dict[str, int] = {values["start"]: 0} if "start" in values else {}
        self._piles: dict[str, int] = {}
        self._moves = [self._move(match) for match in matches]
        self._endings = [self._ending(text) for text in values["accepting"]]
        STATES.check(self._called, len(self._states))
        STACK_SYMBOLS.check(self._called, len(self._piles))

    def automaton(self) -> tuple[Machine, tuple[str, ...]]:
        try:
            return self._machine(), self._glyphs
        except BadMove as error:  # the last one where several are the same
            written = dict(zip(self._moves, self._texts, strict=True))[error.move]
            why = f"{error.rule}, got {short_repr(written)}"
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

    def _matched(self, text: str) -> dict[str, Any]:
        """The words of a move; without counters there is nothing to be seen of tests and updates."""
        bare = self._kind == "counter" and not self._counters
        match = re.fullmatch(_PATTERNS["finite" if bare else self._kind], " ".join(text.split()))
        if match is None:
            raise BadInput(f"{self._called}: a move must be {_WRITTEN[self._kind]}, got {text!r}")
        return {"tests": "", "updates": ""} | match.groupdict()

    def _move(self, words: dict[str, Any]) -> Any:
        source, symbol, target = self._state(words["source"]), words["glyph"], self._state(words["target"])
        if symbol not in self._glyphs:
            raise BadInput(f"{self._called}: {symbol} is not one of its glyphs ({' '.join(self._glyphs)})")
        symbol = self._glyphs.index(symbol)
        if self._kind == "finite":
            return FiniteMove(source, symbol, target)
        if self._kind == "counter":
            updates = tuple(_UPDATES[sign] for sign in words["updates"])
            return CounterMove(source, symbol, words["tests"], target, updates)
        tops: dict[str, int | None] = {"*": None, "-": EMPTY_STACK}
        top = tops[words["top"]] if words["top"] in tops else self._pile(words["top"])
        push = None if words["push"] is None else self._pile(words["push"])
        return StackMove(source, symbol, top, target, words["pop"] is not None, push)

    def _state(self, name: str) -> int:
        return self._states.setdefault(name, len(self._states))

    def _pile(self, name: str) -> int:
        return self._piles.setdefault(name, len(self._piles))

    def _ending(self, text: str) -> tuple[int, str]:
        name, *tests = text.split() or [""]
        if len(tests) > (self._kind == "counter") or not name:
            raise BadInput(f"{self._called}: accepting must name a state, got {text!r}")
        if name not in self._states and self._states:
            raise BadInput(f"{self._called}: no move leads to the accepting state {name}, or from it")
        return self._state(name), tests[0] if tests else "0" * self._counters
