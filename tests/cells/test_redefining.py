"""A cell is read where it is defined: a wrong one is refused there and affects no later one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from abacist.algebra import linear, part, sigmoid, tanh
from abacist.cells import (
    Cell,
    Gates,
    State,
    add_cell,
    cell,
    cell_named,
    load_plugins,
    stacked,
    tensors,
    written_cell,
)
from abacist.engine import train
from abacist.experiments import run_key
from abacist.languages import Dyck, Language, add_language, language_from_values, language_named
from tests.experiments.cases import small
from tests.wrong_input import is_refused

Formula = Callable[..., Any]


@pytest.fixture(autouse=True)
def _names_are_given_back() -> Iterator[None]:
    yield
    load_plugins([], anew=True)


def right(factor: float = 1.0) -> Cell:
    """What someone meant to write."""

    @cell(gates="f n")
    def mine(w: Any, x: Any, h: Any) -> Any:
        f = sigmoid(w.f(x, h))
        return h + f * (factor * tanh(w.n(x, f * h)) - h)

    return mine


def recursive(w: Any, x: Any, h: Any) -> Any:
    return recursive(w, x, h)


class Adder:
    """Something that can be called, but is not a function."""

    def __call__(self, w: Any, x: Any, h: Any) -> Any:
        return tanh(w.n(x, h))


#: What someone wrote instead, and what is said of it.
WRONG: dict[str, tuple[Formula, str]] = {
    "no such gate": (
        lambda w, x, h: tanh(w.q(x, h)),
        "it has no gate 'q'; its gates are f, n (test_redefining.py, line ",
    ),
    "an argument too few": (lambda w, x, h: tanh(w.n(x)), "its formula must call a gate with x and h"),
    "an argument too many": (lambda w, x, h: tanh(w.n(x, h, h)), "its formula must call a gate with x and h"),
    "a state too many": (lambda w, x, h: (h, h), "1 state of these sizes (h 5), got 5, 5"),
    "a state too few": (lambda w, x, h, c: h, "2 states of these sizes (h 5, c 5), got 5"),
    "no state": (lambda w, x, h: (), "1 state of these sizes (h 5), got none"),
    "nothing returned": (lambda w, x, h: None, "must return its states as vectors, got NoneType"),
    "a number": (lambda w, x, h: 0.5, "must return its states as vectors, got float"),
    "a list": (lambda w, x, h: [h], "must return its states as vectors, got list"),
    "an array": (lambda w, x, h: np.zeros(3), "must return its states as vectors, got ndarray"),
    "a gate that is not called": (lambda w, x, h: w.n, "must return its states as vectors, got Gate"),
    "the input": (lambda w, x, h: x, "(h 5), got 3 (read for 3 inputs and 5 hidden units)"),
    "an error in it": (lambda w, x, h: 1 / 0, "ZeroDivisionError: division by zero"),
    "arguments exchanged": (lambda w, x, h: tanh(w.n(h, x)), "linear needs a vector of 3, got one of 5"),
    "vectors that do not fit": (lambda w, x, h: h + x, "add needs vectors of the same size, got 5 and 3"),
    "a part that is not there": (lambda w, x, h: part(h, "two", 0), "cannot be read"),
    "NumPy's function": (lambda w, x, h: np.tanh(w.n(x, h)), "its formula cannot use NumPy's tanh"),
    "NumPy's array": (lambda w, x, h: np.ones(2) * w.n(x, h), "vectors and numbers, got array"),
    "NumPy's where": (lambda w, x, h: np.where(h, x, h), "cannot use NumPy's where"),
    "Python's mathematics": (lambda w, x, h: math.tanh(w.n(x, h)), "its formula cannot make a number"),
    "a comparison": (lambda w, x, h: h if w.n(x, h) > 0 else x, "its formula cannot compare values"),
    "a condition": (lambda w, x, h: h if h else x, "its formula cannot decide by a value"),
    "a power": (lambda w, x, h: w.n(x, h) ** 2, "its formula cannot use **"),
    "a product with @": (lambda w, x, h: w.n.input.weight @ x, "its formula cannot use @"),
    "an index": (lambda w, x, h: x[0] * h, "its formula cannot take items"),
    "a misspelt function": (lambda w, x, h: tahn(h), "name 'tahn' is not defined"),  # type: ignore[name-defined]  # noqa: F821
    "a text": (lambda w, x, h: tanh("h"), "tanh has no reading for str"),
    "infinity": (lambda w, x, h: math.inf * tanh(h), "vectors and finite numbers, got inf"),
    "itself": (recursive, "maximum recursion depth exceeded"),
    "no function": (Adder(), "must be a function written with def"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_formula_is_refused_where_it_is_defined_and_a_right_one_trains_after_it(kind: str) -> None:
    formula, why = WRONG[kind]
    if kind != "no function":
        formula.__name__ = "mine"
    said = is_refused(lambda: cell(gates="f n")(formula))
    assert why in said
    assert said.startswith("Cell mine: " if kind != "no function" else "Cell Adder: ")
    trained = train(replace(small(epochs=1), cell=right()), [0])
    assert np.isfinite(trained.losses).all()


def test_a_wrong_cell_that_was_made_by_hand_is_in_no_ones_way_either() -> None:
    wrong = Cell("mine", Gates(("f", "n")), (State("h"),), WRONG["no such gate"][0])
    for use in (hash, written_cell, add_cell, lambda own: stacked(own, 2), lambda own: own == right()):
        assert is_refused(lambda use=use: use(wrong)).startswith("Cell mine: it has no gate 'q'")  # type: ignore[misc]
    assert is_refused(lambda: train(replace(small(), cell=wrong), [0])).startswith("Cell mine: ")
    train(replace(small(epochs=1), cell=right()), [0])


def test_another_formula_of_the_same_name_is_another_cell() -> None:
    first, second, again = right(), right(0.5), right()
    assert first != second
    assert first == again
    assert hash(first) == hash(again)
    results = [train(replace(small(epochs=1), cell=own), [0]) for own in (first, second, again)]
    texts = [result.networks.parameters.tobytes() for result in results]
    assert texts[0] == texts[2] != texts[1]
    keys = [run_key(replace(small(), cell=own), 0) for own in (first, second, again)]
    assert keys[0] == keys[2] != keys[1]
    assert [stacked(own, 2).layer.content for own in (first, second)] == [first.content, second.content]
    for own in (first, second):
        add_cell(own, "a notebook")
        assert cell_named("mine") == own


def test_the_same_function_is_another_cell_where_what_it_uses_has_changed() -> None:
    numbers = {"factor": 1.0}

    def mine(w: Any, x: Any, h: Any) -> Any:
        return numbers["factor"] * tanh(w.n(x, h))

    first = cell(gates="n")(mine)
    numbers["factor"] = 0.5
    second = cell(gates="n")(mine)
    assert first != second
    train(replace(small(epochs=1), cell=second), [0])
    assert is_refused(lambda: train(replace(small(epochs=1), cell=first), [0])) == (
        "Cell mine: its formula computes something else than when it was defined; define the cell again"
    )
    assert is_refused(lambda: train(replace(small(epochs=1, layers=2), cell=first), [0])).startswith(
        "Cell mine"
    )


def test_gates_and_tensors_that_a_formula_never_uses_are_named() -> None:
    def mine(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.n.input(x))

    with pytest.warns(UserWarning, match="^Cell mine: its formula never uses gate f, gate o, whose param"):
        cell(gates="f n o")(mine)

    def other(w: Any, x: Any, h: Any) -> Any:
        return tanh(linear(w.W, x) + h)

    shapes = tensors(W="hidden inputs", U="hidden hidden", b="hidden")
    with pytest.warns(UserWarning, match="^Cell other: its formula never uses tensor U, tensor b, whose"):
        cell(parameters=shapes)(other)


def brackets(deepest: int) -> Language[Any]:
    """A language as a notebook defines it anew, each time as another class of the same name."""

    @dataclass(frozen=True)
    class Own(Dyck):
        @property
        def name(self) -> str:
            return "own"

        def step(self, state: Any, symbol: int) -> Any:
            if deepest < 0:
                raise RuntimeError("not yet")
            after = super().step(state, symbol)
            return None if after is not None and len(after) > deepest else after

    return Own(1)


def test_another_language_of_the_same_name_is_another_language() -> None:
    wrong, first, second = brackets(-1), brackets(1), brackets(2)
    add_language(wrong, "a notebook")
    with pytest.raises(RuntimeError):
        run_key(replace(small(), language=wrong), 0)
    words, keys = [], []
    for own in (first, second, brackets(1)):
        add_language(own, "a notebook")
        assert language_named("own") == own
        mixed = language_from_values({"kind": "shuffle", "name": "mixed", "parts": ["own", "anbn"]})
        words.append(("(())" in own, "(())" in language_named("own"), "(())ab" in mixed))
        keys.append(run_key(replace(small(), language=own), 0))
    assert words == [(False,) * 3, (True,) * 3, (False,) * 3]
    assert keys[0] == keys[2] != keys[1]
