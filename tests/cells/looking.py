"""Cells that look at parts of vectors, repeat units and add them up, each a few lines."""

from __future__ import annotations

from typing import Any

from abacist.algebra import (
    cumulative_sum,
    exp,
    joined,
    log,
    outer,
    part,
    popped,
    pushed,
    repeat,
    row,
    segment_sum,
    sigmoid,
    softmax,
    softplus,
    tanh,
    unit,
    weighted_read,
)
from abacist.cells import State, cell


@cell(gates="a b")
def ratio(w: Any, x: Any, h: Any) -> Any:
    """Quotients, powers and logarithms."""
    a, b = softplus(w.a(x, h)), exp(0.5 * w.b(x, h))
    return log(1 + a) / b - 1 / (2 + b)


@cell(gates="a b")
def attentive(w: Any, x: Any, h: Any) -> Any:
    """Weights that add up to one, those before each of them, and a sum for all units."""
    a = softmax(w.a(x, h))
    return tanh(cumulative_sum(a) * w.b(x, h) - segment_sum(a * h, 1, 1))


@cell(gates="k v", states={"m": State("m", per_unit=0, fixed=6)})
def written(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A matrix of three rows that outer products are added to, read by weights that its rows give."""
    first, v = unit(w.k(x, h), 0), tanh(w.v(x, h))
    m = 0.5 * m + outer(softmax(joined(first, 0.5 - first, first * first)), joined(first, unit(v, 0)))
    read = weighted_read(softmax(segment_sum(m, 3, 2)), m)
    return v * segment_sum(read, 1, 1) - h * part(segment_sum(m, 2, 1), 1, 1), m


@cell(gates="n", states={"m": State("m", per_unit=0, fixed=10), "s": State("s", per_unit=0, fixed=5)})
def stacked_up(w: Any, x: Any, h: Any, m: Any, s: Any) -> Any:
    """Rows and their strengths, each moved down by one in every step: five steps until they are full."""
    n = w.n(x, h)
    s = pushed(0.9 * s, sigmoid(unit(n, 0)))
    m = pushed(m, joined(tanh(unit(n, 0)), 1 - unit(n, 0))) * repeat(s, 10, 2)
    read = weighted_read(s - popped(s, 1), m)
    return tanh(n + unit(read, 0) * unit(read, 1) - unit(row(m, 2, 2), 1)), m, s


@cell(gates="n", states={"m": State("m", per_unit=0, fixed=8)})
def queued(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A memory of inputs, which the formula looks at one by one; two units more in every step."""
    top = joined(unit(x, 0), unit(x, 1))
    m = pushed(m, top)
    return tanh(w.n(x, h) * (1 + segment_sum(part(m, 2, 6), 1, 1)) + segment_sum(x, 1, 1)), m


LOOKING = {one.name: one for one in (ratio, attentive, written, stacked_up, queued)}
