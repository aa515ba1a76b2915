"""Uniform words of every length, and a distribution of the lengths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from abacist.corpora.choices import Weight
from abacist.corpora.continuations import Counted
from abacist.corpora.source import Fill, Source
from abacist.corpora.uniform import longest_uniform, parts_of, uniform_filler
from abacist.corpora.window import Window
from abacist.errors import BadInput
from abacist.fields import check_fields, expect
from abacist.languages import Language, Word

_WEIGHT = re.compile(r"\s*(?P<low>[0-9]{1,9})(?:\.\.(?P<high>[0-9]{1,9}))?:(?P<weight>[0-9]{1,9})\s*")

_LONGEST = 1_000_000


@dataclass(frozen=True)
class ByLength(Source):
    """Uniform words whose lengths are all equally likely, or have given weights, (length, weight).

    Lengths that no word has do not count, nor those without a weight where there are some. `Uniform`, by
    contrast, weighs a length by its number of words, so that nearly all words have almost the greatest.
    """

    weights: tuple[tuple[int, int], ...] = ()

    words: ClassVar[str] = "by-length"

    def __post_init__(self) -> None:
        check_fields(self)
        for pair in self.weights:
            if not (
                isinstance(pair, tuple) and len(pair) == 2 and all(type(n) is int and n >= 1 for n in pair)
            ):
                raise BadInput(
                    f"ByLength: weights are pairs of a length and a weight, at least 1, got {pair!r}"
                )
        lengths = [length for length, _ in self.weights]
        if len(set(lengths)) < len(lengths):
            raise BadInput(f"ByLength: a length must have one weight, got {self}")
        object.__setattr__(self, "weights", tuple(sorted(self.weights)))

    @classmethod
    def parse(cls, text: str) -> ByLength:
        """Read `10:1,20..22:3`: words of 20, 21 and 22 symbols are three times as likely as those of 10.

        >>> ByLength.parse("10:1,20..22:3").weights
        ((10, 1), (20, 3), (21, 3), (22, 3))
        """
        expect("length weights", text, str)
        weights: list[tuple[int, int]] = []
        for part in text.split(","):
            found = _WEIGHT.fullmatch(part)
            if found is None:
                raise BadInput(f"length weights must be such as 10:1,20..30:3, got {text!r}")
            low, high = int(found["low"]), int(found["high"] or found["low"])
            if not low <= high <= _LONGEST:
                raise BadInput(f"length weights: lengths must rise and be at most {_LONGEST:,}, got {part!r}")
            weights += [(length, int(found["weight"])) for length in range(low, high + 1)]
        return cls(tuple(weights))

    def __str__(self) -> str:
        return (
            f"uniform, lengths weighted {self._written}"
            if self.weights
            else "uniform, lengths equally likely"
        )

    @property
    def _written(self) -> str:
        """The weights in short, lengths in a row with the same weight together."""
        stretches: list[list[int]] = []
        for length, weight in self.weights:
            if stretches and stretches[-1][1:] == [length - 1, weight]:
                stretches[-1][1] = length
            else:
                stretches.append([length, length, weight])
        return ",".join(f"{a}:{w}" if a == b else f"{a}..{b}:{w}" for a, b, w in stretches)

    def values(self) -> dict[str, str | None]:
        return {"weights": self._written or None}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> ByLength:
        return cls() if values["weights"] is None else cls.parse(values["weights"])

    def support(self, language: Language[Any]) -> Language[Any]:
        parts_of(language)
        return language

    def counts(self, language: Language[Any], longest: int) -> list[int]:
        counts, chosen = super().counts(language, longest), dict(self.weights)
        return [n if not chosen or length in chosen else 0 for length, n in enumerate(counts)]

    def longest(self, language: Language[Any]) -> int:
        return longest_uniform(language)

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        counts, chosen = self.counts(language, window.high), dict(self.weights)
        return {n: chosen.get(n, 1) for n in window.lengths if counts[n]}

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return Decimal(length_weight) / language.count(len(word))

    def continuations(self, language: Language[Any], window: Window) -> Counted:
        return Counted(self.support(language), self.length_weights(language, window))

    def filler(self, language: Language[Any], longest: int) -> Fill:
        return uniform_filler(language, longest)
