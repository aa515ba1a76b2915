"""Training: many runs at once, a lane each."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from html import escape
from threading import Event, Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import tape_width, training_program
from abacist.corpora import Purpose, bit_generator, draw
from abacist.engine.lane_memory import aligned
from abacist.engine.lanes import LANES
from abacist.engine.networks import Networks
from abacist.engine.packing import Packed, Words, pack_runs
from abacist.engine.programs import kernel
from abacist.engine.spec import Spec
from abacist.errors import BadInput

Array = NDArray[Any]

#: Work between two looks at Ctrl-C and the progress, in symbols × parameters: about a tenth of a second.
_CHUNK_WORK = 40_000_000


@dataclass(frozen=True)
class Progress:
    """How far training is: words × epochs done and in all, and the mean loss of late."""

    done: int
    total: int
    loss: float


@dataclass(frozen=True, eq=False)
class Trained:
    """Trained networks, one a seed.

    `losses` is (run, epoch); `diverged` is, for every run, the epoch after which some weight
    was no longer finite, or None. `moments` and `updates` are Adam's, to go on from.
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

    def _repr_html_(self) -> str:
        """How a notebook shows trained networks: the loss of every run after its last epoch."""
        spec = self.spec
        head = f"{spec.language.name}, {spec.cell.name} with {spec.hidden} hidden units, {self.epochs} epochs"
        rows = "".join(
            f"<tr><td>{seed}</td><td>{losses[-1]:.3g}</td></tr>"
            for seed, losses in zip(self.seeds, self.losses, strict=True)
            if self.epochs
        )
        return f"<p>{escape(head)}</p><table><tr><th>seed</th><th>loss</th></tr>{rows}</table>"


def epoch_order(words: int, epoch: int) -> NDArray[np.int64]:
    """The order in which an epoch visits the slots: the same for every run."""
    return np.argsort(bit_generator(0, Purpose.ORDER, epoch).random_raw(words), kind="stable")


def train(
    spec: Spec,
    seeds: Iterable[int],
    *,
    start: Trained | Networks | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Trained:
    """Train one network for each seed, or go on with `start` until the spec's epochs are done.

    A run's result depends on the spec and its own seed alone, whatever is trained beside it.
    """
    seeds = whole_seeds(seeds)
    if not seeds:
        raise BadInput("train: at least one seed is needed, got none")
    begun = begin(spec, seeds, start)
    lanes = LANES[spec.precision]
    blocks = [range(first, min(first + lanes, len(seeds))) for first in range(0, len(seeds), lanes)]
    watch = _Watch(spec, len(blocks), spec.epochs - begun.epochs, progress)
    workers = min(threads or os.cpu_count() or 1, len(blocks))
    with ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(_train_block, begun, block, watch) for block in blocks]
        try:
            wait(jobs)
            parts = [job.result() for job in jobs]
        except BaseException:
            watch.stop.set()
            for job in jobs:
                job.cancel()
            raise
    return _join(begun, parts)


def whole_seeds(seeds: Iterable[int]) -> list[int]:
    """Seeds as a list of whole numbers, whatever they come in."""
    try:
        return [operator.index(seed) for seed in seeds]
    except TypeError:
        raise BadInput(f"seeds must be whole numbers in a list or range, got {seeds!r}") from None


def begin(spec: Spec, seeds: Sequence[int], start: Trained | Networks | None = None) -> Trained:
    """Networks that have not been trained yet, or not for as long as the spec says."""
    if isinstance(start, Trained):
        if tuple(seeds) != start.seeds or start.epochs > spec.epochs:
            raise BadInput("train: can only go on with the same seeds, to at least as many epochs")
        if (spec.layout, spec.precision) != (start.spec.layout, start.spec.precision):
            raise BadInput("train: can only go on with networks of the same shape and precision")
        return Trained(
            spec, start.seeds, start.networks, start.losses, start.diverged, start.moments, start.updates
        )
    networks = Networks.initial(spec.layout, seeds, spec.precision) if start is None else start
    if networks.layout != spec.layout or len(networks) != len(seeds):
        raise BadInput("train: the networks to start from do not fit the spec and the seeds")
    zeros = np.zeros_like(networks.parameters)
    nothing = np.zeros((len(seeds), 0))
    return Trained(spec, tuple(seeds), networks, nothing, (None,) * len(seeds), (zeros, zeros), 0)


