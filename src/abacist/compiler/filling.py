"""How far memories can be filled: what no word can have reached yet is not worked on.

All states begin as zeros. Where a step moves the filled part of a memory on by a few units, as a stack's push
does by a row, only that many units times the steps so far can differ from zero. Everything else is zero, and
what depends on it is neither computed nor differentiated. This is found out from the graph: the units of a
symbol that may differ from zero are those before some place, and that place follows from its arguments'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from abacist.algebra import OPERATIONS, Symbol, in_order
from abacist.compiler.adjoint import Adjoint
from abacist.compiler.graph import StepGraph
from abacist.compiler.statements import Filled


@dataclass(frozen=True)
class Filling:
    """How many units of each symbol are needed, by the number of the step; where nothing is said, all.

    Those that are `looked_at` may be more: beyond what is needed they are zeros. After so many `steps` all is
    full. `growths` say of those states that take several steps to fill, by number, how many units more are
    filled after each step.
    """

    needed: Mapping[Symbol, Filled]
    looked_at: Mapping[Symbol, Filled]
    steps: int = 0
    growths: Mapping[int, int] = field(default_factory=dict)

    def of(self, symbols: Sequence[Symbol], width: int = 1) -> Filled | None:
        """A bound for the units, or rows of some width, that are needed of any of these symbols.

        None if it may be all of them.
        """
        if any(symbol not in self.needed for symbol in symbols):
            return None
        most = [
            max((self.needed[symbol].at(step, symbol.size) for symbol in symbols), default=0) // width
            for step in range(self.steps)
        ]
        return _line(most)

    def zeros(self, symbol: Symbol) -> tuple[Filled, Filled] | None:
        """From where to where a symbol that is computed only as far as it is needed must be zero, if so."""
        if symbol not in self.needed:
            return None
        needed, looked_at = self.needed[symbol], self.looked_at[symbol]
        more = (looked_at.at(t, symbol.size) > needed.at(t, symbol.size) for t in range(self.steps))
        return (needed, looked_at) if any(more) else None


def _line(counts: Sequence[int], grain: int = 1) -> Filled:
    """A line above counts that grow from step to step; only whole rows, if units come in such."""
    growth = max((after - before for before, after in pairwise(counts)), default=0)
    growth = -(-growth // grain) * grain
    start = max((count - growth * step for step, count in enumerate(counts)), default=0)
    return Filled(-(-start // grain) * grain, growth)


#: How many units of each symbol are needed, and how many looked at.
_Lines = tuple[dict[Symbol, Filled], dict[Symbol, Filled]]

#: Of graphs without memories.
WHOLE = Filling({}, {})


def filling(graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None = None) -> Filling:
    """What is needed for the states after a step and other roots, and for its adjoint if there is one."""
    step = _Step(graph, (*graph.after, *roots), adjoint)
    if not any(symbol.operation == "part" for symbol in step.order):
        return WHOLE
    growths, lines = step.growths()
    return Filling(*lines, step.until_full(growths), growths) if growths else WHOLE


class _Step:
    """A step whose roots, and the adjoints of whose states `before` it, are to be computed."""

    def __init__(self, graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None) -> None:
        self.after, self.roots = graph.after, roots
        self.before, self.adjoined = (adjoint.before, adjoint.adjoined) if adjoint else ((), {})
        self.sizes = [state.size for state in graph.states]
        self.order = in_order((*roots, *self.before))
        self.grains = {s.arguments[0]: s.size for s in self.order if _sums_columns(s)}

    def growths(self) -> tuple[dict[int, int], _Lines]:
        """The growths of those states that take several steps to fill, and the lines of all symbols then.

        A growth is that of the first step. It is believed once every later step has kept to it, and no
        adjoint is asked for more than the step after has given.
        """
        first = self.filled({number: 0 for number, _ in enumerate(self.sizes)}, 0)
        growths = {number: first[symbol] for number, symbol in enumerate(self.after)}
        growths = {n: growth for n, growth in growths.items() if 0 < growth < self.sizes[n]}
        while growths:
            wrong, lines = self._wrong(growths)
            if not wrong:
                return growths, lines
            growths = {number: growth for number, growth in growths.items() if number not in wrong}
        return {}, ({}, {})

    def _wrong(self, growths: Mapping[int, int]) -> tuple[set[int], _Lines]:
        """The states that do not keep to their growths, and the lines that show it."""
        wrong: set[int] = set()
        by_step = [self.filled(growths, step) for step in range(self.until_full(growths))]
        needed, looked_at = lines = self._lines(growths, by_step)
        adjoints = [symbol for symbol in self.order if symbol.operation == "adjoint"]
        for step, filled in enumerate(by_step):
            later = [self.reached(growths, number, step + 1) for number, _ in enumerate(self.sizes)]
            wrong |= {n for n in growths if filled[self.after[n]] > later[n]}
            for symbol in adjoints:
                asked = max(own[symbol].at(step, symbol.size) for own in (needed, looked_at))
                if symbol.detail in growths and asked > later[symbol.detail]:
                    wrong.add(symbol.detail)
        return wrong, lines

    def _lines(self, growths: Mapping[int, int], by_step: Sequence[Mapping[Symbol, int]]) -> _Lines:
        """How many units of each symbol are needed, and how many looked at, as lines over the steps.

        `by_step` says how many are filled in each step. Where it is no line, more are needed than must be,
        and more of what they are computed from.
        """
        lines: dict[Symbol, Filled] = {}
        while True:
            steps = (self._needed(growths, step, filled, lines) for step, filled in enumerate(by_step))
            needed, looked_at = zip(*steps, strict=True)
            result = {s: _line([own[s] for own in needed], self.grains.get(s, 1)) for s in self.order}
            if result == lines:
                return result, {s: _line([own[s] for own in looked_at]) for s in self.order}
            lines = result

    def until_full(self, growths: Mapping[int, int]) -> int:
        """After how many steps all memories may be full."""
        return max(-(-self.sizes[number] // growth) for number, growth in growths.items()) + 1

    def reached(self, growths: Mapping[int, int], number: int, step: int) -> int:
        """How many units of a state may differ from zero before a step."""
        size = self.sizes[number]
        return min(size, growths[number] * step) if number in growths else size

    def filled(self, growths: Mapping[int, int], step: int) -> dict[Symbol, int]:
        """How many units of each symbol may differ from zero in a step; of adjoints, how many count.

        The adjoint of what is zero whatever the parameters are does not: no parameter has a part in it.
        """
        units: dict[Symbol, int] = {}
        for symbol in self.order:
            if symbol.operation in ("state", "adjoint"):
                later = symbol.operation == "adjoint"
                units[symbol] = self.reached(growths, symbol.detail, step + later)
            else:
                units[symbol] = _filled_by(symbol, units)
            if symbol in self.adjoined:
                counting = max(units[own] for own in self.adjoined[symbol])
                units[symbol] = min(units[symbol], counting)
        return units

    def _needed(
        self,
        growths: Mapping[int, int],
        step: int,
        filled: Mapping[Symbol, int],
        least: Mapping[Symbol, Filled],
    ) -> tuple[dict[Symbol, int], dict[Symbol, int]]:
        """How many units of each symbol are needed in a step, at least so many, and how many looked at.

        Of roots those are needed that may be filled. Who looks at a vector in memory may look further than
        it is filled; those units need not be computed.
        """
        looked_at = dict.fromkeys(self.order, 0)
        needed = {s: least[s].at(step, s.size) if least else 0 for s in self.order}
        for symbol in self.roots:
            needed[symbol] = max(needed[symbol], filled[symbol])
        for number, symbol in enumerate(self.before):
            needed[symbol] = max(needed[symbol], self.reached(growths, number, step))
        for symbol in reversed(self.order):
            for argument in symbol.arguments:
                asked = _asked(symbol, argument, needed[symbol], filled)
                if not OPERATIONS[symbol.operation].elementwise:
                    looked_at[argument] = max(looked_at[argument], asked)
                    asked = asked if _sums_columns(symbol) else min(asked, filled[argument])
                needed[argument] = max(needed[argument], asked)
        return needed, looked_at


def _filled_by(symbol: Symbol, units: Mapping[Symbol, int]) -> int:
    """How many units of a symbol may differ from zero, given those of its arguments."""
    operation = OPERATIONS.get(symbol.operation)
    if operation is None:
        return 0 if symbol.operation == "constant" and symbol.detail == 0 else symbol.size
    counts = [units[argument] for argument in symbol.arguments]
    if operation.elementwise:
        ways = [max(counts[place] for place in group) for group in operation.zero_with]
        if symbol.operation == "minimum":  # of a zero and what is never less
            others = zip(counts, reversed(symbol.arguments), strict=True)
            ways += [count for count, other in others if _never_negative(other)]
        return min(ways, default=symbol.size)
    if symbol.operation == "part":
        return min(max(counts[0] - _number(symbol), 0), symbol.size) if counts[0] else 0
    if symbol.operation == "repeat" and symbol.size == symbol.arguments[0].size * _number(symbol):
        return counts[0] * _number(symbol)
    if symbol.operation == "segment_sum" and not _sums_columns(symbol):
        return -(-counts[0] // _number(symbol))
    return symbol.size


def _asked(symbol: Symbol, argument: Symbol, count: int, filled: Mapping[Symbol, int]) -> int:
    """How many units of an argument the first units of a symbol ask for."""
    if count == 0 or OPERATIONS[symbol.operation].elementwise:
        return count
    if symbol.operation == "part":
        return min(max(count + _number(symbol), 0), argument.size)
    if symbol.operation == "repeat":
        return min(-(-count // _number(symbol)), argument.size)
    if _sums_columns(symbol):  # to which what is not filled adds nothing
        return -(-filled[argument] // symbol.size) * symbol.size
    if symbol.operation == "segment_sum":
        return count * _number(symbol)
    return argument.size


def _never_negative(symbol: Symbol) -> bool:
    return symbol.operation in OPERATIONS and OPERATIONS[symbol.operation].nonnegative


def _number(symbol: Symbol) -> int:
    """The second of a symbol's sizes: where a part begins, or how often units are repeated side by side."""
    return int(symbol.detail[1])


def _sums_columns(symbol: Symbol) -> bool:
    """Whether a symbol is the sums of columns, and not of rows."""
    return symbol.operation == "segment_sum" and symbol.arguments[0].size != symbol.size * _number(symbol)
