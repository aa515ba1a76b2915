"""An update of all weights on a GPU, some of them at a time.

What lies in memory is far away: the moments of several parameters are asked for before the first is needed,
and written back after the last is computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from abacist.targets.cuda.network import Names
from abacist.targets.cuda.rules import UpdateText
from abacist.targets.text import Text

#: How many parameters are updated at a time: their moments are all asked for before the first is needed.
AT_A_TIME = 16


def print_update(text: Text, names: Names, own: UpdateText) -> None:
    """Print an update of all weights, and that gradients begin anew."""
    _Printer(text, names, own).print()


class _Printer:
    def __init__(self, text: Text, names: Names, own: UpdateText) -> None:
        self._text, self._names, self._sums, self._own = text, names, names.own.sums, own

    def print(self) -> None:
        """All updates, some at a time; then the tables, which are made of what was updated."""
        text = self._text
        for line in self._own.numbers:
            text(line)
        text("update++;")
        text("unsigned apart = stride;")
        text('asm volatile("" : "+r"(apart));')  # or all addresses are computed once, and fill the registers
        waiting: list[tuple[str, str, int]] = []
        for number, own in enumerate(self._sums):
            for r in self._names.rounds(own.rows):
                waiting += self._updates(number, r)
                while len(waiting) >= AT_A_TIME or (waiting and own.of_input):
                    self._update(waiting[:AT_A_TIME])
                    waiting = waiting[AT_A_TIME:]
                self._new_table(number, r)
        self._update(waiting)
        for name in self._sums_of_gradients():
            text(f"{name} = 0;")

    def _updates(self, number: int, r: int) -> list[tuple[str, str, int]]:
        """The weight, the gradient and the slot of all that a round of a sum updates."""
        own, lanes = self._sums[number], self._names.lanes
        found = [
            (f"w{slot}", f"g{slot}", slot)
            for block in own.matrices
            if not block.shared
            for slot in range(block.slot + r * block.columns, block.slot + (r + 1) * block.columns)
        ]
        total = f"g{own.biases[0].slot + r}" if own.biases else ""
        if own.of_input is not None:
            parts = [self._names.table(number, r, symbol, "d") for symbol in range(self._names.layout.inputs)]
            total = f"all{number}_{r}"
            if self._names.few:
                self._text(f"const number {total} = {parts[0]};")
                parts[0] = f"({' - '.join((total, *parts[1:]))})"
            else:
                self._text(f"const number {total} = {' + '.join(parts)};")
            first = own.of_input.slot + r * own.of_input.columns
            found += [(f"u{first + symbol}", part, first + symbol) for symbol, part in enumerate(parts)]
        kind = "b" if own.tabled else "w"
        found += [(f"{kind}{bias.slot + r}", total, bias.slot + r) for bias in own.biases]
        if (r + 1) * lanes <= own.rows:
            return found
        inside = f"lane + {r * lanes} < {own.rows}"  # a lane without a row has zeros, and keeps them
        return [(weight, f"({inside} ? {gradient} : number(0))", slot) for weight, gradient, slot in found]

    def _update(self, some: list[tuple[str, str, int]]) -> None:
        """Update some parameters: those of tables, u and b, are in memory."""
        text = self._text
        for weight, _, slot in some:
            text(f"Moments m{slot} = moments[{slot} * apart];")
            if weight[0] != "w":
                text(f"number {weight} = weights[{slot} * apart];")
        for weight, gradient, slot in some:
            text(f"{weight} = updated({weight}, {gradient}, m{slot}, {self._own.name});")
        for weight, _, slot in some:
            text(f"moments[{slot} * apart] = m{slot};")
            if weight[0] != "w":
                text(f"weights[{slot} * apart] = {weight};")

    def _new_table(self, number: int, r: int) -> None:
        own = self._sums[number]
        if own.of_input is None:
            return
        biases = [f"b{bias.slot + r}" for bias in own.biases if own.tabled]
        for symbol in range(self._names.layout.inputs):
            slot = own.of_input.slot + r * own.of_input.columns + symbol
            self._text(f"{self._names.table(number, r, symbol)} = {' + '.join((f'u{slot}', *biases))};")

    def _sums_of_gradients(self) -> Iterator[str]:
        """All that gradients are summed in."""
        yield from (f"g{slot}" for slot in self._names.register_slots())
        for number, own in self._names.tables():
            for r in self._names.rounds(own.rows):
                for symbol in range(self._names.layout.inputs):
                    yield self._names.table(number, r, symbol, "d")
