"""A stack that never changes: pushing and popping share all that lies below."""

from __future__ import annotations

from collections.abc import Iterator


class Stack:
    """Numbers on top of each other, and how often each of them lies there.

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
