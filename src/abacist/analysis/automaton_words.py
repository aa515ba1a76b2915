"""Words of an automaton's language by its derivations: the first, the last, one at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.languages import NOTHING, Derivations, Language

Array = NDArray[Any]
Bits = np.random.SFC64

#: Which of some options is taken, given how many words each has.
Choose = Callable[[Sequence[int], Bits], int]


def by_derivations(choose: Choose) -> Callable[[Language[Any], int, Bits], Array | None]:
    """A maker of words with a length, or the nearest shorter one that the language has words of."""

    def make(language: Language[Any], length: int, bits: Bits) -> Array | None:
        if not language.given_by_automaton or length > language.longest:
            return None
        counts = language.counts(length)
        own = next((n for n in range(length, 0, -1) if counts[n]), 0)
        return _derived(language.derivations(length), own, choose, bits) if own else None

    return make


def _derived(found: Derivations, length: int, choose: Choose, bits: Bits) -> Array:
    """A word of a length, one choice after the other."""
    word, pending = [], [(0, length)]
    while pending:
        goal, left = pending.pop()
        if not left:
            continue
        action = found.actions[goal][choose(found.weights(goal, left), bits)]
        word.append(action.symbol)
        if action.second != NOTHING:
            splits = found.splits(action, left - 1)
            taken = splits[choose([weight for _, weight in splits], bits)][0]
            pending += [(action.second, left - 1 - taken), (action.first, taken)]
        elif action.first != NOTHING:
            pending.append((action.first, left - 1))
    return np.array(word, np.int64)


def first_possible(weights: Sequence[int], bits: Bits) -> int:
    """The first option that some word has."""
    return next(place for place, weight in enumerate(weights) if weight)


def last_possible(weights: Sequence[int], bits: Bits) -> int:
    """The last option that some word has."""
    return max(place for place, weight in enumerate(weights) if weight)


def any_possible(weights: Sequence[int], bits: Bits) -> int:
    """An option by how many words it has; exact but for one part in 2¹²⁸."""
    total = sum(weights)
    ticket = total * (int(bits.random_raw()) << 64 | int(bits.random_raw())) >> 128
    return next(place for place, below in enumerate(accumulate(weights)) if ticket < below)
