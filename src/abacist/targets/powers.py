"""The polynomial for powers of two that targets make their exponentials of."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

#: The degree of the polynomial for 2^r.
DEGREE = {"float32": 5, "float64": 11}


def power_coefficients(degree: int) -> list[float]:
    """A polynomial for 2^r on [−½, ½], lowest power first: 1 + r·q(r), so that 2⁰ is exactly 1.

    q interpolates (2^r − 1) / r at Chebyshev's points; 50 digits, since q's last ones are small.
    """
    with localcontext(prec=50):
        points = [Decimal(math.cos(math.pi * (n + 0.5) / degree) / 2) for n in range(degree)]
        points = [r if abs(r) > Decimal("1e-9") else Decimal(0) for r in points]
        values = [(2**r - 1) / r if r else Decimal(2).ln() for r in points]
        for order in range(1, degree):
            for n in range(degree - 1, order - 1, -1):
                values[n] = (values[n] - values[n - 1]) / (points[n] - points[n - order])
        q = [Decimal(0)] * degree
        for value, point in zip(reversed(values), reversed(points), strict=True):
            q = [(q[n - 1] if n else 0) - point * q[n] for n in range(degree)]
            q[0] += value
        return [1.0, *map(float, q)]
