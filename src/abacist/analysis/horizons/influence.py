"""How much each number of a state matters for what a network will decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.compiler import reached_numbers
from abacist.specs import Networks
from abacist.targets import target_for

#: Words that are followed, how many symbols of each, and how many steps ahead an influence is followed.
_WORDS, _SYMBOLS, _AHEAD = 256, 24, 24

#: Words that are followed where a memory is filled little by little: there are many numbers to be moved.
_FEW_WORDS = 32

#: How far a number is moved to see what becomes of it, and the least that it is taken to matter.
_SHIFT, _LEAST = 2.0**-7, 1e-3


def influences(networks: Networks, run: int, known: Configurations) -> NDArray[np.float64]:
    """The influence of each number of a state on later sums of the output layer, 1 for the largest.

    It is an estimate, by moving the states that random prefixes lead to: proofs do not rest on it, only
    where boxes are merged does. What these prefixes cannot have reached of a memory is taken to matter least.
    """
    reached = reached_numbers(networks.layout, _SYMBOLS)
    words = _WORDS if len(reached) == sum(networks.layout.state_sizes) else _FEW_WORDS
    stepper = target_for(networks.layout).stepping(networks, run, False)
    states, after = (stepper.rows(words, numbers) for numbers in (stepper.width, stepper.results))
    symbols = range(len(known.successors))
    here, rng = np.zeros(words, np.int64), np.random.default_rng(0)
    for _ in range(_SYMBOLS):
        known.expand(np.unique(here))
        wishes = rng.random((len(known.successors), words)) * (known.successors[:, here] != NONE)
        chosen = wishes.argmax(axis=0)
        read = states.copy()
        for symbol in symbols:
            stepper(symbol, states, after, words)
            mine = chosen == symbol
            read[:, :words][:, mine] = after[: stepper.width, :words][:, mine]
        going = known.successors[chosen, here] != NONE
        states[:, :words][:, going] = read[:, :words][:, going]
        here = np.where(going, known.successors[chosen, here], here)
    slopes = np.zeros((stepper.results, stepper.width))
    for symbol in symbols:
        stepper(symbol, states, after, words)
        before = after.astype(np.float64)
        for number in reached:
            states[number] += _SHIFT
            stepper(symbol, states, after, words)
            states[number] -= _SHIFT
            moved = np.abs(after - before)[:, :words].mean(axis=1) / _SHIFT
            slopes[:, number] = np.maximum(slopes[:, number], moved)
    slopes = np.nan_to_num(slopes, posinf=0.0)
    result = np.full(stepper.width, _LEAST)
    counted = np.concatenate([reached, np.arange(stepper.width, stepper.results)])
    result[reached] = _summed(slopes[np.ix_(counted, reached)], len(reached))
    return result


def _summed(slopes: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """The influence of all later steps together, of which each begins with what the one before has."""
    on_states, reached = slopes[:width], slopes[width:].sum(axis=0)
    total = np.zeros(width)
    for _ in range(_AHEAD):
        total += reached
        reached = on_states.T @ reached
        if (largest := reached.max(initial=0.0)) > 1e30:
            total, reached = total / largest, reached / largest
    return np.asarray(np.maximum(total / max(total.max(initial=0.0), 1e-30), _LEAST))
