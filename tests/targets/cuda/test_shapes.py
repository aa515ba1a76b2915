"""Programs fit the device that they are made for."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.cells import CELLS, Cell, Layout
from abacist.errors import BadInput
from abacist.targets.cuda.driver import Limits
from abacist.targets.cuda.shapes import shape_for, shared_bytes, tape_bytes
from abacist.targets.cuda.training_program import tape_width
from tests.targets.cuda.able import ABLE

#: A large device and a small one.
LARGE, SMALL = Limits(132, 233_472, 60 << 20), Limits(20, 65_536, 2 << 20)


@pytest.mark.parametrize("limits", [LARGE, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("cell", ABLE, ids=lambda cell: cell.name)
def test_blocks_have_room_beside_each_other(cell: Cell, limits: Limits) -> None:
    for symbols, hidden in ((2, 1), (2, 3), (4, 4), (12, 8), *(((12, 24),) if limits is LARGE else ())):
        layout = Layout(cell, symbols, hidden, symbols)
        for precision in ("float32", "float64") if limits is LARGE else ("float32",):
            for longest in (1, 50, 1_000):
                shape = shape_for(layout, precision, longest, limits)
                shared = shared_bytes(layout, precision, shape, longest)
                assert shape.blocks * (shared + 1_024) <= limits.shared
                assert shape.kept is None or 0 <= shape.kept < longest
                states = tape_width(layout, shape.lanes) * shape.block * np.dtype(precision).itemsize
                assert shared + tape_bytes(layout, precision, shape, longest) >= longest * states


def test_what_is_in_flight_fits_the_second_cache() -> None:
    """With a smaller cache there are fewer blocks, but never fewer than are worth having."""
    layout = Layout(CELLS["lstm"], 2, 1, 2)
    blocks = [shape_for(layout, "float32", 50, Limits(132, 233_472, mb << 20)).blocks for mb in (200, 20, 1)]
    assert blocks == sorted(blocks, reverse=True)
    assert blocks[0] > blocks[1] > blocks[2] == 4


def test_tables_without_room_are_refused() -> None:
    with pytest.raises(BadInput, match="no room for tables of 250 symbols and 64 units; use the CPU"):
        shape_for(Layout(CELLS["lstm"], 250, 64, 8), "float32", 50, SMALL)
