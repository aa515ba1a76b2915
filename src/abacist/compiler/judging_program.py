"""The programs that only go forwards, for judging and tracing: a lane is a word, all of one network.

Judging needs no history: the states of one step and the next take turns in a little room.
Its vectors are several registers abreast, since there are always words enough to fill them.
Tracing keeps every named value of every step.
"""

from __future__ import annotations

from functools import lru_cache

from abacist.algebra import Symbol
from abacist.cells.layout import Layout
from abacist.compiler.graph import StepGraph, step_graph
from abacist.compiler.header import constants_text, header
from abacist.compiler.loops import LoopPrinter, Places
from abacist.compiler.names import Names
from abacist.compiler.schedule import Schedule, crossing, schedule
from abacist.compiler.tables import Table, input_tables
from abacist.compiler.tape import Tape
from abacist.compiler.text import Text, at

_JUDGE_ARGUMENTS = (
    "starts, lengths, codes, counted_steps, targets, weights, tables, room, verdicts, begin, end"
)

_JUDGE = '''"""Judge groups of words; the first wrong step of every word, or -1, goes to verdicts.

    starts, lengths (group,); codes, counted_steps (step, lane); targets (step, output, lane);
    weights (parameter,); tables (row, lane): in lane n what symbol n adds to a sum, with its biases;
    room: for the states; verdicts (group, lane).
    """'''

_TRACE = '''"""Follow one group of words and keep every value: history (step, vector, lane)."""'''


def judging_program(layout: Layout, precision: str, tables: bool = False) -> str:
    """Print the program that finds the first wrong step of every word.

    With `tables`, the input's part of every sum is looked up by symbol instead of computed.
    """
    graph = step_graph(layout)
    text, constants = Text(), {0.0: "zero"}
    width, states = _room(graph).width, len(graph.states) * layout.hidden
    with text.block(f"def judge({_JUDGE_ARGUMENTS}):"):
        text(_JUDGE)
        for line in constants_text():
            text(line)
        mark = len(text.lines)
        with text.block("for group in range(begin, end):"):
            text("steps, start = lengths[group], starts[group]")
            text("wrong, wrong_at = less(zero, zero), splat(number(-1.0))")
            text(f"store_all(room, 0, zeros({states}, zero))")
            with text.block("for t in range(steps):"):
                text(f"now = (t & 1) * {width}")
                text(f"after = {width} - now")
                _judge_step(text, graph, constants, tables)
                with text.block("if every(wrong):"):
                    text("break")
            text("store(verdicts, group, wrong_at)")
    return _finish(text, mark, constants, header(precision, "judge", layout, abreast=True))


def _judge_step(text: Text, graph: StepGraph, constants: dict[float, str], tables: bool) -> None:
    score = graph.y.arguments[0]  # y exceeds 1/2 exactly where this is positive
    _read_input(text, graph, "start")
    text("counted = less(zero, load_bytes(counted_steps, start + t, zero))")
    text("missed = less(zero, zero)")
    target = f"load_bytes(targets, (start + t) * {graph.layout.outputs} + u, zero)"
    places = Places(shared=True, tables=input_tables(graph.after) if tables else {})
    places.keep[score] = [
        lambda v: f"missed = either(missed, differs(less(zero, {v}), less(zero, {target})))"
    ]
    _print_step(text, graph, (*graph.after, score), places, _room(graph), "room", constants)
    text("wrong_before, wrong = wrong, either(wrong, both(missed, counted))")
    text("wrong_at = select(differs(wrong, wrong_before), splat(number(t)), wrong_at)")


def tracing_program(layout: Layout, precision: str) -> str:
    """Print the program that keeps every named value of every step."""
    graph = step_graph(layout)
    text, constants = Text(), {0.0: "zero"}
    tape = trace_tape(graph)
    with text.block("def trace(steps, codes, weights, history):"):
        text(_TRACE)
        for line in constants_text():
            text(line)
        mark = len(text.lines)
        text(f"store_all(history, 0, zeros({len(graph.states) * layout.hidden}, zero))")
        with text.block("for t in range(steps):"):
            text(f"now = t * {tape.width}")
            text(f"after = now + {tape.width}")
            _read_input(text, graph, "0")
            places = Places(shared=True)
            _print_step(text, graph, (*graph.after, graph.y), places, tape, "history", constants)
    return _finish(text, mark, constants, header(precision, "trace", layout))


def trace_tape(graph: StepGraph) -> Tape:
    """Where the trace keeps what: the states before a step, then everything that has a name."""
    tape = _room(graph)
    for symbol in (s for s in graph.names if s not in graph.after and s in _computed(graph)):
        if symbol not in tape:
            tape.add(symbol)
    return tape


@lru_cache(maxsize=64)
def judging_tables(layout: Layout) -> list[Table]:
    """What the tables of the judging program are made of, in order."""
    return list(input_tables(step_graph(layout).after).values())


@lru_cache(maxsize=64)
def room_width(layout: Layout) -> int:
    """How many vectors judging needs in all: those of two steps."""
    return 2 * _room(step_graph(layout)).width


def _room(graph: StepGraph) -> Tape:
    """The states, and what must wait in memory for a later loop of the step."""
    tape = Tape()
    for state in graph.states:
        tape.add(state)
    for symbol in crossing(_plan(graph)):
        if symbol not in graph.after:
            tape.add(symbol)
    return tape


def _plan(graph: StepGraph) -> Schedule:
    return schedule((*graph.after, graph.y))


def _computed(graph: StepGraph) -> set[Symbol]:
    return {s for loop in _plan(graph).loops for s in loop.symbols}


def _read_input(text: Text, graph: StepGraph, start: str) -> None:
    text(f"code = load_bytes(codes, {start} + t, zero)")
    text(f"x = one_hot(code, {graph.layout.inputs})")


def _print_step(
    text: Text,
    graph: StepGraph,
    roots: tuple[Symbol, ...],
    places: Places,
    tape: Tape,
    array: str,
    constants: dict[float, str],
) -> None:
    """Print the loops of a step; what is on the tape is kept there, new states in the next place."""
    hidden = graph.layout.hidden
    places.vectors[graph.x] = "x"
    for symbol, offset in tape.offsets.items():
        places.memory[symbol] = (array, at("now", offset))
        if symbol.arguments:
            places.keep_in(symbol, array, at("now", offset))
    for index, symbol in enumerate(graph.after):
        places.memory[symbol] = (array, at("after", index * hidden))
        places.keep_in(symbol, array, at("after", index * hidden))
    plan = schedule(roots)
    LoopPrinter(text, graph.layout, plan, places, Names(graph.names), constants, roots).print_all()


def _finish(text: Text, mark: int, constants: dict[float, str], head: str) -> str:
    text.lines[mark:mark] = [
        f"    {name} = splat(number({value!r}))" for value, name in constants.items() if value
    ]
    return head + str(text)
