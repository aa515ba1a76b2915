"""A plan of memory: which vectors of a step lie where."""

from __future__ import annotations

from abacist.algebra import Symbol


class Tape:
    """Offsets of symbols, counted in vectors of lanes; `width` is how many a step takes."""

    def __init__(self) -> None:
        self.offsets: dict[Symbol, int] = {}
        self.width = 0

    def add(self, symbol: Symbol) -> int:
        self.offsets[symbol] = self.reserve(symbol.size)
        return self.offsets[symbol]

    def reserve(self, size: int) -> int:
        self.width += size
        return self.width - size

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self.offsets
