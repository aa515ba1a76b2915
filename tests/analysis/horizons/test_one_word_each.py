"""Where a language has one word of a length, a search with one state each tries all of them."""

from __future__ import annotations

import pytest

from abacist.analysis import Search, follow, horizon
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import language_named
from abacist.specs import Spec


@pytest.mark.parametrize(
    ("name", "letters"), [("anbn", 2), pytest.param("anbncn", 3, marks=pytest.mark.thorough)]
)
def test_it_is_the_first_wrong_n(name: str, letters: int) -> None:
    language = language_named(name)
    short, long = Window(letters, 4 * letters), Window(5 * letters, 9 * letters)
    spec = Spec(
        language,
        cell_named("lstm"),
        hidden=3,
        training=200,
        test=3,
        distinct=False,
        epochs=8,
        rate=0.01,
        short=short,
        long=long,
    )
    networks, found = train(spec, range(8)).networks, []
    for run in range(8):
        words = (tuple(s for s in range(letters) for _ in range(n)) for n in range(1, 41))
        first = next((len(w) for w in words if follow(networks, run, language, w).wrong.any()), None)
        known = horizon(networks, run, language, Search(to=40 * letters, budget=1)).wrong
        assert (None if known is None else len(known)) == first
        found.append(first)
    assert len({*found}) > 1
