"""How far memories can be filled: what no word can have reached yet is not worked on.

All states begin as zeros. Where a step moves the filled part of a memory on by a few units, as a stack's push
does by a row, only that many units times the steps so far can differ from zero. Everything else is zero, and
what depends on it is neither computed nor differentiated. This is found out from the graph: the units of a
symbol that may differ from zero are those before some place, and that place follows from its arguments'.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abacist.algebra import OPERATIONS, Symbol, in_order
from abacist.compiler.adjoint import Adjoint
from abacist.compiler.graph import StepGraph
from abacist.compiler.statements import Filled


@dataclass(frozen=True)
class Filling:
    """How many units of each symbol are needed, by the number of the step; where nothing is said, all.

    Those that are `looked_at` may be more: beyond what is needed they are zeros.
    """

    needed: Mapping[Symbol, tuple[int, ...]]
    looked_at: Mapping[Symbol, tuple[int, ...]]

    def of(self, symbols: Iterable[Symbol], width: int = 1) -> Filled | None:
        """A bound for the units, or rows of some width, that are needed of any of these symbols.

        None if it may be all of them.
        """
        found = [self.needed.get(symbol) for symbol in symbols]
        known = [counts for counts in found if counts is not None]
        if not known or len(known) < len(found):
            return None
        most = [max(counts) // width for counts in zip(*known, strict=True)]
        return _bound(most)

    def zeros(self, symbol: Symbol) -> tuple[Filled, Filled] | None:
        """From where to where a symbol that is computed only as far as it is needed must be zero, if so."""
        needed, looked_at = self.needed.get(symbol, ()), self.looked_at.get(symbol, ())
        if all(seen <= own for own, seen in zip(needed, looked_at, strict=True)):
            return None
        return _bound(needed), _bound(looked_at)


def _bound(counts: Sequence[int]) -> Filled:
    """Counts that grow from step to step, bounded by a line."""
    growth = max((after - before for before, after in pairwise(counts)), default=0)
    return Filled(max(count - growth * step for step, count in enumerate(counts)), growth)


#: Of graphs without memories.
WHOLE = Filling({}, {})


def filling(graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None = None) -> Filling:
    """What is needed for the states after a step and other roots, and for its adjoint if there is one."""
    step = _Step(graph, (*graph.after, *roots), adjoint)
    if not any(symbol.operation == "part" for symbol in step.order):
        return WHOLE
    growths = step.growths()
    if not growths:
        return WHOLE
    numbers = range(step.until_full(growths))
    needed, looked_at = zip(*(step.needed(growths, number) for number in numbers), strict=True)
    return Filling(_by_symbol(step.order, needed), _by_symbol(step.order, looked_at))


def _by_symbol(
    order: Sequence[Symbol], counts: Sequence[Mapping[Symbol, int]]
) -> dict[Symbol, tuple[int, ...]]:
    return {symbol: tuple(own[symbol] for own in counts) for symbol in order}


class _Step:
    """A step whose roots, and the adjoints of whose states `before` it, are to be computed.

    `growths` say of some states, by number, how many units more are filled after each step.
    """

    def __init__(self, graph: StepGraph, roots: Sequence[Symbol], adjoint: Adjoint | None) -> None:
        self.after, self.roots = graph.after, roots
        self.before, self.adjoined = (adjoint.before, adjoint.adjoined) if adjoint else ((), {})
        self.sizes = [state.size for state in graph.states]
        self.order = in_order((*roots, *self.before))

    def growths(self) -> dict[int, int]:
        """The growths of those states that take several steps to fill.

        A growth is that of the first step. It is believed once every later step has kept to it, and no
        adjoint is asked for more than the step after has given.
        """
        first = self.filled({number: 0 for number, _ in enumerate(self.sizes)}, 0)
        growths = {number: first[symbol] for number, symbol in enumerate(self.after)}
        growths = {n: growth for n, growth in growths.items() if 0 < growth < self.sizes[n]}
        while growths:
            wrong = {n for step in range(self.until_full(growths)) for n in self._wrong(growths, step)}
            if not wrong & growths.keys():
                break
            growths = {number: growth for number, growth in growths.items() if number not in wrong}
        return growths

    def _wrong(self, growths: Mapping[int, int], step: int) -> set[int]:
        """The states that do not keep to their growths in a step."""
        filled, (needed, looked_at) = self.filled(growths, step), self.needed(growths, step)
        later = [self.reached(growths, number, step + 1) for number, _ in enumerate(self.sizes)]
        found = {n for n, symbol in enumerate(self.after) if filled[symbol] > later[n]}
        for symbol in self.order:
            asked = max(needed[symbol], looked_at[symbol])
            if symbol.operation == "adjoint" and asked > later[symbol.detail]:
                found.add(symbol.detail)
        return found

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
        found: dict[Symbol, int] = {}
        for symbol in self.order:
            if symbol.operation in ("state", "adjoint"):
                later = symbol.operation == "adjoint"
                found[symbol] = self.reached(growths, symbol.detail, step + later)
            else:
                found[symbol] = _filled_by(symbol, found)
            if symbol in self.adjoined:
                counting = max(found[own] for own in self.adjoined[symbol])
                found[symbol] = min(found[symbol], counting)
        return found

    def needed(self, growths: Mapping[int, int], step: int) -> tuple[dict[Symbol, int], dict[Symbol, int]]:
        """How many units of each symbol are needed in a step, and how many looked at.

        Of roots those are needed that may be filled. Who looks at a vector in memory may look further than
        it is filled; those units need not be computed.
        """
        filled, needed = self.filled(growths, step), dict.fromkeys(self.order, 0)
        looked_at = dict.fromkeys(self.order, 0)
        for symbol in self.roots:
            needed[symbol] = filled[symbol]
        for number, symbol in enumerate(self.before):
            needed[symbol] = max(needed[symbol], self.reached(growths, number, step))
        for symbol in reversed(self.order):
            for argument in symbol.arguments:
                asked = _asked(symbol, argument, needed[symbol], filled)
                if not OPERATIONS[symbol.operation].elementwise:
                    looked_at[argument] = max(looked_at[argument], asked)
                    asked = min(asked, filled[argument])
                needed[argument] = max(needed[argument], asked)
        return needed, looked_at


def _filled_by(symbol: Symbol, found: Mapping[Symbol, int]) -> int:
    """How many units of a symbol may differ from zero, given those of its arguments."""
    operation = OPERATIONS.get(symbol.operation)
    if operation is None:
        return 0 if symbol.operation == "constant" and symbol.detail == 0 else symbol.size
    counts = [found[argument] for argument in symbol.arguments]
    if operation.elementwise:
        ways = [max(counts[place] for place in group) for group in operation.zero_with]
        if symbol.operation == "minimum":  # of a zero and what is never less
            others = zip(counts, reversed(symbol.arguments), strict=True)
            ways += [count for count, other in others if _never_negative(other)]
        return min(ways, default=symbol.size)
    if symbol.operation == "part":
        return min(max(counts[0] - _number(symbol), 0), symbol.size) if counts[0] else 0
    if symbol.operation == "spread" and symbol.size == symbol.arguments[0].size * _number(symbol):
        return counts[0] * _number(symbol)
    if symbol.operation == "total" and _sums_rows(symbol):
        return -(-counts[0] // _number(symbol))
    return symbol.size


def _asked(symbol: Symbol, argument: Symbol, count: int, filled: Mapping[Symbol, int]) -> int:
    """How many units of an argument the first units of a symbol ask for."""
    if count == 0 or OPERATIONS[symbol.operation].elementwise:
        return count
    if symbol.operation == "part":
        return min(max(count + _number(symbol), 0), argument.size)
    if symbol.operation == "spread":
        return min(-(-count // _number(symbol)), argument.size)
    if symbol.operation == "total" and _sums_rows(symbol):
        return count * _number(symbol)
    if symbol.operation == "total":  # what is not filled adds nothing to columns
        return -(-filled[argument] // symbol.size) * symbol.size
    return argument.size


def _never_negative(symbol: Symbol) -> bool:
    return symbol.operation in OPERATIONS and OPERATIONS[symbol.operation].nonnegative


def _number(symbol: Symbol) -> int:
    """The second of a symbol's sizes: where a part begins, or how often units are repeated side by side."""
    return int(symbol.detail[1])


def _sums_rows(total: Symbol) -> bool:
    """Whether sums are of rows, and not of columns."""
    return total.arguments[0].size == total.size * _number(total)
