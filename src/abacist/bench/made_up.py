"""Stores of runs that nobody trained: as large as one likes, in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np

from abacist.experiments import Outcome, Run, Store, experiment_named
from abacist.specs import Spec

#: Runs that are written in one transaction.
_BLOCK = 5_000


def fill(folder: Path, runs: int) -> None:
    """Write a store with runs of the networks of table 3, as the store itself would, in blocks."""
    specs = [task.spec for task in experiment_named("table-3").tasks]
    with closing(Store(folder)) as store:
        made = _runs(specs, runs)
        while block := list(islice(made, _BLOCK)):
            store.put(block)


def _runs(specs: list[Spec], count: int) -> Iterator[Run]:
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
