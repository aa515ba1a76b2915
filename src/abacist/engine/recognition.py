"""Recognition: a network as a judge of any string, in the language or not.

A network takes a word unless it rejects it: where a symbol comes that it did not predict, or where the word
ends and its last prediction does not allow that. Before the first symbol nothing is predicted, so the
language itself judges that symbol, and the empty word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Words
from abacist.engine.judging import first_mistakes
from abacist.fields import checked
from abacist.languages import Language
from abacist.specs.networks import Networks


@checked
def first_rejections(
    networks: Networks,
    run: int,
    language: Language[Any],
    symbols: NDArray[Any],
    offsets: NDArray[np.int64],
) -> NDArray[np.int64]:
    """For every packed word the symbol, from 0, at which a network rejects it, or −1 if it takes it.

    The word's length stands for an end that was not allowed, as in `Labels.left_at`.
    """
    networks.check_language(language)
    words = Words.to_recognise(language, symbols, offsets)
    mistakes = first_mistakes(networks, run, words)
    rejections = np.where(mistakes < 0, -1, mistakes + 1)
    possible = np.array([language.step(language.start, s) is not None for s in range(len(language.alphabet))])
    filled = words.lengths > 0
    rejections[filled] = np.where(possible[symbols[offsets[:-1][filled]]], rejections[filled], 0)
    rejections[~filled] = -1 if language.accepts(language.start) else 0
    return rejections
