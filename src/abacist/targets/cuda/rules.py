"""Rules of updates on a GPU: what a program does with a weight, and the numbers that it is given for it.

Adam's text is written by hand, as it was measured; that of any other optimiser is printed from its formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.optimisers import MOMENTS, OPTIMISERS, Term, TermPrinter, in_order_of_need, named
from abacist.specs import Spec

#: Two moments of a weight, whatever an optimiser makes of them.
_MOMENTS = "struct alignas(2 * sizeof(number)) Moments { number first, second; };\n"

_ADAM = """\
struct Adam { number step, correction, b1, b2, r1, r2, e, left; };
__device__ __forceinline__ number updated(number weight, number g, Moments &own, const Adam &adam) {
  own.first = fma(adam.b1, own.first, adam.r1 * g);
  own.second = fma(adam.b2, own.second, adam.r2 * g * g);
  return adam.left * weight + quotient(adam.step * own.first, fma(root(own.second), adam.correction, adam.e));
}
"""

#: How the function of an update begins.
_HEAD = "__device__ __forceinline__ number updated("

_ADAM_NUMBERS = (
    "const number *now = corrections + 2 * update;",
    "const Adam adam = {now[0], now[1], number(beta1), number(beta2), number(1 - beta1),",
    "  number(1 - beta2), number(epsilon), number(left)};",
)

_TERMS = TermPrinter(
    {"root": "root({})", "multiply_add": "fma({}, {}, {})", "/": "quotient({}, {})"},
    lambda number: f"number({number!r})",
)


@dataclass(frozen=True)
class UpdateText:
    """The types and the function `updated` of an update, the lines that read its numbers, and their name."""

    functions: str
    numbers: tuple[str, ...]
    name: str


def update_text(optimiser: str) -> UpdateText:
    """The parts of a program that are an optimiser's."""
    if optimiser == "adam":
        return UpdateText(_MOMENTS + _ADAM, _ADAM_NUMBERS, "adam")
    own = OPTIMISERS[optimiser]
    names = _shared_names(optimiser)
    shared = SimpleNamespace(**{name: named(f"rule.{name}") for name in names})
    arrays = dict(zip(own.moments, MOMENTS, strict=False))
    before = tuple(named(f"own.{array}") for array in arrays.values())
    new, *moments = own.advance(shared, named("rule.left") * named("weight"), named("g"), before)
    lines, known = [], dict[Term, str]()
    for name, moment in in_order_of_need(dict(zip(arrays, moments, strict=True))):
        lines.append(f"  const number {name} = {_TERMS.text(moment, known)};")
        known[moment] = name
    lines += [f"  own.{array} = {name};" for name, array in arrays.items()]
    text = "\n".join(
        (
            f"struct Rule {{ number {', '.join((*names, 'left'))}; }};",
            f"{_HEAD}number weight, number g, Moments &own, const Rule &rule) {{",
            *lines,
            f"  return {_TERMS.text(new, known)};",
            "}",
            "",
        )
    )
    given = ", ".join(f"now[{place}]" for place in range(len(names)))
    numbers = (
        f"const number *now = corrections + {len(names)} * update;",
        f"const Rule rule = {{{given}, number(left)}};",
    )
    return UpdateText(_MOMENTS + text, numbers, "rule")


def _shared_names(optimiser: str) -> tuple[str, ...]:
    """What an optimiser calls the numbers that all weights share."""
    own = OPTIMISERS[optimiser]
    settings = SimpleNamespace(**{name: named(name) for name in (*own.settings, "updates")})
    return tuple(vars(own.shared(settings)))


def numbers_of(spec: Spec, updates: NDArray[np.int64]) -> NDArray[Any]:
    """The numbers of a rule at some updates, counted from 1, (update, number)."""
    own = OPTIMISERS[spec.optimiser]
    settings = SimpleNamespace(**{name: getattr(spec, name) for name in own.settings}, updates=updates)
    names = ("step", "correction") if spec.optimiser == "adam" else _shared_names(spec.optimiser)
    shared = vars(own.shared(settings))
    columns = [np.broadcast_to(shared[name], updates.shape) for name in names]
    return np.column_stack(columns).astype(spec.precision)
