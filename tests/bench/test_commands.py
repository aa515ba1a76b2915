"""What whole commands cost: a missing Dask is named."""

from __future__ import annotations

import pytest

from abacist.bench import Missing, commands


def test_without_dask_the_reason_stands_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda _: None)
    found = list(commands.cluster_rows())
    assert [row.ratio for row in found] == [Missing("distributed is not installed")] * 2
    assert all(row.what.count("two threads") == 1 for row in found)
