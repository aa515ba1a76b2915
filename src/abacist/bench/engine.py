"""The engine against PyTorch, against the processor's peak, and against itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Missing, Peak, Row, rate, side_by_side
from abacist.cells import cell_named
from abacist.compiler import judging_work, training_work
from abacist.engine import Block, begin, training_words
from abacist.engine.judging import prepare
from abacist.languages import language_named
from abacist.specs import Spec
from abacist.targets import target_named

_RUNS = 16


class _Task:
    """Sixteen LSTMs, each with its own words, ready to train and to judge."""

    def __init__(self, language: str, hidden: int) -> None:
        self.spec = Spec(language_named(language), cell_named("lstm"), hidden=hidden, epochs=1)
        self.name = f"{language}, {hidden} units"
        self.words = [training_words(self.spec, seed) for seed in range(_RUNS)]
        self.tokens = sum(len(words.symbols) for words in self.words)
        self.blocks = [self.block(), self.block()]
        self.trained = self.block().train(5)

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
        yield from _against_the_peak(task)
    for task in (dyck, shuffle):
        yield from _judging(task)
    yield from _threads(dyck)


def _against_torch(task: _Task) -> Iterator[Row]:
    torch, own, hidden = torch_peer.torch_or_none(), task.words[0], task.spec.hidden
    styles: tuple[tuple[str, Callable[[], tuple[Callable[[], None], int]], float], ...] = (
        ("one in padded batches of 256", lambda: torch_peer.padded_batches(torch, own, hidden, 4_096), 60),
        ("4,096 by vmap", lambda: torch_peer.many_networks(torch, task.words, hidden, 2, 4_096), 60),
        ("one, a whole word per call", lambda: torch_peer.whole_word(torch, own, hidden, 400), 1_500),
    )
    for style, make, at_least in styles:
        what = f"training 16 LSTMs (dyck-1, 3 units), against PyTorch training {style}"
        if torch is None:
            yield Row(what, "", "", Missing("torch is not installed"), at_least)
            continue
        job, tokens = make()
        job()
        ours, theirs = side_by_side(5, task.train, job)
        ratio = (task.tokens / ours) / (tokens / theirs)
        yield Row(what, rate(task.tokens / ours), rate(tokens / theirs), ratio, at_least)


def _against_the_peak(task: _Task) -> Iterator[Row]:
    meter = Peak()
    seconds, _ = side_by_side(7, task.train, meter.measure)
    yield meter.row(f"training ({task.name})", task.operations() / seconds)


def _judging(task: _Task) -> Iterator[Row]:
    jobs = [prepare(task.trained.networks, run, words) for run, words in enumerate(task.words)]

    def judge_all() -> None:
        for job in jobs:
            job()

    judge_all()
    meter = Peak()
    judging, _ = side_by_side(15, judge_all, meter.measure)
    work = target_named().flops(judging_work(task.spec.layout).step, "float32")
    yield meter.row(f"judging ({task.name})", task.tokens * work / judging)


def _threads(task: _Task) -> Iterator[Row]:
    what = "training 32 LSTMs (dyck-1, 3 units) on two threads, against one"
    if (os.cpu_count() or 1) < 2:
        yield Row(what, "", "", Missing("there is one core"), 1.8)
        return

    def on(threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(task.train, range(2)))

    one, two = side_by_side(5, lambda: on(1), lambda: on(2))
    yield Row(what, rate(2 * task.tokens / two), rate(2 * task.tokens / one), one / two, 1.8)
