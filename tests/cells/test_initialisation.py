"""Initialisations: orthogonal matrices as NumPy and PyTorch have them, forget gates by what they do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.cells import KNOWN, NEXT_SYMBOL, Cell, Initialisation, Layout, cell_named, stacked
from abacist.cells.initialisation import orthonormal
from abacist.engine import train
from abacist.errors import BadInput
from abacist.specs import Networks, Spec
from tests.requirements import need

SMALL: dict[str, Any] = {"training": 20, "test": 5, "epochs": 2}

#: The cells whose forget gate multiplies a state; of `cifg`, `mingru` and others it is 1 − a gate.
FORGETS = {
    "gru", "lstm", "lstm_blind", "peephole", "janet", "ugrnn", "minlstm", "minlstm_unscaled", "qrnn",
    "diagonal", "stack_lstm", "stack_lstm_1", "gru_started", "lstm_started",
}  # fmt: skip


def spec_of(cell: str, init: str = "usual", **values: Any) -> Spec:
    return Spec.from_dict({"language": "dyck-1", "cell": cell, "init": init, **values})


def tensors(layout: Layout, seed: int = 0, init: Initialisation | None = None) -> dict[str, Any]:
    return Networks.initial(layout, [seed], "float64", init).tensors(0)


@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 7), (7, 3), (40, 40)])
def test_rows_are_made_orthonormal_as_by_a_qr_decomposition(shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(shape).normal(size=shape)
    made, tall = orthonormal(matrix), shape[0] > shape[1]
    product = made.T @ made if tall else made @ made.T
    np.testing.assert_allclose(product, np.eye(min(shape)), atol=1e-14)
    q, r = np.linalg.qr(matrix if tall else matrix.T)
    q = q * np.sign(np.diag(r))
    np.testing.assert_allclose(made if tall else made.T, q, atol=1e-9)


@pytest.mark.parametrize(("name", "gates"), [("rnn", 1), ("gru", 3), ("lstm", 4), ("lstm_started", 4)])
@pytest.mark.parametrize("layers", [1, 3])
def test_every_recurrent_matrix_is_orthogonal_and_nothing_else_changes(
    name: str, gates: int, layers: int
) -> None:
    if name == "lstm_started" and layers > 1:
        return
    layout = Layout(stacked(cell_named(name), layers), 2, 5, 2)
    usual, made = tensors(layout), tensors(layout, init=Initialisation(orthogonal=True))
    for tensor, array in made.items():
        if "weight_hh" not in tensor:
            np.testing.assert_array_equal(array, usual[tensor])
            continue
        for gate in array.reshape(gates, 5, 5):
            np.testing.assert_allclose(gate @ gate.T, np.eye(5), atol=1e-14)
    assert sum("weight_hh" in tensor for tensor in made) == layers


@need("torch")
def test_matrices_are_distributed_as_pytorch_s() -> None:
    import torch

    layout, init = Layout(cell_named("rnn"), 2, 3, 2), Initialisation(orthogonal=True)
    ours = Networks.initial(layout, range(2000), "float64", init)
    start = layout.starts["rnn.weight_hh_l0"]
    matrices = ours.parameters[:, start : start + 9].reshape(-1, 3, 3)
    torch.manual_seed(0)
    theirs = np.array([torch.nn.init.orthogonal_(torch.empty(3, 3)).numpy() for _ in range(2000)])
    for figure in (
        lambda m: m[:, 0, 0], lambda m: m[:, 2, 1] ** 4, lambda m: np.trace(m, axis1=1, axis2=2) ** 2,
        np.linalg.det,
    ):  # fmt: skip
        here, there = figure(matrices), figure(theirs)
        assert abs(here.mean() - there.mean()) < 4 * np.hypot(here.std(), there.std()) / np.sqrt(2000)


def kept(cell: Cell, forget: float) -> list[float]:
    """How much of a change of each state is there a step later, where all weights are 0 but those biases."""
    layout = Layout(cell, 2, 3, 2)
    parameters = Initialisation(forget=forget).parameters(layout, np.zeros(layout.size))

    def part(name: str, first: int, rows: int) -> Any:
        shape = layout.shapes[name]
        return parameters[layout.starts[name] :][: np.prod(shape)].reshape(shape)[first : first + rows]

    w, x = layout.weights(part), np.array([1.0, 0.0])
    states = [np.full(size, 0.5) for size in layout.state_sizes]
    before, result = cell.advance(w, x, tuple(states)), []
    for number in range(len(states)):
        changed = [state + 0.001 * (place == number) for place, state in enumerate(states)]
        difference = np.asarray(cell.advance(w, x, tuple(changed))[number]) - before[number]
        result.append(float(difference.min() / 0.001))
    return result


@pytest.mark.parametrize("name", sorted(FORGETS))
def test_a_large_forget_bias_keeps_the_state_and_a_small_one_forgets_it(name: str) -> None:
    of_states = zip(*(kept(cell_named(name), forget) for forget in (-50.0, 0.0, 50.0)), strict=True)
    assert any(none < 1e-9 and 0.3 < half < 0.8 and most > 0.6 for none, half, most in of_states)


def test_other_cells_are_refused_in_one_sentence() -> None:
    for name in KNOWN:
        if name in FORGETS:
            assert spec_of(name, "forget:1").init == Initialisation(forget=1)
            continue
        sentence = f"Spec: init asks for a forget gate, and {name} has none: no σ multiplies a state, got "
        with pytest.raises(BadInput, match=f"^{sentence}forget:1$"):
            spec_of(name, "forget:1")
    with pytest.raises(BadInput, match="init asks for a recurrent matrix, and diagonal has none: none mult"):
        spec_of("diagonal", "orthogonal")


@pytest.mark.parametrize("text", ["usual", "orthogonal", "forget:1", "forget:-0.25", "orthogonal+forget:4.5"])
def test_an_initialisation_is_written_as_it_is_read(text: str) -> None:
    assert str(Initialisation.parse(text)) == text
    spec = spec_of("lstm", text)
    assert Spec.from_dict(spec.as_dict()) == spec
    assert spec.key_values().get("init", "usual") == text


@pytest.mark.parametrize(
    "text",
    ["", "+", "forget", "forget:", "forget:x", "forget:inf", "forget:101", "forget:1+orthogonal", "identity",
     "orthogonal+", "orthogonal+forget:1+forget:2", "usual+forget:1"],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"^Spec: init must be usual, orthogonal, forget:BIAS or .*, got"):
        spec_of("lstm", text)


def test_training_begins_with_these_weights_and_the_usual_ones_are_as_ever() -> None:
    spec = spec_of("lstm", "orthogonal+forget:1", hidden=2, **SMALL)
    begun = train(replace(spec, epochs=0), [3, 4]).networks
    assert begun == Networks.initial(spec.layout, [3, 4], "float32", spec.init)
    usual = replace(spec, init=Initialisation())
    assert usual == spec_of("lstm", hidden=2, **SMALL)
    assert train(usual, [3]).networks != train(spec, [3]).networks
    assert "init" not in usual.key_values()
    assert usual.layout == spec.layout  # so programs are shared
    assert spec_of("lstm", "forget:1", objective=NEXT_SYMBOL).init.forget == 1
