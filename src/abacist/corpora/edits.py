"""Edits: how a word becomes another string, one small change at a time.

The edits of a kind that a word has are numbered from 0. No two kinds share an edit: what would be inserted
at the end is an extension, and what would be deleted there is a truncation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.fields import expect
from abacist.on_demand import on_demand

edit_kernels = on_demand("abacist.corpora.edit_kernels")  # Numba is slow to import

#: The kinds of edits, in the order of their numbers, and what each of them does.
EDITS: dict[str, str] = {
    "inserted": "one symbol more, anywhere before the end",
    "deleted": "one symbol less, but not the last",
    "replaced": "one symbol in place of another",
    "swapped": "two neighbours in each other's place",
    "truncated": "one or more symbols less at the end, never all",
    "extended": "one symbol more at the end",
}


def edit_number(kind: str) -> int:
    """The number of a kind of edit."""
    expect("a kind of edit", kind, str)
    if kind not in EDITS:
        raise BadInput(f"edits are {', '.join(EDITS)}, got {kind!r}")
    return list(EDITS).index(kind)


def edit_counts(kind: str, lengths: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How many edits of a kind words of some lengths have, over an alphabet of a size."""
    match kind:
        case "inserted":
            return lengths * size
        case "replaced":
            return lengths * (size - 1)
        case "extended":
            return np.full_like(lengths, size)
    return np.maximum(lengths - 1, 0)


def edited(
    kind: str,
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
    which: NDArray[np.int64],
    numbers: NDArray[np.int64],
    size: int,
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Packed strings: of word which[i] of a corpus its edit numbers[i], for every i."""
    lengths = np.diff(offsets)[which]
    change = {"inserted": 1, "extended": 1, "deleted": -1}.get(kind, 0)
    new = numbers + 1 if kind == "truncated" else lengths + change
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(new)))
    out = np.empty(int(ends[-1]), symbols.dtype)
    edit_kernels.apply_edits(edit_number(kind), symbols, offsets, which, numbers, size, out, ends)
    return out, ends
