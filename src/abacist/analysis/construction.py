"""Networks made by hand: LSTMs that count, as controls for trained ones.

A unit counts one pair of brackets. Its gates i, f and o are open whatever comes: σ(50) is exactly 1,
in float32 and in float64. Its candidate g is tanh(±50), exactly ±1, for its own two brackets, and
tanh(0), exactly 0, for all others. No gate sees h. So c′ = c ± 1 or c, and c is the depth of the pair,
exactly, up to 2²⁴ in float32 and 2⁵³ in float64, where the next whole number is no longer a float.
The output layer predicts every opening bracket always, and a closing one where h = tanh(c) lies above
3/8: tanh(0) is 0, and tanh(1) about 0.76.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.cells import cell_named
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Dyck, Language, Shuffle
from abacist.specs import PRECISIONS, Networks

#: The sum at which a gate is saturated: σ is exactly 1 and tanh exactly ±1, in every precision.
SATURATED = 50.0

#: The output layer: a closing bracket's sum is 16·h − 6, an opening one's 6.
_SLOPE, _OFFSET = 16.0, 6.0

#: Where g stands among the gates of an LSTM.
_CANDIDATE = 2


@checked
def constructed(language: Language[Any], precision: str = "float32") -> Networks:
    """One LSTM that counts: a unit for each pair of brackets of Dyck-1 or of a shuffle of Dyck-1.

    >>> constructed(Dyck(1)).layout.hidden
    1
    """
    if precision not in PRECISIONS:
        raise BadInput(f"constructed: precision must be {' or '.join(PRECISIONS)}, got {precision!r}")
    pairs = _counted_pairs(language)
    if language.marks_end:
        raise BadInput(f"constructed: the end of a word is not predicted, and {language.name} marks it")
    inputs = np.zeros((4, pairs, 2 * pairs), precision)  # (gate, unit, symbol), gates in the order i f g o
    biases = np.full((4, pairs), SATURATED, precision)
    biases[_CANDIDATE] = 0
    outputs = np.zeros((2 * pairs, pairs), precision)
    for pair in range(pairs):
        inputs[_CANDIDATE, pair, 2 * pair : 2 * pair + 2] = SATURATED, -SATURATED
        outputs[2 * pair + 1, pair] = _SLOPE
    tensors = {
        "weight_ih": inputs.reshape(4 * pairs, 2 * pairs),
        "weight_hh": np.zeros((4 * pairs, pairs), precision),
        "bias_ih": biases.reshape(4 * pairs),
        "output.weight": outputs,
        "output.bias": np.tile(np.array([_OFFSET, -_OFFSET], precision), pairs),
    }
    return Networks.from_tensors(cell_named("lstm"), tensors)


def _counted_pairs(language: Language[Any]) -> int:
    """How many pairs of brackets there are, if each is counted for itself."""
    if isinstance(language, Shuffle) and language.parts:
        return sum(map(_counted_pairs, language.parts))
    if isinstance(language, Dyck) and language.pairs == 1:
        return 1
    raise BadInput(
        f"constructed: a network that counts is known for Dyck-1 and shuffles of it, got {language.name}"
    )
