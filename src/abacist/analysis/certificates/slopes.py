"""Which numbers of a network's states are accumulators, and what a unit of depth is to them.

Only a guess, from words that go deep: whatever is proved with it is proved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.certificates.floats import Array
from abacist.engine import trace
from abacist.languages import Language
from abacist.specs import Networks

#: How deep the words go, how small a slope is none, and how steadily an accumulator must follow its counters.
_DEPTH, _NONE, _STEADY = 24, 1 / 64, 1 / 16


def guess_slopes(networks: Networks, run: int, language: Language[Any]) -> Array:
    """What every number of the states gains with every counter, (number, counter)."""
    before, after, moved = [], [], []
    for word in _deep_words(language):
        found = trace(networks, run, word)
        states = np.concatenate([found[name] for name in networks.layout.cell.state_names], axis=1)
        half = len(word) // 4
        deep = slice(half, len(word) - half)
        before.append(states[:-1][deep])
        after.append(states[1:][deep])
        moved.append(np.diff(language.depth_path(word), axis=0).astype(np.float64)[deep])
    gains = (np.concatenate(after) - np.concatenate(before)).astype(np.float64)
    gains[~np.isfinite(gains)] = 0
    slopes = np.linalg.lstsq(np.concatenate(moved), gains, rcond=None)[0].T
    steady = np.abs(gains - np.concatenate(moved) @ slopes.T).max(axis=0) < _STEADY
    slopes = np.where(steady[:, None], slopes, 0)
    near = np.abs(slopes - np.rint(slopes)) < 1 / 256
    slopes = np.where(near, np.rint(slopes), slopes)
    return np.where(np.abs(slopes) < _NONE, 0.0, slopes.astype(networks.parameters.dtype).astype(np.float64))


def _deep_words(language: Language[Any]) -> list[tuple[int, ...]]:
    """Prefixes of words: greedily up in all counters, then down."""
    words, counters = [], len(language.depths(language.start))
    for first in range(len(language.alphabet)):
        state: Any = language.start
        word: list[int] = []
        for step in range(4 * _DEPTH * counters):
            rising = step < _DEPTH * counters
            options = [s for s in range(len(language.alphabet)) if language.step(state, s) is not None]
            if not options:
                break
            turned = [(s + first + step) % len(language.alphabet) for s in range(len(language.alphabet))]
            height = sum(language.depths(state))
            wanted = [
                s
                for s in turned
                if s in options and (sum(language.depths(language.step(state, s))) > height) == rising
            ]
            symbol = (wanted or [s for s in turned if s in options])[0]
            word.append(symbol)
            state = language.step(state, symbol)
            if not rising and not any(language.depths(state)):
                break
        words.append(tuple(word))
    return words
