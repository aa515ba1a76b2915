"""Training: many runs at once, a lane each.

A run visits its words in an order. `shared`: words sorted by length into slots, which every epoch visits in
one shuffled order, the same for all runs. Words of nearly equal length then lie side by side, so that sixteen
runs hardly wait for each other. `own`: every run lays its words into slots in an order of its own, and epochs
shuffle the slots. `fixed`: as they were drawn, in every epoch.
"""

from __future__ import annotations

import math
import operator
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import NEXT_SYMBOL, Layout
from abacist.corpora import Purpose, Words, bit_generator, draw
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.progress import Progress
from abacist.specs import Networks, Spec
from abacist.specs.networks import sharpened_where_finite
from abacist.targets import PROCESSOR, TrainingState, target_for, target_named
from abacist.threads import ThreadPool
from abacist.wording import html_table, plural

Array = NDArray[Any]

#: Work between two looks at Ctrl-C and the progress, in symbols × parameters: about a tenth of a second.
_CHUNK_WORK = 40_000_000


@dataclass(frozen=True, eq=False)
class Trained:
    """Trained networks, one per seed.

    `losses` is (run, epoch); `diverged` is, for every run, the epoch after which some weight was no longer
    finite, or beyond `LARGEST_WEIGHT`, or None. `moments` and `updates` are Adam's, to continue from.
    """

    spec: Spec
    seeds: tuple[int, ...]
    networks: Networks
    losses: NDArray[np.float64]
    diverged: tuple[int | None, ...]
    moments: tuple[Array, Array]
    updates: int

    @property
    def epochs(self) -> int:
        return int(self.losses.shape[1])

    @checked
    def part(self, runs: Sequence[int]) -> Trained:
        """Some of the runs alone."""
        rows = list(runs)
        if rows and not 0 <= min(rows) <= max(rows) < len(self.seeds):
            raise BadInput(f"Trained: there are {plural(len(self.seeds), 'run')}, from 0, got {runs}")
        return replace(
            self,
            seeds=tuple(self.seeds[run] for run in rows),
            networks=Networks(self.spec.layout, self.networks.parameters[rows]),
            losses=self.losses[rows],
            diverged=tuple(self.diverged[run] for run in rows),
            moments=(self.moments[0][rows], self.moments[1][rows]),
        )

    def _repr_html_(self) -> str:
        """How a notebook shows trained networks: the loss of every run after its last epoch."""
        spec = self.spec
        head = f"{spec.language.name}, {spec.cell.name} with {spec.hidden} hidden units, {self.epochs} epochs"
        losses = zip(self.seeds, self.losses, strict=True)
        rows = [(seed, f"{of_run[-1]:.3g}") for seed, of_run in losses if self.epochs]
        return html_table(rows, ("seed", "loss"), head)


@checked
def train(
    spec: Spec,
    seeds: Iterable[int],
    *,
    start: Trained | Networks | None = None,
    progress: Progress | None = None,
    target: str = PROCESSOR,
) -> Trained:
    """Train one network for each seed, or continue `start` until the spec's epochs are done.

    A run's result depends on the spec and its own seed alone, whatever is trained beside it. A `start` that
    is `Trained` is not pretrained again. `target` is where: `llvm`, the processor, or `cuda`, an NVIDIA
    device. The text of `progress` is a recent mean loss.
    """
    seeds = whole_seeds(seeds)
    if not seeds:
        raise BadInput("train: at least one seed is needed, got none")
    twice = [seed for seed, count in Counter(seeds).items() if count > 1]
    if twice and start is None:
        raise BadInput(f"train: seeds must differ (equal ones give equal networks), got {twice[0]} again")
    begun = begin(spec, seeds, start)
    blocks = blocks_of(len(seeds), spec, target=target)
    progress = (progress or Progress()).part(1.0)  # of this call alone, to cancel

    def train_block(block: range) -> Trained:
        fresh = not isinstance(start, Trained)
        return _train_block(begun.part(block), fresh, progress.part(1 / len(blocks)), target)

    with ThreadPool(os.cpu_count() or 1) as pool:
        try:
            return _join(begun, list(pool.map(train_block, blocks)))
        except BaseException:
            progress.cancel()
            raise


@checked
def blocks_of(runs: int, spec: Spec, *, target: str = PROCESSOR) -> list[range]:
    """Runs of a spec in blocks that a target trains side by side."""
    if runs < 0:
        raise BadInput(f"blocks_of: runs must be at least 0, got {runs}")
    size = target_named(target).block(spec)
    return [range(first, min(first + size, runs)) for first in range(0, runs, size)]


