"""Extraction: a deterministic automaton that does what a model does, learned by asking it (Angluin's L*).

The learning is AALpy's. A string is dead from the first symbol on that the model did not predict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from abacist.bridge.asking import ModelQuery, model_of
from abacist.bridge.extras import aalpy_learning
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Language, Word
from abacist.specs import Networks

#: What is learned: after every string the set of symbols predicted next, or whether the string is taken.
KINDS = ("moore", "dfa")


class Behaviour:
    """What a model does after every string: the set of symbols that it predicts, None where that is dead.

    Before the first symbol a model predicts nothing, so the language says what may come first.
    """

    def __init__(self, asked: ModelQuery) -> None:
        language = asked.language
        self._asked = asked
        self._known: dict[Word, frozenset[int]] = {(): language.next_symbols(language.start)}
        self._taken_at_once = language.accepts(language.start)

    def after(self, word: Word) -> frozenset[int] | None:
        """What is predicted after a string; None where one of its symbols was not."""
        for time, symbol in enumerate(word):
            if word[:time] not in self._known:
                self.ask([word])
            if symbol not in self._known[word[:time]]:
                return None
        if word not in self._known:
            self.ask([word])
        return self._known[word]

    def taken(self, word: Word) -> bool:
        """Whether a string is taken: none of its symbols comes unpredicted, and its end is allowed."""
        if not word:
            return self._taken_at_once
        predicted = self.after(word)
        return predicted is not None and self._asked.language.allows_end(predicted)

    def ask(self, words: Sequence[Word]) -> None:
        """Find out what comes after some strings, all of them at once."""
        for word, rows in zip(words, self._asked.of_words(words), strict=True):
            for time, row in enumerate(rows, 1):
                self._known[word[:time]] = frozenset(row.nonzero()[0].tolist())

    def strings(self, longest: int) -> Iterator[Word]:
        """All strings of at most so many symbols, the shortest first, and of the dead ones the shortest."""
        layer: list[Word] = [()]
        symbols = range(len(self._asked.language.alphabet))
        yield ()
        for _ in range(longest):
            following = [(*word, symbol) for word in layer for symbol in symbols]
            layer = [word for word in following if word[-1] in (self.after(word[:-1]) or ())]
            if layer:
                self.ask([word for word in layer if word not in self._known] or layer[:1])
            yield from following


@checked
def extracted(
    model: Callable[..., Any] | Networks,
    language: Language[Any],
    *,
    longest: int = 10,
    kind: str = "moore",
    threshold: float = 0.5,
    batch: int | None = None,
) -> Any:
    """An automaton of AALpy that does what a model does on every string of at most `longest` symbols.

    A `moore` machine gives after every string the symbols that are predicted next, a `dfa` says whether
    the string is taken. A network that counts has no finite automaton: the longer the strings, the more
    states. `model` is a network, the first of its `Networks`, or any function as in `judge_model`.
    """
    if kind not in KINDS:
        raise BadInput(f"extracted: kind must be {' or '.join(KINDS)}, got {kind!r}")
    if longest < 1:
        raise BadInput(f"extracted: longest must be at least 1, got {longest}")
    if isinstance(model, Networks):
        model.check_language(language)
        model, batch = model_of(model), batch or 256
    behaviour = Behaviour(ModelQuery(model, language, threshold, batch))
    return aalpy_learning().learned(behaviour, language, longest, kind)
