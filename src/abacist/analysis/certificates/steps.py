"""One step of a network, read with program intervals: many boxes of states at once.

A box speaks about the states in a region of configurations: number j of a state is slopes[j]·counters
plus an offset between bounds. Numbers with slopes are accumulators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.algebra.rounding import decision_margin, rounding_margins
from abacist.analysis.certificates.enclosures import Enclosure, enclosed
from abacist.analysis.certificates.floats import Array, Grid, ranges, sum_above, sum_below
from abacist.analysis.certificates.forms import Form, Scope
from abacist.compiler.stepping import longest_sum
from abacist.engine.reference import array_parts
from abacist.errors import BadInput
from abacist.specs import Networks


@dataclass(frozen=True, eq=False)
class Image:
    """What a step makes of boxes: the offsets afterwards, and the sums of the output layer.

    `lower`, `upper` bound the offsets, (box, number). Where an accumulator's offset is its old one plus
    something, `fall` and `rise`, (box, number), bound that; they are infinite elsewhere. `sums_lower` and
    `sums_upper` are (box, output).
    """

    lower: Array
    upper: Array
    fall: Array
    rise: Array
    sums_lower: Array
    sums_upper: Array

    def right(self, targets: Any, margin: float) -> Any:
        """Whether all outputs are certainly as they should be, (box); targets are (box, output)."""
        decided = np.where(targets, self.sums_lower > margin, self.sums_upper < -margin)
        return decided.all(axis=-1)


class NoForms(BadInput):
    """A cell has an operation that forms do not know."""


class Steps:
    """Steps of one network, in the precision of its weights."""

    def __init__(self, networks: Networks, run: int) -> None:
        self.layout, self.precision = networks.layout, str(networks.parameters.dtype)
        if self.layout.threshold is not None:
            raise BadInput(
                "certificates are of outputs that are decided each by itself, not of probabilities"
            )
        self.grid = Grid(self.precision)
        self.margin = decision_margin(self.precision)
        self.size = sum(self.layout.state_sizes)
        self._part = array_parts(networks, run)
        terms = max(longest_sum(self.layout), self.layout.inputs + max(self.layout.state_sizes) + 8)
        self._sums = rounding_margins(self.precision, terms).sums

    def image(
        self,
        symbols: Any,
        counters: tuple[Array, Array],
        updates: Array,
        slopes: Array,
        offsets: tuple[Array, Array],
    ) -> Image:
        """What symbols, (box,), make of boxes of which counters and offsets are bounded.

        counters are (box, counter), whole numbers; updates, (box, counter), is what the symbol adds to them;
        slopes are (number, counter) and offsets (box, number).
        """
        own = np.flatnonzero(slopes.any(axis=1))  # the accumulators
        kinds = slopes.shape[1]
        scope = Scope(
            self.grid,
            np.concatenate([counters[0], offsets[0][:, own]], axis=1),
            np.concatenate([counters[1], offsets[1][:, own]], axis=1),
            np.arange(kinds + len(own)) < kinds,
            self._sums,
        )
        coefficients = np.zeros((len(symbols), self.size, kinds + len(own)))
        coefficients[:, :, :kinds] = slopes
        coefficients[:, own, kinds + np.arange(len(own))] = 1
        plain = ~slopes.any(axis=1)
        lower, upper = (np.where(plain, bound, 0) for bound in offsets)
        states = self._states(Form(coefficients, lower, upper), scope)
        weights = self.layout.weights(self._part)
        hot = np.eye(self.layout.inputs)[symbols]
        try:
            after = self.layout.cell.advance(weights, Enclosure(hot, hot, scope), states)
        except TypeError as error:
            raise NoForms(
                f"{self.layout.cell.name}: it cannot be certified at every depth, since {error}; "
                "for words up to a depth, which --depth gives, it may be"
            ) from None
        after = tuple(one.settled() for one in after)
        sums = self.layout.sums(self._part, after[0]).settled()
        return self._relative(after, sums, slopes, updates, own, scope)

    def _states(self, form: Form, scope: Scope) -> tuple[Enclosure, ...]:
        low, high = form.bounds(scope)
        # the program's states are numbers of its precision, so the bounds can be, too
        low, high = self.grid.inside(low), -self.grid.inside(-high)
        found = []
        for start, size in zip(self.layout.state_starts, self.layout.state_sizes, strict=True):
            part = slice(start, start + size)
            own = form.coefficients[:, part]
            kept = Form(own, form.lower[:, part], form.upper[:, part]) if own.any() else None
            found.append(enclosed(low[:, part], high[:, part], scope, kept))
        return tuple(found)

    def _relative(
        self,
        after: tuple[Enclosure, ...],
        sums: Enclosure,
        slopes: Array,
        updates: Array,
        own: Any,
        scope: Scope,
    ) -> Image:
        """The new offsets: what the states are beyond their slopes times the new counters."""
        boxes, kinds = len(updates), slopes.shape[1]
        forms = [one.known_form() for one in after]
        lower, upper = _joined([one.lower for one in after]), _joined([one.upper for one in after])
        fall, rise = np.full(lower.shape, -np.inf), np.full(lower.shape, np.inf)
        states = Form(
            np.concatenate([form.coefficients for form in forms], axis=1)[:, own],
            _joined([form.lower for form in forms])[:, own],
            _joined([form.upper for form in forms])[:, own],
        )
        counted = np.zeros((boxes, len(own), kinds + len(own)))
        counted[..., :kinds] = -slopes[own]
        moved = [np.zeros((boxes, len(own))), np.zeros((boxes, len(own)))]
        for counter in range(kinds):
            slope, update = np.broadcast_arrays(-slopes[own, counter], updates[:, counter, None])
            low, high = ranges(slope, slope, update, update)
            moved = [sum_below(moved[0], low), sum_above(moved[1], high)]
        due = Form(counted, moved[0], moved[1])  # what the slopes account for, taken away
        low, high = due.bounds(scope)
        lower[:, own], upper[:, own] = sum_below(lower[:, own], low), sum_above(upper[:, own], high)
        left = states.plus(due)
        if left is not None:
            low, high = left.bounds(scope)
            lower[:, own] = np.maximum(lower[:, own], low)
            upper[:, own] = np.minimum(upper[:, own], high)
            kept = np.concatenate([np.zeros((len(own), kinds)), np.eye(len(own))], axis=1)
            drifts = (left.coefficients == kept).all(axis=-1) & ~np.isnan(lower[:, own])
            fall[:, own] = np.where(drifts, left.lower, -np.inf)
            rise[:, own] = np.where(drifts, left.upper, np.inf)
        shape = (boxes, self.layout.outputs)
        return Image(
            lower, upper, fall, rise, np.broadcast_to(sums.lower, shape), np.broadcast_to(sums.upper, shape)
        )


def _joined(parts: list[Array]) -> Array:
    """Vectors one after the other, in one array that can be written to."""
    return np.concatenate(parts, axis=-1)
