"""Counted operations are those that the machine does: by the emitted code, and by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from llvmlite import ir

from abacist.algebra import OPERATIONS
from abacist.cells import CELLS, Cell, Layout
from abacist.compiler import boxes_work, judging_work, training_work
from abacist.targets import functions, target_named
from abacist.targets.llvm import bounds
from tests.targets.llvm.compiled import vectors

WEIGHT = {"fadd": 1, "fsub": 1, "fmul": 1, "fdiv": 1, "fmuladd": 2}


def activation(name: str, precision: str, *, boxes: bool = False) -> int:
    return target_named().flops(OPERATIONS[name].cost, precision, boxes=boxes)


def judging(layout: Layout, precision: str) -> int:
    return target_named().flops(judging_work(layout).step, precision)


def emitted(function: Any, precision: str) -> int:
    """The floating-point operations a lane in the code that a function emits."""
    module = ir.Module()
    kind = vectors(None, precision).vector
    builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(kind, [kind]), "f").append_basic_block())
    builder.ret(function(vectors(builder, precision), builder.function.args[0]))
    found = re.findall(r"= (fadd|fsub|fmul|fdiv) |= call .*@\"?llvm\.(\w+)\.", str(module))
    return sum(WEIGHT.get(plain or called, 0) for plain, called in found)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
def test_an_activation_counts_what_it_emits(name: str, precision: str) -> None:
    function = {"sigmoid": functions.sigmoid, "tanh": functions.tanh}[name]
    assert emitted(function, precision) == activation(name, precision)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_what_bounds_are_made_of_counts_what_it_emits(precision: str) -> None:
    def twice(v: Any, x: Any) -> Any:
        return bounds.tanh_bound(v, x, x)

    for name, function in (("sigmoid_bound", bounds.sigmoid_bound), ("tanh_bound", twice)):
        assert emitted(function, precision) == activation(name, precision, boxes=True)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_relu_counts_nothing(precision: str) -> None:
    assert emitted(functions.relu, precision) == 0
    one, relu = (Layout(CELLS[name], 2, 1, 2) for name in ("rnn", "rnn_relu"))
    saved = activation("tanh", precision)
    assert judging(one, precision) - saved == judging(relu, precision)


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_a_box_takes_two_products_and_both_bounds_of_every_activation(cell: Cell) -> None:
    def flops(hidden: int, precision: str) -> tuple[int, int]:
        layout = Layout(cell, 2, hidden, 2)
        boxes = target_named().flops(boxes_work(layout, precision).step, precision, boxes=True)
        return boxes, judging(layout, precision)

    # All but the products grows with the units, not with their square.
    (b1, j1), (b2, j2), (b3, j3) = (flops(hidden, "float32") for hidden in (5, 6, 7))
    assert b3 - 2 * b2 + b1 == 2 * (j3 - 2 * j2 + j1) > 0
    # The precisions differ in the price of an activation.
    (boxes, states), (more_boxes, more_states) = (flops(4, precision) for precision in ("float32", "float64"))
    assert more_boxes - boxes == 2 * (more_states - states)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize(("x", "h", "y"), [(2, 1, 2), (2, 3, 2), (12, 8, 6)])
def test_an_lstm_by_hand(x: int, h: int, y: int, precision: str) -> None:
    layout = Layout(CELLS["lstm"], x, h, y)
    sigmoid, tanh = activation("sigmoid", precision), activation("tanh", precision)
    # Four gates: W x + b + (U h + b); then c = f c + i g and h = o tanh(c).
    gates = 4 * h * (2 * x + 2 * h + 3) + 3 * h * sigmoid + h * tanh
    states = 3 * h + h * tanh + h
    scores = y * (2 * h + 1)
    # Judging looks W x + b + b up, and takes one division for i g, one for o tanh(c).
    looked_up = 4 * h * (2 * x + 3)
    assert judging(layout, precision) == gates - looked_up + states - 2 * h + scores
    # The error, its square, its weight, and the sum of the loss.
    forward = gates + states + scores + y * sigmoid + 3 * y + y
    # d loss / d error: (scale · error) twice, as both factors, and their sum; then y (1 − y).
    back_output = y * (1 + 1 + 1) + y * 3
    # dh: from the output layer and from later; dc: o (1 − tanh²) and from later.
    back_h = 2 * h * y + h
    back_c = h * (1 + 2 + 1 + 1)
    # df, di, dg, do: adjoint times factor, times the slope: 2 for a sigmoid's and 2 for a tanh's, and 1.
    back_gates = 4 * (h + 2 * h + h) + h
    back_states = 2 * h * 4 * h
    known = forward + back_output + back_h + back_c + back_gates + back_states
    sums = 2 * (4 * h * (x + h) + y * h) + 2 * (4 * h + y)
    assert target_named().flops(training_work(layout).step, precision) == known + sums
    assert target_named().flops(training_work(layout).update, precision) == 14 * layout.size
