"""Recognisers: all strings over an alphabet, and after each of them whether it is a word of a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages.alphabet import END_GLYPH, Alphabet
from abacist.languages.language import Language

#: What the name of a recogniser begins with; the name of its language follows.
RECOGNISE = "recognise:"


@dataclass(frozen=True, repr=False)
class Recogniser(Language[tuple[Any, ...]]):
    """Every string over the alphabet of a language, with a single output: whether it is a word of that.

    A state is that of the language, in a tuple, which is empty once the language is left; then depths are 0.
    Only the output after the last symbol counts.

    >>> from abacist.languages.dyck import Dyck
    >>> Recogniser(Dyck(1)).targets("())").tolist()
    [[0], [1], [0]]
    """

    recognised: Language[Any]

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.recognised, Recogniser):
            raise BadInput(f"Recogniser: {self.recognised.name} is a recogniser already")

    @property
    def name(self) -> str:
        return RECOGNISE + self.recognised.name

    @property
    def alphabet(self) -> Alphabet:
        return self.recognised.alphabet

    @property
    def start(self) -> tuple[Any, ...]:
        return (self.recognised.start,)

    @property
    def word_language(self) -> Language[Any]:
        return self.recognised.word_language

    def step(self, state: tuple[Any, ...], symbol: int) -> tuple[Any, ...] | None:
        if not 0 <= symbol < len(self.alphabet):
            return None
        after = self.recognised.step(state[0], symbol) if state else None
        return () if after is None else (after,)

    def accepts(self, state: tuple[Any, ...]) -> bool:
        return True

    def depths(self, state: tuple[Any, ...]) -> tuple[int, ...]:
        return self.recognised.depths(state[0]) if state else (0,) * len(self.counter_names)

    @property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        raise BadInput(f"{self.name}: what a symbol adds to the counters depends on what came before it")

    @cached_property
    def counter_names(self) -> tuple[str, ...]:
        return self.recognised.counter_names

    def objection(self, state: tuple[Any, ...], symbol: int) -> str:
        return f"symbol {symbol} is not in the alphabet"

    def unfinished(self, state: tuple[Any, ...]) -> str:
        return "a string may end anywhere"

    def count(self, length: int) -> int:
        return int(len(self.alphabet) ** length)

    def renamed(self, glyphs: Sequence[str]) -> Recogniser:
        return Recogniser(self.recognised.renamed(glyphs))

    @property
    def outputs(self) -> int:
        return 1

    def next_symbols(self, state: tuple[Any, ...]) -> frozenset[int]:
        """The output, if what was read is a word of the language."""
        return frozenset({0} if state and self.recognised.accepts(state[0]) else ())

    def allows_end(self, predicted: Iterable[int]) -> bool:
        return 0 in set(predicted)

    def render_set(self, outputs: Iterable[int]) -> str:
        return END_GLYPH if self.allows_end(outputs) else ""


def refuse_recogniser(language: Language[Any], what: str) -> None:
    """Refuse what is about predicted symbols: a recogniser predicts none."""
    if isinstance(language, Recogniser):
        raise BadInput(
            f"{what}: {language.name} only says whether a string is a word, and predicts no symbols"
        )
