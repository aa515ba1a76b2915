"""Files of predictions: what is written is read, and what is wrong is named by its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.bridge import load_predictions
from abacist.bridge.prediction_files import load_words
from abacist.corpora.files import save
from abacist.errors import AbacistError
from abacist.languages import language_named
from tests.bridge.cases import corpora

DYCK = language_named("dyck-1")
WORDS = [(0, 1), (0, 0, 1, 1)]


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return path


def test_scores_and_texts_say_the_same(tmp_path: Path) -> None:
    second = [[1, 0.6], [0.9, 0.7], [1, 1], [1, 0.5]]
    in_numbers = load_predictions(written(tmp_path, [[1, 1], [1, 0]], second), DYCK, WORDS)
    texts = ["( )", "()", ") (", "("]
    in_words = load_predictions(
        written(tmp_path, {"word": "()", "predictions": ["()", "("]}, "", {"targets": texts}), DYCK, WORDS
    )
    for own, other, word in zip(in_numbers, in_words, WORDS, strict=True):
        np.testing.assert_array_equal(own, other)
        np.testing.assert_array_equal(own, DYCK.targets(word))


def test_the_end_of_a_word_is_a_symbol_where_it_is_marked(tmp_path: Path) -> None:
    language = language_named("anbn")
    (found,) = load_predictions(written(tmp_path, ["a b", "⊣"]), language, [(0, 1)])
    np.testing.assert_array_equal(found, language.targets("ab"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([["()", "("]], "2 words need as many lines, got 1"),
        ([["()", "("], ["()"] * 4, ["("]], "line 3: there are only 2 words to predict"),
        ([["()"], ["()"] * 4], "line 1: a word of 2 symbols needs as many steps, got 1"),
        ([["()", "["], ["()"] * 4], "line 1: step 2: '\\[' at character 1 is not in the alphabet"),
        ([["()", "(⊣"], ["()"] * 4], "line 1: step 2: dyck-1 does not mark the end"),
        ([["()", [1, 2, 3]], ["()"] * 4], "line 1: step 2 must be text or a list of 2 scores"),
        ([["()", [1, "x"]], ["()"] * 4], "line 1: a score of step 2 must be a number, got 'x'"),
        ([["()", [1, float("nan")]], ["()"] * 4], "line 1: a score of step 2 must be a number, got nan"),
        (["[[1", "[]"], "line 1: is not JSON"),
        ([7, 8], "line 1: predictions must be a list of steps, got 7"),
        (
            [{"word": "(())", "predictions": []}],
            "line 1: it is about the word '\\(\\(\\)\\)', and '\\(\\)' is next",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_line(tmp_path: Path, lines: list[Any], said: str) -> None:
    with pytest.raises(AbacistError, match=said):
        load_predictions(written(tmp_path, *lines), DYCK, WORDS)


def test_words_come_from_either_kind_of_corpus_file(tmp_path: Path) -> None:
    drawn, language = corpora(), language_named("shuffle-2")
    for name in ("words.npz", "words.jsonl"):
        save(drawn, tmp_path / name, targets=True)
    expected = {corpus.split.name: list(corpus) for corpus in drawn}
    assert load_words(tmp_path / "words.npz") == (language, expected)
    assert load_words(tmp_path / "words.jsonl", language) == (language, expected)
    with pytest.raises(AbacistError, match="does not say what language"):
        load_words(tmp_path / "words.jsonl")
    with pytest.raises(AbacistError, match="are of shuffle-2, not of dyck-1"):
        load_words(tmp_path / "words.npz", DYCK)
    with pytest.raises(AbacistError, match=r"line 1: .* is not in the alphabet"):
        load_words(tmp_path / "words.jsonl", DYCK)
