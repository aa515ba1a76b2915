"""The argument of docs/rounding.md, worked out: how far the lane functions can be from the exact ones.

It holds for every number that a precision has, fused multiply-adds or not. Everything is computed
with 50 digits, piece by piece of the range, each part at its largest on the piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from math import factorial

import numpy as np

from abacist.algebra.rounding import ROUNDING
from abacist.targets.numba.lane_functions import DEGREE, power_coefficients

_DIGITS = 50
_TERMS = 40  # of the series for 2^r: on [−½, ½] the rest is far below the digits
_SLACK = Decimal(1) + Decimal(2) ** -10  # what is rounded lies this close to what it should be, and closer


@dataclass(frozen=True)
class Piece:
    """The part of the argument's range from `low` to `high`, and how far off the program can be there.

    `value` is the largest |exact| on it, `before` bounds the error before the last rounding, `after` with it.
    """

    low: float
    high: float
    value: Decimal
    before: Decimal
    after: Decimal


def half_unit(size: Decimal, unit: Decimal) -> Decimal:
    """The largest rounding error of a number whose absolute value is at most about `size`."""
    power = Decimal(1)
    while power > size * _SLACK:
        power /= 2
    while power * 2 <= size * _SLACK:
        power *= 2
    return unit * power


def half_unit_to_one(size: Decimal, unit: Decimal) -> Decimal:
    """The same where the number cannot exceed 1, which is rounded to itself."""
    return min(half_unit(size, unit), unit / 2)


def _number(value: float, precision: str) -> Decimal:
    """A constant as the program has it."""
    return Decimal(float(np.dtype(precision).type(value)))


@cache
def polynomial_error(precision: str) -> Decimal:
    """How far the polynomial, computed exactly, can be from 2^r, relatively.

    The difference from the series is a polynomial, too: it is computed at points all over the range, and
    between two of them it cannot change by more than its slope allows.
    """
    with localcontext(prec=_DIGITS):
        reach, two = _reach(precision), Decimal(2)
        coefficients = [_number(c, precision) for c in power_coefficients(DEGREE[precision])]
        coefficients += [Decimal(0)] * (_TERMS - len(coefficients))
        difference = [c - two.ln() ** n / factorial(n) for n, c in enumerate(coefficients)]
        slope = [n * d for n, d in enumerate(difference)][1:]
        bend = sum((n * abs(d) * reach ** (n - 1) for n, d in enumerate(slope) if n), Decimal(0))
        count = 2_000
        half = reach / count
        points = [half * (2 * n - count) for n in range(count + 1)]
        worst = max(
            (abs(_horner(difference, r)) + half * abs(_horner(slope, r))) / two ** (r - half) for r in points
        )
        between = bend * half * half / 2 * two**reach
        return worst + between + Decimal("1e-40")


def _horner(coefficients: list[Decimal], r: Decimal) -> Decimal:
    total = Decimal(0)
    for coefficient in reversed(coefficients):
        total = total * r + coefficient
    return total


def _reach(precision: str) -> Decimal:
    """How far from a whole number the rest of an exponent can be: ½, and what rounding may add."""
    return Decimal("0.5") + 64 * Decimal(ROUNDING[precision].unit)


@cache
def horner_error(precision: str) -> Decimal:
    """How far rounding can take the computed polynomial from the exact one, relatively."""
    with localcontext(prec=_DIGITS):
        unit, reach, two = Decimal(ROUNDING[precision].unit), _reach(precision), Decimal(2)
        coefficients = [_number(c, precision) for c in power_coefficients(DEGREE[precision])]
        error, size = Decimal(0), abs(coefficients[-1])
        for coefficient in coefficients[-2:0:-1]:
            product = size * reach
            size = product + abs(coefficient)
            error = error * reach + half_unit(product, unit) + half_unit(size, unit)
        count, worst = 256, Decimal(0)
        for n in range(count):
            low, high = (reach * (2 * m - count) / count for m in (n, n + 1))
            rest = max(abs(low), abs(high))
            product = max(abs(two**low - 1), abs(two**high - 1))
            # Below zero, 1 + r·q cannot exceed 1.
            last = half_unit_to_one(two**high, unit) if high <= 0 else half_unit(two**high, unit)
            worst = max(worst, (rest * error + half_unit(product, unit) + last) / two**low)
        return worst


@cache
def power_error(precision: str, rate: int, farthest: Decimal) -> Decimal:
    """How far the computed e^(−rate·x) can be from the exact one for |x| up to `farthest`, relatively."""
    with localcontext(prec=_DIGITS):
        unit, exact = Decimal(ROUNDING[precision].unit), rate / Decimal(2).ln()
        scale = abs(_number(float(exact), precision) / exact - 1)
        exponent = rate * farthest * (scale + unit + scale * unit)
        parts = (exponent.exp(), 1 + polynomial_error(precision), 1 + horner_error(precision))
        return parts[0] * parts[1] * parts[2] - 1


def _range(limit: int, steps: int) -> list[tuple[Decimal, Decimal]]:
    places = [Decimal(n) / steps for n in range(-limit * steps, limit * steps + 1)]
    return list(zip(places, places[1:], strict=False))


@cache
def sigmoid_pieces(precision: str, steps: int = 16) -> list[Piece]:
    """What can be wrong with 1 / (1 + e), on pieces of [−40, 40]; beyond, x is replaced by ±40."""
    found = []
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        for low, high in _range(40, steps):
            most, least = (-low).exp(), (-high).exp()
            relative = power_error(precision, 1, max(abs(low), abs(high)))
            wrong = most * relative + half_unit(1 + most, unit)
            value = 1 / (1 + least)
            before = wrong / ((1 + least) * (1 + least) * (1 - relative - unit))
            after = before + half_unit_to_one(value, unit)
            found.append(Piece(float(low), float(high), value, before, after))
    return found


@cache
def tanh_pieces(precision: str, steps: int = 32) -> list[Piece]:
    """What can be wrong with (1 − e²) / (1 + e²), on pieces of [−20, 20]; beyond, x is replaced by ±20."""
    found = []
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        for low, high in _range(20, steps):
            most, least = (-2 * low).exp(), (-2 * high).exp()
            relative = power_error(precision, 2, max(abs(low), abs(high)))
            below = 1 + least
            above = max(abs(1 - most), abs(1 - least))
            value = max(abs((1 - e) / (1 + e)) for e in (most, least))
            # The difference of numbers within a factor of two of each other is exact; and where e < 1, it is at most 1.
            near = most * (1 + relative) <= 2 and least * (1 - relative) >= Decimal("0.5")
            difference = half_unit_to_one(above, unit) if most < 1 else half_unit(above, unit)
            rounded = (0 if near else difference) + value * half_unit(1 + most, unit)
            power = 2 * most * relative / (below * below * (1 - relative))
            before = power + rounded / (below * (1 - relative - unit))
            after = before + half_unit_to_one(value, unit)
            found.append(Piece(float(low), float(high), value, before, after))
    return found
