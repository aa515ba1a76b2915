"""A model as AALpy sees it: a system that is asked symbol by symbol, and a judge of hypotheses about it."""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from abacist.bridge.extraction import Behaviour
from abacist.languages import Language, Word


def _imported() -> Any:
    """AALpy, or None where it is missing: nobody gets here then but those who list all modules."""
    if not find_spec("aalpy"):
        return None
    with warnings.catch_warnings():  # Python warns of its regular expressions when it compiles them
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        return import_module("aalpy")


aalpy = _imported()
System: Any = aalpy.base.SUL if aalpy else object
Oracle: Any = aalpy.base.Oracle if aalpy else object


class _Model(System):  # type: ignore[misc]
    """Answers after every symbol, with the set that is predicted next or with whether the string is taken."""

    def __init__(self, behaviour: Behaviour, language: Language[Any], kind: str) -> None:
        super().__init__()
        self._behaviour, self._language, self._kind = behaviour, language, kind
        self._word: Word = ()

    def pre(self) -> None:
        self._word = ()

    def post(self) -> None:
        pass

    def step(self, letter: str | None) -> Any:
        if letter is not None:
            self._word = (*self._word, *self._language.alphabet.parse(letter))
        return self.answer(self._word)

    def answer(self, word: Word) -> Any:
        if self._kind == "dfa":
            return self._behaviour.taken(word)
        predicted = self._behaviour.after(word)
        return None if predicted is None else self._language.alphabet.render_set(predicted)


class _EveryString(Oracle):  # type: ignore[misc]
    """Finds the shortest string on which a hypothesis is wrong, by trying all of them."""

    def __init__(self, model: _Model, behaviour: Behaviour, glyphs: tuple[str, ...], longest: int) -> None:
        super().__init__(list(glyphs), model)
        self._model, self._behaviour, self._glyphs, self._longest = model, behaviour, glyphs, longest

    def find_cex(self, hypothesis: Any) -> tuple[str, ...] | None:
        states: dict[Word, Any] = {(): hypothesis.initial_state}
        for word in self._behaviour.strings(self._longest):
            if word:
                states[word] = states[word[:-1]].transitions[self._glyphs[word[-1]]]
            if _output(states[word]) != self._model.answer(word):
                return tuple(self._glyphs[symbol] for symbol in word)
        return None


def _output(state: Any) -> Any:
    return state.is_accepting if hasattr(state, "is_accepting") else state.output


def learned(behaviour: Behaviour, language: Language[Any], longest: int, kind: str) -> Any:
    """The smallest automaton that fits what is asked."""
    model, glyphs = _Model(behaviour, language, kind), language.alphabet.glyphs
    judge = _EveryString(model, behaviour, glyphs, longest)
    return aalpy.run_Lstar(list(glyphs), model, judge, automaton_type=kind, print_level=0)