def check_words(layout: Layout, words: Words) -> None:
    """Refuse words that a network of a layout cannot read, or has not the outputs for."""
    if words.targets.shape[1] != layout.outputs:
        raise BadInput(f"the network has {layout.outputs} outputs, the words {words.targets.shape[1]}")
    if words.symbols.size and words.symbols.max() >= layout.inputs:
        raise BadInput(f"the network has {layout.inputs} inputs, the words symbol {words.symbols.max()}")


def whole_seeds(seeds: Iterable[int]) -> list[int]:
    """Seeds as a list of whole numbers, whatever they come in."""
    try:
        return [operator.index(seed) for seed in seeds]
    except TypeError:
        raise BadInput(f"seeds must be whole numbers in a list or range, got {seeds!r}") from None


@checked
def begin(spec: Spec, seeds: Sequence[int], start: Trained | Networks | None = None) -> Trained:
    """Networks that have not been trained yet, not even `pretrained`, or not for as long as the spec says."""
    if isinstance(start, Trained):
        if tuple(seeds) != start.seeds or start.epochs > spec.epochs:
            raise BadInput("train: can only continue with the same seeds, to at least as many epochs")
        if (spec.layout, spec.precision) != (start.spec.layout, start.spec.precision):
            raise BadInput("train: can only continue with networks of the same shape and precision")
        return replace(start, spec=spec)
    networks = Networks.initial(spec.layout, seeds, spec.precision, spec.init) if start is None else start
    if networks.layout != spec.layout or len(networks) != len(seeds):
        raise BadInput("train: the networks to start from do not fit the spec and the seeds")
    zeros = np.zeros_like(networks.parameters)
    nothing = np.zeros((len(seeds), 0))
    return Trained(spec, tuple(seeds), networks, nothing, (None,) * len(seeds), (zeros, zeros), 0)


def _join(begun: Trained, parts: list[Trained]) -> Trained:
    first, second = (np.concatenate([p.moments[place] for p in parts]) for place in (0, 1))
    return replace(
        begun,
        networks=Networks(begun.spec.layout, np.concatenate([p.networks.parameters for p in parts])),
        losses=np.concatenate([p.losses for p in parts]),
        diverged=tuple(epoch for p in parts for epoch in p.diverged),
        moments=(first, second),
        updates=parts[0].updates,
    )


@checked
def training_words(spec: Spec, seed: int) -> Words:
    """The labelled training set of one run."""
    recipe = spec.recipe(seed)
    corpus = draw(replace(recipe, splits=recipe.splits[:1]))["training"]
    return Words.of(spec.language, corpus.symbols, corpus.offsets, spec.steps)


def _train_block(block: Trained, fresh: bool, progress: Progress, target: str) -> Trained:
    spec, where = block.spec, target_for(block.spec.layout, target)
    with where.admit_block():
        words_of = cache(partial(training_words, spec))
        words = [words_of(spec.words_seed(seed)) for seed in block.seeds]
        with where.exclusive():
            if fresh:
                block = pretrained(block, words, progress.part(0.0), target=target)
            return Block(block, words, target=target).train(spec.epochs, progress)


@checked
def pretrained(
    begun: Trained, words: Sequence[Words], progress: Progress | None = None, *, target: str = PROCESSOR
) -> Trained:
    """Runs after the first phase of their spec, which are trained side by side; the same if it has none."""
    spec, first = begun.spec, begun.spec.pretraining
    if first is None or spec.pretrain is None:
        return begun
    before = begin(first, begun.seeds, begun.networks)
    networks = Block(before, words, target=target).train(first.epochs, progress).networks
    return begin(spec, begun.seeds, sharpened_where_finite(networks, spec.pretrain.sharpen))


