"""Which thread has which parameter: a lane has the rows of its units, and what belongs to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import Gradient, RecomputingPlan


def rounds(size: int, lanes: int) -> range:
    """The rounds of a lane for a vector of some size."""
    return range(-(-size // lanes))


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
    """All parameters of a layout, divided among the lanes of a run."""

    def __init__(self, plan: RecomputingPlan, vectors: dict[Any, str], lanes: int) -> None:
        self.lanes, self.layout = lanes, plan.layout
        tabled = {(table.matrix.tensor, table.matrix.first_row) for table in plan.tables.values()}
        self.sums: list[Sum] = []
        slot, known = 0, dict[int, Block]()
        for gradients in plan.sums.values():
            blocks = []
            for gradient in gradients:
                block = self._block(gradient, vectors, slot)
                if block.vector not in ("", "x") and (again := known.get(block.first)):
                    block = replace(again, vector=block.vector, shared=True)
                else:
                    slot += block.slots(lanes)
                    known[block.first] = block
                blocks.append(block)
            looked_up = any((g.tensor, g.first_row) in tabled for g in gradients)
            self.sums.append(Sum(tuple(blocks), looked_up))
        self.slots = slot
        #: Of the rows of each table, by the number of its first row among all tables: the sum.
        self.tables = {
            table.row: next(
                number
                for number, gradients in enumerate(plan.sums.values())
                if any(
                    (g.tensor, g.first_row) == (table.matrix.tensor, table.matrix.first_row)
                    for g in gradients
                )
            )
            for table in plan.tables.values()
        }

    def _block(self, gradient: Gradient, vectors: dict[Any, str], slot: int) -> Block:
        columns = 1 if gradient.columns is None else gradient.columns.size
        first = self.layout.starts[gradient.tensor] + gradient.first_row * columns
        vector = "" if gradient.columns is None else vectors[gradient.columns]
        return Block(first, gradient.rows.size, columns, vector, slot)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The parameter that is in each slot of each lane, (slot, lane), −1 where there is none."""
        places = np.full((self.slots, self.lanes), -1, np.int64)
        for block in (block for own in self.sums for block in own.blocks if not block.shared):
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
        found = self.places[self.places >= 0]
        blocks = [block for own in self.sums for block in own.blocks]
        alike = all(
            (block.rows, block.columns) == (other.rows, other.columns)
            for block in blocks
            for other in blocks
            if block.slot == other.slot
        )
        return alike and len(found) == len(np.unique(found))

    def spread(self, rows: NDArray[Any], block: int) -> NDArray[Any]:
        """Parameters (run, parameter) as blocks of threads have them, (block, slot, thread): zeros where
        there are none."""
        threads = len(rows) * self.lanes
        found = np.where(self.places[None] >= 0, rows[:, np.maximum(self.places, 0)], 0)
        out = np.zeros((self.slots, -(-threads // block) * block), rows.dtype)
        out[:, :threads] = found.transpose(1, 0, 2).reshape(self.slots, threads)
        return np.ascontiguousarray(out.reshape(self.slots, -1, block).swapaxes(0, 1))

    def gathered(self, spread: NDArray[Any], runs: int) -> NDArray[Any]:
        """The inverse of `spread`."""
        threads = spread.swapaxes(0, 1).reshape(self.slots, -1)[:, : runs * self.lanes]
        whole = threads.reshape(self.slots, runs, self.lanes)
        rows = np.zeros((runs, self.layout.size), spread.dtype)
        slots, lanes = np.nonzero(self.places >= 0)
        rows[:, self.places[slots, lanes]] = whole[slots, :, lanes].T
        return rows
