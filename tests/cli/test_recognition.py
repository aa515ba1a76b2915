"""`judge` on any string, and `sample --non-members`: what they say is what the plain reference says."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from abacist.analysis import constructed
from abacist.corpora import EDITS, Grammar, Recipe, Split, Window, draw_non_members
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.cli.command import inside, refused, shown
from tests.engine.cases import cells, layout_of, random_networks
from tests.engine.reference import first_rejection

LANGUAGE = language_named("dyck-1")
STRINGS = ["".join(word) for length in range(1, 6) for word in product("()", repeat=length)]


def kept(networks: Networks, folder: Path, language: str = "dyck-1", **about: str) -> str:
    save_folder(networks, folder, about={"language": language, **about})
    return str(folder)


def test_judge_says_of_every_string_what_the_reference_says(tmp_path: Path) -> None:
    networks = random_networks(layout_of(cells[2], 3), 2, seed=6, scale=6.0)
    text = shown("judge", kept(networks, tmp_path / "two"), *STRINGS, "--json")
    rows = json.loads(text)
    assert [(row["run"], row["word"]) for row in rows] == list(product((0, 1), STRINGS))
    for row in rows:
        word = LANGUAGE.alphabet.parse(row["word"])
        reading = LANGUAGE.read(word)
        rejection = first_rejection(networks, row["run"], LANGUAGE, word)
        left_at = None if reading.left_at is None else reading.left_at + 1
        assert (row["member"], row["left_at"]) == (reading.member, left_at)
        assert (row["taken"], row["rejected_at"]) == (rejection < 0, None if rejection < 0 else rejection + 1)
        assert row["right"] == (row["taken"] == row["member"])
        live = word[: len(reading.steps)]
        right = (forward(networks, row["run"], live)[1] > 0.5) == LANGUAGE.targets(live).astype(bool)
        wrong = [step for step, each in enumerate(right, 1) if not each.all()]
        assert row["wrong_at"] == (wrong[0] if wrong else None)
        assert row["accepted"] == (not wrong if reading.member else None)
    assert {row["right"] for row in rows} == {True, False}


def test_judge_shows_it_in_one_line(tmp_path: Path) -> None:
    folder = kept(constructed(LANGUAGE), tmp_path / "counts")
    code, table, errors = inside("judge", folder, "(())", "())", "((", ")(")
    lines = [line.split(maxsplit=2) for line in table.splitlines()[2:]]
    assert code == 0
    assert [(run, word) for run, word, _ in lines] == [("0", w) for w in ("(())", "())", "((", ")(")]
    assert [" ".join(said.split()) for *_, said in lines] == [
        "yes all right takes it: right",
        "left at 3 right to 2 rejects at 3: right",
        "ends too early right to 2 rejects at its end: right",
        "left at 1 — rejects at 1: right",
    ]
    assert errors.splitlines() == ["1 of 1 accepted", "3 of 3 outside dyck-1 rejected"]


def test_networks_of_the_last_steps_judge_words_of_the_language_only(tmp_path: Path) -> None:
    networks = random_networks(layout_of(cells[0], 2), 1, seed=0)
    folder = kept(networks, tmp_path / "last", steps="last")
    (row,) = json.loads(inside("judge", folder, "(())", "--json")[1])
    assert (row["taken"], row["rejected_at"], row["right"]) == (None, None, None)
    assert "still open; networks of the last steps alone cannot" in refused("judge", folder, "(")


@pytest.mark.parametrize("kind", EDITS)
def test_sample_draws_strings_outside_a_language(kind: str) -> None:
    split = Split("sample", Window(2, 20), 7)
    (expected,) = draw_non_members(Recipe(LANGUAGE, Grammar(), (split,), 5), 7, [kind])
    options = ("sample", "dyck-1", "-n", "7", "--lengths", "2:20", "--seed", "5", "--non-members", kind)
    assert inside(*options)[1].split() == [LANGUAGE.alphabet.render(word) for word in expected]
    rows = [json.loads(line) for line in inside(*options, "--jsonl")[1].splitlines()]
    assert [row["left_at"] for row in rows] == (expected.left_at + 1).tolist()
    assert {row["edit"] for row in rows} == {kind}


def test_sample_of_strings_outside_is_not_bound_by_the_number_of_words() -> None:
    """Of () alone there are two extensions."""
    found = inside("sample", "dyck-1", "-n", "2", "--lengths", "2", "--non-members", "extended")[1]
    assert set(found.split()) == {"()(", "())"}
    assert "unknown edit 'turned'" in refused("sample", "dyck-1", "--non-members", "turned")
    said = refused("sample", "dyck-1", "--non-members", "swapped", "--targets")
    assert "--non-members goes with neither --targets nor --repeats" in said
