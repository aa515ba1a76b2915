"""Scores: what a slow and plain reading of the same predictions says."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

from abacist.bridge import Score, score
from abacist.corpora import Corpus, Words, draw, paper_recipe
from abacist.errors import BadInput
from abacist.languages import language_named
from tests.bridge.cases import SIZES

LANGUAGES = ("dyck-1", "shuffle-2", "dyck-2")


def corpus_of(language: str) -> Corpus:
    return draw(paper_recipe(language_named(language), seed=2, **SIZES))["short"]


def nearly_right(
    corpus: Corpus, share: float, seed: int
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Scores that are right but for a share of them, on either side of one half."""
    random = np.random.default_rng(seed)
    found = []
    for word in corpus:
        right = corpus.language.targets(word).astype(bool)
        hot = right ^ (random.random(right.shape) < share)
        found.append(np.where(hot, random.uniform(0.51, 1, right.shape), random.uniform(0, 0.5, right.shape)))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("steps", ["all", "last"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3])
def test_scores_are_those_of_the_plain_way(language: str, steps: str, share: float) -> None:
    corpus = corpus_of(language)
    predictions = nearly_right(corpus, share, seed=5)
    found = score(predictions, corpus, steps=steps)
    first, wrong, counted = [], [], []
    for word, scores in zip(corpus, predictions, strict=True):
        sets = corpus.language.read(word).steps
        times = range(len(word)) if steps == "all" else [len(word) - 2]
        bad = [
            time
            for time in times
            if {s for s, y in enumerate(scores[time]) if y > 0.5} != sets[time].next_symbols
        ]
        first.append(min(bad, default=-1))
        wrong.append(len(bad))
        counted.append(len(times))
    assert (found.first_wrong.tolist(), found.wrong.tolist(), found.counted.tolist()) == (
        first,
        wrong,
        counted,
    )
    assert found.accuracy == pytest.approx(sum(step < 0 for step in first) / len(first))
    assert found.step_accuracy == pytest.approx(1 - sum(wrong) / sum(counted))
    for table, kinds in (
        (found.by_length(), [len(word) for word in corpus]),
        (found.by_depth(), [corpus.language.maximum_depth(word) for word in corpus]),
    ):
        right: dict[int, int] = defaultdict(int)
        for kind, step in zip(kinds, first, strict=True):
            right[kind] += step < 0
        assert {kind: own.words for kind, own in table.items()} == Counter(kinds)
        assert {kind: own.right for kind, own in table.items()} == pytest.approx(
            {kind: right[kind] / count for kind, count in Counter(kinds).items()}
        )


def test_another_threshold_and_true_and_false_will_do() -> None:
    corpus = corpus_of("shuffle-2")
    right = [corpus.language.targets(word).astype(bool) for word in corpus]
    assert score(right, corpus).accuracy == 1
    assert score([0.2 * own + 0.05 for own in right], corpus, threshold=0.1).accuracy == 1
    assert score([0.2 * own for own in right], corpus).accuracy == 0


def test_labelled_words_have_no_depths() -> None:
    corpus = corpus_of("dyck-1")
    words = Words.of(corpus.language, corpus.symbols, corpus.offsets, "all")
    found = score([corpus.language.targets(word) for word in corpus], words)
    assert found.accuracy == 1
    assert found.by_depth() == {}


def test_a_score_is_written_in_plain_values() -> None:
    found = Score(*(np.array(row) for row in ([2, -1], [1, 0], [4, 2], [4, 2], [2, 1])))
    assert found.as_dict() == {
        "words": 2,
        "words_right": 0.5,
        "steps_right": pytest.approx(5 / 6),
        "first_wrong": [3, None],
        "by_length": [{"at": 2, "words": 1, "right": 1.0}, {"at": 4, "words": 1, "right": 0.0}],
        "by_depth": [{"at": 1, "words": 1, "right": 1.0}, {"at": 2, "words": 1, "right": 0.0}],
    }


def test_what_is_no_prediction_is_refused_by_the_word() -> None:
    corpus = corpus_of("dyck-1")
    right = [corpus.language.targets(word).astype(float) for word in corpus]
    with pytest.raises(BadInput, match="60 words, but 59 predictions"):
        score(right[1:], corpus)
    with pytest.raises(BadInput, match=r"word 3: scores must be \(time, output\)"):
        score([*right[:2], right[2][1:], *right[3:]], corpus)
    lost = right[4].copy()
    lost[1, 0] = np.nan
    with pytest.raises(BadInput, match="word 5: a score of step 2 is not a number"):
        score([*right[:4], lost, *right[5:]], corpus)
    with pytest.raises(BadInput, match="word 1: scores must be numbers"):
        score([[["a", "b"]], *right[1:]], corpus)
