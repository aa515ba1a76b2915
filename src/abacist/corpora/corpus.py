"""A corpus: words packed end to end, their recipe, what they look like, and what they guarantee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.grammar import bracket_pairs
from abacist.corpora.packed import read_only
from abacist.corpora.recipe import Recipe, Split
from abacist.corpora.words import depths_of, label
from abacist.errors import BadInput, UnknownName
from abacist.fields import check_fields, expect
from abacist.languages import Dyck, Language, Recogniser, Word
from abacist.wording import html_table


@dataclass(frozen=True, eq=False)
class Drawn:
    """What is drawn for a split of a recipe: string i is `symbols[offsets[i]:offsets[i + 1]]`."""

    recipe: Recipe
    split: Split
    symbols: NDArray[Any]
    offsets: NDArray[np.int64]

    def __post_init__(self) -> None:
        check_fields(self)
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                read_only(value)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Word]:
        flat, bounds = self.symbols.tolist(), self.offsets.tolist()
        return (tuple(flat[a:b]) for a, b in pairwise(bounds))

    @overload
    def __getitem__(self, index: int) -> Word: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Word, ...]: ...

    def __getitem__(self, index: int | slice) -> Word | tuple[Word, ...]:
        """A word, or the words of a slice."""
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        if not -len(self) <= index < len(self):
            raise IndexError(f"{self.split.name} has {len(self):,} words, got index {index}")
        index %= len(self)
        return tuple(self.symbols[self.offsets[index] : self.offsets[index + 1]].tolist())

    @property
    def language(self) -> Language[Any]:
        return self.recipe.language

    def texts(self) -> Iterator[str]:
        """The words as they are written."""
        return map(self.language.alphabet.render, self)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The length of every word."""
        return read_only(np.diff(self.offsets))


@dataclass(frozen=True, eq=False)
class Corpus(Drawn):
    """The words of one split; word i is `symbols[offsets[i]:offsets[i + 1]]`."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Corpus)
            and (self.recipe, self.split) == (other.recipe, other.split)
            and np.array_equal(self.symbols, other.symbols)
            and np.array_equal(self.offsets, other.offsets)
        )

    def __hash__(self) -> int:
        return hash((self.recipe, self.split))

    def depths(self) -> NDArray[np.int32]:
        """The height of every counter after every symbol, (symbol, counter)."""
        return depths_of(self.language, self.symbols, self.offsets)

    def moves(self) -> NDArray[np.int32]:
        """What every symbol adds to every counter where it stands, (symbol, counter)."""
        depths = self.depths()
        before = np.vstack((np.zeros_like(depths[:1]), depths[:-1]))
        before[self.offsets[:-1][self.lengths > 0]] = 0
        return depths - before

    def maximum_depths(self) -> NDArray[np.int64]:
        """How many brackets are open at once, at most, in every word."""
        return np.maximum.reduceat(self.depths().sum(axis=1), self.offsets[:-1])

    def turns(self) -> NDArray[np.int64]:
        """How often each counter changes direction in every word, (word, counter)."""
        words, columns = np.repeat(np.arange(len(self)), self.lengths), []
        for signs in self.moves().T:
            moving = np.flatnonzero(signs)
            word, sign = words[moving], signs[moving]
            turning = (word[1:] == word[:-1]) & (sign[1:] != sign[:-1])
            columns.append(np.bincount(word[1:][turning], minlength=len(self)))
        return np.stack(columns, axis=1) if columns else np.zeros((len(self), 0), np.int64)

    def targets(self) -> NDArray[np.uint8]:
        """The k-hot sets of next symbols after every symbol, (symbol, output)."""
        return label(self.language, self.symbols, self.offsets).targets

    def _repr_html_(self) -> str:
        """The first words, for a notebook."""
        head = f"{self.split.name}: {len(self):,} words of {self.language.name}, lengths {self.split.window}"
        more = ["…"] if len(self) > 5 else []
        return html_table(((text,) for text in [*islice(self.texts(), 5), *more]), caption=head)


@dataclass(frozen=True)
class Corpora:
    """The splits of one recipe: for the paper's, `training`, `short` and `long`."""

    recipe: Recipe
    splits: tuple[Corpus, ...]

    def __iter__(self) -> Iterator[Corpus]:
        return iter(self.splits)

    def __getitem__(self, name: str) -> Corpus:
        for corpus in self.splits:
            if corpus.split.name == name:
                return corpus
        names = ", ".join(corpus.split.name for corpus in self.splits)
        raise UnknownName(f"no split is called {name!r}; there are {names}")

    def _repr_html_(self) -> str:
        """The sets with their sizes, for a notebook."""
        head = f"{self.recipe.language.name}, words from {self.recipe.source}, seed {self.recipe.seed}"
        rows = ((corpus.split.name, f"{len(corpus):,}", corpus.split.window) for corpus in self)
        return html_table(rows, ("set", "words", "lengths"), head)


