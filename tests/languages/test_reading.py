"""Reading a word: how deep it goes, where it leaves the language, and why."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.languages import Dyck, language_named
from tests.languages.subjects import DYCK, ORACLES, SHUFFLES, Oracle

every_language = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)


@every_language
def test_reading_stops_at_the_first_prefix_that_no_word_has(oracle: Oracle) -> None:
    language, following = language_named(oracle.name), oracle.next_glyphs()
    for word, text in oracle.texts(oracle.prefixes):
        reading = language.read(word)
        alive = max(end for end in range(len(text) + 1) if text[:end] in following)
        assert len(reading.steps) == alive, text
        assert tuple(step.symbol for step in reading.steps) == word[:alive]
        assert reading.member == oracle.contains(text), text
        assert reading.left_at == (None if reading.member else alive), text
        assert (reading.reason is None) == reading.member, text


@pytest.mark.parametrize("oracle", [*DYCK, *SHUFFLES], ids=lambda oracle: oracle.name)
def test_brackets_that_are_still_open_are_named_and_no_others(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    for word, text in oracle.texts(oracle.prefixes):
        reading = language.read(word)
        if reading.left_at == len(word):
            still = {
                pair[0] for pair, height in zip(oracle.counters, oracle.heights(text), strict=True) if height
            }
            assert reading.reason is not None
            assert {glyph for glyph in oracle.glyphs if glyph in reading.reason} == still, text


EXAMPLES = [
    ("dyck-1", "())(", 2, ") closes nothing: no ( is open"),
    ("dyck-1", "((", 2, "the word ends while (( are still open"),
    ("dyck-1", "(()", 3, "the word ends while ( is still open"),
    ("dyck-2", "([)]", 2, ") closes (, but the last one opened is ["),
    ("dyck-2", "()]", 2, "] closes nothing: no bracket is open"),
    ("dyck-2", "([", 2, "the word ends while ([ are still open"),
    ("dyck-7", "(7 )", 1, ") closes (, but the last one opened is (7"),
    ("shuffle-2", "(][)", 1, "] closes nothing: no [ is open"),
    ("shuffle-2", "([", 2, "the word ends while ( is still open; the word ends while [ is still open"),
    ("anbn", "ba", 0, "b cannot come first: a word begins with a"),
    ("anbn", "aba", 2, "a cannot come after b"),
    ("anbn", "aabbb", 4, "b comes once too often: there are 2 a"),
    ("anbn", "aab", 3, "the word ends after 1 b instead of 2"),
    ("anbn", "", 0, "the empty word is not in it: a word has at least one a"),
    ("anbncn", "aabc", 3, "c comes after 1 b instead of 2"),
    ("anbncn", "ac", 1, "c comes before any b"),
    ("anbncn", "aa", 2, "the word ends before any b"),
    ("anbncn", "ab", 2, "the word ends before any c"),
    ("anbn || dyck-1", "a(b)b", 4, "b comes once too often: there are 1 a"),
    ("anbn || dyck-1", "()", 2, "the empty word is not in it: a word has at least one a"),
    ("anbn || dyck-1", "(ab", 3, "the word ends while ( is still open"),
]


@pytest.mark.parametrize(("name", "text", "left_at", "reason"), EXAMPLES)
def test_the_reason_is_plain(name: str, text: str, left_at: int, reason: str) -> None:
    language = language_named(name)
    reading = language.read(language.alphabet.parse(text))
    assert not reading.member
    assert reading.left_at == left_at
    assert reading.reason == reason


@every_language
def test_depths_are_what_the_counters_hold(oracle: Oracle) -> None:
    language, following = language_named(oracle.name), oracle.next_glyphs()
    for word, text in oracle.texts(oracle.prefixes):
        if text not in following:
            continue
        path = [oracle.heights(text[: end + 1]) for end in range(len(text))]
        assert [step.depths for step in language.read(word).steps] == path
        depths = language.depth_path(word)
        assert depths.shape == (len(word), len(oracle.counters))
        assert depths.dtype == np.int64
        assert depths.tolist() == [list(heights) for heights in path]
        assert language.maximum_depth(word) == max([0, *map(sum, path)]), text


def test_depths_of_what_has_left_the_language_are_refused() -> None:
    for measure in (Dyck(2).depth_path, Dyck(2).maximum_depth, Dyck(2).turns):
        with pytest.raises(ValueError, match=r"^dyck-2: symbol 3 leaves it: \) closes \("):
            measure((0, 2, 1))
