"""A processor without wide registers computes the same, more slowly: LLVM is told to compile for one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import train
from tests.engine.cases import small
from tests.targets.llvm.compiled import on_generic_processor

pytestmark = pytest.mark.thorough

_SCRIPT = """
import numpy as np
from abacist.cells import cell_named
from abacist.engine import first_mistakes, train
from abacist.engine.reference import forward
from abacist.targets import target_named
from tests.compiler import test_stepping
from tests.engine.cases import any_words, layout_of, random_networks, small
from tests.engine.test_judging import mistakes
from tests.targets.llvm.compiled import use_generic_processor

use_generic_processor()
assert target_named().versions()["processor"] == "generic"
assert target_named().versions()["features"] == ""
for name in ("gru", "lstm"):
    cell = cell_named(name)
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=4, scale=5.0)
    words = any_words("dyck-2", [*range(1, 90)], seed=4)
    verdicts = first_mistakes(networks, 0, words).tolist()
    assert verdicts == mistakes(lambda word: forward(networks, 0, word)[1], words)
    np.save(f"{name}.npy", train(small(cell), [0, 1]).networks.parameters)
    for units, precision in ((1, "float32"), (3, "float64")):
        test_stepping.test_boxes_of_the_target_are_hardly_wider_than_those_of_numpy(name, units, precision)
        test_stepping.test_traces_stay_within_boxes_from_the_start(name, units, precision)
"""


def test_judging_training_and_boxes_without_wide_registers(tmp_path: Path) -> None:
    on_generic_processor(_SCRIPT, tmp_path)
    for name in ("gru", "lstm"):
        here = train(small(cell_named(name)), [0, 1]).networks.parameters
        np.testing.assert_allclose(np.load(tmp_path / f"{name}.npy"), here, atol=1e-4)
