"""What whole commands cost: table 3 from a cold start, alone and on a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Row, compared
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import training_words
from abacist.experiments import Store, Task, open_cluster, run
from abacist.languages import language_named
from abacist.specs import Spec

#: Words and epochs of the network that PyTorch trains, some of them and all of them.
_UPDATES, _EPOCHS = 1_500, 20

#: Tiny blocks, each of one network that is trained for a moment.
_BLOCKS = 1_000

_TABLE_3 = "table 3, cold start, on `--cluster local:2`, which is started and ended, against two threads"
_TINY = f"{_BLOCKS:,} tiny blocks on `--cluster local:2`, against two threads"


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
        yield Row(what, f"{whole:.0f} s", "", Missing("torch is not installed"), 1)
        return
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3)
    words = training_words(spec, 0)
    job, symbols = torch_peer.whole_word(torch, words, spec.hidden, _UPDATES)
    job()
    one = _seconds(job) / symbols * len(words.symbols) * _EPOCHS
    yield Row(what, f"{whole:.0f} s", f"{one:.0f} s", one / whole, 1)


def _table_3(*where: str) -> float:
    """Seconds for `abacist reproduce --only table-3` with an empty cache and an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "abacist", "reproduce", "--only", "table-3", *where]
        command += ["--results", f"{folder}/results"]
        environment = os.environ | {"ABACIST_CACHE": folder}
        return _seconds(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))


def cluster_rows() -> Iterator[Row]:
    """A Dask cluster of two processes on this machine against two threads of one process: the whole of table
    3, and blocks so small that only handing them out takes time."""
    if find_spec("distributed") is None:
        for what, at_least in ((_TABLE_3, 0.85), (_TINY, 0.5)):
            yield Row(what, "", "", Missing("distributed is not installed"), at_least)
        return
    threads, cluster = _table_3("--jobs", "2"), _table_3("--cluster", "local:2")
    yield Row(_TABLE_3, f"{cluster:.0f} s", f"{threads:.0f} s", threads / cluster, 0.85)
    with open_cluster("local:2") as workers:
        _tiny(8, executor=workers)  # both have compiled it then
        cluster = _tiny(_BLOCKS, executor=workers)
    threads = _tiny(_BLOCKS, jobs=2)
    yield compared(_TINY, _BLOCKS / cluster, _BLOCKS / threads, 0.5, " blocks/s")


def _tiny(blocks: int, **given: Any) -> float:
    """Seconds for some tiny blocks, from nothing to the store."""
    words: dict[str, Any] = {"training": 40, "test": 10, "short": Window(2, 12), "long": Window(14, 20)}
    first = Spec(language_named("dyck-1"), cell_named("rnn"), hidden=2, epochs=1, **words)
    tasks = [Task("tiny", replace(first, rate=1e-5 * (n + 1)), (0,)) for n in range(blocks)]
    with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
        return _seconds(lambda: run(tasks, store, **given))
