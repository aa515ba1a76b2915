"""The zoo and memories have a bracket, too, and it is the truth: no word contradicts it."""

from __future__ import annotations

import pytest

from abacist.analysis import Search, horizon
from abacist.analysis.horizons.bracket import prove
from abacist.analysis.horizons.configurations import Configurations
from abacist.cells import MEMORIES, ZOO
from abacist.languages import language_named
from tests.analysis.horizons.badly_trained import badly_trained, shortest_wrong

#: What `make test` tries; the others are thorough.
_OFTEN = [("stack_rnn_1", "dyck-1")]

_ALL = [
    *((cell, "dyck-1") for cell in (*ZOO, *MEMORIES)),
    *((cell, "dyck-2") for cell in ("selective", "stack_rnn", "stack_lstm_1")),
    *((cell, "shuffle-2") for cell in ("mlstm", "baby_ntm_1")),
]


@pytest.mark.parametrize(
    ("cell", "language"),
    [*_OFTEN, *(pytest.param(*case, marks=pytest.mark.thorough) for case in _ALL if case not in _OFTEN)],
)
def test_no_short_word_contradicts_the_bracket(cell: str, language: str) -> None:
    """Trying all finds what the refuter finds; nothing wrong is proved, not with a single box either."""
    longest = 12 if language == "dyck-1" else 6
    networks, known = badly_trained(cell, 2, language, seeds=3), Configurations(language_named(language))
    proved = 0
    for run in range(len(networks)):
        truth = shortest_wrong(networks, run, known.language, longest, "all")
        bracket = horizon(networks, run, known.language, Search(to=longest, budget=256), known=known)
        assert (bracket.wrong and len(bracket.wrong)) == truth
        right = longest if truth is None else truth - 1
        assert prove(networks, run, known, limit=longest + 1, budget=1) - 1 <= right
        assert bracket.proved <= right
        proved += bracket.proved == right
    assert proved > len(networks) // 2
