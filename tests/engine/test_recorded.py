"""Training ends where PyTorch's ended when `record.py` last ran; PyTorch itself is not needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.specs import Networks
from tests.engine.cases import in_precision, train_on
from tests.engine.record import RECORDED, VARIANTS, recorded_spec, recorded_words


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("cell", CELLS)
def test_training_ends_at_the_recorded_weights(cell: str, variant: str, precision: str) -> None:
    spec = replace(recorded_spec(cell, variant), precision=precision)
    with np.load(RECORDED, allow_pickle=False) as arrays:
        start = Networks(spec.layout, arrays[f"{cell}/start"])
        runs = [recorded_words(arrays, variant, run) for run in range(2)]
        expected = arrays[f"{cell}/{variant}"]
    assert len(expected) == len(runs)
    assert sorted(runs[0].lengths) != sorted(runs[1].lengths)
    trained = train_on(spec, in_precision(start, precision), runs)
    tolerance = 1e-9 if precision == "float64" else 1e-4
    np.testing.assert_allclose(trained.networks.parameters, expected, rtol=0, atol=tolerance)


def test_the_record_is_small() -> None:
    assert RECORDED.stat().st_size < 200_000
