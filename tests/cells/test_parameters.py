"""Tensors under names of a cell's own, and weights that begin otherwise than PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from abacist.algebra import linear, tanh
from abacist.cells import ZOO, Cell, Layout, Tensors, cell, tensors
from abacist.errors import BadInput
from abacist.specs import Networks


def own_cell(initial: Callable[..., Any] | None) -> Cell:
    @cell(parameters=tensors(W="hidden inputs", U="hidden hidden", v="hidden"), initial=initial)
    def own(w: Any, x: Any, h: Any) -> Any:
        return tanh(linear(w.W, x) + linear(w.U, h) + w.v)

    return own


def test_tensors_have_the_shapes_that_they_say() -> None:
    own = tensors(W="hidden inputs", U="hidden 3", k="7")
    assert own == Tensors((("W", "hidden inputs"), ("U", "hidden 3"), ("k", "7")))
    assert own.shapes(2, 5) == {"rnn.W": (5, 2), "rnn.U": (5, 3), "rnn.k": (7,)}
    bound = own.bind(lambda name, first, rows: (name, first, rows), 5)
    assert (bound.W, bound.k) == (("rnn.W", 0, 5), ("rnn.k", 0, 7))


@pytest.mark.parametrize("shape", ["", "units", "hidden inputs 2", "inputs", "0", "hidden  hidden"])
def test_other_shapes_are_refused(shape: str) -> None:
    with pytest.raises(BadInput, match="Tensors: the shape of W must be rows, hidden or a number"):
        tensors(W=shape)


def test_tensors_need_names_that_differ() -> None:
    with pytest.raises(BadInput, match="names must be given and differ, got none"):
        tensors()
    with pytest.raises(BadInput, match="names must be given and differ, got W W"):
        Tensors((("W", "hidden"), ("W", "hidden")))


def test_weights_begin_as_the_cell_says_and_others_as_ever() -> None:
    usual, ones = own_cell(None), own_cell(lambda drawn: {"rnn.v": drawn["rnn.v"] * 0 + 1})
    found = [Networks.initial(Layout(own, 2, 3, 2), [5], "float64").tensors(0) for own in (usual, ones)]
    assert (found[1]["rnn.v"] == 1).all()
    for name in found[0]:
        assert name == "rnn.v" or (found[0][name] == found[1][name]).all()
    assert usual != ones  # runs of one must not pass for those of the other
    assert ones == own_cell(lambda drawn: {"rnn.v": np.ones(len(drawn["rnn.v"]))})
    assert usual.content != ones.content


@pytest.mark.parametrize(
    ("made", "message"),
    [({"rnn.u": np.zeros(3)}, "rnn.u must be one of rnn.W, rnn.U, rnn.v"), ({"rnn.v": 1.0}, "the shape ")],
)
def test_what_cannot_begin_so_is_refused(made: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"initial: .*{message}"):
        Networks.initial(Layout(own_cell(lambda _: made), 2, 3, 2), [0])


def test_open_cells_begin_as_their_authors_have_it() -> None:
    for name in ("selective", "slstm", "mlstm"):
        plain, began = (
            Networks.initial(Layout(ZOO[one], 4, 64, 4), [3], "float64").tensors(0)
            for one in (name, f"{name}_open")
        )
        changed = {tensor for tensor in plain if (plain[tensor] != began[tensor]).any()}
        if name == "selective":
            assert changed == {"rnn.A", "rnn.D", "rnn.b_delta"}
            assert (np.exp(began["rnn.A"]) == 1).all()
            assert (began["rnn.D"] == 1).all()
            steps = np.log1p(np.exp(began["rnn.b_delta"]))  # softplus
            assert 0.001 < steps.min() < 0.002
            assert 0.05 < steps.max() < 0.1
            assert (np.argsort(steps) == np.argsort(plain["rnn.b_delta"])).all()
        elif name == "slstm":
            assert changed == {"rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0"}
            assert not began["rnn.weight_hh_l0"].any()
            forget = (began["rnn.bias_ih_l0"] + began["rnn.bias_hh_l0"]).reshape(4, 64)  # i f z o
            assert forget[1] == pytest.approx([5 - 12 * (n / 63) ** 0.3 for n in range(64)])
            assert not forget[[0, 2, 3]].any()
        else:
            assert changed == {"rnn.b_f"}
            assert (began["rnn.b_f"] == 4.5).all()


def test_an_irnn_begins_as_the_identity() -> None:
    networks = Networks.initial(Layout(ZOO["irnn"], 4, 64, 4), [0, 1], "float64")
    first, second = networks.tensors(0), networks.tensors(1)
    assert (first["rnn.weight_hh_l0"] == np.eye(64)).all()
    assert not first["rnn.bias_ih_l0"].any()
    assert not first["rnn.bias_hh_l0"].any()
    assert 0.0008 < first["rnn.weight_ih_l0"].std() < 0.0012
    assert (first["rnn.weight_ih_l0"] != second["rnn.weight_ih_l0"]).all()
    assert np.abs(first["output.weight"]).max() > 0.12  # drawn as ever
