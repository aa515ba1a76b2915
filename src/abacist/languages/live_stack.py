"""The live configurations of a pushdown automaton, exactly.

Whether a word can still end depends on the whole stack; but it is enough to know, for every symbol on it,
from which states a word can end once that symbol is off the stack. So every symbol carries that set with it:
an annotation, given when it is pushed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from heapq import merge
from math import isqrt
from typing import Any, cast

from abacist.languages.automaton import backwards
from abacist.languages.derivations import LONGEST, MOST_ROWS, NOTHING, Action, Derivations
from abacist.languages.live_machine import Situation, renumbered
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, Stack, StackMove
from abacist.limits import MACHINE_STEPS, Budget

#: A stack symbol and the states from which a word can end once it is off the stack.
Annotated = tuple[int, frozenset[int]]

#: A control state and the stack of annotated symbols, by number.
State = tuple[int, Stack]


class Saturated:
    """A pushdown automaton, and the states that it can be in once what is on its stack is off.

    `pops[p, X]` has those after state p with X on top, once X is off, and `bottom` the states from which a
    word can end if the stack is empty.
    """

    def __init__(self, machine: PushdownAutomaton, owner: str) -> None:
        self.machine = machine
        self._by_head: dict[tuple[int, int | None], list[StackMove]] = {}
        for move in sorted(machine.moves, key=lambda move: move.symbol):
            self._by_head.setdefault((move.source, move.top), []).append(move)
        self._budget = Budget(owner, MACHINE_STEPS)
        self.pops = self._popping()
        self.bottom = self._living_at_the_bottom()

    def _moves(self, state: int, top: int) -> Iterable[StackMove]:
        """The moves at a top, which may be `EMPTY_STACK`, by their symbols."""
        free, tested = self._by_head.get((state, None), ()), self._by_head.get((state, top), ())
        return merge(free, tested, key=lambda move: move.symbol) if free and tested else free or tested

    def _popping(self) -> dict[tuple[int, int], set[int]]:
        """For a state with a symbol on top: the states in which that can be off the stack, by saturation."""
        budget = self._budget
        budget.spend(self.machine.states * self.machine.stack_symbols)
        pairs = [(p, x) for p in range(self.machine.states) for x in range(self.machine.stack_symbols)]
        pops: dict[tuple[int, int], set[int]] = {pair: set() for pair in pairs}
        growing = True
        while growing:
            growing = False
            pairs.reverse()  # what lies along the numbers of states is then found in two rounds
            for state, top in pairs:
                after, before = pops[state, top], len(pops[state, top])
                for move in self._moves(state, top):
                    budget.spend(1)
                    if move.push is None:
                        after |= {move.target} if move.pop else pops[move.target, top]
                    elif move.pop:
                        after |= pops[move.target, move.push]
                    else:
                        for between in tuple(pops[move.target, move.push]):
                            budget.spend(1 + len(pops[between, top]) // 16)
                            after |= pops[between, top]
                growing = growing or len(after) > before
        return pops

    def _living_at_the_bottom(self) -> frozenset[int]:
        """The states from which a word can end if the stack is empty."""
        steps = []
        for state in range(self.machine.states):
            for move in self._moves(state, EMPTY_STACK):
                after = {move.target} if move.push is None else self.pops[move.target, move.push]
                steps += [(state, target) for target in after]
        return backwards(self.machine.accepting_states, steps)


class LiveStack(Saturated):
    """A pushdown automaton whose stack symbols are annotated; for its methods see `LiveConfigurations`."""

    def __init__(self, machine: PushdownAutomaton) -> None:
        super().__init__(machine, "PushdownAutomaton")
        self._symbols: list[Annotated] = []
        self._numbers: dict[Annotated, int] = {}
        self._alive: list[frozenset[int]] = []  # the living states by annotated symbol
        self._heads = self._reached()

    def _living(self, top: int) -> frozenset[int]:
        """The states from which a word can end with an annotated symbol on top, or with an empty stack."""
        return self.bottom if top == EMPTY_STACK else self._alive[top]

    def _annotated(self, symbol: int, below: frozenset[int]) -> int:
        number = self._numbers.setdefault((symbol, below), len(self._symbols))
        if number == len(self._symbols):
            states = range(self.machine.states)
            self._budget.spend(1 + len(states) // 4)
            self._symbols.append((symbol, below))
            self._alive.append(frozenset(p for p in states if not self.pops[p, symbol].isdisjoint(below)))
        return number

    def _plain(self, top: int) -> int:
        return EMPTY_STACK if top == EMPTY_STACK else self._symbols[top][0]

    def _pushed(self, move: StackMove, top: int) -> int | None:
        """The annotated symbol that a move puts on the stack."""
        if move.push is None:
            return None
        return self._annotated(move.push, self._symbols[top][1] if move.pop else self._living(top))

    def _lives(self, move: StackMove, top: int) -> bool:
        """Whether a word can end after a move."""
        pushed = self._pushed(move, top)
        if pushed is None and move.pop:
            return move.target in self._symbols[top][1]
        return move.target in self._living(top if pushed is None else pushed)

    def _reached(self) -> dict[tuple[int, int], dict[int, StackMove]]:
        """The states and annotated tops that words reach, in the order they are met, and their live moves."""
        heads: dict[tuple[int, int], dict[int, StackMove]] = {}
        waiting = [(0, EMPTY_STACK)] if 0 in self.bottom else []
        for state, top in waiting:  # grows meanwhile
            if (state, top) in heads:
                continue
            moves = self._moves(state, self._plain(top))
            heads[state, top] = {move.symbol: move for move in moves if self._lives(move, top)}
            for move in heads[state, top].values():
                pushed = self._pushed(move, top)
                if pushed is not None:
                    waiting.append((move.target, pushed))
                    if not move.pop:
                        assert move.push is not None
                        back = self.pops[move.target, move.push] & self._living(top)
                        waiting += [(between, top) for between in sorted(back)]
                elif not move.pop:
                    waiting.append((move.target, top))
        return heads

    @property
    def start(self) -> State | None:
        return (0, Stack.empty(len(self._symbols))) if self._heads else None

    def step(self, state: State, symbol: int) -> State | None:
        control, stack = state
        move = self._heads[control, stack.top].get(symbol)
        if move is None:
            return None
        pushed = self._pushed(move, stack.top)
        if move.pop:
            assert stack.below is not None
            stack = stack.below
        return move.target, stack if pushed is None else stack.push(pushed)

    def accepts(self, state: State) -> bool:
        return not state[1] and state[0] in self.machine.accepting_states

    def depths(self, state: State) -> tuple[int, ...]:
        """How often every symbol lies on the stack."""
        depths = [0] * self.machine.stack_symbols
        for (symbol, _), times in zip(self._symbols, state[1].counts, strict=True):
            depths[symbol] += times
        return tuple(depths)

    def situations(self) -> tuple[Situation, ...]:
        possible = ((head, frozenset(moves)) for head, moves in self._heads.items())
        ends = {(state, EMPTY_STACK) for state in self.machine.accepting_states}
        return tuple(Situation(head in ends, symbols, symbols) for head, symbols in possible)

    def tidied(self) -> PushdownAutomaton:
        machine, used = (
            self.machine,
            dict.fromkeys(m for moves in self._heads.values() for m in moves.values()),
        )
        numbers, moves = renumbered((state for state, _ in self._heads), used)
        symbols = (s for m in used for s in (m.top, m.push) if s not in (None, EMPTY_STACK))
        piles: dict[int | None, int | None] = {s: n for n, s in enumerate(dict.fromkeys(symbols))}
        moves = [replace(m, top=piles.get(m.top, m.top), push=piles.get(m.push, m.push)) for m in moves]
        ordered = sorted(moves, key=lambda m: (m.source, m.symbol, -2 if m.top is None else m.top))
        accepting = frozenset(numbers[s] for s in machine.accepting_states if s in numbers)
        return PushdownAutomaton(machine.symbols, len(numbers), len(piles), tuple(ordered), accepting)

    def automaton(self) -> PushdownAutomaton:
        """The machine itself where no move leads to a dead end, else one with annotated symbols."""
        total = sum(1 for state, top in self._heads for _ in self._moves(state, self._plain(top)))
        if total == sum(map(len, self._heads.values())):
            return self.machine
        moves = tuple(
            replace(m, source=state, top=top, push=self._pushed(m, top))
            for (state, top), live in self._heads.items()
            for m in live.values()
        )
        return replace(self.machine, stack_symbols=len(self._symbols), moves=moves)

    @cached_property
    def longest(self) -> int:
        short = self.derivations(0)
        both = sum(action.second != NOTHING for actions in short.actions for action in actions)
        by_rows = MOST_ROWS // (len(short.actions) + both)
        return min(LONGEST, by_rows, isqrt(4 * MOST_ROWS // max(both, 1)))

    def derivations(self, longest: int) -> Derivations:
        return self._goals(longest)[0]

    def _goals(self, longest: int) -> tuple[Derivations, dict[tuple[int, ...], int]]:
        """A goal is to end from a state with an empty stack, or to come from p with X on top to q without."""
        goals: dict[tuple[int, ...], int] = {(0,): 0}
        waiting: list[tuple[int, ...]] = [(0,)]
        actions = []

        def number(*goal: int) -> int:
            if goal not in goals:
                goals[goal] = len(goals)
                waiting.append(goal)
            return goals[goal]

        for goal in waiting:  # grows meanwhile
            state, top = goal[0], goal[1] if len(goal) > 1 else EMPTY_STACK
            rest = goal[1:]

            def reaches(there: int, rest: tuple[int, ...] = rest) -> bool:
                """Whether a state can still do what the goal asks for with its own symbol on top."""
                return rest[1] in self.pops[there, rest[0]] if rest else there in self.bottom

            steps = []
            for move in self._moves(state, top):
                if move.push is None and move.pop:
                    steps += [Action(move.symbol)] if move.target == rest[1] else []
                elif move.push is None:
                    steps += [Action(move.symbol, number(move.target, *rest))] if reaches(move.target) else []
                elif move.pop:
                    if rest[1] in self.pops[move.target, move.push]:
                        steps.append(Action(move.symbol, number(move.target, move.push, rest[1])))
                else:
                    for between in sorted(self.pops[move.target, move.push]):
                        if reaches(between):
                            first = number(move.target, move.push, between)
                            steps.append(Action(move.symbol, first, number(between, *rest)))
            actions.append(tuple(steps))
        ends = tuple(len(goal) == 1 and goal[0] in self.machine.accepting_states for goal in goals)
        return Derivations(tuple(actions), ends, (0,) * len(goals), longest), goals

    def endings(self, state: State, longest: int, cache: dict[Any, Any]) -> list[int]:
        """See `Language.endings`: from the bottom of the stack upwards, for every state of control."""
        control, stack = state
        if len(cache.get("lengths", ())) <= longest + len(stack):
            cache.clear()
            cache["lengths"] = range(longest + len(stack) + 1)
            cache["goals"] = self._goals(longest + len(stack))
        derivations, goals = cache["goals"]
        pile, below = [stack], stack.below
        while below is not None and pile[-1] not in cache:
            pile.append(below)
            below = below.below
        for lower in reversed(pile):
            if lower in cache:
                continue
            lengths, by_state = len(cache["lengths"]) - len(lower), {}
            for goal, number in goals.items():
                counts = derivations.counts[number]
                if not lower and len(goal) == 1:
                    by_state[goal[0]] = counts
                elif lower and goal[1:2] == (self._plain(lower.top),) and goal[2] in cache[lower.below]:
                    after, sums = cache[lower.below][goal[2]], by_state.setdefault(goal[0], [0] * lengths)
                    for first, ways in enumerate(counts[:lengths]):
                        if ways:
                            for rest, more in enumerate(after[: lengths - first]):
                                sums[first + rest] += ways * more
            cache[lower] = by_state
        return cast("list[int]", cache[stack].get(control, [0] * (longest + 1)))
