"""A language given by its automaton alone: everything else follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields, short_repr
from abacist.languages.alphabet import Alphabet
from abacist.languages.automaton import Automaton, Configuration
from abacist.languages.counter_automaton import CounterAutomaton
from abacist.languages.derivations import Derivations
from abacist.languages.finite_automaton import FiniteAutomaton
from abacist.languages.language import END_SUFFIX, Language
from abacist.languages.live_counters import LiveCounters
from abacist.languages.live_machine import LiveStates
from abacist.languages.live_stack import LiveStack
from abacist.languages.pushdown_automaton import PushdownAutomaton
from abacist.limits import GLYPHS
from abacist.wording import one_of


@dataclass(frozen=True, repr=False)
class AutomatonLanguage(Language[Any]):
    """The words that an automaton accepts; symbol i is written as glyph i.

    A state is a live configuration of the automaton: one from which some word can end. The automaton is kept
    without states that no word needs, a finite one as the smallest, so that equal languages are equal. Where
    `marks_end` is off, a word may end exactly where nothing may come next but what always may.

    >>> from abacist.languages import FiniteMove
    >>> there, back = FiniteMove(0, 0, 1), FiniteMove(1, 0, 0)
    >>> even = AutomatonLanguage(FiniteAutomaton(1, 2, (there, back), frozenset({0})), ("a",), "even")
    >>> "aaaa" in even, "aaa" in even, even.counts(6)
    (True, False, [1, 0, 1, 0, 1, 0, 1])
    """

    machine: FiniteAutomaton | CounterAutomaton | PushdownAutomaton
    glyphs: tuple[str, ...]
    title: str = "own"
    marks_end: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.title.strip() or "||" in self.title:
            raise BadInput(f"AutomatonLanguage: a title must be visible and without ||, got {self.title!r}")
        GLYPHS.check(short_repr(self.title), len(self.glyphs))
        if len(Alphabet(self.glyphs)) != self.machine.symbols:
            raise BadInput(
                f"{self.title}: an automaton of {self.machine.symbols} symbols needs as many glyphs, "
                f"got {len(self.glyphs)}"
            )
        live = self._live
        if live.start is None:
            raise BadInput(f"{self.title}: no word is in it, so it is no language to draw words from")
        object.__setattr__(self, "machine", live.tidied())
        del self.__dict__["_live"]  # of the machine as it was given
        if not self.marks_end:
            self._refuse_unmarked_ends()

    def _refuse_unmarked_ends(self) -> None:
        situations = self._live.situations()
        if situations is None or any(
            not s.possible <= self.always if s.ends else s.certain <= self.always for s in situations
        ):
            raise BadInput(
                f"{self.title}: its next symbols do not tell where a word may end, so marks_end must be on"
            )

    @cached_property
    def _live(self) -> LiveStates | LiveCounters | LiveStack:
        match self.machine:
            case FiniteAutomaton():
                return LiveStates(self.machine)
            case CounterAutomaton():
                return LiveCounters(self.machine)
        return LiveStack(self.machine)

    @property
    def name(self) -> str:
        return self.title

    @cached_property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.glyphs)

    @property
    def start(self) -> Any:
        return self._live.start

    def step(self, state: Any, symbol: int) -> Any:
        return self._live.step(state, symbol)

    def accepts(self, state: Any) -> bool:
        return self._live.accepts(state)

    def depths(self, state: Any) -> tuple[int, ...]:
        return self._live.depths(state)

    def least_ending(self, state: Any) -> int:
        return sum(self.depths(state)) if isinstance(self._live, LiveStack) else 0

    @cached_property
    def always(self) -> frozenset[int]:
        situations = self._live.situations()
        return frozenset() if not situations else frozenset.intersection(*(s.certain for s in situations))

    @cached_property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        updates_of: dict[int, set[tuple[int, ...]]] = {}
        for symbol, update in self._moved():
            updates_of.setdefault(symbol, set()).add(update)
        resets = isinstance(self.machine, CounterAutomaton) and self.machine.resets
        if resets or any(len(updates) > 1 for updates in updates_of.values()):
            raise BadInput(f"{self.name}: what a symbol adds to the counters depends on what came before it")
        still = (0,) * self._counters
        return tuple(next(iter(updates_of.get(symbol, {still}))) for symbol in range(len(self.alphabet)))

    def _moved(self) -> list[tuple[int, tuple[int, ...]]]:
        """What every move adds to every counter, or how often to every symbol on the stack."""
        if isinstance(self.machine, PushdownAutomaton):
            places = range(self.machine.stack_symbols)
            return [
                (m.symbol, tuple((m.push == x) - (m.pop and m.top == x) for x in places))
                for m in self.machine.moves
            ]
        return [(move.symbol, move.updates) for move in self.machine.moves]

    def objection(self, state: Any, symbol: int) -> str:
        return f"{self.alphabet.glyphs[symbol]} cannot come here, only {self._next(state)}"

    def unfinished(self, state: Any) -> str:
        return f"the word ends too early: {self._next(state)} must follow"

    def _next(self, state: Any) -> str:
        """What may come next, the end included whether it is marked or not."""
        glyphs = [self.alphabet.glyphs[symbol] for symbol, _ in self.successors(state)]
        return one_of(glyphs + ["the end"] * self.accepts(state))

    def automaton(self) -> Automaton:
        """The automaton with moves to live configurations alone."""
        automaton = self._live.automaton()
        if automaton is None:
            raise BadInput(
                f"{self.name}: what may come next depends on more than the state and which counters are zero"
            )
        return automaton

    @property
    def kind(self) -> str:
        return self.machine.kind

    @property
    def living(self) -> tuple[CounterAutomaton, dict[Configuration, bool]] | None:
        if not isinstance(self._live, LiveCounters) or self._live.by_region is None:
            return None
        return self._live.machine, self._live.by_region

    @property
    def drawn_as(self) -> tuple[int, int]:
        return 0, 0

    @property
    def longest(self) -> int:
        """The length up to which its words are counted and drawn."""
        return self._live.longest

    @property
    def longest_derived(self) -> int:
        return self.longest

    def derivations(self, longest: int) -> Derivations:
        if longest > self.longest:
            raise BadInput(
                f"{self.name}: words of at most {self.longest:,} symbols can be counted and drawn, "
                f"got {longest:,}"
            )
        cache: Derivations | None = self.__dict__.get("_derivations")
        if cache is None or cache.longest < longest:
            cache = self.__dict__["_derivations"] = self._live.derivations(longest)
        return cache

    def endings(self, state: Any, longest: int, cache: dict[Any, Any]) -> list[int]:
        if isinstance(self._live, LiveStack):
            return self._live.endings(state, longest, cache)
        return super().endings(state, longest, cache)

    def count(self, length: int) -> int:
        return self.counts(length)[length] if length >= 0 else 0

    def counts(self, longest: int) -> list[int]:
        return self.derivations(longest).counts[0][: longest + 1]

    def marked(self) -> AutomatonLanguage:
        return self if self.marks_end else replace(self, title=f"{self.title}{END_SUFFIX}", marks_end=True)

    def __getstate__(self) -> dict[str, Any]:
        """Without what was found out meanwhile, which may be large."""
        return {name: getattr(self, name) for name in ("machine", "glyphs", "title", "marks_end")}
