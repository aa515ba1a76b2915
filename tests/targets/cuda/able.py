"""The cells that the target can compute."""

from __future__ import annotations

from abacist.cells import CELLS, ZOO, Layout, stacked
from abacist.targets import target_named

#: Those of the zoo, and one of several layers.
FURTHER = [
    cell
    for cell in (*ZOO.values(), stacked(CELLS["lstm"], 2))
    if target_named("cuda").refusal(Layout(cell, 2, 3, 2)) is None
]

ABLE = [*CELLS.values(), *FURTHER]