def _join(begun: Trained, parts: list[Trained]) -> Trained:
    return Trained(
        begun.spec,
        begun.seeds,
        Networks(begun.spec.layout, np.concatenate([p.networks.parameters for p in parts])),
        np.concatenate([p.losses for p in parts]),
        tuple(epoch for p in parts for epoch in p.diverged),
        (np.concatenate([p.moments[0] for p in parts]), np.concatenate([p.moments[1] for p in parts])),
        parts[0].updates,
    )


class _Watch:
    """Shared by the threads: progress, and the wish to stop."""

    def __init__(self, spec: Spec, blocks: int, epochs: int, tell: Callable[[Progress], None] | None) -> None:
        self.stop = Event()
        self._lock, self._tell = Lock(), tell
        words = spec.recipe(0).splits[0].count
        self._done, self._total = 0, words * blocks * max(epochs, 0)

    def advance(self, words: int, loss: float) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt
        with self._lock:
            self._done += words
            if self._tell is not None:
                self._tell(Progress(self._done, self._total, loss))


def training_words(spec: Spec, seed: int) -> Words:
    """The labelled training set of one run."""
    recipe = spec.recipe(seed)
    corpus = draw(type(recipe)(recipe.language, recipe.source, recipe.splits[:1], seed))["training"]
    return Words.of(spec.language, corpus.symbols, corpus.offsets, spec.steps)


def _train_block(begun: Trained, block: range, watch: _Watch) -> Trained:
    spec, lanes = begun.spec, LANES[begun.spec.precision]
    words = [training_words(spec, begun.seeds[run]) for run in block]
    packed = pack_runs(words, spec.layout.inputs, lanes, spec.precision)
    return train_packed(begun, block, packed, watch.advance)


def train_packed(
    begun: Trained,
    block: range,
    packed: Packed,
    advance: Callable[[int, float], None] = lambda words, loss: None,
) -> Trained:
    """Train one block of runs on words that are packed already, until the spec's epochs are done."""
    spec = begun.spec
    layout, lanes = spec.layout, LANES[spec.precision]
    run_kernel = kernel(training_program, layout, spec.precision, "train")
    width, scratch = tape_width(layout)

    def vectors(count: int) -> Array:
        return aligned((count * lanes,), spec.precision)

    weights, first, second = (vectors(layout.size) for _ in range(3))
    for room, source in zip(
        (weights, first, second), (begun.networks.parameters, *begun.moments), strict=True
    ):
        chosen = list(block) + [block[0]] * (lanes - len(block))
        room.reshape(layout.size, lanes)[:] = source[chosen].T
    gradient, adjoint, losses = vectors(layout.size), vectors(scratch), vectors(1)
    tape = vectors(width * (int(packed.lengths.max(initial=0)) + 1))
    slots, updates = len(packed.lengths), begun.updates
    word_work = layout.size * max(float(packed.lengths.mean()), 1.0)
    chunk = spec.batch * max(1, round(min(_CHUNK_WORK / word_work, 4_096) / spec.batch))
    history = [begun.losses[list(block), epoch] for epoch in range(begun.epochs)]
    diverged = [begun.diverged[run] for run in block]
    for epoch in range(begun.epochs, spec.epochs):
        order = epoch_order(slots, epoch)
        total = np.zeros(lanes)
        for begin in range(0, slots, chunk):
            end = min(begin + chunk, slots)
            losses[:] = 0
            updates = run_kernel(
                order, packed.starts, packed.lengths, packed.codes, packed.counted, packed.targets,
                packed.scales, weights, first, second, gradient, tape, adjoint, losses,
                begin, end, spec.batch, updates, spec.rate, spec.beta1, spec.beta2, spec.epsilon,
            )  # fmt: skip
            total += losses
            if advance is not None:
                advance(end - begin, float(losses[: len(block)].mean()) / (end - begin))
        history.append(total[: len(block)] / slots)
        finite = np.asarray(np.isfinite(weights.reshape(layout.size, lanes)).all(axis=0))
        for run in range(len(block)):
            if not finite[run] and diverged[run] is None:
                diverged[run] = epoch + 1

    def rows(room: Array) -> Array:
        return room.reshape(layout.size, lanes).T[: len(block)].copy()

    return Trained(
        spec,
        tuple(begun.seeds[run] for run in block),
        Networks(layout, rows(weights)),
        np.array(history, float).reshape(len(history), len(block)).T,
        tuple(diverged),
        (rows(first), rows(second)),
        updates,
    )
