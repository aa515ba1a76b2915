"""An operation's record is true: it means what its name says, and every target knows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import abacist.algebra as algebra
from abacist.algebra import FORMER_NAMES, OPERATIONS, Cost, Operation, Symbol, leaf
from abacist.cells import Cell, Gates, Layout, State
from abacist.compiler.adjoint import differentiate
from abacist.compiler.graph import step_graph
from abacist.errors import BadInput
from abacist.targets import TARGETS, target_named

elementwise = [operation for operation in OPERATIONS.values() if operation.elementwise]

#: What only bounds are made of: nobody differentiates these.
BOUNDS = ("least_product", "greatest_product", "sigmoid_bound", "tanh_bound")

differentiable = [operation for operation in elementwise if operation.name not in BOUNDS]

#: What elementwise operations mean for single numbers, by Python's own functions.
MEANINGS: dict[str, Callable[..., float]] = {
    "add": float.__add__,
    "subtract": float.__sub__,
    "multiply": float.__mul__,
    "divide": float.__truediv__,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "tanh": math.tanh,
    "relu": lambda x: x if x > 0 else 0.0,
    "exp": math.exp,
    "log": lambda x: math.log(abs(x)),
    "sqrt": lambda x: math.sqrt(abs(x)),
    "softplus": lambda x: math.log(1 + math.exp(x)),
    "minimum": min,
    "maximum": max,
    "absolute": abs,
    "where_positive": lambda condition, x: x if condition > 0 else 0.0,
}


@pytest.mark.parametrize("operation", differentiable, ids=lambda operation: operation.name)
def test_arrays_mean_what_the_name_says(operation: Operation) -> None:
    arguments = np.random.default_rng(4).normal(size=(operation.arity, 50))
    if operation.name in ("log", "sqrt"):
        arguments = np.abs(arguments)
    expected = [MEANINGS[operation.name](*numbers) for numbers in arguments.T.tolist()]
    np.testing.assert_allclose(operation.arrays(*arguments), expected, rtol=1e-14)


@pytest.mark.parametrize("operation", differentiable, ids=lambda operation: operation.name)
def test_the_derivative_is_the_slope(operation: Operation) -> None:
    rng = np.random.default_rng(3)
    values = [rng.normal(size=50) for _ in range(operation.arity)]
    if operation.name in ("log", "sqrt"):
        values = [np.abs(value) for value in values]
    result, one = operation.arrays(*values), np.ones(50)
    assert operation.derivative is not None
    sent = operation.derivative(one, result, *values)
    assert len(sent) == operation.arity
    for place, slope in enumerate(sent):
        sides = []
        for shift in (1e-6, -1e-6):
            moved = [v + shift if n == place else v for n, v in enumerate(values)]
            sides.append(operation.arrays(*moved))
        np.testing.assert_allclose(slope, (sides[0] - sides[1]) / 2e-6, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("operation", differentiable, ids=lambda operation: operation.name)
def test_every_target_knows_it(name: str, operation: Operation) -> None:
    cell = Cell("one", Gates(("n",)), (State("h"),), _formula(operation))
    assert target_named(name).refusal(Layout(cell, 2, 1, 2)) is None


def _formula(operation: Operation) -> Any:
    def formula(w: Any, x: Any, h: Any) -> Any:
        return operation(*([w.n(x, h)] * operation.arity))

    return formula


@pytest.fixture
def cube() -> Iterator[Operation]:
    """A further operation, whose record is all that there is of it."""
    made = Operation("cube", 1, lambda x: x**3, lambda d, y, x: (d * (3.0 * x * x),), Cost(2))
    OPERATIONS[made.name] = made
    yield made
    del OPERATIONS[made.name]


def test_a_further_one_is_differentiated_and_refused_by_targets_that_lack_it(cube: Operation) -> None:
    layout = Layout(Cell("cubic", Gates(("n",)), (State("h"),), _formula(cube)), 2, 1, 2)
    graph = step_graph(layout)
    assert graph.after[0].operation == "cube"
    assert len(differentiate(graph).gradients) == 6
    for name in TARGETS:
        assert target_named(name).refusal(layout) == f"cubic: the target {name} cannot compute 'cube'"


def test_one_that_nobody_knows_is_refused(cube: Operation) -> None:
    with pytest.raises(BadInput, match="a formula cannot use 'sine': there is no such operation"):
        Symbol("sine", (leaf("input", 2),), 2)
    with pytest.raises(BadInput, match="a formula cannot use 'sine'"):
        replace(cube, name="sine")(leaf("input", 2))


def test_former_names_work_for_a_version() -> None:
    for now, once in FORMER_NAMES.items():
        assert getattr(algebra, once) is OPERATIONS[now]
    with pytest.raises(ImportError):
        exec("from abacist.algebra import cubed")
