"""The program that trains: a lane is a run, each with its own words and weights.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards,
adding the adjoints of all affine maps to the tape; then every gradient is a sum over
the tape, a tile of an outer product at a time, in registers; then Adam.
"""

from __future__ import annotations

from functools import lru_cache

from abacist.algebra import Symbol
from abacist.cells.layout import Layout
from abacist.compiler.adjoint import Adjoint, differentiate
from abacist.compiler.bands import Band, Segment, bands, passes
from abacist.compiler.graph import StepGraph, in_order, step_graph
from abacist.compiler.header import constants_text, header
from abacist.compiler.loops import LoopPrinter, Places
from abacist.compiler.names import Names
from abacist.compiler.schedule import Schedule, crossing, schedule
from abacist.compiler.tape import Tape
from abacist.compiler.text import Text, at

#: How many sums a tile of a gradient may hold in registers.
_TILE = 24

_ARGUMENTS = (
    "order, starts, lengths, codes, counted_steps, targets, scales, weights, first, second, gradient, "
    "tape, adjoint, losses, begin, end, batch, updates, rate, beta1, beta2, epsilon"
)

_MEANING = '''"""Train on the words order[begin:end]; return the number of updates so far.

    order, starts, lengths (word,); codes, counted_steps (step, lane); targets (step, output, lane);
    scales (word, lane): 1 / (counted steps x outputs). weights, first and second moments and gradient
    (parameter, lane); tape, adjoint: room to work in; losses (lane,).
    """'''


def training_program(layout: Layout, precision: str) -> str:
    """Print the program for one shape of network."""
    graph = step_graph(layout)
    return _Printer(graph, differentiate(graph), precision).program()


@lru_cache(maxsize=64)
def tape_width(layout: Layout) -> tuple[int, int]:
    """How many vectors a step of the tape and the room for adjoints take."""
    graph = step_graph(layout)
    printer = _Printer(graph, differentiate(graph), "float32")
    printer.program()
    return printer.tape.width, printer.scratch.width


