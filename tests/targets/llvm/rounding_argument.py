"""The argument of docs/rounding.md, worked out: how far the lane functions can be from the exact ones.

It holds for every number of a precision, with multiply-adds fused or not. The range is cut into
pieces, and on each piece every part of an error is taken at its largest, with 50 digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from abacist.targets.functions import POWER_COEFFICIENTS

Array = NDArray[Any]

_DIGITS = 50
_HALF, _TWO = Decimal("0.5"), Decimal(2)

#: Terms of the series for 2^r: what is left out is below 1e-50.
_TERMS = 40

#: Numbers are rounded that lie this close to what they would be without errors, and much closer.
_SLACK = 1 + _TWO**-10

#: Pieces of the rests, which reach a little past ±½, since a product is rounded before it is cut.
_RESTS = 512


@dataclass(frozen=True)
class Piece:
    """What holds for arguments from `low` to `high`.

    `least` and `most` are the extremes of |exact|; `before` bounds the error without the rounding of the
    last division, `error` with it.
    """

    low: Decimal
    high: Decimal
    least: Decimal
    most: Decimal
    before: Decimal
    error: Decimal


def half_unit(size: Decimal, unit: Decimal, *, at_most_one: bool = False) -> Decimal:
    """The largest error of rounding a number of about `size` or less, known to be at most 1 or not."""
    power = _TWO ** Decimal(np.floor(np.log2(float(size * _SLACK))))
    return unit * (min(power, _HALF) if at_most_one else power)


def _constant(value: float, precision: str) -> Decimal:
    """A number as the program has it."""
    return Decimal(float(np.dtype(precision).type(value)))


def _horner(coefficients: list[Decimal], r: Decimal) -> Decimal:
    total = Decimal(0)
    for coefficient in reversed(coefficients):
        total = total * r + coefficient
    return total


def _cut(end: Decimal, count: int) -> list[tuple[Decimal, Decimal]]:
    """[−end, end] in pieces."""
    return list(pairwise(end * (2 * n - count) / count for n in range(count + 1)))


@cache
def rest_pieces(precision: str, beyond: int = 64) -> Array:
    """Pieces of the rests r, (piece, from · to · error): the relative error that a computed 2^r can have.

    Rests reach past ±½ by so many units.
    """
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        coefficients = [_constant(c, precision) for c in POWER_COEFFICIENTS[precision]]
        padded = coefficients + [Decimal(0)] * (_TERMS - len(coefficients))
        difference = [c - _TWO.ln() ** n / math.factorial(n) for n, c in enumerate(padded)]
        found = []
        for low, high in _cut(_HALF + beyond * unit, _RESTS):
            polynomial = _largest(difference, low, high) / _TWO**low
            rounding = _horner_rounding(coefficients, low, high, unit) / _TWO**low
            error = (1 + polynomial) * (1 + rounding) - 1
            found.append((float(low), float(high), float(error * (1 + Decimal("1e-15")))))
        return np.array(found)


def _largest(coefficients: list[Decimal], low: Decimal, high: Decimal) -> Decimal:
    """A bound on |polynomial| on a piece: its value and slope in the middle, and how much it can bend."""
    middle, half, end = (low + high) / 2, (high - low) / 2, max(abs(low), abs(high))
    slope = [n * c for n, c in enumerate(coefficients)][1:]
    bend = sum((n * abs(c) * end ** (n - 1) for n, c in enumerate(slope) if n), Decimal(0))
    value = abs(_horner(coefficients, middle)) + half * abs(_horner(slope, middle))
    return value + half * half / 2 * bend


def _horner_rounding(coefficients: list[Decimal], low: Decimal, high: Decimal, unit: Decimal) -> Decimal:
    """How far rounding can take the polynomial's value on a piece: each product and each sum is rounded."""
    end = max(abs(low), abs(high))
    error, size = Decimal(0), abs(coefficients[-1])
    for coefficient in coefficients[-2:0:-1]:
        product = size * end
        size = product + abs(coefficient)
        error = error * end + half_unit(product, unit) + half_unit(size, unit)
    product = size * end
    # 1 + r·q(r), with q positive: for a negative r it is at most 1.
    last = half_unit(_TWO**high, unit, at_most_one=high <= 0)
    return error * end + half_unit(product, unit) + last


def power_error(precision: str, rate: int, low: Decimal, high: Decimal) -> Decimal:
    """How far the computed e^(−rate·x) can be from the exact one on a piece, relatively."""
    unit, exact = Decimal(ROUNDING[precision].unit), rate / _TWO.ln()
    scale = abs(_constant(rate / math.log(2), precision) / exact - 1)
    exponent = rate * max(abs(low), abs(high)) * (scale + unit + scale * unit)
    return exponent.exp() * (1 + _power_of_rest(precision, -exact * high, -exact * low)) - 1


def _power_of_rest(precision: str, low: Decimal, high: Decimal) -> Decimal:
    """The largest error among the rests that exponents from `low` to `high` can have."""
    start, end, error = rest_pieces(precision).T
    slack = 1e-3  # more than any error of an exponent
    met = np.floor(float(high) - start + slack) >= np.ceil(float(low) - end - slack)
    return Decimal(float(error[met].max()))


