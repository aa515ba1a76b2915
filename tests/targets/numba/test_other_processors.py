"""A processor without wide registers computes the same, more slowly: Numba is told to compile for one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import train
from tests.engine.cases import small

pytestmark = pytest.mark.thorough

_ROOT = Path(__file__).parents[3]

_SCRIPT = """
import numpy as np
from abacist.cells import cell_named
from abacist.engine import first_mistakes, train
from abacist.machine_code.compiled_functions import processor
from abacist.engine.reference import forward
from tests.engine.cases import any_words, layout_of, random_networks, small
from tests.engine.test_judging import mistakes

assert processor() == ("generic", ""), processor()
for name in ("gru", "lstm"):
    cell = cell_named(name)
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=4, scale=5.0)
    words = any_words("dyck-2", [*range(1, 90)], seed=4)
    verdicts = first_mistakes(networks, 0, words).tolist()
    assert verdicts == mistakes(lambda word: forward(networks, 0, word)[1], words)
    np.save(f"{name}.npy", train(small(cell), [0, 1]).networks.parameters)
"""


def test_judging_and_training_without_wide_registers(tmp_path: Path) -> None:
    plain = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "ABACIST_CACHE": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(str(_ROOT / part) for part in ("src", "")),
    }
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=tmp_path,
        env=os.environ | plain,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in ("gru", "lstm"):
        here = train(small(cell_named(name)), [0, 1]).networks.parameters
        np.testing.assert_allclose(np.load(tmp_path / f"{name}.npy"), here, atol=1e-4)
