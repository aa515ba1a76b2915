"""Extraction: a deterministic automaton that does what a model does, learned by asking it (Angluin's L*).

The learning is AALpy's. A string is dead from the first symbol on that the model did not predict.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from abacist.bridge.asking import ModelQuery, model_of
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Language, Word
from abacist.on_demand import needed
from abacist.specs import Networks

#: What is learned: after every string the set of symbols predicted next, or whether the string is taken.
KINDS = ("moore", "dfa")


def imported_aalpy() -> Any:
    """AALpy, imported where it is first used."""
    needed("aalpy", "extracting an automaton")
    with warnings.catch_warnings():  # Python warns of its regular expressions when it compiles them
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        return import_module("aalpy")


class Behaviour:
    """What a model does after every string: the set of symbols that it predicts, None where that is dead.

    Before the first symbol a model predicts nothing, so the language says what may come first.
    """

    def __init__(self, query: ModelQuery) -> None:
        self.language, self._query = query.language, query
        self._predicted: dict[Word, frozenset[int]] = {(): self.language.next_symbols(self.language.start)}

    def after(self, word: Word) -> frozenset[int] | None:
        """What is predicted after a string; None where one of its symbols was not."""
        for time, symbol in enumerate(word):
            if symbol not in self._after_living(word[:time]):
                return None
        return self._after_living(word)

    def taken(self, word: Word) -> bool:
        """Whether a string is taken: none of its symbols comes unpredicted, and its end is allowed."""
        if not word:
            return self.language.accepts(self.language.start)
        predicted = self.after(word)
        return predicted is not None and self.language.allows_end(predicted)

    def answer(self, word: Word, kind: str) -> Any:
        """What an automaton of a kind says after a string."""
        if kind == "dfa":
            return self.taken(word)
        predicted = self.after(word)
        return None if predicted is None else self.language.alphabet.render_set(predicted)

    def _after_living(self, word: Word) -> frozenset[int]:
        if word not in self._predicted:
            self._ask([word])
        return self._predicted[word]

    def _ask(self, words: Sequence[Word]) -> None:
        """Find out what comes after some strings, all of them at once."""
        for word, rows in zip(words, self._query.of_words(words), strict=True):
            for time, row in enumerate(rows, 1):
                self._predicted[word[:time]] = frozenset(row.nonzero()[0].tolist())

    def strings(self, longest: int) -> Iterator[Word]:
        """All strings of at most so many symbols, the shortest first, and of the dead ones the shortest."""
        layer: list[Word] = [()]
        symbols = range(len(self.language.alphabet))
        yield ()
        for _ in range(longest):
            following = [(*word, symbol) for word in layer for symbol in symbols]
            layer = [word for word in following if word[-1] in (self.after(word[:-1]) or ())]
            if layer:
                self._ask([word for word in layer if word not in self._predicted] or layer[:1])
            yield from following


def _learned(behaviour: Behaviour, longest: int, kind: str) -> Any:
    """The smallest automaton that fits what a model does."""
    aalpy, glyphs = imported_aalpy(), behaviour.language.alphabet.glyphs

    class Model(aalpy.base.SUL):  # type: ignore[misc, name-defined]
        """A system that is asked symbol by symbol."""

        def pre(self) -> None:
            self.word: Word = ()

        def post(self) -> None:
            pass

        def step(self, letter: str | None) -> Any:
            if letter is not None:
                self.word = (*self.word, glyphs.index(letter))
            return behaviour.answer(self.word, kind)

    class EveryString(aalpy.base.Oracle):  # type: ignore[misc, name-defined]
        """Finds the shortest string on which a hypothesis is wrong, by trying all of them."""

        def find_cex(self, hypothesis: Any) -> tuple[str, ...] | None:
            states: dict[Word, Any] = {(): hypothesis.initial_state}
            for word in behaviour.strings(longest):
                if word:
                    states[word] = states[word[:-1]].transitions[glyphs[word[-1]]]
                output = states[word].is_accepting if kind == "dfa" else states[word].output
                if output != behaviour.answer(word, kind):
                    return tuple(glyphs[symbol] for symbol in word)
            return None

    model = Model()
    judge = EveryString(list(glyphs), model)
    return aalpy.run_Lstar(list(glyphs), model, judge, automaton_type=kind, print_level=0)


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
    return _learned(Behaviour(ModelQuery(model, language, threshold, batch)), longest, kind)
