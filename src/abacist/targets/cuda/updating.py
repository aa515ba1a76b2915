"""An update of all weights on a GPU, some of them at a time, by an optimiser's formula.

What lies in memory is far away: that of the next parameters is asked for before some are updated, and all is
written back after the last of them is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from numpy.typing import NDArray

from abacist.compiler import update_statements
from abacist.compiler.statements import Place
from abacist.errors import BadInput
from abacist.optimisers import Rule
from abacist.specs import Spec
from abacist.targets.cuda.emitter import OPERATIONS, CudaEmitter, Text
from abacist.targets.cuda.parameters import Names

#: The arrays of an update as arguments of the function `updated`.
_ARRAYS = {"weights": "weight", "gradient": "g", "first": "own.first", "second": "own.second"}


class _UpdateEmitter(CudaEmitter):
    """Emits an update of one weight, with the device's fast quotients and roots."""

    operations = OPERATIONS | {"divide": "quotient({}, {})", "sqrt": "root({})"}

    def variable(self, place: Place, number: int) -> str:
        return _ARRAYS[place.array]


def _rule(optimiser: str) -> Rule:
    """One program serves runs with and without decay."""
    return Rule(optimiser, decays=True)


def update_text(optimiser: str) -> str:
    """The type of a weight's two moments, that of the numbers of an update, and the function `updated`."""
    rule, text = _rule(optimiser), Text()
    count = len(rule.names)
    text("struct alignas(2 * sizeof(number)) Moments { number first, second; };")
    text(f"struct alignas({count & -count} * sizeof(number)) Rule {{ number {', '.join(rule.names)}; }};")
    arguments = "number weight, number g, Moments &own, const Rule &rule"
    with text.block(f"__device__ __forceinline__ number updated({arguments}) {{"):
        emitter = _UpdateEmitter(text)
        emitter.given = {name: partial("rule.{}".format, name) for name in rule.names}
        emitter.emit(update_statements(rule, 1))
        text("return weight;")
    return str(text)


def numbers_of(spec: Spec, first: int, last: int) -> NDArray[Any]:
    """The numbers of the updates from `first`, counted from 1, to below `last`: (update, number)."""
    return _rule(spec.optimiser).numbers(spec, first, last).astype(spec.precision)


def check_rule(spec: Spec) -> None:
    """Refuse rules that clip gradients, since no thread has all of a run's."""
    for name in ("clip_norm", "clip_value"):
        if limit := getattr(spec, name):
            raise BadInput(f"the target cuda clips no gradients, got {name} {limit:g}; use the CPU")


#: How many parameters are updated at a time: what lies in memory of the next ones is asked for before that.
AT_A_TIME = 8


#: A weight, its gradient and its slot.
_Update = tuple[str, str, int]


class _Batch(NamedTuple):
    """Some updates, and the lines before and after them."""

    first: list[str]
    some: list[_Update]
    last: list[str]


class UpdatePrinter:
    """Prints an update of all weights, and that gradients begin anew."""

    def __init__(self, text: Text, names: Names) -> None:
        self._text, self._names, self._sums = text, names, names.sums

    def print(self) -> None:
        """All updates, some at a time; then the tables, which are made of what was updated."""
        text = self._text
        text("const Rule rule = rules[update++];")
        batches = list(self._batches())
        for batch, following in zip(batches, [*batches[1:], None], strict=True):
            if batch is batches[0]:
                self._ask(batch.some)
            if following is not None:
                self._ask(following.some)  # while this one is computed
            for line in batch.first:
                text(line)
            self._update(batch.some)
            for line in batch.last:
                text(line)
        for name in self._sums_of_gradients():
            text(f"{name} = 0;")

    def _batches(self) -> Iterator[_Batch]:
        first, waiting = list[str](), list[_Update]()
        for number, sum_ in enumerate(self._sums):
            for r in self._names.rounds(sum_.rows):
                lines, updates = self._updates(number, r)
                first, waiting = first + lines, waiting + updates
                while len(waiting) > AT_A_TIME:
                    yield _Batch(first, waiting[:AT_A_TIME], [])
                    first, waiting = [], waiting[AT_A_TIME:]
                if sum_.of_input:
                    yield _Batch(first, waiting, list(self._new_table(number, r)))
                    first, waiting = [], []
        if waiting:
            yield _Batch(first, waiting, [])

    def _updates(self, number: int, r: int) -> tuple[list[str], list[_Update]]:
        """All that a round of a sum updates, and the lines before that."""
        sum_, lanes, lines = self._sums[number], self._names.lanes, list[str]()
        updates = [
            (f"w{slot}", f"g{slot}", slot)
            for block in sum_.matrices
            if not block.shared
            for slot in range(block.slot + r * block.columns, block.slot + (r + 1) * block.columns)
        ]
        total = f"g{sum_.biases[0].slot + r}" if sum_.biases else ""
        if sum_.of_input is not None:
            parts = [self._names.table(number, r, symbol, "d") for symbol in range(self._names.layout.inputs)]
            total = f"all{number}_{r}"
            if self._names.few:
                lines.append(f"const number {total} = {parts[0]};")
                parts[0] = f"({' - '.join((total, *parts[1:]))})"
            else:
                lines.append(f"const number {total} = {' + '.join(parts)};")
            first = sum_.of_input.slot + r * sum_.of_input.columns
            updates += [(f"u{first + symbol}", part, first + symbol) for symbol, part in enumerate(parts)]
        kind = "b" if sum_.tabled else "w"
        updates += [(f"{kind}{bias.slot + r}", total, bias.slot + r) for bias in sum_.biases]
        if (r + 1) * lanes <= sum_.rows:
            return lines, updates
        inside = f"lane + {r * lanes} < {sum_.rows}"  # a lane without a row has zeros, and keeps them
        return lines, [(w, f"({inside} ? {gradient} : number(0))", slot) for w, gradient, slot in updates]

    def _ask(self, some: list[_Update]) -> None:
        """Ask for what lies in memory of some parameters: moments, and those of tables, u and b."""
        for weight, _, slot in some:
            self._text(f"Moments m{slot} = moments[{slot} * BLOCK];")
            if weight[0] != "w":
                self._text(f"number {weight} = weights[{slot} * BLOCK];")

    def _update(self, some: list[_Update]) -> None:
        text = self._text
        for weight, gradient, slot in some:
            text(f"{weight} = updated({weight}, {gradient}, m{slot}, rule);")
        for weight, _, slot in some:
            text(f"moments[{slot} * BLOCK] = m{slot};")
            if weight[0] != "w":
                text(f"weights[{slot} * BLOCK] = {weight};")

    def _new_table(self, number: int, r: int) -> Iterator[str]:
        sum_ = self._sums[number]
        assert sum_.of_input is not None
        biases = [f"b{bias.slot + r}" for bias in sum_.biases if sum_.tabled]
        for symbol in range(self._names.layout.inputs):
            slot = sum_.of_input.slot + r * sum_.of_input.columns + symbol
            yield f"{self._names.table(number, r, symbol)} = {' + '.join((f'u{slot}', *biases))};"

    def _sums_of_gradients(self) -> Iterator[str]:
        """All that gradients are summed in."""
        yield from (f"g{slot}" for slot in self._names.register_slots)
        yield from (self._names.table(*entry, "d") for entry in self._names.entries())
