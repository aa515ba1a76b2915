"""The engine against PyTorch and the processor's peak, table 3 from a cold start, and every cell's speed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Peak, Row, compared, side_by_side
from abacist.cells import Layout, cell_named
from abacist.compiler import boxes_work, judging_work, training_work
from abacist.engine import Block, begin, training_words
from abacist.experiments import experiment_named
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets import Stepper, target_for, target_named
from abacist.wording import plural

_RUNS = 16

#: Words and epochs of the network that PyTorch trains beside table 3, some of them and all of them.
_UPDATES, _EPOCHS = 1_500, 20

#: Boxes in a batch, as many as fit into the second-level cache; steps of it; and half a box's width.
_BOXES, _TIMES, _RADIUS = 4_096, 40, 1e-3

#: Of the networks of every cell: their units, and words of their training sets.
_HIDDEN, _WORDS = 4, 1_000

#: Work on memories takes its time; what is below this share of an LSTM's speed is more than that.
_AT_LEAST = 0.01


class _Task:
    """Sixteen networks, each with its own words, ready to train and to judge."""

    def __init__(self, language: str, hidden: int, cell: str = "lstm", **sizes: Any) -> None:
        self.spec = Spec(language_named(language), cell_named(cell), hidden=hidden, epochs=1, **sizes)
        self.name = f"{language}, {hidden} units"
        self.words = [training_words(self.spec, seed) for seed in range(_RUNS)]
        self.tokens = sum(len(words.symbols) for words in self.words)
        self.blocks = [self.block(), self.block()]

    def block(self) -> Block:
        return Block(begin(self.spec, range(_RUNS)), self.words)

    def train(self, number: int = 0) -> None:
        """One more epoch."""
        block = self.blocks[number]
        block.train(block.epochs + 1)

    def operations(self) -> float:
        work, price = training_work(self.spec.layout), target_named().flops
        updates = sum(len(words.lengths) for words in self.words)
        return self.tokens * price(work.step, "float32") + updates * price(work.update, "float32")


def rows() -> Iterator[Row]:
    """All rows of the speed table that are about training and judging, on one core."""
    dyck, shuffle = _Task("dyck-1", 3), _Task("shuffle-6", 8)
    yield from _against_torch(dyck)
    for task in (dyck, shuffle):
        meter = Peak()
        seconds, _ = side_by_side(7, task.train, meter.measure)
        yield meter.row(f"training ({task.name})", task.operations() / seconds)
    for task in (dyck, shuffle):
        yield from _judging(task)
    yield from _threads(dyck)


def _against_torch(task: _Task) -> Iterator[Row]:
    torch, words, hidden = torch_peer.torch_or_none(), task.words[0], task.spec.hidden
    styles: tuple[tuple[str, Callable[[], tuple[Callable[[], None], int]], float], ...] = (
        ("one in padded batches of 256", lambda: torch_peer.padded_batches(torch, words, hidden, 4_096), 60),
        ("one, a whole word per call", lambda: torch_peer.whole_word(torch, words, hidden, 400), 1_500),
    )
    for style, make, at_least in styles:
        what = f"training 16 LSTMs (dyck-1, 3 units), against PyTorch training {style}"
        if torch is None:
            yield Row.missing(what, at_least, "torch is not installed")
            continue
        job, tokens = make()
        job()
        ours, theirs = side_by_side(5, task.train, job)
        yield compared(what, task.tokens / ours, tokens / theirs, at_least)


def _judging(task: _Task) -> Iterator[Row]:
    networks = task.block().train(5).networks
    judging = target_for(networks.layout).judging
    jobs = [judging(networks, words)(run) for run, words in enumerate(task.words)]

    def judge_all() -> None:
        for job in jobs:
            job()

    judge_all()
    meter = Peak()
    seconds, _ = side_by_side(15, judge_all, meter.measure)
    work = target_named().flops(judging_work(task.spec.layout).step, "float32")
    yield meter.row(f"judging ({task.name})", task.tokens * work / seconds)


def _threads(task: _Task) -> Iterator[Row]:
    what = "training 32 LSTMs (dyck-1, 3 units) on two threads, against one"
    if (os.cpu_count() or 1) < 2:
        yield Row.missing(what, 1.8, "there is one core")
        return

    def on(threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(task.train, range(2)))

    one, two = side_by_side(5, lambda: on(1), lambda: on(2))
    yield compared(what, 2 * task.tokens / two, 2 * task.tokens / one, 1.8)


def horizon_rows() -> Iterator[Row]:
    """The interval program against the processor's peak, on one core."""
    for hidden in (1, 3):
        layout, meter = Layout(cell_named("lstm"), 2, hidden, 2), Peak()
        middle = np.random.default_rng(0).normal(size=(_BOXES, sum(layout.state_sizes)))
        stepper = target_for(layout).stepping(Networks.initial(layout, [0]), 0, True)
        seconds, _ = side_by_side(15, _stepping(stepper, layout, middle), meter.measure)
        work = target_named().flops(boxes_work(layout, "float32").step, "float32", boxes=True)
        yield meter.row(f"steps of boxes (LSTM, {plural(hidden, 'unit')})", _TIMES * _BOXES * work / seconds)


def _stepping(stepper: Stepper, layout: Layout, middle: NDArray[np.float64]) -> Callable[[], None]:
    """Steps of a batch of boxes, many times: states with a radius, lower bounds before upper ones."""
    before, after = (stepper.rows(_BOXES, numbers) for numbers in (stepper.width, stepper.results))
    vectors = np.split(middle.T, layout.state_starts[1:])
    before[:, :_BOXES] = np.concatenate([bound for v in vectors for bound in (v - _RADIUS, v + _RADIUS)])

    def step() -> None:
        for _ in range(_TIMES):
            stepper(0, before, after, _BOXES)

    step()
    return step


def zoo_rows() -> Iterator[Row]:
    """How fast every cell of the zoo trains, in its order, against an LSTM of as many units."""
    lstm = _Task("dyck-1", _HIDDEN, "lstm", training=_WORDS)
    tasks = (task for name in ("zoo", "zoo-memories") for task in experiment_named(name).tasks)
    for cell in dict.fromkeys(task.spec.cell for task in tasks):
        task = _Task("dyck-1", _HIDDEN, cell.name, training=_WORDS)
        for one in (lstm, task):
            one.train()  # so that all is compiled
        ours, theirs = side_by_side(3, task.train, lstm.train)
        yield compared(zoo_row(cell.name), task.tokens / ours, lstm.tokens / theirs, _AT_LEAST)


def zoo_row(cell: str) -> str:
    """What the row of a cell is called."""
    return f"training {_RUNS} {cell} (dyck-1, {_HIDDEN} units), against LSTMs"


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
