"""What you wait for before anything runs: compilation."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from abacist.bench.measure import Row

_COMPILE = """
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


def rows() -> Iterator[Row]:
    """Compiling the largest network of table 3, against the import of Numba that its words wait for."""
    with tempfile.TemporaryDirectory() as folder:
        compiling = float(_python(_COMPILE, ABACIST_CACHE=folder))
    begun = time.perf_counter()
    _python("import numba")
    numba = time.perf_counter() - begun
    what = "compiling the LSTM of shuffle-6, against starting Python and importing Numba"
    yield Row(what, f"{compiling:.2f} s", f"{numba:.2f} s", numba / compiling, 0.15)


def _python(script: str, **environment: str) -> str:
    called = [sys.executable, "-c", script]
    done = subprocess.run(called, capture_output=True, text=True, check=True, env=os.environ | environment)
    return done.stdout
