"""Scores: how predictions of any model fare on words, word by word and step by step."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from abacist.bridge.padding import labelled
from abacist.corpora import Corpus, Words, pack_texts
from abacist.corpora.words import EITHER
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.languages import Language, language_asked_for
from abacist.wording import plural

#: What shares were called once, and work as for a version.
_FORMERLY = {"words": "accuracy", "steps": "step_accuracy"}


class Share(NamedTuple):
    """How many words there are of a kind, and the share of them that is right at every step that counts."""

    words: int
    right: float


@dataclass(frozen=True, eq=False)
class Score:
    """How predictions fare, by word: `first_wrong` is the first wrong step, from 0, −1 where none is.

    `wrong` and `counted` are how many steps are wrong, and how many count; `depths` how many brackets are
    open at once, at most, which only words of a corpus know. All are (word,).
    """

    first_wrong: NDArray[np.int64]
    wrong: NDArray[np.int64]
    counted: NDArray[np.int64]
    lengths: NDArray[np.int64]
    depths: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if not len(self.first_wrong):
            raise BadInput("Score: there must be words to score, got none")

    def __len__(self) -> int:
        return len(self.first_wrong)

    def __repr__(self) -> str:
        return f"<Score: {plural(len(self), 'word')}, {100 * self.accuracy:.2f} % of them right>"

    def __getattr__(self, name: str) -> float:
        if name not in _FORMERLY:
            raise AttributeError(f"'Score' object has no attribute {name!r}")
        warnings.warn(f"Score.{name} is now called {_FORMERLY[name]}", DeprecationWarning, stacklevel=2)
        share: float = getattr(self, _FORMERLY[name])
        return share

    @property
    def accuracy(self) -> float:
        """The share of words that are right at every step that counts: the paper's accuracy."""
        return float((self.first_wrong < 0).mean())

    @property
    def step_accuracy(self) -> float:
        """The share of steps that are right, of those that count."""
        return 1 - float(self.wrong.sum() / max(1, self.counted.sum()))

    def by_length(self) -> dict[int, Share]:
        """Words by their length."""
        return self._by(self.lengths)

    def by_depth(self) -> dict[int, Share]:
        """Words by their greatest depth; nothing where that is not known."""
        return {} if self.depths is None else self._by(self.depths)

    def _by(self, measured: NDArray[np.int64]) -> dict[int, Share]:
        kinds, place, counts = np.unique(measured, return_inverse=True, return_counts=True)
        right = np.bincount(place, self.first_wrong < 0, len(kinds)) / counts
        rows = zip(kinds.tolist(), counts.tolist(), right.tolist(), strict=True)
        return {kind: Share(count, share) for kind, count, share in rows}

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values, steps counted from 1."""
        tables = {"by_length": self.by_length(), "by_depth": self.by_depth()}
        return {
            "words": len(self),
            "words_right": self.accuracy,
            "steps_right": self.step_accuracy,
            "first_wrong": [None if step < 0 else step + 1 for step in self.first_wrong.tolist()],
        } | {
            name: [{"at": at, "words": share.words, "right": share.right} for at, share in table.items()]
            for name, table in tables.items()
        }


@checked
def score(
    predictions: Sequence[Any] | NDArray[Any],
    words: Corpus | Words | Sequence[Any],
    *,
    threshold: float = 0.5,
    steps: str = "all",
    language: str | Language[Any] | None = None,
) -> Score:
    """How predictions fare on words: of every word in its place an array of scores, (time, output).

    An output is predicted where its score exceeds the threshold; true and false will do as scores. `steps`
    says which steps of a corpus count. Words that are texts need their language.

    >>> score([[[1, 1], [1, 0]], [[1, 1], [1, 1]]], ["()", "()"], language="dyck-1")
    <Score: 2 words, 50.00 % of them right>
    """
    if not isinstance(words, Corpus | Words):
        if language is None:
            raise BadInput('score: words given one by one need a language, such as language="dyck-1"')
        words = pack_texts(language_asked_for(language), words, steps)
    true = labelled(words, steps)
    count, outputs = len(true.lengths), true.targets.shape[1]
    if len(predictions) != count:
        raise BadInput(f"score: {plural(count, 'word')}, but {plural(len(predictions), 'prediction')}")
    predicted = [
        exceeding(scores, threshold, (length, outputs), f"score: word {number:,}")
        for number, (length, scores) in enumerate(zip(true.lengths.tolist(), predictions, strict=True), 1)
    ]
    depths = words.maximum_depths() if isinstance(words, Corpus) else None
    return scored(np.concatenate([*predicted, np.zeros((0, outputs), bool)]), true, depths)


def exceeding(given: Any, threshold: float, shape: tuple[int, int], what: str) -> NDArray[np.bool_]:
    """Which scores exceed the threshold, (time, output); refuses what is not an array of such scores."""
    try:
        scores = np.asarray(given.detach().cpu() if hasattr(given, "detach") else given)
        if scores.dtype.kind not in "biuf":
            raise ValueError
        scores = scores.astype(np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{what}: scores must be numbers, (time, output)") from None
    if scores.shape != shape:
        raise BadInput(f"{what}: scores must be (time, output), {shape}, got {scores.shape}")
    if np.isnan(scores).any():
        step = int(np.isnan(scores).any(axis=1).argmax())
        raise BadInput(f"{what}: a score of step {step + 1} is not a number")
    return np.asarray(scores > threshold)


def scored(predicted: NDArray[np.bool_], words: Words, depths: NDArray[np.int64] | None = None) -> Score:
    """The score of what is predicted, (symbol, output), on labelled words."""
    wrong = ((predicted != words.targets) & (words.targets != EITHER)).any(axis=1) & (words.counted > 0)
    places = np.flatnonzero(wrong)
    before, counted_before = (
        np.searchsorted(steps, words.offsets) for steps in (places, np.flatnonzero(words.counted))
    )
    first = np.append(places, -1)[np.minimum(before[:-1], len(places))] - words.offsets[:-1]
    wrong_steps, counted_steps = np.diff(before), np.diff(counted_before)
    first_wrong = np.where(wrong_steps > 0, first, -1)
    return Score(first_wrong, wrong_steps, counted_steps, words.lengths, depths)
