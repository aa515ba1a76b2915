"""Tasks that ask for horizons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abacist.analysis import Search
from abacist.experiments import HorizonAim, Task
from tests.experiments.cases import tasks_by_rate

AIMS = (HorizonAim(Search(10, 8, 500)), HorizonAim(Search(12, 8, 500), 4.0))


#: Enough for some of the networks to get some words right.
EPOCHS = 100


def tasks(count: int = 4, runs: int = 2, aims: Sequence[HorizonAim] = AIMS) -> list[Task]:
    """Many runs, small and quick, whose horizons are asked for."""
    return [replace(task, horizons=tuple(aims)) for task in tasks_by_rate(count, runs, EPOCHS)]
