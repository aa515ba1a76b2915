"""What the weights, tables and states of a network are called in a printed program."""

from __future__ import annotations

from collections.abc import Iterator

from abacist.cells import Layout
from abacist.compiler.statements import Place
from abacist.targets.cuda.emitter import CudaEmitter, Text
from abacist.targets.cuda.parameters import Block, parameters_of, rounds


class Names:
    """The names of a network that a few lanes share; `in_shared` is where entry {} of all tables is."""

    def __init__(self, layout: Layout, lanes: int, in_shared: str, objective: str = "squared") -> None:
        self.layout, self.lanes, self._in_shared = layout, lanes, in_shared
        self.parameters = parameters_of(layout, lanes, objective)
        self.sums, self.few = self.parameters.sums, self.parameters.few

    def rounds(self, size: int) -> range:
        return rounds(size, self.lanes)

    def entries(self) -> Iterator[tuple[int, int, int]]:
        """All entries of tables: the number of the sum, the round and the symbol."""
        for number in self.parameters.first_rows:
            for r in self.rounds(self.sums[number].rows):
                yield from ((number, r, symbol) for symbol in range(self.layout.inputs))

    def table(self, number: int, r: int, symbol: int | str, of: str = "t") -> str:
        """An entry of a table, or `of` another array like it: d, its gradient."""
        if self.few:
            return f"{of}{number}_{r}_{symbol}"
        row = self.parameters.first_rows[number] + r + (self.parameters.table_rows if of == "d" else 0)
        return self._in_shared.format(f"{row * self.layout.inputs} + {symbol}")

    def chosen(self, number: int, r: int) -> str:
        """The entry of a table for the input's symbol."""
        if not self.few:
            return self.table(number, r, "symbol")
        entry = self.table(number, r, self.layout.inputs - 1)
        for symbol in reversed(range(self.layout.inputs - 1)):
            entry = f"(symbol == {symbol} ? {self.table(number, r, symbol)} : {entry})"
        return entry

    def states(self, array: str) -> list[str]:
        """The variables of all states, a lane's part of each."""
        sizes = zip(self.layout.state_starts, self.layout.state_sizes, strict=True)
        return [f"{array}{start}_{r}" for start, size in sizes for r in self.rounds(size)]


class NetworkEmitter(CudaEmitter):
    """Emits steps of a network: its parameters are in registers, its input's part of a sum in tables."""

    def __init__(self, text: Text, names: Names) -> None:
        super().__init__(text, names.lanes)
        self._names = names
        self._by_first: dict[int, tuple[int, Block]] = {
            block.first: (number, block) for number, own in enumerate(names.sums) for block in own.blocks
        }

    def parameter(self, place: Place, column: int = 0) -> str:
        _, block = self._by_first[place.offset]
        return f"w{block.slot + self.round * block.columns + column}"

    def lookup(self, place: Place) -> str:
        table = place.array == "tables"
        number = self._names.parameters.tables[place.offset] if table else self._by_first[place.offset][0]
        return self._names.chosen(number, self.round)
