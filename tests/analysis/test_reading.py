"""A network beside its language: all that is said of a step agrees with the language and the reference."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import follow
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.errors import BadInput, BadWord, UnknownName
from abacist.languages import language_named
from tests.analysis.cases import networks, read

WORDS = {"dyck-1": "(()())", "dyck-2": "([])[()]", "shuffle-2": "([)](())", "anbn": "aabb"}


@pytest.mark.parametrize(("language", "text"), WORDS.items())
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
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
    with pytest.raises(UnknownName, match=r"no value is called 'q'; there are h, c, i, f, g, o, y"):
        reading.values("q")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(()", "the word ends while ( is still open"),
        ("())(", "at symbol 3, ) closes nothing: no ( is open"),
        ("", "the empty word has no step to follow"),
    ],
)
def test_words_outside_the_language_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadWord) as error:
        read("dyck-1", text)
    assert str(error.value) == f"the word is not in dyck-1: {reason}"


def test_a_word_may_be_a_text() -> None:
    own, text = language_named("dyck-1"), "((()))"
    by_text = follow(networks("dyck-1"), 0, own, text)
    assert by_text.trace.word == own.alphabet.parse(text)
    assert by_text.depths[:, 0].tolist() == [1, 2, 3, 2, 1, 0]


@pytest.mark.parametrize("symbol", [2, -1, 0.5, "("])
def test_what_is_no_symbol_is_refused(symbol: object) -> None:
    with pytest.raises(BadInput, match="a word of dyck-1 must consist of numbers below 2, got"):
        follow(networks("dyck-1"), 0, language_named("dyck-1"), (0, symbol))


def test_another_language_and_another_run_are_refused() -> None:
    with pytest.raises(BadInput, match="dyck-2: has 4 symbols and 4 outputs, the network 2 and 2"):
        follow(networks("dyck-1"), 0, language_named("dyck-2"), (0, 1))
    with pytest.raises(BadInput, match="run must be from 0 to 1, got 2"):
        follow(networks("dyck-1"), 2, language_named("dyck-1"), (0, 1))
