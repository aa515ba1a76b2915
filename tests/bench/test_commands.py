"""What whole commands cost: a missing Dask is named."""

from __future__ import annotations

import pytest

from abacist.bench import commands


def test_without_dask_the_reason_stands_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda _: None)
    (row,) = commands.cluster_rows()
    assert (row.ratio, row.verdict) == (None, "distributed is not installed")
