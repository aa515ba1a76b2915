"""Next symbols agree with those of the corpora that were published with the papers, but for two slips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from abacist.languages import END_GLYPH, language_named
from tests.languages.catalogue.published import ENDS, SYMBOLS, tomita_3, zeros
from tests.languages.catalogue.recognisers import SUBJECTS

OWN = {subject.name: subject for subject in SUBJECTS}


def after_beginnings(name: str) -> Iterator[tuple[str, set[str]]]:
    """Every beginning of a word that is not empty, by the plain recogniser, and what may follow here."""
    language, subject = language_named(name), OWN[name]
    for text in subject.texts(min(subject.every, 9)):
        if text and subject.begins(text):
            possible = language.read(text).steps[-1].next_symbols
            yield text, set(language.alphabet.render_set(possible).split())


@pytest.mark.parametrize("name", SYMBOLS)
def test_next_symbols_are_those_of_the_published_corpora(name: str) -> None:
    outputs = {"reset-dyck-1": set("()")}.get(name, set(OWN[name].glyphs))
    found = 0
    for text, possible in after_beginnings(name):
        assert possible & outputs == SYMBOLS[name](text), text
        found += 1
    assert found >= 9


@pytest.mark.parametrize("name", ENDS)
def test_ends_are_those_of_the_published_corpora(name: str) -> None:
    for text, possible in after_beginnings(name):
        assert (END_GLYPH in possible) == ENDS[name](text), text


def test_the_published_labels_of_tomita_3_deny_symbols_that_their_own_words_have() -> None:
    """They take a state for dead that is not: after 1 no 0 may come, and yet 100 is a word."""
    assert tomita_3("1") == {"1"}
    assert "100" in language_named("tomita-3")
    denied = 0
    for text, possible in after_beginnings("tomita-3"):
        missing = possible - {END_GLYPH} - tomita_3(text)
        assert tomita_3(text) <= possible
        assert missing <= {"0"}
        assert bool(missing) == (not OWN["tomita-3"].contains(text + "0"))
        denied += bool(missing)
    assert denied > 100


@pytest.mark.thorough
def test_the_published_labels_of_02_deny_the_end_right_after_a_0() -> None:
    """{0,1,2}*02* has the word 0, with no 2 at its end."""
    for text, possible in after_beginnings("{0,1,2}*02*"):
        assert (END_GLYPH in possible) == (zeros(text) or text.endswith("0"))
        assert possible >= set("012")
