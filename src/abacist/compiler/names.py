"""Names for the local variables of printed programs: the formula's own where it has one."""

from __future__ import annotations

from abacist.algebra import Symbol


class Names:
    """Gives every symbol a name of its own."""

    def __init__(self, wanted: dict[Symbol, str]) -> None:
        self._wanted = wanted
        self._given: dict[Symbol, str] = {}
        self._taken: set[str] = set()

    def __getitem__(self, symbol: Symbol) -> str:
        if symbol not in self._given:
            base = self._wanted.get(symbol, "v")
            name, number = f"{base}_" if base != "v" else "v1", 1
            while name in self._taken:
                number += 1
                name = f"{base}_{number}" if base != "v" else f"v{number}"
            self._taken.add(name)
            self._given[symbol] = name
        return self._given[symbol]
