"""Languages with their ends marked: the same words, and one more thing that may come next."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from abacist.corpora import Window, default_source, label, paper_recipe, sample
from abacist.corpora.packed import pack
from abacist.errors import BadInput
from abacist.languages import (
    Dyck,
    Language,
    language_from_values,
    language_named,
    language_values,
    regular,
    shuffle,
)


@pytest.mark.parametrize("name", ["dyck-1", "dyck-3", "shuffle-2"])
def test_the_end_may_come_where_a_word_may_end(name: str) -> None:
    plain = language_named(name)
    marked = language_named(f"{name}+end")
    assert marked == plain.marked() == marked.marked()
    assert (marked.name, marked.outputs) == (f"{name}+end", plain.outputs + 1)
    assert marked.counts(8) == plain.counts(8)
    for word in plain.words(6):
        assert word in marked
        ends = [plain.accepts(state) for state in _states(plain, word)]
        assert marked.targets(word).tolist() == [
            [*row, end] for row, end in zip(plain.targets(word).tolist(), ends, strict=True)
        ]
        assert (label(marked, *pack(marked, [word])).targets == marked.targets(word)).all()


def _states(language: Language[object], word: tuple[int, ...]) -> list[object]:
    found, state = [], language.start
    for symbol in word:
        state = language.step(state, symbol)
        found.append(state)
    return found


def test_marked_languages_are_written_down_and_read_again() -> None:
    brackets = shuffle(Dyck(1), Dyck(1).renamed("<>"))
    own = regular("(ab)*c", title="own")
    for language in (
        *map(language_named, ("dyck-1", "shuffle-2", "anbn")),
        Dyck(1).renamed("<>"),
        brackets,
        own,
    ):
        marked = language.marked()
        assert language_from_values(language_values(marked)) == marked
        assert pickle.loads(pickle.dumps(marked)) == marked
    assert language_named("dyck-1+END") == Dyck(1).marked()
    assert language_named("anbn").marked() == language_named("anbn+end") == language_named("anbn")
    assert language_named("dyck-1 || anbn").marks_end
    with pytest.raises(BadInput, match="unknown language 'duck-1'"):
        language_named("duck-1+end")


def test_the_same_words_are_drawn() -> None:
    plain, marked = (
        sample(own, default_source(own), Window(2, 20), 50, seed=1)
        for own in map(language_named, ("shuffle-2", "shuffle-2+end"))
    )
    np.testing.assert_array_equal(plain.symbols, marked.symbols)
    for name in ("dyck-1", "shuffle-6"):
        recipes = [paper_recipe(language_named(f"{name}{end}")) for end in ("", "+end")]
        assert recipes[0].splits == recipes[1].splits
