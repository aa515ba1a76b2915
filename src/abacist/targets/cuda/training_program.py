"""The program that trains on a GPU: a run is a few threads, and all that its steps work with is in registers.

Weights and gradients stay there from the first word to the last; what is looked up by the input's symbol
does, too, where there are few symbols, and else lies in shared memory. Only the states of a word's steps are
kept, and all else is computed again on the way back: those of the first steps in shared memory, as many as it
has room for, and of later ones, which few words have, in memory. Moments, and the parameters that only make
tables, lie in memory, where neighbouring threads have neighbouring numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from abacist.cells import Layout
from abacist.compiler import plan_recomputing, recomputed_backward, recomputed_forward
from abacist.compiler.statements import Statement
from abacist.targets.cuda.emitter import Text, functions, rounds
from abacist.targets.cuda.parameters import NetworkEmitter, Parameters, parameters_of
from abacist.targets.cuda.updating import print_update, update_text

#: A step's word: symbol, whether it counts, then a bit for every output.
COUNTED_BIT, TARGET_BIT = 8, 9
MOST_OUTPUTS = 32 - TARGET_BIT

#: What the program is called with, by type and name.
ARGUMENTS = (
    "const unsigned *__restrict__ codes", "const int *__restrict__ lengths",
    "const number *__restrict__ scales", "const int *__restrict__ starts", "const int *__restrict__ order",
    "const int *__restrict__ corpus_of", "const Rule *__restrict__ rules",
    "number *__restrict__ weights", "Moments *__restrict__ moments", "number *__restrict__ tape",
    "double *__restrict__ losses", "int runs", "int corpora", "int begin", "int end", "int batch",
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """How a program lies on the device: lanes of a run, threads of a block, and blocks that a multiprocessor
    shall have room for; also of how many steps of a word shared memory keeps the states, None for all."""

    lanes: int
    block: int
    blocks: int
    kept: int | None


@lru_cache(maxsize=64)
def training_program(
    layout: Layout, precision: str, shape: Shape, optimiser: str = "adam", objective: str = "squared"
) -> str:
    """Print the program for one shape of network, an optimiser and an objective."""
    return _Program(layout, precision, shape, optimiser, objective).printed()


def tape_width(layout: Layout, lanes: int) -> int:
    """How many numbers a thread keeps of a step: its part of the states."""
    return sum(len(rounds(size, lanes)) for size in layout.state_sizes)


def table_width(layout: Layout, lanes: int) -> int:
    """How many numbers of shared memory a thread needs for tables and their gradients."""
    return 2 * parameters_of(layout, lanes).shared_numbers


class _Program:
    def __init__(self, layout: Layout, precision: str, shape: Shape, optimiser: str, objective: str) -> None:
        self.layout, self.precision, self.shape = layout, precision, shape
        self.plan, self.optimiser = plan_recomputing(layout, objective), optimiser
        self.names = Parameters(layout, shape.lanes, objective, "shared[({}) * BLOCK + threadIdx.x]")
        self.text = Text()

    def printed(self) -> str:
        text, shape = self.text, self.shape
        text(f"#define BLOCK {shape.block}")
        head = f'extern "C" __global__ void __launch_bounds__(BLOCK, {shape.blocks}) train('
        with text.block(f"{head}{', '.join(ARGUMENTS)}) {{"):
            self._beginning()
            with text.block("for (int position = begin; position < end; position++) {"):
                self._word()
            self._ending()
        return functions(self.precision) + update_text(self.optimiser) + str(text)

    def _beginning(self) -> None:
        text, lanes = self.text, self.shape.lanes
        text("extern __shared__ unsigned char room_for_all[];")
        text("number *shared = (number *)room_for_all;")
        text("const int thread = blockIdx.x * BLOCK + threadIdx.x;")
        text(f"const int run = thread / {lanes}, lane = thread % {lanes};")
        text("const unsigned mask = 0xffffffffu;")  # warps go together, threads without a run with zeros
        text("const int corpus = corpus_of[min(run, runs - 1)];")
        first = f"size_t(blockIdx.x) * {self.names.slots} * BLOCK + threadIdx.x"
        text(f"weights += {first}; moments += {first};")
        width = tape_width(self.layout, lanes)
        if self.shape.kept != 0:
            text(f"number *near = shared + {table_width(self.layout, lanes)} * BLOCK + threadIdx.x;")
        if self.shape.kept is not None:
            text(f"const size_t stride = size_t(gridDim.x) * {width} * BLOCK;")
            text(f"tape += size_t(blockIdx.x) * {width} * BLOCK + threadIdx.x;")
        for slot in self.names.register_slots:
            text(f"number w{slot} = weights[{slot} * BLOCK], g{slot} = 0;")
        self._tables()
        text("double total = 0;")
        text("int in_batch = 0, size = 1, update = 0;")

    def _tables(self) -> None:
        """Declare and fill the tables, and the sums of their gradients."""
        kind = "number " if self.names.few else ""
        for entry in self.names.entries():
            self.text(f"{kind}{self.names.table(*entry)} = {self._entry(*entry)};")
            gradient = self.names.table(*entry, "d")  # in registers, that of symbol 0 is the sum of all
            self.text(f"{kind}{gradient} = 0;")

    def _entry(self, number: int, r: int, symbol: int) -> str:
        """What an entry of a table is made of, from memory."""
        sum_ = self.names.sums[number]
        assert sum_.of_input is not None
        slots = [sum_.of_input.slot + r * sum_.of_input.columns + symbol]
        slots += [bias.slot + r for bias in sum_.biases if sum_.tabled]
        return " + ".join(f"weights[{slot} * BLOCK]" for slot in slots)

    def _step(self, statements: list[Statement]) -> None:
        emitter = NetworkEmitter(self.text, self.names)
        emitter.given = {
            "target": lambda: f"number((code >> ({TARGET_BIT} + {emitter.u})) & 1)",
            "scale": lambda: "scale",
            "counted": lambda: f"number((code >> {COUNTED_BIT}) & 1)",
        }
        loss, sums = self.plan.graph.loss.size, range(len(self.names.sums))
        emitter.taken = {f"sum {number}": self._added(number, emitter) for number in sums}
        emitter.taken["loss"] = lambda value: emitter.within(loss, f"loss += {value};")
        emitter.emit(statements)

    def _word(self) -> None:
        text, before = self.text, self.names.states("before")
        text("const int word = order[position];")
        text("const int length = lengths[size_t(word) * corpora + corpus];")
        text("int steps = length;")
        with text.block("for (int apart = 16; apart; apart /= 2) {"):  # further steps do not count
            text("const int other = __shfl_xor_sync(mask, steps, apart, 32);")
            text("steps = other > steps ? other : steps;")
        text("const unsigned *own = codes + size_t(starts[word]) * corpora + corpus;")
        text("if (in_batch == 0) size = min(batch, end - position);")
        text("const number scale = scales[size_t(word) * corpora + corpus] / number(size);")
        text("number loss = 0;")
        text(f"number {', '.join(f'{name} = 0' for name in before)};")
        text("unsigned next = own[0];")
        with text.block("for (int at = 0; at < steps - 1; at++) {"):  # the way back does the last one
            text("const unsigned code = next, symbol = code & 255;")
            text("next = own[size_t(at + 1) * corpora];")
            self._tape("{1} = {0};", before)
            text(f"number {', '.join(self.names.states('after'))};")
            self._step(recomputed_forward(self.plan))
            text("const bool goes_on = at + 1 < length;")  # further steps begin anew, so that none overflows
            for name, new in zip(before, self.names.states("after"), strict=True):
                text(f"{name} = goes_on ? {new} : number(0);")
        text(f"number {', '.join(f'{name} = 0' for name in self.names.states('later'))};")
        with text.block("for (int at = steps - 2; at >= -1; at--) {"):  # back to the states before `at`
            text("const unsigned code = next, symbol = code & 255;")
            text("if (at >= 0) next = own[size_t(at) * corpora];")
            text(f"number {', '.join(f'{name} = 0' for name in self.names.states('earlier'))};")
            self._step(recomputed_backward(self.plan)[0])
            for name, new in zip(self.names.states("later"), self.names.states("earlier"), strict=True):
                text(f"{name} = {new};")
            with text.block("if (at >= 0) {"):
                self._tape("{0} = {1};", before)
        text("total += double(loss) * size;")
        with text.block("if (++in_batch == size) {"):
            text("in_batch = 0;")
            print_update(text, self.names)

    def _tape(self, line: str, states: list[str]) -> None:
        """Print a line for each state and its place on the tape, those of step `at`."""
        kept = self.shape.kept
        if kept is None:
            self._lines(line, states, f"near + at * {len(states)} * BLOCK")
        elif kept == 0:
            self._lines(line, states, "tape + at * stride")
        else:
            with self.text.block(f"if (at < {kept}) {{"):
                self._lines(line, states, f"near + at * {len(states)} * BLOCK")
            with self.text.block("else {"):
                self._lines(line, states, f"tape + (at - {kept}) * stride")

    def _lines(self, line: str, states: list[str], where: str) -> None:
        with self.text.block("{"):
            self.text(f"number *own_states = {where};")
            for place, name in enumerate(states):
                self.text(line.format(name, f"own_states[{place} * BLOCK]"))

    def _added(self, number: int, emitter: NetworkEmitter) -> Callable[[str], None]:
        """Prints what a step adds to the gradients of a sum."""
        sum_, text = self.names.sums[number], self.text

        def add(value: str) -> None:
            r = emitter.round
            z = f"z{number}_{r}"
            text(f"const number {z} = {value};")
            for block in sum_.matrices:
                for slot, factor in enumerate(emitter.vectors[block.vector], block.slot + r * block.columns):
                    text(f"g{slot} = fma({z}, {factor}, g{slot});")
            if sum_.of_input is None:
                for bias in sum_.biases[:1]:  # further ones have the same gradient
                    text(f"g{bias.slot + r} += {z};")
            elif self.names.few:
                text(f"{self.names.table(number, r, 0, 'd')} += {z};")
                for symbol in range(1, self.layout.inputs):
                    name = self.names.table(number, r, symbol, "d")
                    text(f"{name} += symbol == {symbol} ? {z} : number(0);")
            else:
                text(f"{self.names.table(number, r, 'symbol', 'd')} += {z};")

        return add

    def _ending(self) -> None:
        text, lanes = self.text, self.shape.lanes
        for slot in self.names.register_slots:
            text(f"weights[{slot} * BLOCK] = w{slot};")
        distance = lanes // 2
        while distance:
            text(f"total += __shfl_xor_sync(mask, total, {distance}, {lanes});")
            distance //= 2
        text("if (lane == 0 && run < runs) losses[run] += total;")
