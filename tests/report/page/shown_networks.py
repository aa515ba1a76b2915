"""A small store for pages: networks that count, networks that hardly learnt anything, and their horizons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from abacist.analysis import Search
from abacist.cells import cell_named
from abacist.experiments import HorizonAim, Results, Run, Task
from abacist.languages import language_named
from abacist.report.page import PageNetwork, networks_for_page
from abacist.specs import Spec
from tests.experiments.cases import made_up, ran, results_in, small


def _small(language: str, cell: str) -> Spec:
    return replace(small(), language=language_named(language), cell=cell_named(cell))


#: LSTMs that count, after two rounds through the paper's words; with the seed 5, all of those are right.
GOOD = Spec(language_named("dyck-1"), cell_named("lstm"), 3, epochs=2)

#: Networks with gates that have hardly been trained; the store knows failing words, also with sharper gates.
BAD = _small("dyck-1", "gru")
AIMS = (HorizonAim(Search(10, 8, 500)), HorizonAim(Search(12, 8, 500), 4.0))

#: Others, of which the store knows no horizon.
OTHERS = (
    _small("shuffle-2", "gru"),
    _small("dyck-2", "lstm"),
)

#: Its language has too few words for a page to train on.
UNTRAINABLE = made_up(_small("anbn", "rnn"), 0, {"long": {"3": 0.25}})

#: Its weights are no numbers.
DIVERGED = Run(BAD, 0, UNTRAINABLE.outcome, np.full(BAD.layout.size, np.nan, np.float32))

#: Networks of no store.
BESIDE = {"diverged": DIVERGED, "untrainable": UNTRAINABLE}


def filled(folder: Path) -> Results:
    """The store of a folder, filled in a second."""
    tasks = [Task("good", GOOD, (1, 5)), Task("bad", BAD, (0, 1), horizons=AIMS)]
    ran([*tasks, *(Task("others", spec, (0,)) for spec in OTHERS)], folder)
    return results_in(folder)


def on_the_page(folder: Path) -> list[PageNetwork]:
    """The networks that a page of the store shows, the good ones first."""
    found, left_out = networks_for_page(filled(folder))
    assert left_out == []
    found.sort(key=lambda own: own.run is None or own.run.spec != GOOD)
    return [*found, *(_beside(key, run) for key, run in BESIDE.items())]


def _beside(key: str, run: Run) -> PageNetwork:
    return PageNetwork(key, key, "seed 0", run.spec.language, run.networks, run)
