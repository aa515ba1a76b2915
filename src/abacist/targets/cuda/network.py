"""What the weights, tables and states of a network are called in a printed program."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from abacist.cells import Layout
from abacist.compiler import plan_recomputing, recomputed_backward
from abacist.compiler.statements import Place
from abacist.targets.cuda.emitter import CudaEmitter, Text
from abacist.targets.cuda.parameters import Block, Parameters, Sum, rounds

#: A table of at most so many symbols is in registers, a larger one in shared memory.
FEW_SYMBOLS = 4


@lru_cache(maxsize=64)
def parameters_of(layout: Layout, lanes: int, objective: str = "squared") -> Parameters:
    """Which thread has which parameter."""
    plan = plan_recomputing(layout, objective)
    _, vectors = recomputed_backward(plan)
    return Parameters(plan, vectors, lanes)


class Names:
    """The names of a network that a few lanes share; `in_shared` is where entry {} of all tables is."""

    def __init__(self, layout: Layout, lanes: int, in_shared: str, objective: str = "squared") -> None:
        self.layout, self.lanes, self._in_shared = layout, lanes, in_shared
        self.own = parameters_of(layout, lanes, objective)
        self.few = layout.inputs <= FEW_SYMBOLS

    def rounds(self, size: int) -> range:
        return rounds(size, self.lanes)

    @cached_property
    def _bases(self) -> dict[int, int]:
        """The number of the first row of every table, and behind them how many there are."""
        bases, base = {}, 0
        for number, own in self.tables():
            bases[number] = base
            base += len(self.rounds(own.rows))
        return bases | {-1: base}

    @property
    def table_rows(self) -> int:
        """How many rows of tables a lane has."""
        return self._bases[-1]

    @property
    def shared_numbers(self) -> int:
        """How many numbers of tables a lane has in shared memory."""
        return 0 if self.few else self.layout.inputs * self.table_rows

    def tables(self) -> Iterator[tuple[int, Sum]]:
        """The sums with something to look up, and their numbers."""
        return ((number, own) for number, own in enumerate(self.own.sums) if own.of_input is not None)

    def register_slots(self) -> list[int]:
        """The slots whose weights are in registers: of matrices, and of biases that are not looked up."""
        return [
            slot
            for own in self.own.sums
            for block in own.blocks
            if not own.looks_up(block) and not block.shared
            for slot in range(block.slot, block.slot + block.slots(self.lanes))
        ]

    def table(self, number: int, r: int, symbol: int | str, of: str = "t") -> str:
        """An entry of a table, or `of` another array like it: d, its gradient."""
        if self.few:
            return f"{of}{number}_{r}_{symbol}"
        row = self._bases[number] + r + (self.table_rows if of == "d" else 0)
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
            block.first: (number, block) for number, own in enumerate(names.own.sums) for block in own.blocks
        }

    def parameter(self, place: Place, column: int = 0) -> str:
        _, block = self._by_first[place.offset]
        return f"w{block.slot + self.round * block.columns + column}"

    def lookup(self, place: Place) -> str:
        table = place.array == "tables"
        number = self._names.own.tables[place.offset] if table else self._by_first[place.offset][0]
        return self._names.chosen(number, self.round)
