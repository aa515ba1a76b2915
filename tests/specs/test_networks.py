"""Networks: their first weights, and the way to PyTorch's names and back."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.cells import CELLS, Cell, Layout
from abacist.errors import BadInput
from abacist.specs import Networks
from tests.cells.toys import shaped
from tests.engine.cases import cells, layout_of, random_networks

layouts = st.builds(Layout, st.sampled_from(cells), st.integers(1, 6), st.integers(1, 12), st.integers(1, 6))
seeds = st.integers(0, 2**63 - 1)
precisions = st.sampled_from(["float32", "float64"])

GRU = CELLS["gru"]


def tensors_of(cell: Cell = GRU) -> dict[str, Any]:
    return random_networks(layout_of(cell, 3), 1, seed=0).tensors(0)


@given(layouts, st.lists(seeds, min_size=1, max_size=4), precisions)
def test_first_weights_lie_within_pytorchs_bounds(layout: Layout, chosen: list[int], kind: str) -> None:
    networks = Networks.initial(layout, chosen, kind)
    bound = np.float64(np.dtype(kind).type(1 / sqrt(layout.hidden)))
    assert networks.parameters.shape == (len(chosen), layout.size)
    assert networks.parameters.dtype == kind
    assert np.abs(networks.parameters).max() <= bound


def test_first_weights_fill_their_bounds_evenly() -> None:
    drawn = Networks.initial(Layout(CELLS["lstm"], 4, 16, 4), range(20), "float64").parameters * 4
    shares, _ = np.histogram(drawn, bins=10, range=(-1, 1))
    assert shares.sum() == drawn.size
    assert np.abs(shares / drawn.size - 0.1).max() < 0.005
    assert len(np.unique(drawn)) == drawn.size


@given(layouts, st.lists(seeds, min_size=1, max_size=4, unique=True))
def test_first_weights_depend_on_the_own_seed_only(layout: Layout, chosen: list[int]) -> None:
    together = Networks.initial(layout, chosen)
    for run, seed in enumerate(chosen):
        assert together.parameters[run].tobytes() == Networks.initial(layout, [seed]).parameters.tobytes()
    assert len({row.tobytes() for row in together.parameters}) == len(chosen)


@given(layouts, seeds, precisions)
def test_tensors_and_back(layout: Layout, seed: int, kind: str) -> None:
    networks = Networks.initial(layout, [seed], kind)
    tensors = networks.tensors(0)
    assert {name: tensor.shape for name, tensor in tensors.items()} == layout.shapes
    assert Networks.from_tensors(layout.cell, tensors) == networks
    renamed = {f"model.encoder.{name}": tensor for name, tensor in tensors.items()}
    assert Networks.from_tensors(layout.cell, dict(reversed(renamed.items()))) == networks


@pytest.mark.parametrize("missing", ["rnn.bias_ih_l0", "rnn.bias_hh_l0", "output.bias"])
def test_a_missing_bias_is_zero(missing: str) -> None:
    tensors = tensors_of()
    zero = tensors | {missing: np.zeros_like(tensors[missing])}
    del tensors[missing]
    assert Networks.from_tensors(GRU, tensors) == Networks.from_tensors(GRU, zero)


@pytest.mark.parametrize("cell", CELLS.values(), ids=lambda cell: cell.name)
def test_the_names_of_a_single_cell_of_pytorch_are_read_too(cell: Cell) -> None:
    """An nn.LSTMCell has the tensors of an nn.LSTM, without the number of the layer."""
    networks = random_networks(layout_of(cell, 3), 1, seed=4)
    renamed = {name.removesuffix("_l0"): tensor for name, tensor in networks.tensors(0).items()}
    assert Networks.from_tensors(cell, renamed) == networks


def changed(**values: Any) -> dict[str, Any]:
    return tensors_of() | {name.replace("__", "."): value for name, value in values.items()}


@pytest.mark.parametrize(
    ("tensors", "why"),
    [
        ({}, "got nothing"),
        ({"rnn.weight_ih_l0": np.zeros((9, 2))}, "needs weight_ih and weight_hh"),
        (changed(rnn__weight_ih_l1=np.zeros((9, 3))), "rnn.weight_hh_l1: it is missing, and gru_x2 has it"),
        (changed(rnn__weight_hh_l0_reverse=np.zeros((9, 3))), "rnn.weight_hh_l0_reverse: only networks"),
        (changed(rnn__weight_ih_l0=np.zeros((12, 2))), r"gru needs shape \(9, 2\), got \(12, 2\)"),
        (changed(rnn__weight_ih_l0=np.zeros(9)), "weight_ih_l0: gru needs shape"),
        (changed(rnn__weight_ih_l0=np.float64(1)), "weight_ih_l0"),
        (changed(rnn__bias_hh_l0=np.zeros(8)), r"rnn.bias_hh_l0: gru needs shape \(9,\), got \(8,\)"),
        (changed(output__bias=np.zeros(3)), r"output.bias: gru needs shape \(2,\), got \(3,\)"),
        (changed(output__weight=np.zeros((2, 4))), "output.weight: gru needs shape"),
        (changed(head__weight=np.zeros((2, 3))), "one linear layer"),
        (changed(output__bias=np.zeros((2, 2, 2))), "output.bias|one linear layer"),
        (changed(other__weight_ih_l0=np.zeros((9, 2))), "only one recurrent layer can be read"),
        (changed(other__weight_ih=np.zeros((9, 2))), "there are rnn.weight_ih_l0, other.weight_ih"),
        (changed(output__bias=np.zeros(2, np.float16)), "must be float32 or float64, got float16"),
        (changed(output__bias=np.zeros(2, np.int64)), "must be float32 or float64, got int64"),
    ],
)  # fmt: skip
def test_what_is_no_such_network_is_refused_in_one_sentence(tensors: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why) as refusal:
        Networks.from_tensors(GRU, tensors)
    assert "\n" not in str(refusal.value)


def test_networks_are_values() -> None:
    layout = layout_of(GRU, 2)
    rows = np.zeros((1, layout.size))
    networks, twin = Networks(layout, rows), Networks(layout, rows.copy())
    with pytest.raises(ValueError, match="read-only"):
        networks.parameters[0, 0] = 1
    assert networks == twin
    assert networks != Networks(layout, rows.astype(np.float32))
    assert networks != Networks(layout, rows + 1)
    other = layout_of(GRU, 2, "anbn")
    assert networks != Networks(other, np.zeros((1, other.size)))
    assert networks != Networks(layout, np.zeros((2, layout.size)))


def test_equal_networks_have_equal_hashes() -> None:
    layout = layout_of(GRU, 2)
    plus, minus = (Networks(layout, np.full((1, layout.size), zero)) for zero in (0.0, -0.0))
    assert plus != minus or hash(plus) == hash(minus)


@pytest.mark.parametrize("sizes", [(2, 3, 2), (12, 1, 13), (1, 8, 1)])
def test_a_cell_that_names_its_own_tensors_is_read_by_their_names(sizes: tuple[int, int, int]) -> None:
    networks = Networks.initial(Layout(shaped, *sizes), [0], "float64")
    tensors = networks.tensors(0)
    assert Networks.from_tensors(shaped, dict(reversed(tensors.items()))) == networks
    for name in tensors:
        others = {other: tensor for other, tensor in tensors.items() if other != name}
        for wrong in (
            others,
            others | {f"{name}s": tensors[name]},
            others | {name: tensors[name][..., None]},
        ):
            with pytest.raises(BadInput, match="shaped: needs the tensors that its parameters name, got "):
                Networks.from_tensors(shaped, wrong)
