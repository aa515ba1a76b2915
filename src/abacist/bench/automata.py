"""Languages by their automata alone, against the kernels made for brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.bench.measure import Row, rate, side_by_side
from abacist.corpora import Corpus, Uniform, Window, label, sample
from abacist.languages import (
    AutomatonLanguage,
    CounterAutomaton,
    Dyck,
    Language,
    PushdownAutomaton,
    Shuffle,
    shuffle_k,
)

_COUNT, _WINDOW = 20_000, Window(2, 50)


def by_automaton(language: Language[Any]) -> Language[Any]:
    """A language again, or the parts of a shuffle, as what its automaton accepts."""
    if isinstance(language, Shuffle):
        return Shuffle(tuple(by_automaton(part) for part in language.parts))
    machine = language.automaton()
    assert isinstance(machine, CounterAutomaton | PushdownAutomaton)
    return AutomatonLanguage(machine, language.alphabet.glyphs, language.name, language.marks_end)


def rows() -> Iterator[Row]:
    """Symbols per second: uniform words of 2 to 50 symbols drawn, and labelled."""
    for language in (Dyck(1), shuffle_k(6)):
        drawn = _drawn(language)
        yield from _compared("drawing", language, len(drawn.symbols), _drawn)
        yield from _compared(
            "labelling", language, len(drawn.symbols), partial(_labelled, drawn.symbols, drawn.offsets)
        )


def _compared(
    what: str, language: Language[Any], symbols: int, job: Callable[[Language[Any]], object]
) -> Iterator[Row]:
    """The speed of a job on so many symbols, for a language by its automaton and as it is."""
    own = by_automaton(language)
    for one in (own, language):
        job(one)  # compile
    ours, special = side_by_side(9, lambda: job(own), lambda: job(language))
    yield Row(
        f"{what} words of {language.name} by its automaton, share of the special kernel's speed",
        rate(symbols / ours),
        rate(symbols / special),
        special / ours,
        0.5,
    )


def _labelled(symbols: NDArray[Any], offsets: NDArray[np.int64], language: Language[Any]) -> object:
    return label(language, symbols, offsets)


def _drawn(language: Language[Any]) -> Corpus:
    return sample(language, Uniform(), _WINDOW, _COUNT, seed=0, distinct=False)