@checked
def slots_of(order: str, seed: int, lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Which word of a run lies in each slot."""
    if order == "shared":
        return np.argsort(lengths, kind="stable")
    if order == "own":
        return np.argsort(bit_generator(seed, Purpose.OWN_ORDER).random_raw(len(lengths)), kind="stable")
    return np.arange(len(lengths))


@checked
def epoch_order(words: int, epoch: int, order: str = "shared") -> NDArray[np.int64]:
    """The order in which an epoch visits the slots: the same for every run."""
    for name, value in (("words", words), ("epoch", epoch)):
        if value < 0:
            raise BadInput(f"epoch_order: {name} must be at least 0, got {value}")
    if order == "fixed":
        return np.arange(words)
    return np.argsort(bit_generator(0, Purpose.ORDER, epoch).random_raw(words), kind="stable")


@checked
def drawn_noise(bits: Any, words: int, states: int) -> NDArray[np.float64]:
    """Noise for the states before some words, (word, number): nearly normal, with mean 0 and deviation 1.

    It is a sum of four whole numbers of 16 bits, so that it is the same on every machine; none of it is
    further than 2√3 from 0.
    """
    parts = bits.random_raw(words * states).view(np.uint16).reshape(words, states, 4)
    sums: NDArray[np.int64] = parts.sum(axis=2, dtype=np.int64)
    return (sums - 131_070) / math.sqrt((2**32 - 1) / 3)


class Block:
    """Runs of one spec that a target trains side by side, each on its own words, from epoch to epoch."""

    @checked
    def __init__(self, begun: Trained, words: Sequence[Words], *, target: str = PROCESSOR) -> None:
        runs, most, layout = len(begun.seeds), target_named(target).block(begun.spec), begun.spec.layout
        if not 1 <= runs <= most:
            raise BadInput(f"Block: 1 to {most} runs are trained side by side, got {runs}")
        if len(words) != runs:
            raise BadInput(f"Block: {plural(runs, 'run')} need words each, got {plural(len(words), 'set')}")
        for one in set(words):  # several runs may have the very same words
            check_words(layout, one)
            if one.partial:
                raise BadInput("train: words to recognise say too little to be trained on, only judged")
        if begun.spec.objective == NEXT_SYMBOL:
            following = {one: one.following() for one in set(words)}
            words = [following[one] for one in words]
        self._trained = begun
        state = TrainingState(begun.networks.parameters, *begun.moments, begun.updates)
        orders = begun.seeds if begun.spec.order == "own" else [0] * runs
        shared_slots = cache(lambda seed, one: slots_of(begun.spec.order, seed, one.lengths))
        slots = [shared_slots(seed, one) for seed, one in zip(orders, words, strict=True)]
        self._training = target_for(layout, target).training(begun.spec, state, words, slots)

    @property
    def epochs(self) -> int:
        """How many epochs are done."""
        return self._trained.epochs

    @checked
    def train(self, epochs: int, progress: Progress | None = None) -> Trained:
        """Train until that many epochs are done; the text of `progress` is a recent mean loss."""
        progress, missing = progress or Progress(), range(self._trained.epochs, epochs)
        for epoch in missing:
            self._trained = self._one_epoch(epoch, progress.part(1 / len(missing)))
        return self._trained

    def _one_epoch(self, epoch: int, progress: Progress) -> Trained:
        training, before, spec = self._training, self._trained, self._trained.spec
        slots, chunk = training.slots, self._chunk()
        order, total = epoch_order(slots, epoch, spec.order), np.zeros(len(before.seeds))
        rate, noisy = spec.schedule.rate(spec.rate, epoch), before.seeds if spec.state_noise else ()
        streams = [bit_generator(seed, Purpose.STATES, epoch) for seed in noisy]
        for begin in range(0, slots, chunk):
            end = min(begin + chunk, slots)
            states = sum(spec.layout.state_sizes)
            drawn = [drawn_noise(bits, end - begin, states) for bits in streams]
            noise = spec.state_noise * np.stack(drawn, axis=-1) if drawn else None
            losses = training.advance(order, begin, end, rate, noise)
            total += losses
            progress(end / slots, f"loss {float(losses.mean()) / (end - begin):.9g}")
        state = training.state()
        networks = Networks(spec.layout, state.parameters)
        diverged = (
            epoch + 1 if since is None and lost else since
            for since, lost in zip(before.diverged, networks.diverged, strict=True)
        )
        return replace(
            before,
            networks=networks,
            losses=np.column_stack((before.losses, total / slots)),
            diverged=tuple(diverged),
            moments=(state.first, state.second),
            updates=state.updates,
        )

    def _chunk(self) -> int:
        """How many words to train on between two looks at Ctrl-C: whole batches."""
        spec = self._trained.spec
        work = spec.layout.size * max(self._training.mean_length, 1.0)
        return spec.batch * max(1, round(min(_CHUNK_WORK / work, 4_096) / spec.batch))
