"""What whole commands cost: compiling, reproducing table 3 from nothing, stores as they grow, clusters."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Row, compared
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import training_words
from abacist.experiments import Outcome, Run, Store, Task, experiment_named, open_cluster, run
from abacist.languages import language_named
from abacist.specs import Spec

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

#: Words and epochs of the network that PyTorch trains, some of them and all of them.
_UPDATES, _EPOCHS = 1_500, 20

#: Rows of the stores that are measured, each larger than the one before, and of a transaction.
_SIZES, _BLOCK = (1_000, 10_000, 100_000), 5_000

_ON_STORES = {
    "runs --where": ("runs", "--where", "language=dyck-1", "--where", "cell=lstm", "--where", "seed=3"),
    "table claims": ("table", "claims"),
    "repair": ("repair",),
    "export --csv": ("export", "--csv", "-"),
}

#: Tiny blocks, each of one network that is trained for a moment.
_BLOCKS = 1_000

_TABLE_3 = "table 3, cold start, on `--cluster local:2`, which is started and ended, against two threads"
_TINY = f"{_BLOCKS:,} tiny blocks on `--cluster local:2`, against two threads"


def _seconds(job: Callable[[], object]) -> float:
    begun = time.perf_counter()
    job()
    return time.perf_counter() - begun


def _python(*arguments: str, **environment: str) -> str:
    """What Python says in a process of its own."""
    called, environ = [sys.executable, *arguments], os.environ | environment
    return subprocess.run(called, capture_output=True, text=True, check=True, env=environ).stdout


def startup_rows() -> Iterator[Row]:
    """Compiling the largest network of table 3, against the import of Numba that its words wait for."""
    with tempfile.TemporaryDirectory() as folder:
        compiling = float(_python("-c", _COMPILE, ABACIST_CACHE=folder))
    numba = _seconds(lambda: _python("-c", "import numba"))
    what = "compiling the LSTM of shuffle-6, against starting Python and importing Numba"
    yield Row(what, f"{compiling:.2f} s", f"{numba:.2f} s", numba / compiling, 0.15)


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
        called = ("-m", "abacist", "reproduce", "--only", "table-3", *where, "--results", f"{folder}/results")
        return _seconds(lambda: _python(*called, ABACIST_CACHE=folder))


def store_rows() -> Iterator[Row]:
    """How the seconds of every command grow with a store's rows, against growing in step with them."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(size) for size in _SIZES]
        for folder, size in zip(folders, _SIZES, strict=True):
            fill(folder, size)
        for command, called in _ON_STORES.items():
            calls = [("-m", "abacist", *called, "--results", str(folder)) for folder in folders]
            yield growth(command, [_seconds(lambda: _python(*call)) for call in calls])  # noqa: B023


def growth(command: str, seconds: Sequence[float]) -> Row:
    """The row of a command, from its seconds on every store."""
    first, middle, last = seconds
    in_step = (_SIZES[2] - _SIZES[0]) / (_SIZES[1] - _SIZES[0])
    grown = max(last - first, 1e-3) / max(middle - first, 1e-3)
    return Row(
        f"`{command}` over 1,000, 10,000 and 100,000 runs, linear growth against its own",
        " / ".join(f"{one:.1f}" for one in seconds) + " s",
        f"{in_step:g} times the first step",
        in_step / grown,
        0.5,
    )


def fill(folder: Path, runs: int) -> None:
    """Write a store of runs that nobody trained, of the networks of table 3, as the store itself would."""
    specs = [task.spec for task in experiment_named("table-3").tasks]
    made_up = _made_up(specs, runs)
    with Store(folder) as store:
        while block := list(islice(made_up, _BLOCK)):
            store.put(block)


def _made_up(specs: list[Spec], count: int) -> Iterator[Run]:
    """Runs with random weights and results; the seeds of every spec count from 0."""
    chance = np.random.default_rng(0)
    versions = {"abacist": "0", "numpy": np.__version__}
    for number in range(count):
        spec = specs[number % len(specs)]
        shares = chance.integers(0, spec.test + 1, 3) / spec.test
        sets = zip(("training", "short", "long"), shares.tolist(), strict=True)
        outcome = Outcome(
            accuracy={name: {spec.epochs: share} for name, share in sets},
            losses=tuple(chance.random(spec.epochs).tolist()),
            diverged=None,
            begun=1_700_000_000.0 + number,
            seconds=round(float(chance.random()), 4),
            versions=versions,
        )
        weights = chance.random(spec.layout.size, np.float32)
        yield Run(spec, number // len(specs), outcome, weights)


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
