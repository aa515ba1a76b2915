"""Rows of runs in groups, and what the values of a group have in common: mean, spread, quantiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import Any

import numpy as np

from abacist.errors import UnknownName
from abacist.experiments.statistics import FUNCTIONS
from abacist.fields import checked
from abacist.wording import one_of

#: What can be said of the known values of a group; the standard deviation is that of a sample.
_STATISTICS: dict[str, Callable[..., Any]] = {"mean": np.mean, "std": partial(np.std, ddof=1), **FUNCTIONS}

#: The quantiles that `quantiles` stands for.
_QUANTILES = ("q5", "q25", "median", "q75", "q95")

STATISTICS = ("count", *_STATISTICS, "quantiles")


@checked
def statistics_named(names: Sequence[str]) -> tuple[str, ...]:
    """Statistics that are asked for, each once: `quantiles` are five of them, `q90` is one."""
    statistics: list[str] = []
    for name in names:
        plain = name.strip().lower()
        if plain == "quantiles":
            statistics += _QUANTILES
        elif plain in STATISTICS or (re.fullmatch(r"q[0-9]{1,3}", plain) and int(plain[1:]) <= 100):
            statistics.append(plain)
        else:
            raise UnknownName(f"a group shows {one_of(STATISTICS)}, or q90 and the like, got {name!r}")
    return tuple(dict.fromkeys(statistics))


@checked
def grouped(
    rows: Sequence[Mapping[str, Any]], by: Sequence[str], of: Sequence[str], show: Sequence[str]
) -> list[dict[str, Any]]:
    """A row for every group of rows that agree in the fields `by`, in the order of their values.

    It has these values, the number of `runs`, and the statistics of every field in `of` over the values that
    are known, as `long mean`; None where there are none.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in by), []).append(row)
    summaries = []
    for key in sorted(groups, key=lambda values: tuple(map(in_order, values))):
        row = dict(zip(by, key, strict=True)) | {"runs": len(groups[key])}
        for field in of:
            known = [member.get(field) for member in groups[key]]
            values = np.array([value for value in known if value is not None], np.float64)
            row |= {f"{field} {name}": statistic(name, values) for name in show}
        summaries.append(row)
    return summaries


def in_order(value: Any) -> tuple[int, Any]:
    """What values of any kind are sorted by: numbers, then texts, then what is not known."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return 2, 0
    return int(isinstance(value, str)), value


def statistic(name: str, values: Any) -> float | int | None:
    """A statistic of the known values of a group, (value,); None where they are too few."""
    if name == "count":
        return len(values)
    if len(values) < (2 if name == "std" else 1):
        return None
    if name in _STATISTICS:
        return float(_STATISTICS[name](values))
    return float(np.quantile(values, int(name[1:]) / 100))
