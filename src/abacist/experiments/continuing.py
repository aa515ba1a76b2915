"""Going on from stored runs with fewer epochs: bit for bit what training at once gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from abacist.engine import Trained
from abacist.experiments.outcome import Run
from abacist.specs import Networks, Spec


def but_epochs(spec: Spec) -> str:
    """What specs have in common whose networks are the same as long as they are trained."""
    return spec.key_text if spec.lesson is not None else replace(spec, epochs=0).key_text


class StoredStarts:
    """The runs of a store that training can go on from."""

    def __init__(self, runs: Iterable[Run]) -> None:
        texts: dict[int, str] = {}  # by the specs' identities: runs share them, and texts are slow to make
        self._runs: dict[tuple[str, int], list[Run]] = {}
        for run in runs:
            if run.has_moments and run.spec.lesson is None:
                if id(run.spec) not in texts:
                    texts[id(run.spec)] = but_epochs(run.spec)
                self._runs.setdefault((texts[id(run.spec)], run.seed), []).append(run)

    def found(
        self, spec: Spec, seeds: Sequence[int], wanted: frozenset[tuple[str, int]]
    ) -> Iterator[tuple[tuple[Run, ...], tuple[int, ...]]]:
        """Runs to start from, and the seeds that have one after as many epochs; none for the other seeds."""
        if not self._runs:
            if seeds:
                yield (), tuple(seeds)
            return
        groups: dict[int, list[tuple[int, Run | None]]] = {}
        text = but_epochs(spec)
        for seed in seeds:
            fitting = (run for run in self._runs.get((text, seed), ()) if _leads_to(run, spec, wanted))
            start = max(fitting, key=lambda run: run.spec.epochs, default=None)
            groups.setdefault(0 if start is None else start.spec.epochs, []).append((seed, start))
        for group in groups.values():
            starts = (run for _, run in group if run is not None)
            yield tuple(replace(run, kept=run.arrays) for run in starts), tuple(seed for seed, _ in group)


def _leads_to(run: Run, spec: Spec, wanted: frozenset[tuple[str, int]]) -> bool:
    """Whether nothing is wanted of epochs that are over which nobody knows."""
    over = {(name, epoch) for name, epoch in wanted if epoch < run.spec.epochs}
    return 0 < run.spec.epochs < spec.epochs and over <= run.outcome.known()


def trained_so_far(runs: Sequence[Run]) -> Trained:
    """Stored runs of one spec as training left them."""
    spec, moments = runs[0].spec, np.stack([run.moments for run in runs if run.moments is not None])
    words = spec.recipe(0).splits[0].count
    return Trained(
        spec,
        tuple(run.seed for run in runs),
        Networks(spec.layout, np.stack([run.weights for run in runs])),
        np.array([tuple(run.outcome.losses) for run in runs], np.float64).reshape(len(runs), spec.epochs),
        tuple(run.outcome.diverged for run in runs),
        (moments[:, 0].copy(), moments[:, 1].copy()),
        spec.epochs * ceil(words / spec.batch),
    )
