"""Uniform draws: every word of a length is equally likely, exactly, by counting.

A language is a shuffle of parts (perhaps of one). How the length is divided among the
parts is drawn by the exact number of words for each division; then the parts are
interleaved uniformly, and each part is a uniform word of its own length.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, chain
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Choices, Weight
from abacist.corpora.continuations import Counted
from abacist.corpora.grammar import Grammar
from abacist.corpora.source import Fill, Source, Window
from abacist.errors import BadInput
from abacist.fields import check_fields, expect
from abacist.languages import NOTHING, Derivations, Language, Word, word_counts
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws

#: Dividing longer words among the parts of a shuffle would need tables of gigabytes.
LONGEST_SHUFFLE = 1_200
LONGEST = 10_000

_WEIGHT = re.compile(r"\s*(?P<low>[0-9]{1,9})(?:\.\.(?P<high>[0-9]{1,9}))?:(?P<weight>[0-9]{1,9})\s*")

_LAST = 1_000_000


class UniformSource(Source):
    """Words that are uniform among those of their length; how likely each length is, differs."""

    @abstractmethod
    def weights_of(self, counts: list[int]) -> Sequence[Weight]:
        """What every length weighs, given how many words it has; 0 where none is drawn."""

    def support(self, language: Language[Any]) -> Language[Any]:
        parts_of(language)
        return language.word_language

    def counts(self, language: Language[Any], longest: int) -> list[int]:
        counts = self.support(language).counts(longest)
        return [n if weight else 0 for n, weight in zip(counts, self.weights_of(counts), strict=True)]

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Weight]:
        counts = self.support(language).counts(window.high)
        weights = self.weights_of(counts)
        return {n: weights[n] for n in window.lengths if counts[n] and weights[n]}

    def longest(self, language: Language[Any]) -> int:
        parts = parts_of(self.support(language))
        tables = (part.longest_derived for part in parts if part.has_derivations)
        return min([LONGEST if len(parts) == 1 else LONGEST_SHUFFLE, *tables])

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return Decimal(length_weight) / self.support(language).count(len(word))

    def continuations(self, language: Language[Any], window: Window) -> Counted:
        return Counted(self.support(language), self.length_weights(language, window))

    def filler(self, language: Language[Any], longest: int) -> Fill:
        parts = parts_of(self.support(language))
        plan, (tables, goals) = division_choices(parts, longest).arrays, derivation_tables(parts, longest)
        table, fill = np.column_stack((part_table(parts), goals)), kernels.fill_uniformly
        return lambda rng, lengths, *pool: fill(rng, lengths, plan, table, tables, *pool)


@dataclass(frozen=True)
class Uniform(UniformSource):
    """Uniform words. Their lengths follow `lengths`, or else all words of the window are equally likely.

    Most words of a window have nearly its greatest length; with a grammar's lengths, a
    uniform corpus differs from the grammar's in its words and not in their lengths. The `nested` ones of a
    shuffle are those of its words in which no brackets cross.
    """

    lengths: Grammar | None = None
    nested: bool = False

    words: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        check_fields(self)

    def __str__(self) -> str:
        kind = "uniform without crossings" if self.nested else "uniform"
        return kind if self.lengths is None else f"{kind}, lengths by {self.lengths}"

    def values(self) -> dict[str, str | None]:
        values: dict[str, str | None] = {"grammar": None} if self.lengths is None else self.lengths.values()
        return values | {"nested": "yes"} if self.nested else values

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Uniform:
        lengths = None if values["grammar"] is None else Grammar.from_values(values)
        return cls(lengths, values.get("nested") == "yes")

    def support(self, language: Language[Any]) -> Language[Any]:
        return Grammar().support(language) if self.nested else super().support(language)

    def weights_of(self, counts: list[int]) -> Sequence[Weight]:
        return counts if self.lengths is None else self.lengths.length_probabilities(len(counts) - 1)

    def longest(self, language: Language[Any]) -> int:
        most = LONGEST if self.lengths is None else self.lengths.longest(language)
        return min(most, super().longest(language))

    def word_weight(
        self, language: Language[Any], word: Word, window: Window, length_weight: Weight
    ) -> Weight:
        return 1 if self.lengths is None else super().word_weight(language, word, window, length_weight)


@dataclass(frozen=True)
class ByLength(UniformSource):
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
            matched = _WEIGHT.fullmatch(part)
            if matched is None:
                raise BadInput(f"length weights must be such as 10:1,20..30:3, got {text!r}")
            low, high = int(matched["low"]), int(matched["high"] or matched["low"])
            if not low <= high <= _LAST:
                raise BadInput(f"length weights: lengths must rise and be at most {_LAST:,}, got {part!r}")
            weights += [(length, int(matched["weight"])) for length in range(low, high + 1)]
        return cls(tuple(weights))

    def __str__(self) -> str:
        return f"uniform, lengths {f'weighted {self._written}' if self.weights else 'equally likely'}"

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

    def weights_of(self, counts: list[int]) -> Sequence[Weight]:
        weights = dict(self.weights) or dict.fromkeys(range(len(counts)), 1)
        return [weights.get(length, 0) for length in range(len(counts))]


def parts_of(language: Language[Any]) -> tuple[Language[Any], ...]:
    """The languages that are interleaved, one if it is not a shuffle; refuses those that cannot be drawn."""
    parts = language.word_language.parts
    for part in parts:
        if part.drawn_as is None:
            raise BadInput(f"{part.name}: no uniform sampler is known for this language")
    return parts


@lru_cache(maxsize=16)
def division_choices(parts: tuple[Language[Any], ...], longest: int) -> Choices:
    """For part i and r symbols left to parts i, i+1, …: how many of them part i takes.

    Row i·(longest + 1) + r; the last part takes all that is left and has no rows.
    """
    cap = LONGEST if len(parts) == 1 else LONGEST_SHUFFLE
    if longest > cap:
        raise BadInput(f"Uniform: lengths must be at most {cap:,} here, got {longest:,}")
    rows: list[list[tuple[int, int]]] = []
    for index, part in enumerate(parts[:-1]):
        counts = part.counts(longest)
        rest = word_counts(parts[index + 1 :], longest)
        rows += [
            [(k, comb(r, k) * counts[k] * rest[r - k]) for k in range(r + 1) if counts[k] and rest[r - k]]
            for r in range(longest + 1)
        ]
    return Choices.of(rows)


def part_table(parts: tuple[Language[Any], ...]) -> NDArray[np.int64]:
    """For every part, (first symbol, pairs of Dyck or 0, blocks of Blocks or 0).

    A part of another kind has tables of its own; see `derivation_tables`.
    """
    firsts = accumulate((len(part.alphabet) for part in parts[:-1]), initial=0)
    return np.array(
        [(first, *(part.drawn_as or ())) for first, part in zip(firsts, parts, strict=True)], np.int64
    )


@lru_cache(maxsize=16)
def derivation_tables(
    parts: tuple[Language[Any], ...], longest: int
) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Tables for compiled code of all parts that automata give, and for every part its first goal, or −1.

    The tables are (rows, outcomes, thresholds, first row of every goal, actions). Goal g with n symbols left
    has row `first_row[g] + n`. Action a, a row of `actions`, is (symbol, first goal, second goal, row of
    divisions): where there are two goals and r symbols left for them, row `actions[a, 3] + r` says how many
    the first one takes. Outcomes stand in place of options: the next row and the symbol in one number, or
    −1 − a for an action a with two goals; for a row of divisions it is the option itself.
    """
    derived = {n: part.derivations(longest) for n, part in enumerate(parts) if part.has_derivations}
    lengths = np.array([d.longest - since + 1 for d in derived.values() for since in d.since], np.int64)
    starts, goals, listed, divided = [NOTHING] * len(parts), 0, [], int(lengths.sum())
    for place, derivations in derived.items():
        starts[place], goals = goals, goals + len(derivations.actions)
        for action in chain(*derivations.actions):
            first, second = (g if g == NOTHING else g + starts[place] for g in (action.first, action.second))
            listed.append((action.symbol, first, second, NOTHING if second == NOTHING else divided))
            divided += 0 if second == NOTHING else derivations.longest
    actions = np.array(listed, np.int64).reshape(len(listed), 4)
    first_row, total = np.cumsum(lengths) - lengths, lengths.sum()
    rows, options, thresholds = Choices.of(_rows(list(derived.values()))).arrays
    outcomes = options.copy()
    ends = rows[total]  # rows of divisions come behind those of goals
    after = np.repeat(np.arange(total) - np.repeat(first_row, lengths) - 1, np.diff(rows[: total + 1]))
    taken = actions[options[:ends]]
    following = np.where(taken[:, 1] == NOTHING, 0, first_row[taken[:, 1]] + after)
    outcomes[:ends] = np.where(
        taken[:, 2] == NOTHING, following << kernels.SYMBOL_BITS | taken[:, 0], -1 - options[:ends]
    )
    return (rows, outcomes, thresholds, first_row, actions), tuple(starts)


def _rows(derived: Sequence[Derivations]) -> Iterator[list[tuple[int, int]]]:
    """The rows of all goals, by symbols left, and then those of all divisions."""
    first = 0
    for derivations in derived:
        for goal, actions in enumerate(derivations.actions):
            for length in range(derivations.longest - derivations.since[goal] + 1):
                weights = derivations.weights(goal, length) if length else []
                yield [(first + place, weight) for place, weight in enumerate(weights)]
            first += len(actions)
    for derivations in derived:
        for action in chain(*derivations.actions):
            if action.second != NOTHING:
                yield from (derivations.splits(action, left) for left in range(derivations.longest))
