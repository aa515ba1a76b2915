"""The two cells of xLSTM (Beck et al. 2024), whose input gates are exponentials."""

from __future__ import annotations

from typing import Any

from abacist.algebra import (
    absolute,
    exp,
    linear,
    maximum,
    outer,
    segment_sum,
    sigmoid,
    softplus,
    tanh,
    weighted_read,
)
from abacist.cells.definition import State, cell
from abacist.cells.parameters import affine_maps


@cell(gates="i f z o")
def slstm(w: Any, x: Any, h: Any, c: Any, n: Any, m: Any) -> Any:
    """sLSTM (Beck et al. 2024): an exponential input gate, a normaliser, and a stabiliser of both.

    i = W_ii x + b_ii + W_hi h + b_hi
    f = log σ(W_if x + b_if + W_hf h + b_hf)
    z = tanh(W_iz x + b_iz + W_hz h + b_hz)
    o = σ(W_io x + b_io + W_ho h + b_ho)
    m′ = max(f + m, i)
    c′ = exp(f + m − m′) ⊙ c + exp(i − m′) ⊙ z
    n′ = exp(f + m − m′) ⊙ n + exp(i − m′)
    h′ = o ⊙ c′ / n′
    """
    i = w.i(x, h)
    kept = m - softplus(0 - w.f(x, h))
    z = tanh(w.z(x, h))
    o = sigmoid(w.o(x, h))
    m = maximum(kept, i)
    old, new = exp(kept - m), exp(i - m)
    c = old * c + new * z
    n = old * n + new
    return o * c / n, c, n, m


#: How many numbers a key has.
_KEY = 4


@cell(
    parameters=affine_maps(q=_KEY, k=_KEY, v="hidden", i=1, f=1, o="hidden"),
    states={"c": State("c", per_unit=_KEY), "n": State("n", 0, _KEY), "m": State("m", 0, 1)},
)
def mlstm(w: Any, x: Any, h: Any, c: Any, n: Any, m: Any) -> Any:
    """mLSTM (Beck et al. 2024): a matrix C as memory, written and read with keys of four numbers.

    q = W_q x + b_q,  k = (W_k x + b_k) / 2,  v = W_v x + b_v
    i = W_i x + b_i,  f = log σ(W_f x + b_f), a number each
    o = σ(W_o x + b_o)
    m′ = max(f + m, i)
    C′ = exp(f + m − m′) C + exp(i − m′) v kᵀ
    n′ = exp(f + m − m′) n + exp(i − m′) k
    h′ = o ⊙ C′ q / max(|n′ᵀ q|, exp(−m′))
    """
    q = linear(w.W_q, x) + w.b_q
    k = (linear(w.W_k, x) + w.b_k) * 0.5
    v = linear(w.W_v, x) + w.b_v
    i = linear(w.W_i, x) + w.b_i
    kept = m - softplus(0 - linear(w.W_f, x) - w.b_f)
    o = sigmoid(linear(w.W_o, x) + w.b_o)
    m = maximum(kept, i)
    old, new = exp(kept - m), exp(i - m)
    c = old * c + new * outer(k, v)
    n = old * n + new * k
    weight = maximum(absolute(segment_sum(n * q, 1, 1)), exp(0 - m))
    return o * weighted_read(q, c) / weight, c, n, m
