"""What you wait for before anything runs: imports, compilation, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from abacist.bench.measure import Row, side_by_side

_PREPARE = """
import time
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.specs import Spec
from abacist.engine import Block, begin, training_words
from abacist.languages import language_named
from abacist.targets import target_named
target_named()
spec = Spec(language_named("shuffle-6"), cell_named("lstm"), hidden=8, epochs=1, training=20, test=5,
            short=Window(2, 12), long=Window(14, 20))
network, words = begin(spec, [0]), training_words(spec, 0)
clock = time.perf_counter()
Block(network, [words]).train(1)
print(time.perf_counter() - clock)
"""

_MEMORY = """
from abacist.bench.measure import peak_megabytes
from abacist.cells import cell_named
from abacist.specs import Spec
from abacist.engine import train
from abacist.languages import language_named
train(Spec(language_named("shuffle-6"), cell_named("lstm"), hidden=8, epochs=1), range(16))
print(peak_megabytes() / 1000)
"""


def _python(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )
    return done.stdout


def rows() -> Iterator[Row]:
    """Help against importing numba; compiling, loading and memory against their limits."""
    helping = "import sys; from abacist.cli.app import run; sys.exit(run(['--help']))"
    ours, numba = side_by_side(7, lambda: _python(helping), lambda: _python("import numba"))
    yield Row(
        "`abacist --help`, against importing numba",
        f"{1000 * ours:.0f} ms",
        f"{1000 * numba:.0f} ms",
        numba / ours,
        1,
    )
    with tempfile.TemporaryDirectory() as folder:
        compiling = float(_python(_PREPARE, ABACIST_CACHE=folder))
        loading = float(_python(_PREPARE, ABACIST_CACHE=folder))
    yield Row("compiling the LSTM of shuffle-6, against 3 s", f"{compiling:.2f} s", "3 s", 3 / compiling, 1)
    yield Row("loading it in a new process, against 0.5 s", f"{loading:.2f} s", "0.5 s", 0.5 / loading, 1)
    memory = float(_python(_MEMORY))
    yield Row(
        "memory for 16 runs of shuffle-6, against 1.5 GB", f"{memory:.2f} GB", "1.5 GB", 1.5 / memory, 1
    )
