"""The deterministic finite automaton, DFA, and its languages as sets: smallest, union, intersection."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from abacist.fields import check_fields
from abacist.languages.automaton import Configuration, backwards
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.limits import STATES

State = TypeVar("State", bound=Hashable)


class FiniteMove(CounterMove):
    """From `source` on `symbol` go to `target`."""

    def __init__(self, source: int, symbol: int, target: int) -> None:
        super().__init__(source, symbol, "", target, ())
        check_fields(self)

    def __repr__(self) -> str:
        return f"FiniteMove(source={self.source}, symbol={self.symbol}, target={self.target})"


class FiniteAutomaton(CounterAutomaton):
    """A counter automaton without counters: a finite control that starts in state 0.

    Where it has no move, the word is not in the language.
    """

    def __init__(
        self, symbols: int, states: int, moves: tuple[FiniteMove, ...], accepting_states: frozenset[int]
    ) -> None:
        super().__init__(symbols, states, 0, moves, accepting_states)

    @cached_property
    def targets(self) -> dict[tuple[int, int], int]:
        """Where every state and symbol with a move lead to."""
        return {(move.source, move.symbol): move.target for move in self.moves}

    @property
    def kind(self) -> str:
        return "DFA"

    def move(self, configuration: Configuration, symbol: int) -> Configuration | None:
        target = self.targets.get((configuration[0], symbol))
        return None if target is None else (target, ())


def explored(
    symbols: int,
    start: State,
    moves: Callable[[State], Iterable[tuple[int, State]]],
    accepts: Callable[[State], bool],
) -> FiniteAutomaton:
    """The automaton of what can be reached from a start by moves, numbered as it is met, symbol by symbol."""
    numbers, waiting, steps = {start: 0}, [start], []
    for here in waiting:  # grows meanwhile
        for symbol, there in moves(here):
            if there not in numbers:
                numbers[there] = len(numbers)
                waiting.append(there)
            steps.append(FiniteMove(numbers[here], symbol, numbers[there]))
        STATES.check("a finite automaton", len(numbers))
    accepting = frozenset(number for state, number in numbers.items() if accepts(state))
    return FiniteAutomaton(symbols, len(numbers), tuple(steps), accepting)


def smallest(automaton: FiniteAutomaton) -> FiniteAutomaton:
    """The automaton with the fewest states that accepts the same words, and in which every state is alive.

    Its states are numbered as they are met, so that equal languages have equal automata. Of the empty
    language it is the one with a single state that accepts nothing.
    """
    classes = _classes(automaton)
    member = {number: state for state, number in classes.items()}

    leading: dict[int, list[tuple[int, int]]] = {}
    for (source, symbol), target in sorted(automaton.targets.items()):
        if target in classes:
            leading.setdefault(source, []).append((symbol, classes[target]))

    return explored(
        automaton.symbols,
        classes.get(0, -1),
        lambda number: leading.get(member.get(number, -1), ()),
        lambda number: member.get(number) in automaton.accepting_states,
    )


def _classes(automaton: FiniteAutomaton) -> dict[int, int]:
    """The class of every live state: those of one class accept the same rests of words.

    Hopcroft: a class splits where some symbol leads from a part of it into another class, and of two halves
    the smaller one alone is looked at again. So the time is n log n in the number of moves.
    """
    alive = backwards(automaton.accepting_states, ((move.source, move.target) for move in automaton.moves))
    sources: dict[int, list[tuple[int, int]]] = {}
    for move in automaton.moves:
        sources.setdefault(move.target, []).append((move.symbol, move.source))
    accepting = alive & automaton.accepting_states
    members = [set(states) for states in (alive - accepting, accepting) if states]
    classes = {state: number for number, states in enumerate(members) for state in states}
    waiting = set(range(len(members)))
    while waiting:
        leading: dict[int, set[int]] = {}  # by symbol, what leads into a class
        for state in members[waiting.pop()]:
            for symbol, source in sources.get(state, ()):
                leading.setdefault(symbol, set()).add(source)
        for into in leading.values():
            touched: dict[int, set[int]] = {}
            for state in into:
                touched.setdefault(classes[state], set()).add(state)
            for number, inside in touched.items():
                outside = members[number]
                if len(inside) == len(outside):
                    continue
                outside -= inside
                smaller, members[number] = sorted((inside, outside), key=len)
                classes.update(dict.fromkeys(smaller, len(members)))
                waiting.add(len(members))
                members.append(smaller)
    return classes


def both(
    first: FiniteAutomaton, second: FiniteAutomaton, accepts: Callable[[Iterable[bool]], bool]
) -> FiniteAutomaton:
    """Two automata over the same symbols at once: by `any` for the union, by `all` for what they share."""

    # −1 is where one of them has stopped.
    def moves(pair: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        for symbol in range(first.symbols):
            after = first.targets.get((pair[0], symbol), -1), second.targets.get((pair[1], symbol), -1)
            if after != (-1, -1):
                yield symbol, after

    def ends(pair: tuple[int, int]) -> bool:
        return accepts((pair[0] in first.accepting_states, pair[1] in second.accepting_states))

    return smallest(explored(first.symbols, (0, 0), moves, ends))
