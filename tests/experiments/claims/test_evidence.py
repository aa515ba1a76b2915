"""Evidence about units, against what `counting_units` sees and against depths written down by hand."""

from __future__ import annotations

import numpy as np

from abacist.analysis import counting_units, counting_words, state_units
from abacist.experiments.claims.evidence import CellStates, Evidence, Network
from tests.experiments.cases import made_up, view
from tests.experiments.claims.worlds import made


def test_units_are_those_of_the_first_ten_runs() -> None:
    network = Network("shuffle-2", "lstm")
    runs = [made_up(network.spec, seed, {}) for seed in range(11)]
    words = counting_words(network.spec.language)
    expected = [
        CellStates.of(counting_units(run.networks, 0, words, states=("c",)).state("c")) for run in runs[:10]
    ]
    assert Evidence(view(runs), 10).units(network) == expected


def test_networks_that_count_are_seen_to() -> None:
    network = Network("shuffle-6", "lstm")
    for counting, length in ((6, True), (6, False), (4, True), (0, False)):
        run = made("shuffle-6 lstm 8", 0, (100, 100, 100), counting=counting, length=length)
        (seen,) = Evidence(view([run]), 1).units(network)
        assert (seen.counting, seen.counted, seen.counters) == (counting, counting, 6)
        assert (seen.length > 0.99) == length


def test_units_that_count_the_same_pair_are_counted_twice_but_count_one_pair() -> None:
    corpus = counting_words(Network("shuffle-2", "lstm").spec.language, count=50)
    depths = corpus.depths().astype(np.float64)
    steps = np.arange(len(depths)) - np.repeat(corpus.offsets[:-1], corpus.lengths)
    states = np.column_stack((depths[:, 0], -2 * depths[:, 0], steps))
    seen = CellStates.of(state_units("c", states, corpus))
    assert (seen.counting, seen.counted, seen.counters) == (2, 1, 2)
    assert seen.length > 0.99
