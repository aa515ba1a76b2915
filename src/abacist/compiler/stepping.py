"""Plans of single steps: many states, or many boxes of states, one symbol further.

A step of boxes is the same formula read with intervals whose bounds are symbols. Its parameters are
the network's, and behind them what is made of its matrices: their absolute values, and multiples of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import OPERATIONS, Interval, IntervalMatrix, Matrix, Symbol, in_order, leaf
from abacist.algebra.rounding import rounding_margins
from abacist.cells import Layout
from abacist.cells.content import symbols_of
from abacist.compiler.lowering import lowered
from abacist.compiler.places import Names, Places, Tape, of_unit
from abacist.compiler.plan import plan_judging
from abacist.compiler.scheduling import Schedule, crossing, looked_at, schedule
from abacist.compiler.statements import Given, Place, Statement, Store, StoreAll, UnitLoop
from abacist.errors import BadInput

Array = NDArray[Any]


@dataclass(frozen=True)
class Multiple(Matrix):
    """A block of rows times a number, or their absolute values: behind the parameters, unless it is one."""

    source: Matrix
    factor: float = 1.0
    magnitudes: bool = False

    @classmethod
    def of(cls, source: Matrix, factor: float = 1.0, magnitudes: bool = False) -> Multiple:
        name = f"{source.tensor}[{source.first_row}] · {factor!r}{' magnitudes' * magnitudes}"
        return cls(name, 0, source.rows, source.columns, source, factor, magnitudes)

    def __mul__(self, factor: float) -> Multiple:
        return Multiple.of(self.source, self.factor * factor, self.magnitudes)

    def place(self, starts: Mapping[str, int]) -> int:
        """Where the rows that it is made of begin."""
        return starts[self.source.tensor] + self.source.first_row * self.columns

    def made_of(self, row: Array, starts: Mapping[str, int]) -> Array:
        """Its numbers, by all parameters of a network, rounded once."""
        rows = row[self.place(starts) :][: self.rows * self.columns].astype(np.float64)
        return np.asarray(self.factor * (np.abs(rows) if self.magnitudes else rows)).astype(row.dtype)


@dataclass(frozen=True)
class SteppingPlan:
    """A step from states to states and the sums of the output layer.

    `before` and `after` are the vectors that go in and come out: the states, then (only after) the
    sums; of boxes, the lower bounds of each before its upper ones. What depends on no state is computed
    `once` for all of them. `starts` says where tensors begin among the parameters, behind which lie the
    `multiples`, and `room` holds what is the same for all, and whole vectors and what else waits for a later
    loop.
    """

    layout: Layout
    starts: dict[str, int]
    multiples: tuple[Multiple, ...]
    x: Symbol
    before: Tape
    after: Tape
    once: Schedule
    steps: Schedule
    room: Tape

    @property
    def looks_around(self) -> bool:
        """Whether a unit of a vector is computed of other units of others: then vectors must be in memory."""
        loops = (*self.once.loops, *self.steps.loops)
        operations = {symbol.operation for loop in loops for symbol in loop.symbols}
        return bool(self.once.views or self.steps.views or operations & {"part", "repeat", "segment_sum"})

    def statements(self) -> tuple[list[Statement], list[Statement]]:
        """What is done once, and the step.

        What goes in is given, and what comes out handed over, by the place of its first unit: `before 0`,
        `after 2`.
        """
        places, names = Places(vectors={self.x: "x"}), Names({})
        for symbol, offset in self.before.offsets.items():
            places.elements[symbol] = Given(f"before {offset}")
        for symbol, offset in self.after.offsets.items():
            places.hand_over(symbol, f"after {offset}")
        first: list[Statement] = []
        whole: list[Statement] = []
        for symbol, offset in self.room.offsets.items():
            place = Place("room", "", offset)
            places.put(symbol, place)
            if symbol is self.x:
                first.append(StoreAll(place, "x", symbol.size))
            elif not symbol.arguments:
                whole.append(UnitLoop(symbol.size, ((1, Store(of_unit(place), places.elements[symbol])),)))
        roots = tuple(self.after.offsets)
        same = fixed(roots, tuple(self.before.offsets))
        once = lowered(self.starts, self.once, places, names, same)
        return [*first, *once], [*whole, *lowered(self.starts, self.steps, places, names, roots)]

    def parameters(self, row: Array) -> Array:
        """The parameters of one network as the program wants them."""
        multiples = (multiple.made_of(row, self.layout.starts) for multiple in self.multiples)
        return np.concatenate([row, *multiples])


@lru_cache(maxsize=64)
def plan_stepping(layout: Layout) -> SteppingPlan:
    """Plan steps of states."""
    tensor_slice = symbols_of(layout.shapes)
    x = leaf("input", layout.inputs)
    before = tuple(leaf("state", size, index) for index, size in enumerate(layout.state_sizes))
    after = layout.cell.advance(layout.weights(tensor_slice), x, before)
    return _planned(layout, x, before, (*after, layout.sums(tensor_slice, after[0])))


@lru_cache(maxsize=64)
def plan_boxes(layout: Layout, precision: str) -> SteppingPlan:
    """Plan steps of boxes that hold what programs of a precision compute."""
    margins, symbols = rounding_margins(precision, longest_sum(layout)), symbols_of(layout.shapes)

    def tensor_slice(tensor: str, first: int, rows: int) -> Any:
        block = symbols(tensor, first, rows)
        if isinstance(block, Matrix):
            return IntervalMatrix(Multiple.of(block), Multiple.of(block, magnitudes=True))
        return Interval(block, block, margins)

    x = leaf("input", layout.inputs)
    bounds = [
        (leaf("state", size, 2 * index), leaf("state", size, 2 * index + 1))
        for index, size in enumerate(layout.state_sizes)
    ]
    states = tuple(Interval(low, high, margins) for low, high in bounds)
    one_hot = Interval(x, x, margins, one_hot=True)
    try:
        after = layout.cell.advance(layout.weights(tensor_slice), one_hot, states)
        results = (*after, layout.sums(tensor_slice, after[0]))
    except TypeError as error:
        raise BadInput(f"{layout.cell.name}: nothing can be proved of it, since {error}") from None
    flat = tuple(bound for interval in results for bound in (interval.lower, interval.upper))
    return _planned(layout, x, tuple(b for pair in bounds for b in pair), flat)


def reached_numbers(layout: Layout, steps: int) -> NDArray[np.int64]:
    """The numbers of a state that may differ from zero after so many steps from the start."""
    growths = plan_judging(layout).filling.growths
    reached = (
        start + np.arange(min(size, growths.get(number, size) * steps))
        for number, (start, size) in enumerate(zip(layout.state_starts, layout.state_sizes, strict=True))
    )
    return np.concatenate([*reached]).astype(np.int64)


def longest_sum(layout: Layout) -> int:
    """How many terms the longest sum of a step has that programs may add up in any order."""
    terms: dict[Symbol, int] = {}
    for symbol in in_order(tuple(plan_stepping(layout).after.offsets)):
        terms[symbol] = 1
        if symbol.operation == "linear":
            terms[symbol] = symbol.detail.columns
        elif symbol.operation in ("add", "subtract"):
            terms[symbol] = sum(terms[argument] for argument in symbol.arguments)
    return max(terms.values())


def _planned(
    layout: Layout, x: Symbol, before: tuple[Symbol, ...], after: tuple[Symbol, ...]
) -> SteppingPlan:
    after = tuple(  # one that is only handed on is computed, too, and one that comes out twice has two places
        symbol if symbol.arguments and symbol not in after[:place] else symbol + 0.0
        for place, symbol in enumerate(after)
    )
    used = dict.fromkeys(s.detail for s in in_order(after) if isinstance(s.detail, Multiple))
    multiples = tuple(multiple for multiple in used if multiple.magnitudes or multiple.factor != 1)
    places = accumulate((multiple.rows * multiple.columns for multiple in multiples), initial=layout.size)
    starts = layout.starts | {multiple.tensor: multiple.place(layout.starts) for multiple in used}
    starts |= {multiple.tensor: place for multiple, place in zip(multiples, places, strict=False)}
    same = fixed(after, before)
    once, steps = schedule(same), schedule(after, same)
    computed = {symbol for loop in steps.loops for symbol in loop.symbols}
    looking = {symbol for symbol in computed if not OPERATIONS[symbol.operation].elementwise}
    users = (symbol for symbol in in_order(after) if symbol in looking | steps.views)
    whole = (vector for user in users for vector in user.arguments if vector in before)
    inputs = [x] if looked_at(once, x) or looked_at(steps, x) else []
    room = Tape.of((*inputs, *whole, *same, *crossing(once), *crossing(steps)))
    return SteppingPlan(layout, starts, multiples, x, Tape.of(before), Tape.of(after), once, steps, room)


def fixed(roots: Sequence[Symbol], states: Sequence[Symbol]) -> list[Symbol]:
    """What the roots need that no state has a part in: the last of it, for which the rest is computed."""
    moving = {*states, *roots}
    ordered = in_order(roots)
    for symbol in ordered:
        if any(argument in moving for argument in symbol.arguments):
            moving.add(symbol)
    needed = (argument for symbol in ordered if symbol in moving for argument in symbol.arguments)
    return [symbol for symbol in dict.fromkeys(needed) if symbol.arguments and symbol not in moving]
