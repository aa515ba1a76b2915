"""How far memories can be filled: what no word can have reached yet is not worked on.

All states begin as zeros. Where a step moves the filled part of a memory on by a few units, as a stack's push
does by a row, only that many units times the steps so far can differ from zero. Everything else is zero, and
what depends on it is neither computed nor differentiated. This is found out from the graph: the units of a
symbol that may differ from zero are those before some place, and that place follows from its arguments'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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


#: Of graphs without memories.
WHOLE = Filling({}, {})


def filling(graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None = None) -> Filling:
    """What is needed for the states after a step and other roots, and for its adjoint if there is one.

    A state's growth is that of the first step. It is believed once every later step has kept to it, and no
    adjoint is asked for more than the step after has given.
    """
    start = _Steps(graph, roots, adjoint, dict.fromkeys(range(len(graph.states)), 0))
    if not any(symbol.operation == "part" for symbol in start.order):
        return WHOLE
    first = start.filled(0)
    growths = {n: first[s] for n, s in enumerate(graph.after) if 0 < first[s] < s.size}
    while growths:
        steps = _Steps(graph, roots, adjoint, growths)
        result = steps.filling()
        wrong = steps.wrong(result)
        if not wrong:
            return result
        growths = {number: growth for number, growth in growths.items() if number not in wrong}
    return WHOLE


class _Steps:
    """Steps whose roots, and the adjoints of whose states `before` them, are to be computed.

    `growths` are those of some states, by number.
    """

    def __init__(
        self, graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None, growths: Mapping[int, int]
    ) -> None:
        self.after, self.roots, self.growths = graph.after, (*graph.after, *roots), growths
        self.before, self.adjoined = (adjoint.before, adjoint.adjoined) if adjoint else ((), {})
        self.order = in_order((*self.roots, *self.before))
        self.grains = {s.arguments[0]: s.size for s in self.order if _sums_columns(s)}

    @cached_property
    def by_step(self) -> list[dict[Symbol, int]]:
        """How many units of each symbol may differ from zero in each step, until all memories may be full."""
        full = max(-(-self.after[number].size // growth) for number, growth in self.growths.items())
        return [self.filled(step) for step in range(full + 1)]

    def filling(self) -> Filling:
        """How many units of each symbol are needed, and how many looked at, as lines over the steps.

        Where that is no line, more are needed than must be, and more of what they are computed from.
        """
        lines: dict[Symbol, Filled] = {}
        while True:
            steps = (self._needed(step, lines) for step, _ in enumerate(self.by_step))
            needed, looked_at = zip(*steps, strict=True)
            result = {s: _line([units[s] for units in needed], self.grains.get(s, 1)) for s in self.order}
            if result == lines:
                looked = {s: _line([units[s] for units in looked_at]) for s in self.order}
                return Filling(result, looked, len(self.by_step), self.growths)
            lines = result

    def wrong(self, filling: Filling) -> set[int]:
        """The states that do not keep to their growths."""
        wrong: set[int] = set()
        adjoints = [s for s in self.order if s.operation == "adjoint" and s.detail in self.growths]
        for step, filled in enumerate(self.by_step):
            later = {n: self.reached(self.after[n], n, step + 1) for n in self.growths}
            wrong |= {n for n in self.growths if filled[self.after[n]] > later[n]}
            for symbol in adjoints:
                lines = (filling.needed[symbol], filling.looked_at[symbol])
                if max(line.at(step, symbol.size) for line in lines) > later[symbol.detail]:
                    wrong.add(symbol.detail)
        return wrong

    def reached(self, state: Symbol, number: int, step: int) -> int:
        """How many units of a state may differ from zero before a step."""
        return min(state.size, self.growths[number] * step) if number in self.growths else state.size

    def filled(self, step: int) -> dict[Symbol, int]:
        """How many units of each symbol may differ from zero in a step; of adjoints, how many count.

        The adjoint of what is zero whatever the parameters are does not: no parameter has a part in it.
        """
        units: dict[Symbol, int] = {}
        for symbol in self.order:
            if symbol.operation in ("state", "adjoint"):
                later = symbol.operation == "adjoint"
                units[symbol] = self.reached(symbol, symbol.detail, step + later)
            else:
                units[symbol] = _filled_by(symbol, units)
            if symbol in self.adjoined:
                counting = max(units[adjoined] for adjoined in self.adjoined[symbol])
                units[symbol] = min(units[symbol], counting)
        return units

    def _needed(
        self, step: int, least: Mapping[Symbol, Filled]
    ) -> tuple[dict[Symbol, int], dict[Symbol, int]]:
        """How many units of each symbol are needed in a step, at least so many, and how many looked at.

        Of roots those are needed that may be filled. Who looks at a vector in memory may look further than
        it is filled; those units need not be computed.
        """
        filled, looked_at = self.by_step[step], dict.fromkeys(self.order, 0)
        needed = {s: least[s].at(step, s.size) if least else 0 for s in self.order}
        for symbol in self.roots:
            needed[symbol] = max(needed[symbol], filled[symbol])
        for number, symbol in enumerate(self.before):
            needed[symbol] = max(needed[symbol], self.reached(symbol, number, step))
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
            others = (OPERATIONS.get(other.operation) for other in reversed(symbol.arguments))
            ways += [n for n, other in zip(counts, others, strict=True) if other and other.nonnegative]
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


def _number(symbol: Symbol) -> int:
    """The second of a symbol's sizes: where a part begins, or how often units are repeated side by side."""
    return int(symbol.detail[1])


def _sums_columns(symbol: Symbol) -> bool:
    """Whether a symbol is the sums of columns, and not of rows."""
    return symbol.operation == "segment_sum" and symbol.arguments[0].size != symbol.size * _number(symbol)
