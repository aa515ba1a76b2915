"""A store as columns, which pandas and polars take in one call: `pandas.DataFrame(frame(store))`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.experiments.conditions import Conditions
from abacist.experiments.outcome import Run
from abacist.experiments.results import Results
from abacist.experiments.run_values import NUMBER, PERCENT, fields_of, rows_on_demand
from abacist.experiments.store import Store
from abacist.fields import checked


@checked
def frame(source: Store | Results, where: Sequence[str] = ()) -> dict[str, NDArray[Any] | list[str | None]]:
    """All runs of a store, or those that fit some conditions, as columns by field: one entry for each run.

    Fields have the names of `abacist runs`. Numbers are arrays, with NaN where one is not known, accuracies
    in percent; texts are lists, with None where one is not known.

    >>> from pathlib import Path
    >>> frame(Results(Path("nowhere"), ()))["hidden"]
    array([], dtype=float64)
    """
    runs = (Results.of(source) if isinstance(source, Store) else source).runs
    kinds = fields_of(runs)
    conditions = Conditions.parse(where, kinds)
    rows = [row.whole() for row in rows_on_demand(runs) if conditions.fit(row)]
    return {
        name: _numbers([row.get(name) for row in rows])
        if kind in (NUMBER, PERCENT)
        else [row.get(name) for row in rows]
        for name, kind in kinds.items()
    }


@checked
def fitting(runs: Sequence[Run], where: Sequence[str]) -> list[Run]:
    """The runs that fit conditions, such as `["hidden>=2", "cell=gru,lstm"]`."""
    asked = Conditions.parse(where, fields_of(runs))
    return [run for run, row in zip(runs, rows_on_demand(runs), strict=True) if asked.fit(row)]


def _numbers(values: list[Any]) -> NDArray[Any]:
    """Numbers as an array: whole ones stay whole where all are known."""
    if values and all(type(value) is int for value in values):
        return np.array(values, np.int64 if -(2**63) <= min(values) <= max(values) < 2**63 else np.float64)
    return np.array([np.nan if value is None else value for value in values], np.float64)
