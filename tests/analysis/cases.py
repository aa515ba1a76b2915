"""Networks that nobody trained, and words, that several tests share."""

from __future__ import annotations

from functools import cache
from typing import Any

from abacist.analysis import TraceReading, follow
from abacist.cells import CELLS, Layout
from abacist.languages import Language, language_named
from abacist.specs import Networks


@cache
def networks(language: str, cell: str = "lstm", hidden: int = 3, runs: int = 2) -> Networks:
    """Fresh networks for a language."""
    own = language_named(language)
    layout = Layout(CELLS[cell], len(own.alphabet), hidden, own.outputs)
    return Networks.initial(layout, range(runs))


def read(language: str, text: str, cell: str = "lstm", hidden: int = 3, **values: Any) -> TraceReading:
    """A fresh network on a word."""
    own: Language[Any] = language_named(language)
    return follow(networks(language, cell, hidden), 0, own, own.alphabet.parse(text), **values)
