"""Cells of one's own travel to processes that have never heard of them, and are known by their content."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.algebra import sigmoid, tanh
from abacist.cells import Cell, cell
from abacist.engine import train
from tests.cells.toys import TOYS
from tests.experiments.cases import small
from tests.requirements import need


def halved(value: Any) -> Any:
    """What a formula of this module uses."""
    return 0.5 * value


def local(factor: float) -> Cell:
    """A cell that no other process can find."""

    @cell(gates="n z")
    def own(w: Any, x: Any, h: Any) -> Any:
        z = halved(sigmoid(w.z(x, h)))
        return factor * z * tanh(w.n(x, h))

    return own


#: Reads a spec, trains networks of it, and sends both back; it knows nothing of this project's tests.
ELSEWHERE = """
import pickle, sys
assert not any("tests" in name for name in sys.modules)
spec = pickle.load(sys.stdin.buffer)
from abacist.engine import train
from abacist.errors import BadInput
sys.stdout.buffer.write(pickle.dumps((spec, train(spec, (3, 4)).networks.parameters)))
"""


@pytest.mark.parametrize("own", [local(0.75), TOYS["shaped"]], ids=lambda own: own.name)
def test_a_cell_trains_elsewhere_as_it_does_here_and_comes_back_as_itself(own: Cell, tmp_path: Path) -> None:
    need("cloudpickle")
    spec = replace(small(epochs=2), cell=own)
    answer = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps(spec),
        capture_output=True,
        cwd=tmp_path,
        check=True,
    )
    came_back, parameters = pickle.loads(answer.stdout)
    assert came_back.cell is own
    assert came_back == spec
    assert parameters.tobytes() == train(spec, (3, 4)).networks.parameters.tobytes()
    assert np.isfinite(parameters).all()
