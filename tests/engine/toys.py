"""Cells that do not come with Abacist, each a few lines: they train like any other."""

from __future__ import annotations

from typing import Any

from abacist.algebra import relu, sigmoid, tanh
from abacist.cells import cell


@cell(gates="f n")
def minimal(w: Any, x: Any, h: Any) -> Any:
    """The minimal gated unit: its candidate waits for f, so a step takes two stages of loops."""
    f = sigmoid(w.f(x, h))
    n = tanh(w.n(x, f * h))
    return h + f * (n - h)


@cell(gates="a b")
def paired(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A second state that both gates read, with constants and a minus sign."""
    a = sigmoid(w.a(x, m))
    m = 0.5 * m - a * relu(w.b(x, h))
    return tanh(m + 0.25 * h), m


@cell(gates="h")
def delayed(w: Any, x: Any, h: Any, d: Any) -> Any:
    """A second state that is the first one, a step late."""
    return tanh(w.h(x, h) - d), h


@cell(gates="u v")
def deep(w: Any, x: Any, h: Any) -> Any:
    """Three products one after the other, two of them with the same matrix."""
    u = tanh(w.u(x, h))
    v = tanh(w.v.recurrent(u))
    return v + w.u.recurrent(v * u)


@cell(gates="a b")
def unbounded(w: Any, x: Any, h: Any) -> Any:
    """A product with a factor that has no bound."""
    return relu(w.a(x, h)) * sigmoid(w.b(x, h))


@cell(gates="u v")
def stacked(w: Any, x: Any, h: Any) -> Any:
    """Two layers without bounds: the second reads a vector that is no state."""
    u = relu(w.u(x, h))
    return relu(w.v(x, u))


TOYS = {toy.name: toy for toy in (minimal, paired, delayed, deep)}

#: Those that can overflow where a bounded cell cannot.
UNBOUNDED = {toy.name: toy for toy in (unbounded, stacked)}
