"""Languages in plain values and back: what files and stores hold, and what people write."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from abacist.errors import BadFile, BadInput
from abacist.languages import (
    Blocks,
    Dyck,
    Language,
    Shuffle,
    language_asked_for,
    language_from_text,
    language_from_values,
    language_named,
    language_text,
    language_values,
    load_language,
    name_in_text,
    regular,
    shuffle,
    shuffle_k,
)
from tests.languages.random_automata import Machine, any_automata, more_than
from tests.languages.test_automaton_language import language_of

MORE: dict[str, Any] = {
    "name": "n>m",
    "kind": "counter",
    "accepting": ["A +", "B +"],
    "moves": ["A a * A +", "A b + B -", "B b + B -"],
}

DYCK_2 = """
[language]
marks_end = false
kind = "pushdown"
accepting = ["S"]
moves = [
    "S ( * S push round", "S ) round S pop",
    "S [ * S push square", "S ] square S pop",
]
"""


@settings(max_examples=80)
@given(any_automata())
def test_what_is_written_down_is_read_back(machine: Machine) -> None:
    language = language_of(machine)
    values = language_values(language)
    assert language_from_values(json.loads(json.dumps(values))) == language
    assert language_values(language_from_values(values)) == values
    assert language_from_text(language_text(language)) == language


@pytest.mark.parametrize(
    "language",
    [
        regular("(ab)*"),
        more_than(),
        shuffle(regular("(ab)*"), Dyck(1)),
        Shuffle((more_than(), regular("x*"), Dyck(2))),
    ],
    ids=lambda language: language.name,
)
def test_shuffles_are_written_by_their_parts(language: Language[Any]) -> None:
    assert language_from_values(language_values(language)) == language
    assert name_in_text(language_text(language)) == language.name


@pytest.mark.parametrize("language", [Dyck(3), Blocks(3), shuffle_k(2)], ids=lambda language: language.name)
def test_languages_with_names_are_their_names(language: Language[Any]) -> None:
    assert language_values(language) == language_text(language) == language.name
    assert language_from_values(language.name) == language
    assert name_in_text(language.name) == language.name


def test_equal_languages_have_equal_values() -> None:
    one = regular("(a|b)*a", title="x")
    for other in (regular("b*a(b*a)*", title="x"), language_from_values({"regex": "(b*a)+", "name": "x"})):
        assert language_values(other) == language_values(one)
    renamed = {
        "kind": "finite",
        "name": "x",
        "glyphs": "ab",
        "start": "no",
        "accepting": ["yes"],
        "moves": ["yes a yes", "yes b no", "no b no", "no a yes", "lost a lost"],
    }
    assert language_values(language_from_values(renamed)) == language_values(one)


def test_people_write_counters_and_stacks(tmp_path: Path) -> None:
    assert language_from_values(MORE) == more_than()
    (tmp_path / "dyck.toml").write_text(DYCK_2)
    language = load_language(tmp_path / "dyck.toml")
    assert language.name == "dyck"
    assert language.counts(10) == Dyck(2).counts(10)
    assert language_values(language) == language_values(language_from_values(language_values(language)))


def test_an_empty_stack_can_be_asked_for() -> None:
    """As many a as b in any order: the stack holds what there is too much of."""
    moves = [
        "S a - S push A",
        "S a A S push A",
        "S a B S pop",
        "S b - S push B",
        "S b B S push B",
        "S b A S pop",
    ]
    balance = language_from_values({"kind": "pushdown", "accepting": ["S"], "moves": moves})
    assert balance.counts(8) == [1, 0, 2, 0, 6, 0, 20, 0, 70]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (
            MORE | {"kind": "turing"},
            "must be one of finite, counter, pushdown, shuffle, renamed, within, recogniser, got 'turing'",
        ),
        (MORE | {"states": 2}, "language 'n>m': has no field 'states'; fields are counters, kind"),
        (MORE | {"moves": "A a * A +"}, "language 'n>m': moves must be a list, got 'A a"),
        (
            MORE | {"moves": ["A a A"]},
            r"must be STATE GLYPH TESTS STATE UPDATES, of tests 0 \+ \* .*, got 'A a A'",
        ),
        (MORE | {"moves": [*MORE["moves"], "A a 0 B +"]}, "one for each situation, got 'A a 0 B \\+'$"),
        (MORE | {"glyphs": "a"}, r"b is not one of its glyphs \(a\)"),
        (MORE | {"accepting": ["C +"]}, "no move leads to the accepting state C, or from it"),
        (MORE | {"accepting": ["A ++"]}, "acceptance must test 1 counters for 0, \\+ or \\*, got '\\+\\+'"),
        (MORE | {"accepting": ["A + x"]}, "accepting must name a state, got 'A \\+ x'"),
        (MORE | {"accepting": []}, "n>m: no word is in it"),
        (
            MORE | {"accepting": ["A +"], "moves": ["A a * A -"]},
            r"^language 'n>m': only a counter whose test is \+ may go down, got 'A a \* A -'$",
        ),
        ({"moves": []}, "language 'own': the field 'accepting' is missing"),
        ({"accepting": ["A"], "moves": ["A a"]}, "a move must be STATE GLYPH STATE, got 'A a'"),
        ({"kind": "shuffle", "parts": ["dyck-1"]}, "a shuffle needs at least two parts, got 1"),
        ({"regex": "(a", "name": "x"}, "ends before a bracket is closed"),
        ({"regex": "a", "moves": []}, "has no field 'moves'"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(values: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        language_from_values(values)


def test_a_language_is_asked_for_by_name_expression_or_file(tmp_path: Path) -> None:
    assert language_asked_for("Dyck-2") == Dyck(2)
    assert language_asked_for("regex:(ab)*") == regular("(ab)*")
    path = tmp_path / "own.toml"
    path.write_text('[language]\nregex = "(ab)*"\n')
    assert language_asked_for(str(path)) == regular("(ab)*", title="own")
    assert language_asked_for("regex:(ab)* || dyck-1") == shuffle(regular("(ab)*"), Dyck(1))
    assert language_asked_for(f"{path}||dyck-1") == shuffle(regular("(ab)*", title="own"), Dyck(1))
    assert tomllib.loads(path.read_text())["language"] == {"regex": "(ab)*"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[language]\nregex = 3\n", "own.toml: language 'own': regex must be text, got 3"),
        ("title = 'x'\n", r"own.toml: has no table \[language\]"),
        ("[language\n", "own.toml: is not TOML"),
        (
            "[language]\nregex = 'a*'\nname = 'dyck-1'\n",
            "own.toml: a language named dyck-1 comes with Abacist",
        ),
        (None, "own.toml: cannot be read"),
    ],
)
def test_files_without_a_language_are_refused(tmp_path: Path, text: str | None, why: str) -> None:
    path = tmp_path / "own.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadFile, match=why):
        load_language(path)


@pytest.mark.parametrize(
    "language",
    [
        Dyck(1, ("a", "b")),
        Blocks(2).renamed(("x", "y")),
        shuffle(Dyck(1, ("«", "»")), Blocks(2)),
        shuffle(regular("(ab)*"), shuffle_k(2)),
    ],
    ids=lambda language: language.name,
)
def test_other_glyphs_are_written_down(language: Language[Any]) -> None:
    assert language_from_values(language_values(language)) == language
    assert language_from_text(language_text(language)) == language


def test_a_file_renames_a_language(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[language]\nkind = "renamed"\nof = "dyck-1"\nglyphs = "«»"\n')
    assert language_asked_for(f"{path} || dyck-1") == shuffle(Dyck(1, ("«", "»")), Dyck(1))
    with pytest.raises(BadInput, match="a renamed one needs what it is `of`, and its glyphs"):
        language_from_values({"kind": "renamed", "of": "dyck-1"})


def test_only_names_and_tables_are_languages() -> None:
    with pytest.raises(BadInput, match="a language must be text or a dictionary, got 3"):
        language_from_values(3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"a language must be a name or a table, got '\{\"'"):
        language_from_text('{"')
    assert language_named("dyck-1") == language_from_text("dyck-1")
