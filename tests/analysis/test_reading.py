"""A network beside its language: all that is said of a step agrees with the language and the reference."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from abacist.analysis import follow
from abacist.corpora import pack_texts
from abacist.corpora.packed import pack
from abacist.engine import first_mistakes, first_rejections
from abacist.engine.reference import forward
from abacist.errors import BadWord, UnknownName
from abacist.languages import language_named
from tests.analysis.cases import networks, read

WORDS = {"dyck-1": "(()())", "dyck-2": "([])[()]", "shuffle-2": "([)](())", "anbn": "aabb"}


@pytest.mark.parametrize(("language", "text"), WORDS.items())
@pytest.mark.parametrize(
    "cell", ["lstm", *(pytest.param(n, marks=pytest.mark.thorough) for n in ("rnn", "gru"))]
)
def test_values_targets_and_depths(language: str, text: str, cell: str) -> None:
    own = language_named(language)
    word = own.alphabet.parse(text)
    reading = read(language, text, cell)
    states, outputs = forward(networks(language, cell), 0, word)
    for name in networks(language, cell).layout.cell.state_names:
        np.testing.assert_allclose(reading.values(name), states[name], atol=1e-5)
    steps = own.read(word).steps
    for time, step in enumerate(steps):
        assert set(np.flatnonzero(reading.targets[time])) == step.next_symbols
        assert tuple(reading.depths[time]) == step.depths
        assert reading.wrong[time] == (set(np.flatnonzero(outputs[time] > 0.5)) != step.next_symbols)
    assert "".join(reading.glyphs) == text
    assert len(reading) == len(word)


def test_a_text_is_read_through_the_alphabet() -> None:
    own = language_named("shuffle-6")
    symbols = follow(networks("shuffle-6"), 0, own, own.alphabet.parse("( ⟨ ) ⟩"))
    text = follow(networks("shuffle-6"), 0, own, "(<)>")
    assert text.glyphs == symbols.glyphs == list("(⟨)⟩")
    np.testing.assert_array_equal(text.values("y"), symbols.values("y"))
    with pytest.raises(BadWord, match="'x' at character 2 is not in the alphabet"):
        follow(networks("shuffle-6"), 0, own, "(x)")


@pytest.mark.parametrize("steps", ["all", "last"])
@pytest.mark.parametrize("text", ["()", "(())[]", "([])[()]" * 3])
def test_the_first_wrong_step_is_the_judge_s(text: str, steps: str) -> None:
    own = language_named("dyck-2")
    word = own.alphabet.parse(text)
    wrong = np.flatnonzero(read("dyck-2", text, steps=steps).wrong)
    (judged,) = first_mistakes(networks("dyck-2"), 0, pack_texts(own, [word], steps))
    assert judged == (wrong[0] if len(wrong) else -1)


def test_only_the_last_prediction_counts() -> None:
    assert np.flatnonzero(read("dyck-2", "([])", steps="last").counted).tolist() == [2]


def test_names() -> None:
    reading = read("anbn", "aabb")
    assert reading.value_names("y") == ["a", "b", "⊣"]
    assert reading.value_names("c") == ["unit 1", "unit 2", "unit 3"]
    assert language_named("shuffle-6").counter_names == ("( )", "[ ]", "{ }", "⟨ ⟩", "⌈ ⌉", "⌊ ⌋")
    with pytest.raises(UnknownName, match=r"unknown value 'q'; there are h, c, i, f, g and 2 more"):
        reading.values("q")


@pytest.mark.parametrize("language", ["dyck-1", "dyck-2", "shuffle-2", "anbn"])
def test_every_string_is_followed_and_nothing_is_right_once_the_language_is_left(language: str) -> None:
    own = language_named(language)
    for length in range(1, 5):
        for word in product(range(len(own.alphabet)), repeat=length):
            reading, plain = follow(networks(language), 0, own, word), own.read(word)
            inside = len(plain.steps)
            assert (reading.left_at, reading.reason) == (plain.left_at, plain.reason)
            assert reading.inside == inside
            sets = [set(np.flatnonzero(row).tolist()) for row in reading.targets]
            assert sets[:inside] == [set(step.next_symbols) for step in plain.steps]
            assert [tuple(row) for row in reading.depths[:inside]] == [step.depths for step in plain.steps]
            assert reading.counted.tolist() == [time < inside for time in range(length)]
            assert not reading.targets[inside:].any()
            assert not reading.wrong[inside:].any()
            assert [reading.right_set(time) is None for time in range(length)] == (
                [False] * inside + [True] * (length - inside)
            )
            assert not follow(networks(language), 0, own, word, steps="last").counted.any() or plain.member
            _, outputs = forward(networks(language), 0, word)
            np.testing.assert_allclose(reading.values("y"), outputs, atol=1e-5)


@pytest.mark.parametrize("language", ["dyck-2", "shuffle-2", "anbn"])
@pytest.mark.parametrize("run", [0, 1])
def test_strings_are_rejected_where_the_engine_rejects_them(language: str, run: int) -> None:
    own = language_named(language)
    words = [w for length in (1, 2, 3, 4) for w in product(range(len(own.alphabet)), repeat=length)]
    expected = first_rejections(networks(language), run, own, *pack(own, words)).tolist()
    found = [follow(networks(language), run, own, word).rejected_at for word in words]
    assert [-1 if place is None else place for place in found] == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("()", "in dyck-1"),
        ("(()", "not in dyck-1, ends too early: the word ends while ( is still open"),
        ("())(", "not in dyck-1, left at 3: ) closes nothing: no ( is open"),
    ],
)
def test_where_the_language_is_left_is_told_as_judge_tells_it(text: str, told: str) -> None:
    reading = read("dyck-1", text)
    assert reading.membership() == told
    html = reading._repr_html_()
    assert f"<caption>{told}</caption>" in html
    assert html.count("<tr>") == len(text) + 1
    assert html.count("<td>outside</td>") == len(text) - reading.inside
    assert html.count("<td>'</td>") == reading.wrong.sum()


def test_long_strings_are_cut_short_in_a_notebook() -> None:
    assert read("dyck-1", "()" * 200)._repr_html_().count("<tr>") == 62
