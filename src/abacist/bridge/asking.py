"""Asking a model: any function that gives scores for what may come next, after every symbol of a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from abacist.bridge.scoring import exceeding
from abacist.corpora import Words, pack_texts
from abacist.errors import BadInput
from abacist.fields import Field, Range, check_fields, short_repr
from abacist.languages import Language
from abacist.specs import Networks
from abacist.targets import target_for

#: Symbols of words in a message.
_SHOWN = 40

#: Words whose beginnings are asked for again.
_ASKED_AGAIN = 16


@dataclass(frozen=True, eq=False)
class ModelQuery:
    """A model and how it is asked.

    `model` takes a word, the numbers of its symbols, (time,), and gives an array of scores, (time, output).
    With `batch` it takes a list of at most so many words, of nearly equal lengths, and gives an array of
    scores for each, in a list or padded to one length in an array, (word, time, output). What exceeds the
    threshold is predicted. `count` is called with the number of symbols of each question.
    """

    model: Callable[..., Any]
    language: Language[Any]
    threshold: float = 0.5
    batch: Annotated[int | None, Field(rule=Range(1))] = None
    count: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if np.isnan(self.threshold):
            raise BadInput("threshold must be a number, got nan")

    def predictions(self, words: Words) -> NDArray[np.bool_]:
        """What the model predicts after every symbol of packed words, (symbol, output)."""
        offsets = words.offsets
        result = np.zeros((len(words.symbols), self.language.outputs), bool)
        for numbers in self._batches(words.lengths):
            batch = [np.array(words.symbols[offsets[n] : offsets[n + 1]], np.int64) for n in numbers]
            for number, predicted in zip(numbers, self._answers(batch), strict=True):
                result[offsets[number] : offsets[number + 1]] = predicted
            if self.count is not None:
                self.count(sum(map(len, batch)))
        return result

    def of_words(self, words: Sequence[Sequence[int]]) -> list[NDArray[np.bool_]]:
        """The same for words that are given one by one, an array for each."""
        packed = pack_texts(self.language, words)
        return np.split(self.predictions(packed), packed.offsets[1:-1])

    def refuse_looking_ahead(self, words: Sequence[Sequence[int]]) -> None:
        """Refuse a model whose predictions for the same beginning are not always the same."""
        some = [word for word in words if len(word) > 1][:_ASKED_AGAIN]
        if not some:
            return
        halves = self.of_words([word[: len(word) // 2] for word in some])
        for word, whole, beginning in zip(some, self.of_words(some), halves, strict=True):
            if not np.array_equal(whole[: len(beginning)], beginning):
                text, first = self._text(word), self._text(word[: len(beginning)])
                raise BadInput(
                    f"asked about {text} and about {first} alone, the model predicts different "
                    "things after the same symbols: it looks ahead, or is still in training mode"
                )

    def _batches(self, lengths: NDArray[np.int64]) -> Iterator[list[int]]:
        """Words that are asked about together, by length, those without symbols left out."""
        order = np.argsort(lengths, kind="stable") if self.batch else np.arange(len(lengths))
        filled, size = order[lengths[order] > 0].tolist(), self.batch or 1
        return (filled[first : first + size] for first in range(0, len(filled), size))

    def _answers(self, words: Sequence[NDArray[np.int64]]) -> list[NDArray[np.bool_]]:
        answer: Any = [self.model(words[0])] if self.batch is None else self.model(list(words))
        axes = getattr(answer, "ndim", 0)
        listed = list(answer) if axes or isinstance(answer, list | tuple) else []
        if len(listed) != len(words):
            raise BadInput(
                f"asked about {len(words)} words, from {self._text(words[0])} on, the model "
                f"must give scores for as many, got {short_repr(getattr(answer, 'shape', answer))}"
            )
        if axes == 3:  # padded: what lies past a word's end says nothing
            listed = [scores[: len(word)] for scores, word in zip(listed, words, strict=True)]
        predicted = []
        for word, scores in zip(words, listed, strict=True):
            what, shape = f"the model on {self._text(word)}", (len(word), self.language.outputs)
            predicted.append(exceeding(scores, self.threshold, shape, what))
        return predicted

    def _text(self, word: Sequence[int] | NDArray[np.int64]) -> str:
        text = self.language.alphabet.render(tuple(map(int, word)))
        return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def model_of(networks: Networks, run: int = 0) -> Callable[..., Any]:
    """A network as a model like any other: scores for one word, or a list of them for a list of words."""
    run, target = networks.checked_run(run), target_for(networks.layout)

    def model(words: Any) -> Any:
        alone = bool(len(words)) and np.ndim(words[0]) == 0
        listed = [tuple(map(int, word)) for word in ([words] if alone else words)]
        scores = [values["y"] for values in target.tracing(networks, run, listed)]
        return scores[0] if alone else scores

    return model
