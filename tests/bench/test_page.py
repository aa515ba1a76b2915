"""Where there is no Node, its speed is missing and says why."""

from __future__ import annotations

import shutil

import pytest

from abacist.bench import Missing
from abacist.bench.page import rows


def test_without_node_its_rows_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert [row.ratio for row in rows()] == [Missing("node is not installed")] * 3
