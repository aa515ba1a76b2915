"""Printing an update of all weights from its rule: the optimiser's formula, read as terms."""

from __future__ import annotations

from types import SimpleNamespace

from abacist.cells import Layout
from abacist.optimisers import MOMENTS, Rule, Term, TermPrinter, in_order_of_need, named
from abacist.targets.text import Text

#: Numbers that all runs share are Python's; what belongs to a weight is a vector.
_NUMBERS = TermPrinter({"root": "math.sqrt({})"})
_VECTORS = TermPrinter(
    {
        "root": "root({})",
        "negative": "(zero - {})",
        "multiply_add": "fma({}, {}, {})",
        "at_most": "at_most({}, {})",
        "at_least": "at_least({}, {})",
    },
    lambda number: f"splat(number({number!r}))",
)


def print_update(text: Text, layout: Layout, rule: Rule) -> None:
    """Print an update, and that gradients begin anew."""
    own = rule.formula
    settings = SimpleNamespace(**{name: named(name) for name in (*rule.settings, "updates")})
    weight, gradient = named("load(weights, p)"), named("load(gradient, p)")
    if rule.clips_norm:
        gradient = _print_norm(text, layout, rule) * gradient
    if rule.clips_value:
        _print_numbers(text, {"limit": settings.clip_value})
        gradient = rule.cut(gradient, named("limit"))
    text(f"# {own.meaning}")
    rows = own.numbers(settings)
    for row in rows:
        _print_numbers(text, row)
    if rule.decays:
        _print_numbers(text, {"left": rule.left(settings)})
        weight = named("left") * weight
    shared = SimpleNamespace(**{name: named(name) for row in rows for name in row})
    arrays = dict(zip(own.moments, MOMENTS, strict=False))
    before = tuple(named(f"load({array}, p)") for array in arrays.values())
    with text.block(f"for p in range({layout.size}):"):
        text(f"g = {_VECTORS.text(gradient)}")
        new, *moments = own.advance(shared, weight, named("g"), before)
        known: dict[Term, str] = {}
        for name, moment in in_order_of_need(dict(zip(arrays, moments, strict=True))):
            text(f"{name} = {_VECTORS.text(moment, known)}")
            known[moment] = name
        for name, array in arrays.items():
            text(f"store({array}, p, {name})")
        text(f"store(weights, p, {_VECTORS.text(new, known)})")
        text("store(gradient, p, zero)")


def _print_numbers(text: Text, row: dict[str, Term]) -> None:
    values = (f"splat(number({_NUMBERS.text(value)}))" for value in row.values())
    text(f"{', '.join(row)} = {', '.join(values)}")


def _print_norm(text: Text, layout: Layout, rule: Rule) -> Term:
    """Print the norm of a run's whole gradient; what the gradient is multiplied by."""
    text("# Gradients are clipped by their norm, as PyTorch does it.")
    _print_numbers(text, {"largest": named("clip_norm")})
    text("squares = zero")
    with text.block(f"for p in range({layout.size}):"):
        text("g = load(gradient, p)")
        text("squares = fma(g, g, squares)")
    text(f"shrink = {_VECTORS.text(rule.shrink(named('squares'), named('largest')))}")
    return named("shrink")
