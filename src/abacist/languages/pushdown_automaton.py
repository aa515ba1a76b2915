"""The deterministic real-time pushdown automaton, DPA (that of Dyck-n is in `dyck.py`), and its stacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from abacist.errors import BadMove
from abacist.languages.automaton import Automaton, Configuration

#: The `top` of moves for an empty stack alone.
EMPTY_STACK = -1


@dataclass(frozen=True)
class StackMove:
    """From `source` on `symbol`, with `top` on the stack (None: whatever is there), go to `target`.

    Then, if `pop`, take the top off; then, if `push` is not None, put it on. `EMPTY_STACK` as `top` asks
    for an empty stack.
    """

    source: int
    symbol: int
    top: int | None
    target: int
    pop: bool = False
    push: int | None = None


@dataclass(frozen=True)
class PushdownAutomaton(Automaton):
    """A finite control with one stack; it accepts in an accepting state with an empty stack."""

    symbols: int
    states: int
    stack_symbols: int
    moves: tuple[StackMove, ...]
    accepting_states: frozenset[int]

    def __post_init__(self) -> None:
        self._check(self.accepting_states, self.moves)
        seen: dict[tuple[int, int], set[int | None]] = {}
        for move in self.moves:
            tested = None if move.top == EMPTY_STACK else move.top
            if any(s is not None and not 0 <= s < self.stack_symbols for s in (tested, move.push)):
                rule = f"stack symbols must be below {self.stack_symbols}"
                raise BadMove("PushdownAutomaton", rule, move)
            if move.pop and tested is None:
                raise BadMove("PushdownAutomaton", "a move that pops must say what", move)
            tops = seen.setdefault((move.source, move.symbol), set())
            if move.top in tops or None in tops or (move.top is None and tops):
                raise self._second(move)
            tops.add(move.top)

    @cached_property
    def _by_key(self) -> dict[tuple[int, int, int | None], StackMove]:
        return {(m.source, m.symbol, m.top): m for m in self.moves}

    @property
    def kind(self) -> str:
        return "DPA"

    @property
    def initial(self) -> Configuration:
        return 0, ()

    def move(self, configuration: Configuration, symbol: int) -> Configuration | None:
        state, stack = configuration
        move = self._by_key.get((state, symbol, None))
        if move is None:
            move = self._by_key.get((state, symbol, stack[-1] if stack else EMPTY_STACK))
        if move is None:
            return None
        if move.pop:
            stack = stack[:-1]
        if move.push is not None:
            stack = (*stack, move.push)
        return move.target, stack

    def accepting(self, configuration: Configuration) -> bool:
        state, stack = configuration
        return state in self.accepting_states and not stack

    def heights(self, configuration: Configuration) -> tuple[int, ...]:
        return (len(configuration[1]),)


class Stack:
    """Numbers on top of each other, and how often each lies there; pushing shares all that lies below.

    Compared and hashed by content, without recursion, however high it is.

    >>> stack = Stack.empty(2).push(0).push(1).push(1)
    >>> list(stack), stack.counts, list(stack.below)
    ([1, 1, 0], (1, 2), [1, 0])
    """

    __slots__ = ("_hash", "below", "counts", "height", "top")

    def __init__(self, below: Stack | None, top: int, counts: tuple[int, ...]) -> None:
        self.below = below
        self.top = top
        self.counts = counts
        self.height: int = 0 if below is None else below.height + 1
        self._hash: int = hash((0 if below is None else below._hash, top))

    @classmethod
    def empty(cls, numbers: int) -> Stack:
        """The empty stack for numbers below a bound; its top is −1."""
        return cls(None, -1, (0,) * numbers)

    def push(self, number: int) -> Stack:
        counts = list(self.counts)
        counts[number] += 1
        return Stack(self, number, tuple(counts))

    def __len__(self) -> int:
        return self.height

    def __iter__(self) -> Iterator[int]:
        """From the top down."""
        here = self
        while here.below is not None:
            yield here.top
            here = here.below

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        if (self._hash, self.counts) != (other._hash, other.counts):
            return False
        mine: Stack | None = self
        theirs: Stack | None = other
        while mine is not theirs and mine is not None and theirs is not None:
            if mine.top != theirs.top:
                return False
            mine, theirs = mine.below, theirs.below
        return True

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Stack({', '.join(map(str, reversed(list(self))))})"
