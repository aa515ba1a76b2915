"""Activations two by two: two that do not wait for each other share a division."""

from __future__ import annotations

from collections.abc import Sequence

from abacist.algebra import Symbol

_ACTIVATIONS = ("sigmoid", "tanh")


def in_pairs(symbols: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
    """Order the symbols of a loop so that activations which are ready together come in pairs.

    The level of a symbol is the number of activations on the way to it, itself included.
    Those of one level need only what comes before the level. In a pair, a sigmoid is first.
    """
    levels: dict[Symbol, int] = {}

    def level(symbol: Symbol) -> int:
        if symbol not in levels:
            below = max((level(a) for a in symbol.arguments), default=0)
            levels[symbol] = below + (symbol.operation in _ACTIVATIONS)
        return levels[symbol]

    groups: list[tuple[Symbol, ...]] = []
    for height in sorted({level(s) for s in symbols}):
        here = [s for s in symbols if level(s) == height]
        active = sorted((s for s in here if s.operation in _ACTIVATIONS), key=lambda s: s.operation)
        groups += [tuple(active[n : n + 2]) for n in range(0, len(active), 2)]
        groups += [(s,) for s in here if s.operation not in _ACTIVATIONS]
    return groups
