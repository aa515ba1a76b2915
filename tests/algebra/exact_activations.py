"""Functions of one number with 50 digits: what programs are measured against."""

from __future__ import annotations

from decimal import Decimal, localcontext

from abacist.algebra import ROUNDING


def exactly(function: str, x: float) -> Decimal:
    """Sigmoid or tanh of x, with an error below 1e-49."""
    with localcontext(prec=50):
        e = (-abs(Decimal(x)) * (2 if function == "tanh" else 1)).exp()
        if function == "tanh":
            return ((1 - e) / (1 + e)).copy_sign(Decimal(x))
        return (1 if x >= 0 else e) / (1 + e)


def exactly_of(function: str, x: float) -> Decimal:
    """eˣ, the logarithm of x, or log(1 + eˣ), with an error below 1e-45 of itself or of 1."""
    with localcontext(prec=50):
        given = Decimal(x)
        if function == "exp":
            return given.exp()
        if function == "log":
            return given.ln()
        return max(given, Decimal(0)) + (1 + (-abs(given)).exp()).ln()


def allowed(function: str, precision: str, x: float) -> Decimal:
    """How far a program's value may be from that."""
    promise, exact = ROUNDING[precision], abs(exactly_of(function, x))
    if function == "exp":
        share = promise.exponential + 2 * promise.unit * abs(x)
        return exact * Decimal(share) + 2 * Decimal(promise.smallest)
    if function == "log":
        return exact * Decimal(promise.logarithm)
    return Decimal(promise.softplus) + exact * Decimal(promise.unit)