class _Printer:
    def __init__(self, graph: StepGraph, adjoint: Adjoint, precision: str) -> None:
        self.graph, self.adjoint, self.precision = graph, adjoint, precision
        self.layout, self.text = graph.layout, Text()
        self.constants = {0.0: "zero"}
        self.bands = bands(adjoint.gradients)
        self.rows = [rows for band in self.bands for rows in band.rows]
        self.columns = list(dict.fromkeys(g.columns for g in adjoint.gradients if g.columns is not None))
        self.forward = schedule((*graph.after, graph.loss))
        back_roots = (*adjoint.before, *self.rows)
        computed = {s for loop in self.forward.loops for s in loop.symbols}
        self.taped = _used_back(back_roots, computed)
        self.backward = schedule(back_roots, self.taped)
        self.tape, self.scratch = self._tape(), Tape()

    def _tape(self) -> Tape:
        """States before the step, the input, what the way back needs, and the adjoints of affine maps."""
        tape = Tape()
        for state in self.graph.states:
            tape.add(state)
        tape.add(self.graph.x)
        across = crossing(self.forward)
        for symbol in dict.fromkeys((*self.taped, *across, *self.columns)):
            if symbol not in tape and symbol not in self.graph.after:
                tape.add(symbol)
        for symbol in self.rows:
            tape.add(symbol)
        return tape

    def program(self) -> str:
        text = self.text
        with text.block(f"def train({_ARGUMENTS}):"):
            text(_MEANING)
            for line in constants_text():
                text(line)
            mark = len(text.lines)
            text("in_batch = 0")
            with text.block("for position in range(begin, end):"):
                text("word = order[position]")
                text("steps, start = lengths[word], starts[word]")
                with text.block("if in_batch == 0:"):
                    text("size = min(batch, end - position)")
                text("scale = load(scales, word) * splat(number(1.0 / size))")
                self._forward()
                self._backward()
                self._gradients()
                text("in_batch += 1")
                with text.block("if in_batch == size:"):
                    text("in_batch = 0")
                    text("updates += 1")
                    self._adam()
            text("return updates")
        splats = [f"    {name} = splat(number({value!r}))" for value, name in self.constants.items() if value]
        text.lines[mark:mark] = splats
        return header(self.precision, "train", self.layout) + str(text)

    def _forward(self) -> None:
        text, graph, hidden = self.text, self.graph, self.layout.hidden
        outputs, width = self.layout.outputs, self.tape.width
        states = len(graph.states)
        text("# The way forwards.")
        text(f"store_all(tape, 0, zeros({states * hidden}, zero))")
        text("loss = zero")
        with text.block("for t in range(steps):"):
            text(f"now = t * {width}")
            text(f"after = now + {width}")
            text("code = load_bytes(codes, start + t, zero)")
            text(f"alive = less(code, splat(number({self.layout.inputs})))")
            text("counted = less(zero, load_bytes(counted_steps, start + t, zero))")
            text(f"x = one_hot(code, {self.layout.inputs})")
            text(f"store_all(tape, {self._at(graph.x)}, x)")
            places = Places()
            places.vectors[graph.x] = "x"
            for state in graph.states:
                places.memory[state] = ("tape", self._at(state))
            for symbol in self.tape.offsets:
                if symbol not in places.memory and symbol not in self.rows and symbol is not graph.x:
                    places.memory[symbol] = ("tape", self._at(symbol))
                    guard = "select(alive, {}, zero)" if symbol in self.columns else "{}"
                    places.keep_in(symbol, "tape", self._at(symbol), guard)
            for index, symbol in enumerate(graph.after):
                place = at("after", index * hidden)
                before = f"load(tape, {self._at(graph.states[index])} + u)"
                places.memory[symbol] = ("tape", place)
                places.keep_in(symbol, "tape", place, f"select(alive, {{}}, {before})")
            places.elements[graph.target] = f"load_bytes(targets, (start + t) * {outputs} + u, zero)"
            places.elements[_leaf(graph.loss, "scale")] = "scale"
            places.keep.setdefault(graph.loss, []).append(lambda v: f"loss = loss + {v}")
            self._loops(self.forward, places, (*graph.after, graph.loss))
        text("store(losses, 0, fma(loss, splat(number(size)), load(losses, 0)))")

    def _backward(self) -> None:
        text, graph, hidden = self.text, self.graph, self.layout.hidden
        states = len(graph.states)
        scratch = self.scratch
        scratch.reserve(2 * states * hidden)
        places = Places()
        for symbol in self.taped:
            if symbol in graph.after:
                place = graph.after.index(symbol) * hidden
                places.memory[symbol] = ("tape", f"now + {self.tape.width + place}")
            else:
                places.memory[symbol] = ("tape", self._at(symbol))
        for state in graph.states:
            places.memory[state] = ("tape", self._at(state))
        for symbol in in_order((*self.adjoint.before, *self.rows)):
            if symbol.operation == "adjoint":
                places.elements[symbol] = f"load(adjoint, {at('old', symbol.detail * hidden)} + u)"
            elif symbol.operation == "scale":
                places.elements[symbol] = "scale"
        for symbol in crossing(self.backward):
            if symbol not in places.memory:
                slot = str(scratch.reserve(symbol.size))
                places.memory[symbol] = ("adjoint", slot)
                if symbol.operation != "transposed":
                    places.keep_in(symbol, "adjoint", slot)
        for symbol in self.rows:
            places.keep_in(symbol, "tape", self._at(symbol), "select(alive, {}, zero)")
        for index, symbol in enumerate(self.adjoint.before):
            if symbol.operation != "transposed":
                old = f"load(adjoint, {at('old', index * hidden)} + u)"
                places.keep_in(symbol, "adjoint", at("new", index * hidden), f"select(alive, {{}}, {old})")
        text("# The way back.")
        text(f"store_all(adjoint, 0, zeros({2 * states * hidden}, zero))")
        with text.block("for t in range(steps - 1, -1, -1):"):
            text(f"now = t * {self.tape.width}")
            text(f"old = (t & 1) * {states * hidden}")
            text(f"new = {states * hidden} - old")
            text(f"alive = less(load_bytes(codes, start + t, zero), splat(number({self.layout.inputs})))")
            text("counted = less(zero, load_bytes(counted_steps, start + t, zero))")
            printer = self._loops(self.backward, places, (*self.adjoint.before, *self.rows))
            for index, symbol in enumerate(self.adjoint.before):
                if symbol.operation == "transposed":
                    kept = f"load_all(adjoint, {at('old', index * hidden)}, {hidden})"
                    value = f"choose(alive, {printer.names[symbol]}, {kept})"
                    text(f"store_all(adjoint, {at('new', index * hidden)}, {value})")

    def _loops(self, plan: Schedule, places: Places, roots: tuple[Symbol, ...]) -> LoopPrinter:
        names = Names(self.graph.names)
        printer = LoopPrinter(self.text, self.layout, plan, places, names, self.constants, roots)
        printer.print_all()
        return printer

    def _gradients(self) -> None:
        self.text("# Gradients: sums over the tape, a tile at a time.")
        for band in self.bands:
            height = band.size if band.size <= 6 else 4
            whole = band.size - band.size % height
            self._tiles(band, range(0, whole, height))
            if band.size > whole:
                self._tiles(band, range(whole, band.size, band.size - whole))

    def _tiles(self, band: Band, rows: range) -> None:
        """The sums for some rows of a band, in as many passes over the tape as registers ask for."""
        text, height = self.text, rows.step
        for group in passes(self._segments(band), _TILE // height):
            with text.block(f"for q in range({rows.start}, {rows.stop}, {height}):"):
                for n, s in enumerate(group):
                    tile = f"{s.row(0)}, {s.stride}, {height}, {s.count}"
                    text(f"g{n} = load_tile(gradient, {tile}, zero)")
                with text.block("for t in range(steps):"):
                    text(f"now = t * {self.tape.width}")
                    text(f"z = load_all(tape, {self._at(band.rows[0])} + q, {height})")
                    for n, s in enumerate(group):
                        text(f"g{n} = outer(z, {s.columns}, g{n})")
                for n, s in enumerate(group):
                    for copy in range(len(s.places)):
                        text(f"store_tile(gradient, {s.row(copy)}, {s.stride}, {s.count}, g{n})")

    def _segments(self, band: Band) -> list[Segment]:
        """The columns of a band: parts of vectors on the tape, and a one for the biases."""
        starts = self.layout.starts
        segments = []
        for part in band.parts:
            if part.columns is not None:
                count = part.columns.size
                place = starts[part.tensor] + part.first_row * count
                segments.append(Segment(self._on_tape(part.columns), count, count, (place,)))
        biases = tuple(starts[g.tensor] + g.first_row for g in band.parts if g.columns is None)
        return [*segments, Segment(None, 1, 1, biases)] if biases else segments

    def _on_tape(self, symbol: Symbol) -> int:
        """The place of a vector relative to the step; a new state lies in the next step's place."""
        if symbol in self.graph.after:
            return self.tape.width + self.graph.after.index(symbol) * self.layout.hidden
        return self.tape.offsets[symbol]

    def _adam(self) -> None:
        text = self.text
        text("# Adam, as PyTorch computes it.")
        text("step = splat(number(-rate / (1.0 - beta1**updates)))")
        text("correction = splat(number(1.0 / math.sqrt(1.0 - beta2**updates)))")
        text("b1, b2 = splat(number(beta1)), splat(number(beta2))")
        text("r1, r2 = splat(number(1.0 - beta1)), splat(number(1.0 - beta2))")
        text("e = splat(number(epsilon))")
        with text.block(f"for p in range({self.layout.size}):"):
            text("g = load(gradient, p)")
            text("m = fma(b1, load(first, p), r1 * g)")
            text("v = fma(b2, load(second, p), r2 * g * g)")
            text("store(first, p, m)")
            text("store(second, p, v)")
            text("store(weights, p, load(weights, p) + step * m / fma(root(v), correction, e))")
            text("store(gradient, p, zero)")

    def _at(self, symbol: Symbol) -> str:
        return at("now", self.tape.offsets[symbol])


def _used_back(roots: tuple[Symbol, ...], computed: set[Symbol]) -> list[Symbol]:
    """The symbols of the way forwards that the way back uses."""
    order = in_order(roots)
    used = set(roots).union(*(s.arguments for s in order if s not in computed))
    return [symbol for symbol in order if symbol in computed and symbol in used]


def _leaf(root: Symbol, kind: str) -> Symbol:
    return next(s for s in in_order((root,)) if s.operation == kind)
