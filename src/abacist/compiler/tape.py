"""A plan of memory: which vectors of a step lie where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from abacist.algebra import Symbol


@dataclass(frozen=True)
class Tape:
    """Offsets of symbols, counted in numbers of one run; `width` is how many a step takes."""

    offsets: Mapping[Symbol, int]
    width: int

    @classmethod
    def of(cls, symbols: Iterable[Symbol], reserved: int = 0) -> Tape:
        """Symbols one after the other, each once, behind some reserved room."""
        offsets: dict[Symbol, int] = {}
        width = reserved
        for symbol in symbols:
            if symbol not in offsets:
                offsets[symbol] = width
                width += symbol.size
        return cls(MappingProxyType(offsets), width)

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self.offsets
