"""Regular languages as sets: the smallest automaton, union and intersection."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from abacist.languages.finite_automaton import FiniteAutomaton, FiniteMove

State = TypeVar("State", bound=Hashable)


def explored(
    symbols: int,
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
) -> FiniteAutomaton:
    """The automaton of what can be reached from a start, numbered as it is met, symbol by symbol."""
    numbers, waiting, moves = {start: 0}, [start], []
    for here in waiting:  # grows meanwhile
        for symbol in range(symbols):
            there = step(here, symbol)
            if there is None:
                continue
            if there not in numbers:
                numbers[there] = len(numbers)
                waiting.append(there)
            moves.append(FiniteMove(numbers[here], symbol, numbers[there]))
    accepting = frozenset(number for state, number in numbers.items() if accepts(state))
    return FiniteAutomaton(symbols, len(numbers), tuple(moves), accepting)


def living_states(automaton: FiniteAutomaton) -> frozenset[int]:
    """The states from which some word ends."""
    sources: dict[int, list[int]] = {}
    for move in automaton.moves:
        sources.setdefault(move.target, []).append(move.source)
    return backwards(automaton.accepting_states, lambda state: sources.get(state, []))


def backwards(ends: Iterable[int], sources: Callable[[int], Iterable[int]]) -> frozenset[int]:
    """All that leads to some ends."""
    waiting = list(ends)
    alive = set(waiting)
    while waiting:
        for source in sources(waiting.pop()):
            if source not in alive:
                alive.add(source)
                waiting.append(source)
    return frozenset(alive)


def smallest(automaton: FiniteAutomaton) -> FiniteAutomaton:
    """The automaton with the fewest states that accepts the same words, and in which every state is alive.

    Its states are numbered as they are met, so that equal languages have equal automata. Of the empty
    language it is the one with a single state that accepts nothing.
    """
    alive = living_states(automaton)
    classes = {state: int(state in automaton.accepting_states) for state in alive}
    while True:  # Moore: states that some symbol tells apart belong to different classes
        signatures = {
            state: (
                own,
                tuple(classes.get(automaton.targets.get((state, s), -1)) for s in range(automaton.symbols)),
            )
            for state, own in classes.items()
        }
        numbers: dict[Hashable, int] = {}
        finer = {state: numbers.setdefault(sign, len(numbers)) for state, sign in signatures.items()}
        if len(numbers) == len(set(classes.values())):
            break
        classes = finer
    member = {own: state for state, own in classes.items()}

    def step(own: int, symbol: int) -> int | None:
        return classes.get(automaton.targets.get((member.get(own, -1), symbol), -1))

    return explored(
        automaton.symbols,
        classes.get(0, -1),
        step,
        lambda own: member.get(own) in automaton.accepting_states,
    )


def united(first: FiniteAutomaton, second: FiniteAutomaton) -> FiniteAutomaton:
    """The words that either automaton accepts; both read the same symbols."""
    return _both(first, second, any)


def intersected(first: FiniteAutomaton, second: FiniteAutomaton) -> FiniteAutomaton:
    """The words that both automata accept; both read the same symbols."""
    return _both(first, second, all)


def _both(
    first: FiniteAutomaton, second: FiniteAutomaton, accepts: Callable[[Iterable[bool]], bool]
) -> FiniteAutomaton:
    """Both automata at once; −1 is where one of them has stopped."""

    def step(pair: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        after = first.targets.get((pair[0], symbol), -1), second.targets.get((pair[1], symbol), -1)
        return None if after == (-1, -1) else after

    def ends(pair: tuple[int, int]) -> bool:
        return accepts((pair[0] in first.accepting_states, pair[1] in second.accepting_states))

    return smallest(explored(first.symbols, (0, 0), step, ends))
