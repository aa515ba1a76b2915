"""What whole commands cost: table 3 from a cold start, alone and on a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Row
from abacist.cells import cell_named
from abacist.engine import training_words
from abacist.languages import language_named
from abacist.specs import Spec

#: Words and epochs of the network that PyTorch trains, some of them and all of them.
_UPDATES, _EPOCHS = 1_500, 20


def _seconds(job: Callable[[], object]) -> float:
    begun = time.perf_counter()
    job()
    return time.perf_counter() - begun


def reproduce_rows() -> Iterator[Row]:
    """All 120 networks of table 3 trained and judged on two cores, compilation included."""
    whole = _table_3("--jobs", "2")
    what = "all 120 networks of table 3, judged, cold start, two cores; against PyTorch training one of them"
    torch = torch_peer.torch_or_none()
    if torch is None:
        yield Row.missing(what, 1, "torch is not installed")
        return
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3)
    words = training_words(spec, 0)
    job, symbols = torch_peer.whole_word(torch, words, spec.hidden, _UPDATES)
    job()
    one = _seconds(job) / symbols * len(words.symbols) * _EPOCHS
    yield Row.of(what, f"{whole:.0f} s", f"{one:.0f} s", one / whole, 1)


def _table_3(*where: str) -> float:
    """Seconds for `abacist reproduce --only table-3` with an empty cache and an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "abacist", "reproduce", "--only", "table-3", *where]
        command += ["--results", f"{folder}/results"]
        environment = os.environ | {"ABACIST_CACHE": folder}
        return _seconds(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))


def cluster_rows() -> Iterator[Row]:
    """Table 3 on a Dask cluster of two processes on this machine, against two threads of one process."""
    what = "table 3, cold start, on `--cluster local:2`, which is started and ended, against two threads"
    if find_spec("distributed") is None:
        yield Row.missing(what, 0.85, "distributed is not installed")
        return
    threads, cluster = _table_3("--jobs", "2"), _table_3("--cluster", "local:2")
    yield Row.of(what, f"{cluster:.0f} s", f"{threads:.0f} s", threads / cluster, 0.85)
