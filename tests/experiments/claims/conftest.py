"""Claims about made-up runs: no distributions of real ones stand beside them."""

from __future__ import annotations

import pytest

from abacist.experiments.claims import evidence
from abacist.experiments.distributions import Distributions


@pytest.fixture(autouse=True)
def _no_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "distributions", lambda: Distributions({}, ()))
