"""What the tests of experiments begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abacist.engine import Block
from abacist.experiments import AnyJob, Run, Store, compute, running, work


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, open to be filled."""
    with Store(tmp_path) as opened:
        yield opened


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The epochs that blocks are trained for."""
    epochs: list[int] = []

    class Counted(Block):
        def train(self, to: int, *rest: Any) -> Any:
            before, trained = self.epochs, super().train(to, *rest)
            epochs.append(trained.epochs - before)
            return trained

    monkeypatch.setattr(work, "Block", Counted)
    return epochs


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[AnyJob]:
    """The jobs that are computed in this process."""
    jobs: list[AnyJob] = []

    def listed(job: AnyJob, *given: Any) -> list[Run]:
        jobs.append(job)
        return compute(job, *given)

    monkeypatch.setattr(running, "compute", listed)
    return jobs
