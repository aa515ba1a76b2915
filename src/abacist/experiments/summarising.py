"""Making distributions of what a store has: the summary of thousands of runs that fits into a package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.experiments.distributions import (
    BINS,
    STEPS,
    Distribution,
    Distributions,
    KnownHorizons,
    SetDistribution,
)
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, set_recipe
from abacist.experiments.results import Results
from abacist.fields import checked
from abacist.specs import Spec
from abacist.wording import plural

#: Runs whose accuracies are kept one by one.
SAMPLE = 2_000


@checked
def summarised(tasks: Sequence[Task], results: Results) -> Distributions:
    """The distributions of all tasks, every run of which must be there."""
    networks, made = [], dict[str, str]()
    for task in tasks:
        runs = results.complete(task)
        if len(runs) < len(task.seeds):
            spec = task.spec
            raise BadInput(
                f"{results.folder} has {len(runs):,} of {len(task.seeds):,} runs of {spec.language.name}, "
                f"{spec.cell.name} with {plural(spec.hidden, 'hidden unit')}, and all are needed"
            )
        made = dict(runs[0].outcome.versions)
        networks.append(_distribution(task.spec, task.sets, runs))
    return Distributions(made, tuple(networks))


def _distribution(spec: Spec, names: Sequence[str], runs: Sequence[Run]) -> Distribution:
    sets, sample, digest = {}, {}, hashlib.sha256()
    for name in names:
        recipe, split = set_recipe(spec, 0, name)
        words = next(own.count for own in recipe.splits if own.name == split)
        shares = np.array([run.accuracy(name) for run in runs], np.float64)
        accepted = np.rint(shares * words).astype(np.int64)
        digest.update(accepted.astype("<u2").tobytes())
        sets[name] = SetDistribution(words, _quantiles(accepted), _histogram(accepted, words))
        sample[name] = 100 * (accepted[:SAMPLE] / words)  # as `percents` has it
    return Distribution(spec, len(runs), sets, sample, digest.hexdigest(), _horizons(runs))


def _quantiles(accepted: NDArray[np.int64]) -> tuple[int, ...]:
    places = np.rint(np.linspace(0, len(accepted) - 1, STEPS + 1)).astype(np.int64)
    return tuple(np.sort(accepted)[places].tolist())


def _histogram(accepted: NDArray[np.int64], words: int) -> tuple[int, ...]:
    return tuple(np.bincount(accepted * 100 // words, minlength=BINS).tolist())


def _horizons(runs: Iterable[Run]) -> KnownHorizons | None:
    """The horizons of the first runs, as far as all have one."""
    proved, wrong = list[int](), list[int | None]()
    for run in runs:
        if (known := run.outcome.horizon()) is None:
            break
        proved.append(known.proved)
        wrong.append(None if known.wrong is None else len(known.wrong))
    return KnownHorizons(tuple(proved), tuple(wrong)) if proved else None