def exponential_error(precision: str) -> Decimal:
    """How far a computed eˣ can be from the exact one, relatively, besides 2·unit·|x|.

    The rest is a sum that is rounded twice, near ±½, and reaches further past it than a sigmoid's.
    """
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        of_rest = Decimal(float(rest_pieces(precision, 256)[:, 2].max()))
        return (1 + of_rest) * (_TWO.ln() * unit).exp() * (1 + unit / 100) - 1


def softplus_error(precision: str) -> Decimal:
    """That of log(1 + eˣ), besides one rounding of the result: of the power, of the sum, of the logarithm."""
    promise = ROUNDING[precision]
    unit, half = Decimal(promise.unit), _HALF * Decimal(promise.exponential)
    return half + unit * Decimal("0.74") + unit + Decimal(promise.logarithm) * _TWO.ln()


@cache
def sigmoid_pieces(precision: str) -> list[Piece]:
    """1 / (1 + e) with e = e⁻ˣ, everywhere; beyond ±40, a program takes x for ±40."""
    found = []
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        for low, high in _cut(Decimal(40), 2_560):
            large, small = (-low).exp(), (-high).exp()
            relative = power_error(precision, 1, low, high)
            wrong = large * relative + half_unit(1 + large, unit)
            before = wrong / ((1 + small) ** 2 * (1 - relative - unit))
            least, most = 1 / (1 + large), 1 / (1 + small)
            error = before + half_unit(most, unit, at_most_one=True)
            found.append(Piece(low, high, least, most, before, error))
        return _with_ends(found)


@cache
def tanh_pieces(precision: str) -> list[Piece]:
    """(1 − e) / (1 + e) with e = e⁻²ˣ, everywhere; beyond ±20, a program takes x for ±20."""
    found = []
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        for low, high in _cut(Decimal(20), 2_560):
            large, small = (-2 * low).exp(), (-2 * high).exp()
            relative = power_error(precision, 2, low, high)
            least, most = sorted(abs((1 - e) / (1 + e)) for e in (large, small))
            above = half_unit(max(abs(1 - large), abs(1 - small)), unit, at_most_one=large <= 1)
            if large * _SLACK < 2 and small > _HALF * _SLACK:
                above = Decimal(0)  # the difference of numbers within a factor of two is exact
            below = most * half_unit(1 + large, unit)
            power = 2 * large * relative / ((1 + small) ** 2 * (1 - relative))
            before = power + (above + below) / ((1 + small) * (1 - relative - unit))
            error = before + half_unit(most, unit, at_most_one=True)
            found.append(Piece(low, high, least, most, before, error))
        return _with_ends(found)


@cache
def bound_tanh_pieces(precision: str) -> list[Piece]:
    """2 / (1 + e) − 1 with e = e⁻²ˣ, as bounds have it: `before` is without rounding the difference."""
    found = []
    with localcontext(prec=_DIGITS):
        unit = Decimal(ROUNDING[precision].unit)
        for low, high in _cut(Decimal(20), 2_560):
            large, small = (-2 * low).exp(), (-2 * high).exp()
            relative = power_error(precision, 2, low, high)
            wrong = large * relative + half_unit(1 + large, unit)
            quotient = 2 * wrong / ((1 + small) ** 2 * (1 - relative - unit))
            least, most = sorted(abs((1 - e) / (1 + e)) for e in (large, small))
            before = quotient + min(half_unit(2 / (1 + small), unit), unit)  # no quotient is above 2
            found.append(Piece(low, high, least, most, before, before + unit / 2))
        return _with_ends(found)


def _with_ends(pieces: list[Piece]) -> list[Piece]:
    """The pieces and what lies beyond: there the program stands still, and the function moves by 2e⁻⁴⁰."""
    first, last, moved = pieces[0], pieces[-1], 2 * Decimal(-40).exp()
    left, right = (
        replace(piece, low=low, high=high, before=piece.before + moved, error=piece.error + moved)
        for piece, low, high in (
            (first, Decimal("-Infinity"), first.low),
            (last, last.high, Decimal("Infinity")),
        )
    )
    return [replace(left, least=Decimal(0)), *pieces, replace(right, most=Decimal(1))]


def product_error(precision: str) -> float:
    """A bound for sigmoid(x)·tanh(y) as one fraction, whatever x and y are.

    It is made of the errors of both, of the product of the denominators, and of the division. The sums are of
    floats, and products of two errors are left out, so the result is rounded up.
    """
    unit, tanhs = ROUNDING[precision].unit, tanh_pieces(precision)
    t, of_t = np.array([(piece.most, piece.before) for piece in tanhs], np.float64).T
    sigmoids = [(float(piece.most), float(piece.before)) for piece in sigmoid_pieces(precision)]
    worst = max(float((s * (of_t + unit * t) + of_s * t).max()) for s, of_s in sigmoids)
    return (worst + unit / 2) * (1 + 1e-6)
