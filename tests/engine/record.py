"""Record what PyTorch makes of some trainings: `python -m tests.engine.record` writes recorded.npz.

The test reads it everywhere, with PyTorch or without.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from abacist.cells import CELLS
from abacist.corpora import Window, Words
from abacist.engine import training_words
from abacist.specs import Networks, Spec
from tests.engine.cases import small

RECORDED = Path(__file__).parent / "recorded.npz"

SEEDS = (11, 12)

#: What differs between the recorded trainings.
VARIANTS: dict[str, dict[str, Any]] = {
    "online": {"training": 100, "epochs": 3},
    "batch": {"training": 98, "epochs": 4, "batch": 4},
    "last": {"training": 100, "epochs": 3, "steps": "last"},
}


def recorded_spec(cell: str, variant: str) -> Spec:
    """The spec of a recorded training."""
    spec = small(CELLS[cell], precision="float64", short=Window(2, 16), long=Window(18, 20))
    return replace(spec, **VARIANTS[variant])


def recorded_words(arrays: Any, variant: str, run: int) -> Words:
    """The words of a recorded run, with their labels."""
    names = ("symbols", "offsets", "targets", "counted")
    return Words(*(arrays[f"{variant}/{run}/{name}"] for name in names))


def _record() -> None:
    from tests.engine import pytorch

    arrays: dict[str, Any] = {}
    for variant in VARIANTS:
        for run, seed in enumerate(SEEDS):
            words = training_words(recorded_spec("rnn", variant), seed)
            for name in ("symbols", "offsets", "targets", "counted"):
                arrays[f"{variant}/{run}/{name}"] = getattr(words, name)
    for cell in CELLS:
        start = Networks.initial(recorded_spec(cell, "online").layout, SEEDS, "float64")
        arrays[f"{cell}/start"] = start.parameters
        for variant in VARIANTS:
            spec = recorded_spec(cell, variant)
            ends = [pytorch.train(spec, start, r, recorded_words(arrays, variant, r)) for r in (0, 1)]
            arrays[f"{cell}/{variant}"] = np.array(ends)
    np.savez_compressed(RECORDED, **arrays)


if __name__ == "__main__":
    _record()
