"""Networks after a few epochs at too high a rate, and all short words of their languages."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import KNOWN, Layout
from abacist.cells.layout import OUTPUT_BIAS, OUTPUT_WEIGHT
from abacist.cells.parameters import WEIGHT_HH, WEIGHT_IH
from abacist.corpora import Words
from abacist.engine import first_mistakes, train
from abacist.languages import Language, language_named
from abacist.specs import Networks, Spec

#: What is trained: a cell, its units, a language, and the longest words of which all are tried.
SUBJECTS = [
    ("lstm", 1, "dyck-1", 16), ("gru", 2, "dyck-1", 16), ("rnn", 4, "dyck-1", 16),
    ("rnn_relu", 2, "dyck-1", 20), ("lstm", 2, "shuffle-2", 10), ("lstm", 2, "dyck-2", 10),
    ("rnn", 2, "anbn", 20),
]  # fmt: skip


@cache
def badly_trained(cell: str, hidden: int, language: str, seeds: int = 10) -> Networks:
    """Networks that get some words right: after two, three or eight epochs, and with initial weights.

    Those with ReLU hardly learn, so some of them are made to count, and then disturbed.
    """
    chosen, rows = language_named(language), []
    for rate, epochs in ((0.03, 3), (0.1, 2), (0.1, 8)):
        spec = Spec(
            chosen, KNOWN[cell], hidden, epochs=epochs, rate=rate, test=2,
            training=12 if chosen.marks_end else 500,
        )  # fmt: skip
        rows.append(train(spec, range(seeds)).networks.parameters)
    initial = Networks.initial(spec.layout, range(seeds)).parameters
    rows.append(0.1 * initial + _counting(spec.layout) if cell == "rnn_relu" else 3 * initial)
    return Networks(spec.layout, np.concatenate(rows))


def _counting(layout: Layout) -> NDArray[np.float32]:
    """A network for Dyck-1 with ReLU whose first unit counts."""
    weights = np.zeros(layout.size, np.float32)
    for tensor, place, value in (
        (WEIGHT_IH, 0, 1), (WEIGHT_IH, 1, -1), (WEIGHT_HH, 0, 1),
        (OUTPUT_BIAS, 0, 1), (OUTPUT_BIAS, 1, -1), (OUTPUT_WEIGHT, layout.hidden, 2),
    ):  # fmt: skip
        weights[layout.starts[tensor] + place] = value
    return weights


@cache
def _all_words(language: Language[Any], longest: int, steps: str) -> tuple[NDArray[np.int64], Words]:
    texts = [np.array(word, np.uint8) for length in range(1, longest + 1) for word in language.words(length)]
    lengths = np.array([len(text) for text in texts])
    return lengths, Words.of(language, np.concatenate(texts), np.append(0, np.cumsum(lengths)), steps)


def shortest_wrong(
    networks: Networks, run: int, language: Language[Any], longest: int, steps: str
) -> int | None:
    """The length of the shortest word that a network gets wrong, by trying all, or None."""
    lengths, words = _all_words(language, longest, steps)
    wrong: Any = lengths[first_mistakes(networks, run, words) >= 0]
    return int(wrong.min()) if len(wrong) else None
