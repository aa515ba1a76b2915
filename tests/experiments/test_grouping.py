"""Groups say of their runs what Python's own statistics say."""

from __future__ import annotations

import random
import statistics
from typing import Any

import pytest

from abacist.errors import UnknownName
from abacist.experiments.statistics import grouped, statistics_named


def test_groups_are_those_of_a_plain_loop() -> None:
    chance = random.Random(5)
    for _ in range(60):
        rows: list[dict[str, Any]] = [
            {
                "cell": chance.choice(["gru", "rnn", None]),
                "hidden": chance.randint(1, 3),
                "long": chance.choice([None, 100 * chance.random()]),
            }
            for _ in range(chance.randint(1, 40))
        ]
        show = statistics_named(["count", "mean", "std", "min", "max", "quantiles"])
        made = grouped(rows, ["cell", "hidden"], ["long"], show)
        assert sum(row["runs"] for row in made) == len(rows)
        names = [(row["cell"], row["hidden"]) for row in made]
        assert names == sorted(set(names), key=lambda pair: (pair[0] is None, pair[0] or "", pair[1]))
        for row in made:
            alike = [r for r in rows if (r["cell"], r["hidden"]) == (row["cell"], row["hidden"])]
            values = [r["long"] for r in alike if r["long"] is not None]
            assert (row["runs"], row["long count"]) == (len(alike), len(values))
            if not values:
                assert {row[f"long {name}"] for name in show if name != "count"} == {None}
                continue
            assert row["long mean"] == pytest.approx(statistics.fmean(values))
            assert (row["long min"], row["long max"]) == (min(values), max(values))
            assert row["long median"] == pytest.approx(statistics.median(values))
            if len(values) == 1:
                assert row["long std"] is None
                continue
            assert row["long std"] == pytest.approx(statistics.stdev(values))
            quarters = statistics.quantiles(values, n=20, method="inclusive")
            for name, place in (("q5", 0), ("q25", 4), ("q75", 14), ("q95", 18)):
                assert row[f"long {name}"] == pytest.approx(quarters[place])


def test_statistics_are_named_once_each() -> None:
    assert statistics_named(["Mean", "quantiles", "median", "q90"]) == (
        "mean", "q5", "q25", "median", "q75", "q95", "q90",
    )  # fmt: skip
    for wrong in ("average", "q101", "q", ""):
        with pytest.raises(UnknownName, match="; there are count, mean, std, min, max and 2 more; q90 and"):
            statistics_named([wrong])
