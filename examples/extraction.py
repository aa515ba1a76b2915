"""An automaton out of a network: what does an LSTM trained on Dyck-1 do, as far as short strings tell?

Trains one network in seconds, then learns a deterministic automaton by asking it (Angluin's L*, by AALpy:
`pip install aalpy`). A string is dead from the first symbol on that the network did not predict.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from abacist.bridge import ModelQuery, model_of
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import Language, Word, language_named
from abacist.specs import Networks, Spec

try:
    with warnings.catch_warnings():  # Python warns of its regular expressions when it compiles them
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        import aalpy
except ImportError:
    sys.exit("extraction.py needs AALpy to learn automata: pip install aalpy")


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

    def accepts(self, word: Word) -> bool:
        """Whether a string is accepted: each symbol of it is predicted, and so is its end."""
        if not word:
            return self.language.accepts(self.language.start)
        predicted = self.after(word)
        return predicted is not None and self.language.allows_end(predicted)

    def answer(self, word: Word, kind: str) -> Any:
        """The output of an automaton of a kind after a string."""
        if kind == "dfa":
            return self.accepts(word)
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


class Model(aalpy.base.SUL):
    """A system that is asked symbol by symbol."""

    def __init__(self, behaviour: Behaviour, kind: str) -> None:
        super().__init__()
        self.behaviour, self.kind = behaviour, kind

    def pre(self) -> None:
        self.word: Word = ()

    def post(self) -> None:
        pass

    def step(self, letter: str | None) -> Any:
        if letter is not None:
            self.word = (*self.word, self.behaviour.language.alphabet.glyphs.index(letter))
        return self.behaviour.answer(self.word, self.kind)


class EveryString(aalpy.base.Oracle):
    """Finds the shortest string on which a hypothesis is wrong, by trying all of them."""

    def __init__(self, model: Model, longest: int) -> None:
        super().__init__(list(model.behaviour.language.alphabet.glyphs), model)
        self.longest = longest

    def find_cex(self, hypothesis: Any) -> tuple[str, ...] | None:
        states: dict[Word, Any] = {(): hypothesis.initial_state}
        for word in self.sul.behaviour.strings(self.longest):
            if word:
                states[word] = states[word[:-1]].transitions[self.alphabet[word[-1]]]
            output = states[word].is_accepting if self.sul.kind == "dfa" else states[word].output
            if output != self.sul.behaviour.answer(word, self.sul.kind):
                return tuple(self.alphabet[symbol] for symbol in word)
        return None


def extracted(
    model: Callable[..., Any] | Networks,
    language: Language[Any],
    *,
    longest: int = 10,
    kind: str = "moore",
    threshold: float = 0.5,
    batch: int | None = None,
) -> Any:
    """The smallest automaton that does what a model does on all strings of at most `longest` symbols.

    A `moore` machine gives after every string the symbols that are predicted next, a `dfa` says whether
    the string is accepted. `model` is a network, the first of its `Networks`, or any function as in
    `judge_model`.
    """
    if isinstance(model, Networks):
        model.check_language(language)
        model, batch = model_of(model), batch or 256
    asked = Model(Behaviour(ModelQuery(model, language, threshold, batch)), kind)
    oracle = EveryString(asked, longest)
    return aalpy.run_Lstar(oracle.alphabet, asked, oracle, automaton_type=kind, print_level=0)


def main() -> None:
    """Train a network and print the automata of longer and longer strings."""
    language = language_named("dyck-1")
    spec = Spec(language, cell_named("lstm"), hidden=1, epochs=20, training=2_000, short=Window(2, 50))
    networks = train(spec, seeds=[0]).networks

    # A network that counts has no finite automaton: longer strings have more depths to tell apart.
    for longest in (4, 8, 12):
        machine = extracted(networks, language, longest=longest)
        print(f"right on all strings of up to {longest} symbols: {len(machine.states)} states")

    for state in machine.states:
        moves = ", ".join(
            f"{symbol} to {state.transitions[symbol].state_id}" for symbol in language.alphabet.glyphs
        )
        expects = "dead" if state.output is None else f"expects {state.output}"
        print(f"{state.state_id}: {expects}; {moves}")


if __name__ == "__main__":
    main()
