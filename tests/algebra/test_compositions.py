"""What formulas say in one word is what NumPy and PyTorch say, and its derivative PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from abacist.algebra import (
    OPERATIONS,
    cumulative_sum,
    highest,
    in_order,
    joined,
    leaf,
    outer,
    popped,
    pushed,
    rotated_down,
    rotated_up,
    row,
    softmax,
    softplus,
    sqrt,
    unit,
    weighted_read,
)
from tests.compiler.interpreter import Interpreter
from tests.requirements import need

Array = NDArray[Any]

vectors = st.lists(st.floats(-20, 20), min_size=1, max_size=9).map(np.array)


@given(vectors)
def test_of_one_vector(x: Array) -> None:
    powers = np.exp(x - x.max())
    np.testing.assert_allclose(softmax(x), powers / powers.sum(), rtol=1e-12)
    np.testing.assert_allclose(cumulative_sum(x), np.cumsum(x), atol=1e-9)
    assert highest(x).tolist() == [x.max()]
    assert unit(x, len(x) - 1).tolist() == [x[-1]]


@given(vectors, vectors)
def test_of_two_vectors(a: Array, b: Array) -> None:
    assert joined(a, b, a).tolist() == [*a, *b, *a]
    assert outer(a, b).tolist() == np.outer(a, b).ravel().tolist()
    memory = np.outer(np.arange(1, len(a) + 1), b)
    np.testing.assert_allclose(weighted_read(a, memory.ravel()), a @ memory, atol=1e-9)


@given(st.integers(1, 5), st.integers(1, 4))
def test_rows_move(rows: int, width: int) -> None:
    memory, top = np.random.default_rng(rows).normal(size=(2, rows, width))
    flat, nothing = memory.ravel(), np.zeros((1, width))

    def rows_of(found: Array) -> list[list[float]]:
        return found.reshape(rows, width).tolist()

    assert rows_of(pushed(flat, top[0])) == np.vstack((top[:1], memory[:-1])).tolist()
    assert rows_of(popped(flat, width)) == np.vstack((memory[1:], nothing)).tolist()
    assert rows_of(rotated_up(flat, width)) == np.roll(memory, -1, axis=0).tolist()
    assert rows_of(rotated_down(flat, width)) == np.roll(memory, 1, axis=0).tolist()
    assert row(flat, rows - 1, width).tolist() == memory[-1].tolist()


@need("torch")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (softmax, lambda torch, x: torch.softmax(x, 0)),
        (lambda x: sqrt(1 + x * x), lambda torch, x: torch.sqrt(1 + x * x)),
        (softplus, lambda torch, x: torch.nn.functional.softplus(x)),
        (cumulative_sum, lambda torch, x: torch.cumsum(x, 0)),
        (highest, lambda torch, x: torch.amax(x, 0, keepdim=True)),
        (lambda x: outer(x, x), lambda torch, x: torch.outer(x, x).ravel()),
        (lambda x: weighted_read(softmax(unit(x, 0) * x), outer(x, x)), lambda torch, x: _read(torch, x)),
        (
            lambda x: rotated_up(pushed(x, unit(x, 2)), 2),
            lambda torch, x: _moved(torch, x),
        ),
    ],
    ids=["softmax", "sqrt", "softplus", "cumulative_sum", "highest", "outer", "weighted_read", "moves"],
)
def test_values_and_derivatives_are_pytorchs(ours: Callable[..., Any], theirs: Callable[..., Any]) -> None:
    """The derivative of a sum with any weights, by the records and by autograd."""
    import torch

    x = np.random.default_rng(4).normal(size=6)
    tensor = torch.from_numpy(x).requires_grad_()
    expected: Any = theirs(torch, tensor)
    np.testing.assert_allclose(ours(x), expected.detach().numpy(), rtol=1e-12)
    weights = np.random.default_rng(5).normal(size=len(ours(x)))
    (slope,) = torch.autograd.grad((expected * torch.from_numpy(weights)).sum(), tensor)
    np.testing.assert_allclose(_slope(ours, x, weights), slope.numpy(), rtol=1e-10, atol=1e-14)


def _read(torch: Any, x: Any) -> Any:
    return torch.softmax(x[0] * x, 0) @ torch.outer(x, x)


def _moved(torch: Any, x: Any) -> Any:
    return torch.cat((x[2:3], x[:-1])).roll(-2)


def _slope(function: Callable[..., Any], x: Array, weights: Array) -> Array:
    """By the derivatives in the records, from the result back."""
    given_one = leaf("state", len(x), 0)
    result = function(given_one)
    values = Interpreter({}, {given_one: x})
    sent = {result: weights}
    for symbol in reversed(in_order((result,))):
        if symbol.arguments and symbol in sent:
            derivative = OPERATIONS[symbol.operation].derivative
            assert derivative is not None
            arguments = [values[argument] for argument in symbol.arguments]
            terms = derivative(sent[symbol], values[symbol], *arguments, *(symbol.detail or ()))
            for argument, term in zip(symbol.arguments, terms, strict=True):
                sent[argument] = sent.get(argument, 0.0) + term
    return np.asarray(sent[given_one])


def test_softmax_of_large_numbers_is_still_a_number() -> None:
    np.testing.assert_allclose(softmax(np.array([1e4, 1e4, -1e4])), [0.5, 0.5, 0.0])
    assert softplus(np.array([1e4, -1e4])).tolist() == [1e4, 0.0]
