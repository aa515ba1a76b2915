"""Networks of the literature whose gates see the input alone, so that their recurrence is linear."""

from __future__ import annotations

from typing import Any

from abacist.algebra import exp, linear, sigmoid, softplus, tanh
from abacist.cells.definition import cell
from abacist.cells.parameters import affine_maps, tensors


@cell(parameters=affine_maps(z="hidden", h="hidden"))
def mingru(w: Any, x: Any, h: Any) -> Any:
    """minGRU (Feng et al. 2024): a GRU whose gate and candidate see the input alone."""
    z = sigmoid(linear(w.W_z, x) + w.b_z)
    n = linear(w.W_h, x) + w.b_h
    return (1 - z) * h + z * n


@cell(parameters=affine_maps(f="hidden", i="hidden", h="hidden"))
def minlstm(w: Any, x: Any, h: Any) -> Any:
    """minLSTM (Feng et al. 2024): gates and candidate see the input alone, and gates share what there is."""
    f = sigmoid(linear(w.W_f, x) + w.b_f)
    i = sigmoid(linear(w.W_i, x) + w.b_i)
    n = linear(w.W_h, x) + w.b_h
    return (f * h + i * n) / (f + i)


@cell(parameters=affine_maps(f="hidden", i="hidden", h="hidden"))
def minlstm_unscaled(w: Any, x: Any, h: Any) -> Any:
    """minLSTM (Feng et al. 2024) without the scaling that makes it independent of length: it can add up."""
    f = sigmoid(linear(w.W_f, x) + w.b_f)
    i = sigmoid(linear(w.W_i, x) + w.b_i)
    n = linear(w.W_h, x) + w.b_h
    return f * h + i * n


@cell(
    parameters=tensors(
        **{f"W1_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"W2_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"b_{gate}": "hidden" for gate in "zfo"},
    )
)
def qrnn(w: Any, x: Any, h: Any, c: Any, z_next: Any, f_next: Any, o_next: Any) -> Any:
    """The quasi-recurrent network with fo-pooling (Bradbury et al. 2017), its filter two symbols wide:

    z = tanh(W¹_z x₋₁ + W²_z x + b_z), x₋₁ being the symbol before, zero before the first
    f = σ(W¹_f x₋₁ + W²_f x + b_f)
    o = σ(W¹_o x₋₁ + W²_o x + b_o)
    c′ = f ⊙ c + (1 − f) ⊙ z
    h′ = o ⊙ c′

    What the filter makes of a symbol is handed to the next step as three states.
    """
    z = tanh(linear(w.W2_z, x) + w.b_z + z_next)
    f = sigmoid(linear(w.W2_f, x) + w.b_f + f_next)
    o = sigmoid(linear(w.W2_o, x) + w.b_o + o_next)
    c = f * c + (1 - f) * z
    return o * c, c, linear(w.W1_z, x), linear(w.W1_f, x), linear(w.W1_o, x)


@cell(parameters=affine_maps(a="hidden", b="hidden"))
def diagonal(w: Any, x: Any, h: Any) -> Any:
    """A diagonal linear recurrence whose eigenvalues depend on the input and lie between 0 and 1."""
    a = sigmoid(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b


@cell(parameters=affine_maps(a="hidden", b="hidden"))
def diagonal_signed(w: Any, x: Any, h: Any) -> Any:
    """The same with eigenvalues between −1 and 1 (Grazzi et al. 2025): it can also alternate."""
    a = tanh(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b


@cell(
    parameters=tensors(
        W_u="hidden inputs",
        W_delta="hidden inputs",
        b_delta="hidden",
        A="hidden",
        W_B="hidden inputs",
        W_C="hidden inputs",
        D="hidden",
    )
)
def selective(w: Any, x: Any, h: Any, s: Any) -> Any:
    """A selective state-space step as in Mamba (Gu and Dao 2023), with one number of state for each unit."""
    u = linear(w.W_u, x)
    delta = softplus(linear(w.W_delta, x) + w.b_delta)
    s = exp(0 - delta * exp(w.A)) * s + delta * linear(w.W_B, x) * u
    return linear(w.W_C, x) * s + w.D * u, s
