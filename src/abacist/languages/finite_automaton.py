"""The deterministic finite automaton, DFA: no memory but its states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from abacist.errors import BadInput, NotDeterministic
from abacist.fields import check_fields
from abacist.languages.automaton import Automaton, Configuration
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove


@dataclass(frozen=True)
class FiniteMove:
    """From `source` on `symbol` go to `target`."""

    source: int
    symbol: int
    target: int

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class FiniteAutomaton(Automaton):
    """A finite control that starts in state 0; where it has no move, the word is not in the language."""

    symbols: int
    states: int
    moves: tuple[FiniteMove, ...]
    accepting_states: frozenset[int]

    def __post_init__(self) -> None:
        check_fields(self)
        for state in self.accepting_states:
            if not 0 <= state < self.states:
                raise BadInput(f"FiniteAutomaton: accepting states must be below {self.states}, got {state}")
        seen = set()
        for move in self.moves:
            if not (0 <= move.source < self.states and 0 <= move.target < self.states):
                raise BadInput(f"FiniteAutomaton: states must be below {self.states}, got {move}")
            if not 0 <= move.symbol < self.symbols:
                raise BadInput(f"FiniteAutomaton: symbols must be below {self.symbols}, got {move}")
            if (move.source, move.symbol) in seen:
                raise NotDeterministic(f"FiniteAutomaton: moves must be deterministic, got a second {move}")
            seen.add((move.source, move.symbol))

    @cached_property
    def targets(self) -> dict[tuple[int, int], int]:
        """Where every state and symbol with a move lead to."""
        return {(move.source, move.symbol): move.target for move in self.moves}

    @property
    def kind(self) -> str:
        return "DFA"

    @property
    def initial(self) -> Configuration:
        return 0, ()

    def move(self, configuration: Configuration, symbol: int) -> Configuration | None:
        target = self.targets.get((configuration[0], symbol))
        return None if target is None else (target, ())

    def accepting(self, configuration: Configuration) -> bool:
        return configuration[0] in self.accepting_states

    def heights(self, configuration: Configuration) -> tuple[int, ...]:
        return ()

    def as_counters(self) -> CounterAutomaton:
        """The same automaton as one with no counter."""
        moves = tuple(CounterMove(m.source, m.symbol, "", m.target, ()) for m in self.moves)
        return CounterAutomaton(self.symbols, self.states, 0, moves, self.accepting_states)
