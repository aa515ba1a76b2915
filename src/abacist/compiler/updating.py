"""The statements of an update: an optimiser's formula, for every parameter."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from abacist.algebra import Symbol, leaf
from abacist.compiler.lowering import lowered
from abacist.compiler.places import Names, Places, of_unit
from abacist.compiler.scheduling import schedule
from abacist.compiler.statements import Constant, Given, Load, Place, Statement, Store, UnitLoop
from abacist.optimisers import MOMENTS, Rule


def update_statements(rule: Rule, size: int) -> list[Statement]:
    """An update of `size` parameters: `weights`, `first` and `second` change, `gradient` becomes zero.

    The program provides the rule's numbers by name, and `shrink` where gradients are clipped by their norm.
    """
    places = Places()

    def provided(name: str) -> Symbol:
        symbol = leaf("state", size, name)
        places.elements[symbol] = Given(name)
        return symbol

    def stored(array: str) -> Symbol:
        symbol = leaf("state", size, array)
        places.elements[symbol] = Load(of_unit(Place(array)))
        return symbol

    numbers = SimpleNamespace(**{name: provided(name) for name in rule.names})
    arrays = MOMENTS[: len(rule.formula.moments)]
    weight, gradient = stored("weights"), stored("gradient")
    before = rule.prepared(numbers, weight, gradient, provided("shrink") if rule.clips_norm else None)
    after = rule.formula.advance(numbers, *before, tuple(map(stored, arrays)))
    for array, symbol in zip(("weights", *arrays), after, strict=True):
        places.keep(symbol, Place(array))
    roots = (*before, *after)
    (loop,) = lowered({}, schedule(roots), places, Names({}), roots)
    assert isinstance(loop, UnitLoop)
    last = max(level for level, _ in loop.body)
    computed = [(level, own) for level, own in loop.body if not isinstance(own, Store)]
    stores = [(last, own) for _, own in loop.body if isinstance(own, Store)]  # old moments may be needed
    clear = Store(of_unit(Place("gradient")), Constant(0.0))
    return [replace(loop, body=(*computed, *stores, (last, clear)))]


def shrink_statements(rule: Rule) -> list[Statement]:
    """The factor of gradients that are clipped by their norm: `shrink`, made of `squares` and `clip_norm`."""
    places = Places()
    squares, limit = leaf("state", 1, "squares"), leaf("state", 1, "clip_norm")
    places.elements |= {squares: Given("squares"), limit: Given("clip_norm")}
    result = rule.shrink(squares, limit)
    places.hand_over(result, "shrink")
    return lowered({}, schedule((result,)), places, Names({}), (result,))
