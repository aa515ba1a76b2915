"""Recognisers: every string over the alphabet, and whether it is a word, against brute force."""

from __future__ import annotations

import json

import numpy as np
import pytest

from abacist.corpora import Words, label, pack_texts
from abacist.errors import BadInput
from abacist.languages import (
    Blocks,
    Dyck,
    Language,
    Recogniser,
    language_asked_for,
    language_from_text,
    language_from_values,
    language_named,
    language_text,
    language_values,
    own_language_from_values,
    regular,
    shuffle,
    shuffle_k,
)
from tests.languages.subjects import ORACLES, Oracle


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
def test_every_prefix_of_every_string_is_labelled_as_brute_force_has_it(oracle: Oracle) -> None:
    language = Recogniser(language_named(oracle.name))
    longest = min(oracle.longest, 6)
    for word, text in oracle.texts(longest):
        expected = [[int(oracle.contains(text[:n]))] for n in range(1, len(text) + 1)]
        assert language.targets(word).tolist() == expected, text
        assert word in language
    strings = [word for word, _ in oracle.texts(longest)]
    packed = pack_texts(language, strings)
    plain = np.concatenate([language.targets(word) for word in strings])
    np.testing.assert_array_equal(packed.targets, plain)
    assert [language.count(n) for n in range(4)] == [len(oracle.glyphs) ** n for n in range(4)]
    assert (label(language, packed.symbols, packed.offsets).left_at == -1).all()


def test_only_the_end_of_a_string_counts() -> None:
    words = pack_texts(Recogniser(Dyck(1)), ["())", "", ")", "(())"])
    assert words.counted.tolist() == [0, 0, 1, 1, 0, 0, 0, 1]
    assert words.targets[words.counted == 1].tolist() == [[0], [0], [1]]
    taken = Words.to_recognise(Recogniser(Dyck(1)), words.symbols, words.offsets)
    assert taken.partial
    assert taken.counted.tolist() == words.counted.tolist()
    assert taken.targets[taken.counted == 1].tolist() == [[1], [1], [1]]
    with pytest.raises(BadInput, match="the output at the end of a string counts, so steps must be all"):
        pack_texts(Recogniser(Dyck(1)), ["()"], "last")


class Unmarked(Dyck):
    """A language of which ends cannot be marked, so that it is read symbol by symbol."""

    def marked(self) -> Dyck:
        raise BadInput("unmarked")


def test_a_language_without_marked_ends_is_labelled_the_plain_way() -> None:
    strings = ["(()", "())(", "()()", ")("]
    plain, marked = (pack_texts(Recogniser(language), strings) for language in (Unmarked(1), Dyck(1)))
    np.testing.assert_array_equal(plain.targets, marked.targets)


def test_depths_are_those_of_the_language_until_it_is_left() -> None:
    language = Recogniser(shuffle_k(2))
    assert language.counter_names == shuffle_k(2).counter_names
    assert language.depth_path("([)]())").tolist() == [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    "language",
    [Dyck(1), Dyck(2).marked(), Blocks(2), shuffle_k(2), regular("(ab)*"), shuffle(Dyck(1), regular("a*"))],
    ids=lambda language: language.name,
)
def test_what_is_written_down_is_read_back(language: Language[object]) -> None:
    recogniser = Recogniser(language)
    values = json.loads(json.dumps(language_values(recogniser)))
    assert language_from_values(values) == language_from_text(language_text(recogniser)) == recogniser
    assert recogniser.recognised == recogniser.word_language == language != recogniser
    renamed = Recogniser(Dyck(1)).renamed("ab")
    assert language_from_values(language_values(renamed)) == renamed
    assert "ab" in renamed.word_language


def test_recognisers_go_by_the_name_of_their_language() -> None:
    named = language_named("recognise:dyck-1")
    assert named == language_asked_for(" Recognise: dyck-1 ".strip()) == Recogniser(Dyck(1))
    assert language_values(named) == named.name == "recognise:dyck-1"
    assert language_asked_for("recognise:regex:(ab)*") == Recogniser(regular("(ab)*"))
    assert language_asked_for("recognise:dyck-1 || anbn") == Recogniser(language_named("dyck-1 || anbn"))
    assert own_language_from_values({"kind": "recogniser", "of": "dyck-1"}) == named
    assert named.word_language == Dyck(1).word_language == Dyck(1)
    assert (named.render_set([0]), named.render_set([])) == ("⊣", "")
    assert named.allows_end([0])
    assert not named.allows_end([])


def test_what_is_no_recogniser_is_refused() -> None:
    with pytest.raises(BadInput, match="recognise:dyck-1 is a recogniser already"):
        language_named("recognise:recognise:dyck-1")
    with pytest.raises(BadInput, match="Shuffle: recognise:dyck-1 only says whether a string is a word"):
        language_named("anbn || recognise:dyck-1")
    with pytest.raises(BadInput, match="a recogniser needs what it is `of`"):
        language_from_values({"kind": "recogniser"})
    with pytest.raises(BadInput, match="unknown language 'nothing'"):
        language_named("recognise:nothing")
