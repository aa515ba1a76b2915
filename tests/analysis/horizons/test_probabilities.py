"""Horizons of networks whose outputs are the probabilities of what comes next: against all short words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from abacist.analysis import Search, horizon
from abacist.cells import cell_named
from abacist.corpora import pack_texts
from abacist.engine import trace, train
from abacist.languages import Language, language_named
from abacist.specs import Networks, Spec

LONGEST = 10


def words_of(language: Language[Any]) -> Iterator[tuple[int, ...]]:
    """All words of up to so many symbols, the shortest first."""
    beginnings: list[tuple[tuple[int, ...], Any]] = [((), language.start)]
    for _ in range(LONGEST):
        beginnings = [
            ((*word, symbol), after)
            for word, state in beginnings
            for symbol in range(len(language.alphabet))
            if (after := language.step(state, symbol)) is not None
        ]
        yield from (word for word, state in beginnings if language.accepts(state))


def shortest_wrong(networks: Networks, run: int, language: Language[Any]) -> int | None:
    for word in words_of(language):
        right = pack_texts(language, [word], "all").targets.astype(bool)
        if (trace(networks, run, word).predicted != right).any():
            return len(word)
    return None


@pytest.mark.parametrize("precision", ["float32", pytest.param("float64", marks=pytest.mark.thorough)])
def test_brackets_are_those_of_all_short_words(precision: str) -> None:
    spec = Spec(
        language_named("dyck-1"), cell_named("lstm"), hidden=3, objective="next-symbol", distinct=False,
        rate=0.01, epochs=6, training=1_500, test=20, precision=precision,
    )  # fmt: skip
    trained = train(spec, range(6)).networks
    lengths = set()
    for run in range(6):
        found = horizon(trained, run, spec.language, Search(30, 64, 2_000))
        wrong = shortest_wrong(trained, run, spec.language)
        lengths.add(wrong)
        assert (wrong is None) == (found.wrong is None or len(found.wrong) > LONGEST)
        if wrong is not None:
            assert found.wrong is not None
            assert found.proved < len(found.wrong) == wrong
    assert len(lengths) > 1
