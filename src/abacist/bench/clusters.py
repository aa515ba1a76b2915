"""A Dask cluster of two processes on this machine against two threads of one process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from abacist.bench.measure import Missing, Row
from abacist.bench.reproduce import table_3
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.experiments import Store, Task, open_cluster, run
from abacist.languages import language_named
from abacist.specs import Spec

#: Tiny blocks, each of one network that is trained for a moment.
_BLOCKS = 1_000

_TABLE_3 = "table 3, cold start, on `--cluster local:2`, which is started and ended, against two threads"
_TINY = f"{_BLOCKS:,} tiny blocks on `--cluster local:2`, against two threads"


def rows() -> Iterator[Row]:
    """The whole of table 3, and blocks so small that only handing them out takes time."""
    if find_spec("distributed") is None:
        for what, at_least in ((_TABLE_3, 0.95), (_TINY, 0.5)):
            yield Row(what, "", "", Missing("distributed is not installed"), at_least)
        return
    threads, cluster = table_3("--jobs", "2"), table_3("--cluster", "local:2")
    yield Row(_TABLE_3, f"{cluster:.0f} s", f"{threads:.0f} s", threads / cluster, 0.95)
    with open_cluster("local:2") as workers:
        _tiny(8, executor=workers)  # both have compiled it then
        cluster = _tiny(_BLOCKS, executor=workers)
    threads = _tiny(_BLOCKS, jobs=2)
    ours, baseline = (f"{_BLOCKS / seconds:.0f} blocks/s" for seconds in (cluster, threads))
    yield Row(_TINY, ours, baseline, threads / cluster, 0.5)


def _tiny(blocks: int, **given: Any) -> float:
    """Seconds for some tiny blocks, from nothing to the store."""
    words: dict[str, Any] = {"training": 40, "test": 10, "short": Window(2, 12), "long": Window(14, 20)}
    first = Spec(language_named("dyck-1"), cell_named("rnn"), hidden=2, epochs=1, **words)
    specs = [replace(first, rate=1e-5 * (n + 1)) for n in range(blocks)]
    with tempfile.TemporaryDirectory() as folder, Store(folder) as store:
        begun = time.perf_counter()
        run([Task("tiny", spec, (0,)) for spec in specs], store, **given)
        return time.perf_counter() - begun
