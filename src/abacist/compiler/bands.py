"""Gradients as sums over time: rows that belong together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abacist.algebra import Symbol
from abacist.compiler.adjoint import Gradient


@dataclass(frozen=True)
class Band:
    """Adjoints of affine maps whose gradients are neighbouring rows of the same tensors.

    `rows` lie one after the other on the tape; `parts` are the gradients of the first of them.
    """

    rows: tuple[Symbol, ...]
    parts: tuple[Gradient, ...]

    @property
    def size(self) -> int:
        return sum(rows.size for rows in self.rows)


def bands(gradients: Iterable[Gradient]) -> list[Band]:
    """Group gradients into bands, such as the four gates of an LSTM into one."""
    by_rows: dict[Symbol, list[Gradient]] = {}
    for gradient in sorted(gradients, key=lambda g: (g.tensor, g.first_row)):
        by_rows.setdefault(gradient.rows, []).append(gradient)
    found: list[Band] = []
    for rows, parts in by_rows.items():
        if found and _follows(found[-1], parts):
            found[-1] = Band((*found[-1].rows, rows), found[-1].parts)
        else:
            found.append(Band((rows,), tuple(parts)))
    return found


def _follows(band: Band, parts: list[Gradient]) -> bool:
    """Whether gradients continue all tensors of a band where it ends."""
    return [(g.tensor, g.first_row, g.columns) for g in parts] == [
        (g.tensor, g.first_row + band.size, g.columns) for g in band.parts
    ]
