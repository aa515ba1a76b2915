"""Drawing the words that a recipe asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Choices
from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.exhaustive import draw_most
from abacist.corpora.packed import symbol_type
from abacist.corpora.recipe import Recipe, Split
from abacist.corpora.source import Source
from abacist.corpora.stream import Purpose, bit_generator, stream_state
from abacist.corpora.window import Window
from abacist.errors import Impossible
from abacist.fields import expect
from abacist.languages import Language
from abacist.on_demand import on_demand
from abacist.progress import Progress

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws

#: Draws between two reports of progress, and two chances for Ctrl-C.
_BLOCK = 1 << 18

#: After this many draws in a row without a new word, the request is given up.
_PATIENCE = 20 * _BLOCK


@dataclass
class _Pool:
    """The words of all splits so far, end to end, and a hash table of them."""

    symbols: NDArray[Any]
    offsets: NDArray[np.int64]
    table: NDArray[np.int64]
    words: int = 0

    @classmethod
    def empty(cls, recipe: Recipe) -> _Pool:
        wanted = sum(split.count for split in recipe.splits)
        slots = 1 << (2 * wanted - 1).bit_length() if recipe.distinct else 1
        symbols = np.empty(0, symbol_type(recipe.language))
        return cls(symbols, np.zeros(wanted + 1, np.int64), np.zeros(slots, np.int64))

    def make_room(self, longest: int, wanted: int) -> None:
        """Room for one more word, and for about as many as the words so far suggest."""
        used = int(self.offsets[self.words])
        mean = used / self.words if self.words else longest / 2
        room = max(used + longest, int(1.1 * mean * wanted))
        if room > self.symbols.size:
            self.symbols = np.concatenate((self.symbols[:used], np.empty(room - used, self.symbols.dtype)))


def draw(recipe: Recipe, progress: Progress | None = None) -> Corpora:
    """Draw all splits of a recipe; `progress` is told now and then."""
    expect("draw: recipe", recipe, Recipe)
    pool, wanted = _Pool.empty(recipe), sum(split.count for split in recipe.splits)
    bounds = [0]
    for index in range(len(recipe.splits)):
        if from_the_list(recipe, index):
            _draw_by_enumeration(recipe, index, pool)
        else:
            _draw_by_rejection(recipe, index, pool, lambda words: progress and progress(words / wanted))
        bounds.append(pool.words)
    corpora = []
    for number, split in enumerate(recipe.splits):
        first, last = bounds[number], bounds[number + 1]
        begin, end = pool.offsets[first], pool.offsets[last]
        offsets = pool.offsets[first : last + 1] - begin
        corpora.append(Corpus(recipe, split, pool.symbols[begin:end].copy(), offsets))
    return Corpora(recipe, tuple(corpora))


@lru_cache(maxsize=256)  # thousands of runs differ in their seeds alone
def length_choices(language: Language[Any], source: Source, window: Window) -> Choices:
    """One row: the lengths of a window, with the source's weights."""
    return Choices.of([list(source.length_weights(language, window).items())])


def from_the_list(recipe: Recipe, index: int) -> bool:
    """Whether a split takes more than half of what there is, and so is drawn from the list of all words."""
    free = _words_left(recipe.support, recipe.splits[: index + 1])
    return recipe.distinct and 2 * recipe.splits[index].count > free


@lru_cache(maxsize=256)
def _words_left(support: Language[Any], splits: tuple[Split, ...]) -> int:
    """How many words of the last split's window are certainly still free."""
    *others, last = splits
    taken = sum(split.count for split in others if split.window.overlaps(last.window))
    return sum(support.counts(last.window.high)[last.window.low :]) - taken


def _draw_by_rejection(recipe: Recipe, index: int, pool: _Pool, report: Callable[[int], object]) -> None:
    """Draw again and again, and keep what is new."""
    split, source = recipe.splits[index], recipe.source
    rng = stream_state(recipe.seed, Purpose.CORPORA, index)
    lengths = length_choices(recipe.language, source, split.window).arrays
    longest = int(lengths[1].max())
    fill = source.filler(recipe.language, longest)
    wanted, barren = pool.words + split.count, 0
    while pool.words < wanted:
        pool.make_room(longest, len(pool.offsets) - 1)
        before = pool.words
        pool.words, left = fill(
            rng, lengths, pool.symbols, pool.offsets, pool.table,
            pool.words, wanted, _BLOCK, recipe.distinct,
        )  # fmt: skip
        report(pool.words)
        barren = 0 if pool.words > before else barren + _BLOCK - left
        if barren >= _PATIENCE:
            raise Impossible(
                f"{split.name}: after {split.count + pool.words - wanted:,} distinct words, {barren:,} draws "
                f"found no new one, so {split.count:,} are out of reach of {source}"
            )


def _draw_by_enumeration(recipe: Recipe, index: int, pool: _Pool) -> None:
    """Draw from the list of all words."""
    split, support = recipe.splits[index], recipe.support
    parse = pool.symbols.tolist()
    taken = {tuple(parse[a:b]) for a, b in zip(pool.offsets[: pool.words], pool.offsets[1:], strict=False)}
    weights = recipe.source.length_weights(recipe.language, split.window)
    candidates, shares = [], []
    for length, weight in weights.items():
        for word in support.words(length):
            if word not in taken:
                candidates.append(word)
                shares.append(recipe.source.word_weight(recipe.language, word, split.window, weight))
    if len(candidates) < split.count:
        raise Impossible(
            f"{split.name}: earlier splits have left {len(candidates):,} distinct words with lengths "
            f"{split.window.low} to {split.window.high}, and {split.count:,} are wanted"
        )
    chosen = draw_most(candidates, shares, split.count, bit_generator(recipe.seed, Purpose.CORPORA, index))
    used = pool.offsets[pool.words]
    flat = np.array([symbol for word in chosen for symbol in word], pool.symbols.dtype)
    pool.symbols = np.concatenate((pool.symbols[:used], flat))
    ends = used + np.cumsum([len(word) for word in chosen])
    pool.offsets[pool.words + 1 : pool.words + 1 + len(chosen)] = ends
    pool.words += len(chosen)
    pool.table[:] = 0
    kernels.enter_all(pool.symbols, pool.offsets, pool.words, pool.table)


def draw_words(recipe: Recipe, progress: Progress | None = None) -> Corpus:
    """Draw a recipe of a single split."""
    (corpus,) = draw(recipe, progress)
    return corpus


def sample(
    language: Language[Any], source: Source, window: Window, count: int, *, seed: int, distinct: bool = True
) -> Corpus:
    """Draw one set of words."""
    return draw_words(Recipe(language, source, (Split("sample", window, count),), seed, distinct))
