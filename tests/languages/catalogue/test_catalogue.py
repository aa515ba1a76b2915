"""The catalogue against plain recognisers, and what else holds of its languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import comb

import numpy as np
import pytest

from abacist.cells import cell_named
from abacist.engine import judge, train
from abacist.errors import BadInput
from abacist.languages import (
    CATALOGUE,
    END_GLYPH,
    FAMILIES,
    AutomatonLanguage,
    Family,
    FiniteAutomaton,
    PushdownAutomaton,
    bracket_glyphs,
    entry_named,
    language_from_text,
    language_from_values,
    language_named,
    language_text,
    language_values,
    regular,
)
from abacist.specs import Spec
from tests.languages.catalogue.recognisers import SUBJECTS, Subject

#: The 27 languages of Sarrof et al. 2024, which are those of Bhattamishra et al. 2020.
OF_SARROF = (
    *("dyck-1", "shuffle-2", "shuffle-4", "shuffle-6", "boolean-3", "boolean-5"),
    *("anbn", "anbncn", "anbncndn", "parity", "(aa)*", "(aaaa)*", "(abab)*"),
    *("tomita-1", "tomita-2", "tomita-3", "tomita-4", "tomita-5", "tomita-6", "tomita-7"),
    *("d-2", "d-3", "d-4", "d-12", "aa*bb*cc*dd*ee*", "{a,b}*d{b,c}*", "{0,1,2}*02*"),
)

names = pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param(own, marks=pytest.mark.thorough if own.name in ("boolean-5", "{a,b}*d{b,c}*") else ())
        for own in SUBJECTS
    ],
    ids=lambda subject: subject.name,
)
def test_words_counts_and_next_symbols_are_those_of_a_plain_recogniser(subject: Subject) -> None:
    language = language_named(subject.name)
    assert "".join(language.alphabet.glyphs) == subject.glyphs
    words, counts = set(), []
    layer = [("", language.start)]
    for _ in range(subject.beginnings + 1):
        counts.append(0)
        longer = []
        for text, state in layer:
            expected = {glyph for glyph in subject.glyphs if subject.begins(text + glyph)}
            if subject.contains(text):
                expected.add(END_GLYPH)
                words.add(text)
                counts[-1] += 1
            assert set(language.alphabet.render_set(language.next_symbols(state)).split()) == expected, text
            steps = ((glyph, language.step(state, s)) for s, glyph in enumerate(subject.glyphs))
            longer += [(text + glyph, after) for glyph, after in steps if after is not None]
        layer = longer
    assert counts == language.counts(subject.beginnings)
    for text in subject.texts(subject.every):
        assert (text in words) == subject.contains(text), text


def test_every_listed_language_has_a_plain_recogniser_but_the_largest() -> None:
    assert {entry.name for entry in CATALOGUE} - {subject.name for subject in SUBJECTS} == {"dyck-8-10"}


def test_a_bounded_stack_is_as_good_as_a_state_for_every_stack() -> None:
    large, small = language_named("dyck-8-10"), language_named("dyck-2-3")
    assert isinstance(large, AutomatonLanguage)
    assert isinstance(small, AutomatonLanguage)
    assert isinstance(large.machine, PushdownAutomaton)
    assert isinstance(small.machine, FiniteAutomaton)
    assert large.alphabet.glyphs == bracket_glyphs(8)
    for half in range(11):
        assert large.count(2 * half) == comb(2 * half, half) // (half + 1) * 8**half
    assert large.count(22) == (comb(22, 11) // 12 - 1) * 8**11
    state = large.start
    for depth in range(10):
        closing = {2 * (depth % 8) - 1} if depth % 8 else {15} if depth else {16}
        assert large.next_symbols(state) == set(range(0, 16, 2)) | closing
        state = large.step(state, 2 * (depth % 8))
    assert large.next_symbols(state) == {3}


@pytest.mark.parametrize("arity", [1, 2, 3, 4, 5])
def test_expressions_are_counted_by_the_cycle_lemma(arity: int) -> None:
    """Of all turns of a string whose steps sum to −1 exactly one is an expression."""
    steps = np.array([2, *[1] * arity], object)  # two values go down by one; operators go up by 0 and more
    ways = np.array([1], object)
    expected = [0]
    for length in range(1, 21):
        ways = np.convolve(ways, steps)
        expected.append(ways[length - 1] // length)
        assert ways[length - 1] % length == 0
    assert language_named(f"boolean-{arity}").counts(20) == expected


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("parity", lambda n: 2 ** max(n - 1, 0)),
        ("tomita-6", lambda n: sum(comb(n, ones) for ones in range(n + 1) if (n - 2 * ones) % 3 == 0)),
        ("tomita-7", lambda n: sum(comb(n, turns) for turns in range(4))),
        ("aa*bb*cc*dd*ee*", lambda n: comb(n - 1, 4) if n else 0),
        ("{a,b}*d{b,c}*", lambda n: n * 2**n // 2),
        ("{0,1,2}*02*", lambda n: (3**n - 1) // 2),
        ("majority", lambda n: (2**n - (0 if n % 2 else comb(n, n // 2))) // 2),
        ("balance", lambda n: 0 if n % 2 else comb(n, n // 2)),
        ("dyck-2-3", lambda n: 2 ** (n // 2) * language_named("d-3").count(n)),
        ("dyck-2-5", lambda n: 2 ** (n // 2) * language_named("d-5").count(n)),
    ],
)
def test_counts_are_those_of_formulas(name: str, formula: Callable[[int], int]) -> None:
    assert language_named(name).counts(40) == [formula(length) for length in range(41)]


@names
def test_its_example_is_a_word_and_its_source_is_named(name: str) -> None:
    entry = entry_named(name)
    assert entry is not None
    assert entry.example in entry.language()
    assert len(entry.example) > 3
    assert all(re.fullmatch(r"\D+ \d{4}", source.cited) and source.title for source in entry.sources)


@names
def test_names_and_texts_give_a_language_back(name: str) -> None:
    language = language_named(name)
    assert language.name == name
    assert language_named(name.upper()) == language
    assert language_values(language) == language_text(language) == name
    assert language_from_values(name) == language_from_text(name) == language
    own = language.renamed([f"<{glyph}>" for glyph in language.alphabet.glyphs])
    assert isinstance(language_values(own), dict)
    assert language_from_values(language_values(own)) == own


def test_an_own_language_of_a_catalogue_s_name_stays_its_own() -> None:
    own = regular("(ab)*", title="parity")
    assert isinstance(language_values(own), dict)
    assert language_from_text(language_text(own)) == own


def test_shuffles_with_the_catalogue_have_names() -> None:
    both = language_named("parity || d-2 || dyck-1")
    assert both.name == language_values(both) == "parity || d-2 || dyck-1"
    assert "0(a1b)1ab" in both
    assert "0(a1b)ab" not in both


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("D_4", "d-4"),
        ("d7", "d-7"),
        ("Dyck-(2,3)", "dyck-2-3"),
        ("MOD-3", "mod-3"),
        (" Boolean5", "boolean-5"),
    ],
)
def test_families_are_known_by_other_spellings(spelling: str, name: str) -> None:
    assert language_named(spelling).name == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mod-1", "mod-N: N must be at least 2, got 1"),
        ("d-0", "d-N: N must be at least 1, got 0"),
        ("boolean-6", "boolean-N: N must be between 1 and 5, got 6"),
        ("boolean-0", "boolean-N: N must be between 1 and 5, got 0"),
        ("dyck-0-3", "dyck-K-M: K and M must be at least 1, and their product at most 400, got dyck-0-3"),
        ("dyck-100-100", "dyck-K-M: K and M must be at least 1, and their product at most 400"),
    ],
)
def test_members_that_a_family_does_not_have_are_refused(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=re.escape(why)):
        language_named(name)


def test_all_languages_of_sarrof_et_al_have_names() -> None:
    assert len(OF_SARROF) == len(set(OF_SARROF)) == 27
    assert tuple(language_named(name).name for name in OF_SARROF) == OF_SARROF


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_catalogue_lists_members_of_every_family(family: Family) -> None:
    assert family.listed
    for numbers in family.listed:
        entry = family.entry(*numbers)
        assert entry in CATALOGUE
        assert entry_named(entry.name) == entry


def test_a_network_learns_parity() -> None:
    spec = Spec(
        language_named("parity"), cell_named("lstm"), hidden=3, epochs=20, training=300, test=100, rate=0.02
    )
    trained = train(spec, range(2))
    accuracies = judge(spec, range(2), trained.networks)
    assert (accuracies.of("training") == 1).all()
    assert (accuracies.of("short") == 1).all()
    assert Spec.from_dict(spec.as_dict()) == spec
    assert spec.as_dict()["language"] == "parity"
