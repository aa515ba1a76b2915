"""Cells that do not come with Abacist, each a few lines: they train like any other."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from abacist.algebra import absolute, linear, maximum, minimum, relu, sigmoid, tanh
from abacist.cells import Part, Shapes, State, cell


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
    """Two layers without bounds: the second reads a vector that is not a state."""
    u = relu(w.u(x, h))
    return relu(w.v(x, u))


@cell(gates="a b")
def forgetful(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A hidden state that the next step does not read."""
    m = 0.5 * m + tanh(w.a.input(x))
    return tanh(w.b.recurrent(m)), m


@cell(gates="a b")
def affine(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A second state that is an affine map and nothing more, and that only the next step reads."""
    return tanh(w.b(x, m)), w.a(x, h)


@cell(gates="a b")
def delay_line(w: Any, x: Any, h: Any, early: Any, late: Any) -> Any:
    """What comes in is read two steps later."""
    return tanh(w.b.recurrent(late)), w.a.input(x), early


@cell(gates="a")
def subtracting(w: Any, x: Any, h: Any, m: Any) -> Any:
    """An affine map that is taken away, and a number that float32 does not have."""
    return h - w.a.input(x), h + 1.00000006 * m


@cell(gates="a b")
def limited(w: Any, x: Any, h: Any) -> Any:
    """No more than what is known without the state."""
    return minimum(w.a(x, h), w.b.input(x))


@dataclass(frozen=True)
class TwoMaps:
    """Parameters that are not gates: a map of the input into twice the units, and one back."""

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        return {"up": (2 * hidden, inputs), "down": (hidden, 2 * hidden), "shift": (hidden,)}

    def bind(self, part: Part, hidden: int) -> Any:
        return SimpleNamespace(
            up=part("up", 0, 2 * hidden), down=part("down", 0, hidden), shift=part("shift", 0, hidden)
        )


@cell(parameters=TwoMaps(), states={"m": State("m", per_unit=2)})
def shaped(w: Any, x: Any, h: Any, m: Any) -> Any:
    """A memory of twice as many numbers as there are units."""
    m = 0.75 * m + tanh(linear(w.up, x))
    return tanh(linear(w.down, m) + w.shift + 0.5 * h), m


@cell(gates="a b")
def bounded(w: Any, x: Any, h: Any) -> Any:
    """With the operations that no other cell here has, and names that JavaScript uses otherwise."""
    new = minimum(w.a(x, h), 1 - h)
    let = absolute(w.b.recurrent(h) - 0.25)
    return maximum(new, -0.5) * let


@cell(gates="a b")
def explosive(w: Any, x: Any, h: Any) -> Any:
    """Nothing at all, unless a product overflows: then it is infinity less infinity."""
    large = w.a(x, h) * w.a(x, h)
    larger = sigmoid(w.b(x, h)) * large * large
    return tanh(larger - larger)


@cell(gates="a b")
def clipped(w: Any, x: Any, h: Any) -> Any:
    """The same, kept within bounds by comparisons."""
    large = w.a(x, h) * w.a(x, h)
    larger = sigmoid(w.b(x, h)) * large * large
    return minimum(maximum(larger - larger, -1.0), 1.0)


TOYS = {toy.name: toy for toy in (minimal, paired, delayed, deep, forgetful, affine, delay_line, shaped)}

#: Those that can overflow where a bounded cell cannot.
UNBOUNDED = {toy.name: toy for toy in (unbounded, stacked)}
