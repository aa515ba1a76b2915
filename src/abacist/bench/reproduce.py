"""The paper's table 3, from nothing, against PyTorch training one of its 120 networks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Row
from abacist.cells import cell_named
from abacist.engine import training_words
from abacist.languages import language_named
from abacist.specs import Spec

_UPDATES, _EPOCHS = 1_500, 20


def rows() -> Iterator[Row]:
    """All 120 networks of table 3 trained and judged on two cores, compilation included."""
    whole = table_3("--jobs", "2")
    what = "all 120 networks of table 3, judged, cold start, two cores; against PyTorch training one of them"
    torch = torch_peer.torch_or_none()
    if torch is None:
        yield Row(what, f"{whole:.0f} s", "", Missing("torch is not installed"), 1)
    else:
        one = _one_network(torch)
        yield Row(what, f"{whole:.0f} s", f"{one:.0f} s", one / whole, 1)


def table_3(*where: str) -> float:
    """Seconds for `abacist reproduce --only table-3` with an empty cache and an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        asked = ["reproduce", "--only", "table-3", *where, "--results", str(Path(folder) / "results")]
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "abacist", *asked],
            check=True,
            capture_output=True,
            env=os.environ | {"ABACIST_CACHE": folder},
        )
        return time.perf_counter() - begun


def _one_network(torch: object) -> float:
    """Seconds for PyTorch to train the LSTM of Dyck-1, a whole word per call, from some of its updates."""
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3)
    words = training_words(spec, 0)
    job, symbols = torch_peer.whole_word(torch, words, spec.hidden, _UPDATES)
    job()
    begun = time.perf_counter()
    job()
    return (time.perf_counter() - begun) / symbols * len(words.symbols) * _EPOCHS
