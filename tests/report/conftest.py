"""An empty store for the tests of tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from abacist.experiments import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "results") as opened:
        yield opened
