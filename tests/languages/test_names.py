"""Languages by name, and what is said when there is none."""

from __future__ import annotations

from typing import Any

import pytest

from abacist.errors import AbacistError, BadInput, UnknownName
from abacist.languages import Blocks, Dyck, Language, Shuffle, language_named, shuffle, shuffle_k

NAMED = [
    *((f"dyck-{n}", Dyck(n)) for n in (1, 2, 3, 12)),
    *((f"shuffle-{k}", shuffle_k(k)) for k in (1, 2, 6, 12)),
    ("anbn", Blocks(2)),
    ("anbncn", Blocks(3)),
    ("anbncndn", Blocks(4)),
    ("anbn || dyck-1", shuffle(Blocks(2), Dyck(1))),
    ("dyck-2 || anbncn", shuffle(Dyck(2), Blocks(3))),
]


@pytest.mark.parametrize(("name", "language"), NAMED)
def test_a_name_names_its_language(name: str, language: Language[Any]) -> None:
    assert language_named(name) == language
    assert language.name == name
    assert language_named(language.name) == language


@pytest.mark.parametrize("name", ["shuffle-2 || anbn", "anbn || shuffle-3", "anbncn || shuffle-1"])
def test_the_name_of_a_shuffle_of_shuffles_names_it_again(name: str) -> None:
    language = language_named(name)
    assert language_named(language.name) == language


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_shuffle_goes_by_the_names_of_its_parts(k: int) -> None:
    parts = (Blocks(2), Dyck(1), Blocks(3).renamed("xyz"))[:k]
    assert Shuffle(parts).name == " || ".join(("anbn", "dyck-1", "anbncn")[:k])


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("DYCK-2", "dyck-2"),
        ("Dyck-1", "dyck-1"),
        ("  shuffle-6 ", "shuffle-6"),
        ("Shuffle6", "shuffle-6"),
        ("dyck-02", "dyck-2"),
        ("AnBnCn", "anbncn"),
        ("AnBn||DYCK-1", "anbn || dyck-1"),
    ],
)
def test_case_and_spaces_do_not_matter(spelling: str, name: str) -> None:
    assert language_named(spelling) == language_named(name)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("dick-2", "dyck-2"),
        ("Dyk-17", "dyck-17"),
        ("dyck", "dyck-1"),
        ("dyck--3", "dyck-3"),
        ("shufle-6", "shuffle-6"),
        ("shuffle_4", "shuffle-4"),
        ("anbnc", "anbncn"),
        ("abn", "anbn"),
        ("tomta-3", "tomita-3"),
    ],
)
def test_the_name_that_was_meant_is_suggested(typed: str, meant: str) -> None:
    with pytest.raises(UnknownName) as error:
        language_named(typed)
    assert f"unknown language {typed!r}, did you mean {meant}?" in str(error.value)
    assert language_named(meant).name == meant


@pytest.mark.parametrize("typed", ["xylophone", "nonsense"])
def test_nothing_like_any_name_gets_no_suggestion_but_the_list(typed: str) -> None:
    with pytest.raises(UnknownName) as error:
        language_named(typed)
    assert "did you mean" not in str(error.value)
    assert "languages are dyck-N, shuffle-N (N up to 999), others are in" in str(error.value)


@pytest.mark.parametrize("typed", ["dyck-12345", "dyck-²"])
def test_what_is_suggested_can_be_named(typed: str) -> None:
    with pytest.raises(UnknownName) as error:
        language_named(typed)
    suggestion = str(error.value).partition("did you mean ")[2].partition("?")[0]
    if suggestion:
        assert language_named(suggestion).name == suggestion


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(UnknownName, match=r"^unknown language 'dyk-1', did you mean dyck-1"):
        language_named("anbn || dyk-1")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dyck-0", "Dyck: pairs must be at least 1, got 0"),
        ("shuffle-0", "Shuffle-k: k must be at least 1, got 0"),
        ("anbn || dyck-0", "Dyck: pairs must be at least 1, got 0"),
        ("dyck-1 || dyck-2", "Shuffle: alphabets must be disjoint, got ( ) more than once"),
    ],
)
def test_an_impossible_language_says_the_rule_and_the_value(name: str, message: str) -> None:
    with pytest.raises(BadInput) as error:
        language_named(name)
    assert str(error.value) == message


def test_errors_are_misuse_for_the_command_line() -> None:
    with pytest.raises(AbacistError) as error:
        language_named("dyk")
    assert error.value.exit_code == 2
    assert isinstance(error.value, ValueError)
