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
from abacist.analysis.certificates.floats import Array, Bounds, Grid
from abacist.analysis.certificates.forms import Form, Scope
from abacist.compiler.stepping import longest_sum
from abacist.engine.reference import array_parts
from abacist.errors import BadInput
from abacist.specs import Networks


@dataclass(frozen=True, eq=False)
class Image:
    """What a step makes of boxes: the offsets afterwards, (box, number), and the sums of the output layer.

    Where an accumulator's offset is its old one plus something, `drift`, (box, number), bounds that; it is
    unbounded elsewhere. The sums are (box, output).
    """

    offsets: Bounds
    drift: Bounds
    sums: Bounds

    def right(self, targets: Any, margin: float) -> Any:
        """Whether all outputs are certainly as they should be, (box); targets are (box, output)."""
        decided = np.where(targets, self.sums.lower > margin, self.sums.upper < -margin)
        return decided.all(axis=-1)


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
        self._tensor_slice = array_parts(networks, run)
        terms = max(longest_sum(self.layout), self.layout.inputs + max(self.layout.state_sizes) + 8)
        self._sums = rounding_margins(self.precision, terms).sums

    def image(self, symbols: Any, counters: Bounds, updates: Array, slopes: Array, offsets: Bounds) -> Image:
        """What symbols, (box,), make of boxes of which counters and offsets are bounded.

        counters are (box, counter), whole numbers; updates, (box, counter), is what the symbol adds to them;
        slopes are (number, counter) and offsets (box, number).
        """
        sloped = slopes.any(axis=1)
        accumulators, kinds = np.flatnonzero(sloped), slopes.shape[1]
        variables = counters.each(lambda *ends: np.concatenate(ends, axis=1), offsets[:, accumulators])
        count = kinds + len(accumulators)
        scope = Scope(self.grid, variables, np.arange(count) < kinds, self._sums)
        coefficients = np.zeros((len(symbols), self.size, count))
        coefficients[:, :, :kinds] = slopes
        coefficients[:, accumulators, kinds + np.arange(len(accumulators))] = 1
        form = Form(coefficients, offsets.each(lambda bound: np.where(sloped, 0, bound)))
        hot = Bounds.point(np.eye(self.layout.inputs)[symbols])
        weights = self.layout.weights(self._tensor_slice)
        try:
            after = self.layout.cell.advance(weights, Enclosure(hot, scope), self._states(form, scope))
        except TypeError as error:
            raise BadInput(
                f"{self.layout.cell.name}: it cannot be certified at every depth, since {error}; "
                "for words up to a depth, which --depth gives, it may be"
            ) from None
        after = tuple(state.settled() for state in after)
        sums = self.layout.sums(self._tensor_slice, after[0]).settled()
        shape = (len(symbols), self.layout.outputs)
        return Image(
            *self._relative(after, slopes, updates, accumulators, scope),
            sums.bounds.each(lambda bound: np.broadcast_to(bound, shape)),
        )

    def _states(self, form: Form, scope: Scope) -> tuple[Enclosure, ...]:
        # the program's states are numbers of its precision, so the bounds can be, too
        bounds = self.grid.inside(form.bounds(scope))
        states = []
        for start, size in zip(self.layout.state_starts, self.layout.state_sizes, strict=True):
            units = slice(start, start + size)
            kept = Form(form.coefficients[:, units], form.rest[:, units])
            states.append(enclosed(bounds[:, units], scope, kept if kept.coefficients.any() else None))
        return tuple(states)

    def _relative(
        self, after: tuple[Enclosure, ...], slopes: Array, updates: Array, accumulators: Any, scope: Scope
    ) -> tuple[Bounds, Bounds]:
        """The new offsets, what the states are beyond their slopes times the new counters; and the drift."""
        boxes, kinds, count = len(updates), slopes.shape[1], len(accumulators)
        forms = [state.known_form() for state in after]
        offsets = _joined([state.bounds for state in after])
        drift = Bounds(np.full(offsets.lower.shape, -np.inf), np.full(offsets.lower.shape, np.inf))
        coefficients = np.concatenate([form.coefficients for form in forms], axis=1)[:, accumulators]
        states = Form(coefficients, _joined([form.rest for form in forms])[:, accumulators])
        counted = np.zeros((boxes, count, kinds + count))
        counted[..., :kinds] = -slopes[accumulators]
        moved = Bounds.point(np.zeros((boxes, count)))
        for counter in range(kinds):
            slope, update = Bounds.point(-slopes[accumulators, counter]), updates[:, counter, None]
            moved += slope * Bounds.point(update)
        due = Form(counted, moved)  # what the slopes account for, taken away
        new = offsets[:, accumulators] + due.bounds(scope)
        left = states + due
        if left is not None:
            new &= left.bounds(scope)
            kept = np.concatenate([np.zeros((count, kinds)), np.eye(count)], axis=1)
            drifts = (left.coefficients == kept).all(axis=-1) & ~np.isnan(new.lower)
            drift.lower[:, accumulators], drift.upper[:, accumulators] = left.rest.where(
                drifts, drift[:, accumulators]
            )
        offsets.lower[:, accumulators], offsets.upper[:, accumulators] = new
        return offsets, drift


def _joined(parts: list[Bounds]) -> Bounds:
    """Bounds of vectors one after the other, in arrays that can be written to."""
    return parts[0].each(lambda *ends: np.concatenate(ends, axis=-1), *parts[1:])
