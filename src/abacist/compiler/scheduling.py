"""When each symbol of a step can be computed: stages of loops over units.

A loop over units computes elementwise operations, and rows of products with vectors that
are complete, and sums of these. A product of a vector that is itself computed in the step waits for the next
stage; a transposed product gathers while its vector's loop runs and is complete after it. Parts
of complete vectors, and units of them repeated, are views: nothing is computed, they are only looked at.
Within a loop, activations that need not wait for each other come together, so that the
processor works at all of them at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from abacist.algebra import OPERATIONS, Symbol, in_order


@dataclass(frozen=True)
class Loop:
    """A loop over the units of vectors of one size: what it computes, and what it gathers.

    `gathers` holds pairs (transposed product, number of its term).
    """

    stage: int
    size: int
    symbols: tuple[Symbol, ...]
    gathers: tuple[tuple[Symbol, int], ...]


@dataclass(frozen=True)
class Schedule:
    """The loops of a step in order, the stage at which each symbol is known, and which are only views."""

    loops: tuple[Loop, ...]
    stages: dict[Symbol, int]
    views: frozenset[Symbol] = frozenset()


def schedule(roots: Sequence[Symbol], given: Iterable[Symbol] = ()) -> Schedule:
    """Plan the loops that compute the roots; `given` symbols are known from before."""
    done = set(given)
    stages = dict.fromkeys(done, 0)
    missing = set(in_order(roots, done))
    needed = [symbol for symbol in in_order(roots) if symbol in missing]
    for symbol in needed:
        ready = (_ready(symbol, argument, stages, done) for argument in symbol.arguments)
        stages[symbol] = max(ready, default=0)
    _postpone(needed, set(roots), stages)
    whole = (s for s in needed if s.arguments and not OPERATIONS[s.operation].elementwise)
    vectors = set(roots).union(*(symbol.arguments for symbol in whole))  # needed as vectors of their own
    views = frozenset(s for s in needed if s.operation in ("part", "repeat") and s not in vectors)
    computed: dict[tuple[int, int], list[Symbol]] = {}
    gathers: dict[tuple[int, int], list[tuple[Symbol, int]]] = {}
    for symbol in needed:
        if symbol.operation == "transposed":
            for term, vector in enumerate(symbol.arguments):
                gathers.setdefault((stages[vector], vector.size), []).append((symbol, term))
                computed.setdefault((stages[vector], vector.size), [])
        elif symbol.arguments and symbol not in views:
            computed.setdefault((stages[symbol], symbol.size), []).append(symbol)
    loops = [
        Loop(*place, tuple(chain(*by_level(computed[place]))), tuple(gathers.get(place, ())))
        for place in sorted(computed)
    ]
    return Schedule(tuple(loops), stages, views)


def _is_activation(symbol: Symbol) -> bool:
    """Whether it takes long: an exponential."""
    return bool(symbol.arguments) and OPERATIONS[symbol.operation].cost.exponentials > 0


def by_level(symbols: Iterable[Symbol]) -> list[list[Symbol]]:
    """Group symbols by the number of activations on the way to them, themselves included.

    Those of one level need only what comes before the level, and its activations come first.
    """
    depths: dict[Symbol, int] = {}

    def level(symbol: Symbol) -> int:
        if symbol not in depths:
            below = max(map(level, symbol.arguments), default=0)
            depths[symbol] = below + _is_activation(symbol)
        return depths[symbol]

    levels: dict[int, list[Symbol]] = {}
    for symbol in sorted(symbols, key=lambda s: (level(s), not _is_activation(s))):
        levels.setdefault(max(1, level(symbol)), []).append(symbol)
    return list(levels.values())


def one_division(symbol: Symbol, uses: Counter[Symbol]) -> bool:
    """Whether a symbol is the product of a sigmoid and a tanh that nobody else uses."""
    kinds = sorted(argument.operation for argument in symbol.arguments)
    product = symbol.operation == "multiply" and kinds == ["sigmoid", "tanh"]
    return product and all(uses[argument] == 1 for argument in symbol.arguments)


def _postpone(needed: list[Symbol], roots: set[Symbol], stages: dict[Symbol, int]) -> None:
    """Move what only later loops over the same units use into the first of them."""
    users: dict[Symbol, list[Symbol]] = {}
    for symbol in needed:
        for argument in symbol.arguments:
            users.setdefault(argument, []).append(symbol)
    for symbol in reversed(needed):
        after = users.get(symbol, [])
        if (
            symbol.arguments
            and symbol not in roots
            and symbol.operation != "transposed"
            and all(OPERATIONS[user.operation].elementwise and user.size == symbol.size for user in after)
        ):
            stages[symbol] = min(stages[user] for user in after)


def _ready(symbol: Symbol, argument: Symbol, stages: dict[Symbol, int], done: set[Symbol]) -> int:
    """The first stage at which a symbol can use an argument."""
    whole = not OPERATIONS[symbol.operation].elementwise
    waits = symbol.operation == "transposed" or (whole and bool(argument.arguments) and argument not in done)
    return stages[argument] + waits


def crossing(plan: Schedule) -> list[Symbol]:
    """Symbols that a loop later than their own uses, and that must therefore be kept in memory."""
    crossing: dict[Symbol, None] = {}
    for loop in plan.loops:
        for symbol in loop.symbols:
            for argument in symbol.arguments:
                whole = argument.operation == "transposed" or symbol.operation == "linear"
                if argument in plan.views:
                    (argument,), whole = argument.arguments, True
                here = (plan.stages[argument], argument.size) == (loop.stage, loop.size)
                if argument.arguments and (whole or not here):
                    crossing[argument] = None
        for symbol, term in loop.gathers:
            vector = symbol.arguments[term]
            if vector.operation == "transposed":
                crossing[vector] = None
    return list(crossing)


def looked_at(plan: Schedule, symbol: Symbol) -> bool:
    """Whether the units of a leaf are asked for one by one, and not only its product with a matrix."""
    users = (*(user for loop in plan.loops for user in loop.symbols), *plan.views)
    return any(symbol in user.arguments and user.operation != "linear" for user in users)