@dataclass(frozen=True)
class Distribution:
    """How often each value occurs."""

    values: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, data: NDArray[np.int64]) -> Distribution:
        values, counts = np.unique(data, return_counts=True)
        return cls(tuple(values.tolist()), tuple(counts.tolist()))

    @property
    def mean(self) -> float:
        return sum(v * c for v, c in zip(self.values, self.counts, strict=True)) / sum(self.counts)

    @property
    def median(self) -> float:
        return float(np.median(np.repeat(self.values, self.counts)))

    def as_dict(self) -> dict[str, Any]:
        return {
            "min": self.values[0],
            "median": self.median,
            "mean": round(self.mean, 3),
            "max": self.values[-1],
            "counts": {str(v): c for v, c in zip(self.values, self.counts, strict=True)},
        }


@dataclass(frozen=True)
class Summary:
    """The distributions of a corpus. `turns` counts all turns of all counters of a word.

    `crossing` is the share of words in which brackets cross, None where there are no brackets.
    """

    name: str
    words: int
    symbols: int
    lengths: Distribution
    depths: Distribution
    turns: Distribution
    crossing: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "symbols": self.symbols,
            "lengths": self.lengths.as_dict(),
            "maximum depths": self.depths.as_dict(),
            "turns": self.turns.as_dict(),
            "crossing": self.crossing,
        }


def summarise(corpus: Corpus) -> Summary:
    """Lengths, maximum depths, turns and crossings of a corpus."""
    expect("summarise: corpus", corpus, Corpus)
    return Summary(
        corpus.split.name,
        len(corpus),
        len(corpus.symbols),
        Distribution.of(corpus.lengths),
        Distribution.of(corpus.maximum_depths()),
        Distribution.of(corpus.turns().sum(axis=1)),
        crossing_share(corpus),
    )


def crossing_share(corpus: Corpus) -> float | None:
    """The share of words in which brackets cross: those outside Dyck-k."""
    expect("crossing_share: corpus", corpus, Corpus)
    try:
        pairs = bracket_pairs(corpus.language)
    except BadInput:
        return None
    return float((label(Dyck(pairs), corpus.symbols, corpus.offsets).left_at >= 0).mean())


@dataclass(frozen=True)
class Guarantee:
    """A statement about corpora, and whether it was found to hold."""

    statement: str
    holds: bool


def check(corpora: Corpora) -> Iterator[Guarantee]:
    """Check what a set of corpora promises, from the words alone."""
    expect("check: corpora", corpora, Corpora)
    seen: dict[str, set[bytes]] = {}
    for corpus in corpora:
        name, window = corpus.split.name, corpus.split.window
        words = {corpus.symbols[a:b].tobytes() for a, b in pairwise(corpus.offsets)}
        yield Guarantee(f"{name}: has {corpus.split.count:,} words", len(corpus) == corpus.split.count)
        language, recognises = corpus.language.word_language, isinstance(corpus.language, Recogniser)
        members = label(language, corpus.symbols, corpus.offsets).left_at < 0
        lengths = corpus.lengths[members] if recognises else corpus.lengths
        inside = bool(((lengths >= window.low) & (lengths <= window.high)).all())
        yield Guarantee(f"{name}: all lengths lie in {window}", inside)
        some = "half of the strings" if recognises else "all words"
        wanted = (len(corpus) + 1) // 2 if recognises else len(corpus)
        yield Guarantee(f"{name}: {some} are in {language.name}", int(members.sum()) == wanted)
        if corpora.recipe.distinct:
            yield Guarantee(f"{name}: all words are distinct", len(words) == len(corpus))
            for other, others in seen.items():
                yield Guarantee(f"{name}: no word is also in {other}", words.isdisjoint(others))
        seen[name] = words
