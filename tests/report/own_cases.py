"""Sweeps of one's own, made up: what varies, how good the runs are, what else is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from abacist.analysis import Search
from abacist.cells import CELLS
from abacist.experiments import HorizonAim, Results, Run
from abacist.languages import language_named
from abacist.specs import Spec
from tests.experiments.cases import made_up, made_up_horizons, view

SETS = ("training", "short", "long")


def spec_of(**values: Any) -> Spec:
    """A spec that no experiment of the catalogue has."""
    language, cell = values.pop("language", "dyck-1"), values.pop("cell", "lstm")
    return Spec(language_named(language), CELLS[cell], **{"training": 123, "epochs": 4, **values})


def swept(**lists: Sequence[Any]) -> list[Spec]:
    """A spec for every combination of values."""
    return [spec_of(**dict(zip(lists, values, strict=True))) for values in product(*lists.values())]


def runs_for(
    specs: Iterable[Spec], runs: int = 3, at: Sequence[int] = (), horizons: bool = False, **outcome: Any
) -> list[Run]:
    """Runs with accuracies at random on the paper's sets, judged at some epochs and in the end."""
    rng = np.random.default_rng(5)
    aims = [HorizonAim(Search(to=60))] if horizons else []
    return [
        made_up(
            spec,
            seed,
            {name: {str(epoch): float(rng.random()) for epoch in (*at, spec.epochs)} for name in SETS},
            horizons=made_up_horizons(aims, rng),
            **outcome,
        )
        for spec in specs
        for seed in range(runs)
    ]


def sweep(runs: int = 3, **lists: Sequence[Any]) -> Results:
    """The results of a sweep."""
    return view(runs_for(swept(**lists), runs))
