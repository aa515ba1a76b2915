"""CUDA programs of cells that do not come with Abacist are right, too: see `test_programs`."""

from __future__ import annotations

import pytest

from abacist.cells import Cell
from tests.cells.toys import TOYS
from tests.targets.cuda import test_programs

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("lanes", [1, 2, 8])
@pytest.mark.parametrize("cell", TOYS.values(), ids=TOYS)
def test_training(cell: Cell, lanes: int) -> None:
    test_programs.test_training_is_the_engine_s(cell, lanes)


@pytest.mark.parametrize("cell", TOYS.values(), ids=TOYS)
def test_judging(cell: Cell) -> None:
    test_programs.test_judging_is_the_engine_s(cell, "shuffle-3", 4, partial=True)
    test_programs.test_judging_is_the_engine_s(cell, "dyck-1", 1, partial=False)


@pytest.mark.parametrize("lanes", [1, 4, 16])
@pytest.mark.parametrize("cell", TOYS.values(), ids=TOYS)
def test_parameters(cell: Cell, lanes: int) -> None:
    test_programs.test_every_parameter_has_one_thread(cell, lanes)


@pytest.mark.parametrize("cell", TOYS.values(), ids=TOYS)
def test_compiling(cell: Cell) -> None:
    test_programs.test_programs_compile_for_a_device(cell, "float32")
