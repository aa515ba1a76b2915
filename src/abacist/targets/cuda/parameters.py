"""Which thread has which parameter, and what weights, tables and states are called in a printed program.

A lane has the rows of its units, and what belongs to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.compiler import Gradient, plan_recomputing, recomputed_backward
from abacist.compiler.statements import Place
from abacist.targets.cuda.emitter import CudaEmitter, Text, rounds

#: A table of at most so many symbols is in registers, a larger one in shared memory.
FEW_SYMBOLS = 4


@dataclass(frozen=True)
class Block:
    """Some rows of a tensor that have one gradient: unit u has row u.

    `first` is its first number among all parameters, `slot` the first of the numbers of a lane: those of its
    rows, round by round. `vector` names the whole vector that the matrix is multiplied with, `x` for the
    input; it is empty for a bias. A `shared` one is the same as one before it, for another vector.
    """

    first: int
    rows: int
    columns: int
    vector: str
    slot: int
    shared: bool = False

    def slots(self, lanes: int) -> int:
        return len(rounds(self.rows, lanes)) * self.columns


@dataclass(frozen=True)
class Sum:
    """What has one adjoint in common: matrices, biases, perhaps a matrix of the input.

    `tabled` tells whether the biases are looked up together with the matrix of the input.
    """

    blocks: tuple[Block, ...]
    tabled: bool

    @property
    def rows(self) -> int:
        return self.blocks[0].rows

    @cached_property
    def of_input(self) -> Block | None:
        return next((block for block in self.blocks if block.vector == "x"), None)

    def looks_up(self, block: Block) -> bool:
        """Whether a block only makes a table."""
        return block.vector == "x" or (self.tabled and not block.vector)

    @property
    def matrices(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.vector not in ("", "x"))

    @property
    def biases(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if not block.vector)


class Parameters:
    """All parameters of a layout, divided among the lanes of a run, with their names in a program.

    Programs whose tables lie in shared memory say with `in_shared` where entry {} of all of them is.
    """

    def __init__(self, layout: Layout, lanes: int, objective: str = "squared", in_shared: str = "") -> None:
        plan = plan_recomputing(layout, objective)
        _, vectors = recomputed_backward(plan)
        self.lanes, self.layout, self._in_shared = lanes, layout, in_shared
        tables = [(t.row, (t.matrix.tensor, t.matrix.first_row)) for t in plan.tables.values()]
        self.sums: list[Sum] = []
        #: Of the rows of each table, by the number of its first row among all tables: the sum.
        self.tables: dict[int, int] = {}
        slot, first_uses = 0, dict[int, Block]()
        for number, gradients in enumerate(plan.sums.values()):
            blocks = []
            for gradient in gradients:
                block = self._block(gradient, vectors, slot)
                if block.vector not in ("", "x") and (again := first_uses.get(block.first)):
                    block = replace(again, vector=block.vector, shared=True)
                else:
                    slot += block.slots(lanes)
                    first_uses[block.first] = block
                blocks.append(block)
            matrices = {(gradient.tensor, gradient.first_row) for gradient in gradients}
            rows = [row for row, matrix in tables if matrix in matrices]
            self.tables = dict.fromkeys(rows, number) | self.tables
            self.sums.append(Sum(tuple(blocks), bool(rows)))
        self.slots = slot

    def _block(self, gradient: Gradient, vectors: dict[Any, str], slot: int) -> Block:
        columns = 1 if gradient.columns is None else gradient.columns.size
        first = self.layout.starts[gradient.tensor] + gradient.first_row * columns
        vector = "" if gradient.columns is None else vectors[gradient.columns]
        return Block(first, gradient.rows.size, columns, vector, slot)

    @property
    def few(self) -> bool:
        """Whether tables are in registers."""
        return self.layout.inputs <= FEW_SYMBOLS

    @cached_property
    def first_rows(self) -> dict[int, int]:
        """By the number of each sum with something to look up: the first row of its table in a lane."""
        numbers = [number for number, sum_ in enumerate(self.sums) if sum_.of_input is not None]
        counts = (len(rounds(self.sums[number].rows, self.lanes)) for number in numbers)
        return dict(zip(numbers, accumulate(counts, initial=0), strict=False))

    @cached_property
    def table_rows(self) -> int:
        """How many rows of tables a lane has."""
        return sum(len(rounds(self.sums[number].rows, self.lanes)) for number in self.first_rows)

    @property
    def shared_numbers(self) -> int:
        """How many numbers of tables a lane has in shared memory."""
        return 0 if self.few else self.layout.inputs * self.table_rows

    @cached_property
    def register_slots(self) -> list[int]:
        """The slots whose weights are in registers: of matrices, and of biases that are not looked up."""
        return [
            slot
            for sum_ in self.sums
            for block in sum_.blocks
            if not sum_.looks_up(block) and not block.shared
            for slot in range(block.slot, block.slot + block.slots(self.lanes))
        ]

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The parameter that is in each slot of each lane, (slot, lane), −1 where there is none."""
        places = np.full((self.slots, self.lanes), -1, np.int64)
        for block in (block for sum_ in self.sums for block in sum_.blocks if not block.shared):
            for unit in range(block.rows):
                number, lane = divmod(unit, self.lanes)
                slot = block.slot + number * block.columns
                first = block.first + unit * block.columns
                places[slot : slot + block.columns, lane] = np.arange(first, first + block.columns)
        return places

    @cached_property
    def unused(self) -> NDArray[np.int64]:
        """The parameters that the formula does not use: nothing changes them but decay."""
        return np.setdiff1d(np.arange(self.layout.size), self.places)

    @property
    def fits(self) -> bool:
        """Whether no parameter is in two slots, and all that share a matrix divide it alike."""
        used = self.places[self.places >= 0]
        blocks = [block for sum_ in self.sums for block in sum_.blocks]
        alike = all(
            (block.rows, block.columns) == (other.rows, other.columns)
            for block in blocks
            for other in blocks
            if block.slot == other.slot
        )
        return alike and len(used) == len(np.unique(used))

    def spread(self, rows: NDArray[Any], block: int) -> NDArray[Any]:
        """Parameters (run, parameter) as blocks of threads have them, (block, slot, thread): zeros where
        there are none."""
        threads = len(rows) * self.lanes
        values = np.where(self.places[None] >= 0, rows[:, np.maximum(self.places, 0)], 0)
        out = np.zeros((self.slots, -(-threads // block) * block), rows.dtype)
        out[:, :threads] = values.transpose(1, 0, 2).reshape(self.slots, threads)
        return np.ascontiguousarray(out.reshape(self.slots, -1, block).swapaxes(0, 1))

    def gathered(self, spread: NDArray[Any], runs: int) -> NDArray[Any]:
        """The inverse of `spread`."""
        threads = spread.swapaxes(0, 1).reshape(self.slots, -1)[:, : runs * self.lanes]
        whole = threads.reshape(self.slots, runs, self.lanes)
        rows = np.zeros((runs, self.layout.size), spread.dtype)
        slots, lanes = np.nonzero(self.places >= 0)
        rows[:, self.places[slots, lanes]] = whole[slots, :, lanes].T
        return rows

    def rounds(self, size: int) -> range:
        return rounds(size, self.lanes)

    def entries(self) -> Iterator[tuple[int, int, int]]:
        """All entries of tables: the number of the sum, the round and the symbol."""
        for number in self.first_rows:
            for r in self.rounds(self.sums[number].rows):
                yield from ((number, r, symbol) for symbol in range(self.layout.inputs))

    def table(self, number: int, r: int, symbol: int | str, of: str = "t") -> str:
        """An entry of a table, or `of` another array like it: d, its gradient."""
        if self.few:
            return f"{of}{number}_{r}_{symbol}"
        row = self.first_rows[number] + r + (self.table_rows if of == "d" else 0)
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


#: Which thread has which parameter.
parameters_of = lru_cache(maxsize=64)(Parameters)


class NetworkEmitter(CudaEmitter):
    """Emits steps of a network: its parameters are in registers, its input's part of a sum in tables."""

    def __init__(self, text: Text, names: Parameters) -> None:
        super().__init__(text, names.lanes)
        self._names = names
        self._by_first: dict[int, tuple[int, Block]] = {
            block.first: (number, block) for number, sum_ in enumerate(names.sums) for block in sum_.blocks
        }

    def load(self, place: Place, column: int = 0) -> str:
        if place.array != "weights":
            return super().load(place, column)
        _, block = self._by_first[place.offset]
        return f"w{block.slot + self.round * block.columns + column}"

    def lookup(self, place: Place) -> str:
        table = place.array == "tables"
        number = self._names.tables[place.offset] if table else self._by_first[place.offset][0]
        return self._names.chosen(number, self.round)
