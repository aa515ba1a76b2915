"""Sigmoid and tanh of one number with 50 digits: what programs are measured against."""

from __future__ import annotations

from decimal import Decimal, localcontext


def exactly(function: str, x: float) -> Decimal:
    """Sigmoid or tanh of x, with an error below 1e-49."""
    with localcontext(prec=50):
        e = (-abs(Decimal(x)) * (2 if function == "tanh" else 1)).exp()
        if function == "tanh":
            return ((1 - e) / (1 + e)).copy_sign(Decimal(x))
        return (1 if x >= 0 else e) / (1 + e)
