"""The program that judges on a GPU: a word is a few threads, those of a block all with the same network.

Its weights are read into registers once, and then word after word is followed until it ends or is wrong.
"""

from __future__ import annotations

from functools import lru_cache

from abacist.cells import Layout
from abacist.compiler import plan_recomputing, recomputed_forward
from abacist.targets.cuda.emitter import Text, functions
from abacist.targets.cuda.parameters import NetworkEmitter, Parameters
from abacist.targets.cuda.training_program import COUNTED_BIT, TARGET_BIT

#: What the program is called with, by type and name.
ARGUMENTS = (
    "const unsigned *__restrict__ codes", "const unsigned *__restrict__ either",
    "const int *__restrict__ lengths", "const number *__restrict__ weights",
    "const int *__restrict__ spans", "const long long *__restrict__ starts", "int *__restrict__ verdicts",
    "int words",
)  # fmt: skip


@lru_cache(maxsize=64)
def judging_program(layout: Layout, precision: str, lanes: int, block: int, partial: bool) -> str:
    """Print the program that finds the first wrong step of every word, for every network.

    codes (step, word); either (step, word): the outputs that are right whatever they are, read only where
    words are `partial`; lengths (word,); weights (network, parameter). The words of a network are those from
    spans[network, 0] to spans[network, 1], and what it makes of them begins at starts[network] of verdicts.
    """
    return _Program(layout, precision, lanes, block, partial).printed()


class _Program:
    def __init__(self, layout: Layout, precision: str, lanes: int, block: int, partial: bool) -> None:
        self.layout, self.precision, self.lanes, self.block = layout, precision, lanes, block
        self.partial, self.plan = partial, plan_recomputing(layout)
        self.names = Parameters(layout, lanes, in_shared=f"tables[({{}}) * {lanes}]")
        self.text = Text()

    def printed(self) -> str:
        text = self.text
        text(f"#define BLOCK {self.block}")
        head = 'extern "C" __global__ void __launch_bounds__(BLOCK) judge('
        with text.block(f"{head}{', '.join(ARGUMENTS)}) {{"):
            self._weights()
            groups = self.block // self.lanes
            text(f"const int apart = gridDim.x * {groups};")
            text("const int first = spans[2 * blockIdx.y], last = spans[2 * blockIdx.y + 1];")
            text("verdicts += starts[blockIdx.y] - first;")
            text(f"const int begin = first + blockIdx.x * {groups} + threadIdx.x / {self.lanes};")
            with text.block("for (int word = begin; word < last; word += apart) {"):
                self._word()
        return functions(self.precision) + str(text)

    def _weights(self) -> None:
        """The lane's weights in registers, its tables there or in shared memory."""
        text, lanes = self.text, self.lanes
        text(f"const int lane = threadIdx.x % {lanes};")
        if lanes > 1:
            text(f"const unsigned mask = {(1 << lanes) - 1}u << (threadIdx.x & 31 & ~{lanes - 1});")
        if not self.names.few:
            text("extern __shared__ unsigned char room_for_all[];")
            text("number *tables = (number *)room_for_all + lane;")
        text(f"weights += size_t(blockIdx.y) * {self.layout.size};")
        for number, sum_ in enumerate(self.names.sums):
            for r in self.names.rounds(sum_.rows):
                inside = "" if (r + 1) * lanes <= sum_.rows else f"lane + {r * lanes} < {sum_.rows} ? "
                outside = " : number(0)" if inside else ""

                def at(first: int, columns: int, k: int, r: int = r) -> str:
                    return f"weights[{first + k + r * lanes * columns} + lane * {columns}]"

                for block in sum_.blocks:
                    for k in range(0 if sum_.looks_up(block) or block.shared else block.columns):
                        slot = block.slot + r * block.columns + k
                        value = at(block.first, block.columns, k)
                        text(f"const number w{slot} = {inside}{value}{outside};")
                if sum_.of_input is None:
                    continue
                for symbol in range(self.layout.inputs):
                    parts = [at(sum_.of_input.first, sum_.of_input.columns, symbol)]
                    parts += [at(bias.first, 1, 0) for bias in sum_.biases if sum_.tabled]
                    value = f"{inside}{' + '.join(parts)}{outside}"
                    name = self.names.table(number, r, symbol)
                    text(f"{'const number ' if self.names.few else ''}{name} = {value};")
        if not self.names.few:
            text("__syncthreads();")

    def _word(self) -> None:
        text, before, after = self.text, self.names.states("before"), self.names.states("after")
        emitter = NetworkEmitter(text, self.names)

        def compare(value: str) -> None:
            line = f"missed |= ({value} > 0) != ((code >> ({TARGET_BIT} + {emitter.u})) & 1)"
            line += f" && !((free >> {emitter.u}) & 1);" if self.partial else ";"
            emitter.within(self.layout.outputs, line)

        emitter.taken["sums"] = compare
        text("const int steps = lengths[word];")
        text("const unsigned *own = codes + word;")
        text(f"number {', '.join(f'{name} = 0' for name in before)};")
        text("unsigned next = steps ? own[0] : 0;")
        text("int wrong_at = -1;")
        with text.block("for (int t = 0; t < steps; t++) {"):
            text("const unsigned code = next, symbol = code & 255;")
            text("if (t + 1 < steps) next = own[size_t(t + 1) * words];")
            if self.partial:
                text("const unsigned free = either[size_t(t) * words + word];")
            text("bool missed = false;")
            text(f"number {', '.join(after)};")
            emitter.emit(recomputed_forward(self.plan, judging=True))
            if self.lanes > 1:
                text("missed = (__ballot_sync(mask, missed) & mask) != 0;")
            text(f"if (missed && ((code >> {COUNTED_BIT}) & 1)) {{ wrong_at = t; break; }}")
            for name, value in zip(before, after, strict=True):
                text(f"{name} = {value};")
        text("if (lane == 0) verdicts[word] = wrong_at;")
