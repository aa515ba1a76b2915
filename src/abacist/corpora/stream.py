"""Random bits: NumPy's SFC64, one stream for every purpose of every seed.

NumPy promises that the bits of a bit generator and of SeedSequence never change, on
any machine. Compiled code continues from the state that is made here.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.fields import expect


class Purpose(IntEnum):
    """What a stream is for; the numbers are part of what a seed means."""

    CORPORA = 0
    WEIGHTS = 1
    ORDER = 2
    STRESS = 3
    EDITS = 4
    OWN_ORDER = 5


def bit_generator(seed: int, purpose: Purpose, *path: int) -> np.random.SFC64:
    """The stream of one purpose of a seed, and of a part of it such as a split's number."""
    expect("seed", seed, int)
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed must be at least 0 and below 2**63, got {seed}")
    return np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(purpose, *path)))


def stream_state(seed: int, purpose: Purpose, *path: int) -> NDArray[np.uint64]:
    """The four words of the generator's state, for compiled code to continue from."""
    state = bit_generator(seed, purpose, *path).state
    return np.array(state["state"]["state"], np.uint64)
