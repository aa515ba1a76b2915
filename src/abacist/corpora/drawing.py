"""Drawing the words that a recipe asks for, each from a source: `grammar` or `uniform`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from abacist.calls import called_right
from abacist.corpora.choices import Purpose, bit_generator, draw_most, stream_state
from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.non_members import near_words
from abacist.corpora.packed import Pool, pack
from abacist.corpora.recipe import Recipe, Split
from abacist.corpora.source import Source, Window, length_choices
from abacist.errors import Impossible
from abacist.fields import expect
from abacist.languages import Language, Recogniser
from abacist.progress import Progress

#: Draws between two reports of progress, and two chances for Ctrl-C.
_BLOCK = 1 << 18

#: After this many draws in a row without a new word, the request is given up.
_PATIENCE = 20 * _BLOCK


def draw(recipe: Recipe, progress: Progress | None = None) -> Corpora:
    """Draw all splits of a recipe; `progress` is told now and then."""
    expect("draw: recipe", recipe, Recipe)
    if isinstance(recipe.language, Recogniser):
        return _draw_both_kinds(recipe, progress)
    wanted = sum(split.count for split in recipe.splits)
    pool, bounds = Pool(recipe.language, wanted, distinct=recipe.distinct), [0]
    for index in range(len(recipe.splits)):
        if from_the_list(recipe, index):
            _draw_by_enumeration(recipe, index, pool)
        else:
            _draw_by_rejection(recipe, index, pool, lambda words: progress and progress(words / wanted))
        bounds.append(pool.words)
    stretches = zip(recipe.splits, pairwise(bounds), strict=True)
    drawn = tuple(Corpus(recipe, split, *pool.words_from(*stretch)) for split, stretch in stretches)
    return Corpora(recipe, drawn)


def _draw_both_kinds(recipe: Recipe, progress: Progress | None) -> Corpora:
    """For a recogniser: in every split words and strings near them, in an order that tells nothing."""
    words = draw(recipe.of_words, progress)
    counts = [split.count // 2 for split in recipe.splits]
    drawn = []
    for place, (half, others) in enumerate(zip(words, near_words(words.recipe, counts), strict=True)):
        split, strings = recipe.splits[place], [*half, *others]
        keys = bit_generator(recipe.seed, Purpose.EDITS, place).random_raw(split.count)
        mixed = [strings[number] for number in np.argsort(keys, kind="stable")]
        drawn.append(Corpus(recipe, split, *pack(recipe.language, mixed)))
    return Corpora(recipe, tuple(drawn))


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


def _draw_by_rejection(recipe: Recipe, index: int, pool: Pool, report: Callable[[int], object]) -> None:
    """Draw again and again, and keep what is new."""
    split, source = recipe.splits[index], recipe.source
    rng = stream_state(recipe.seed, Purpose.CORPORA, index)
    lengths = length_choices(recipe.language, source, split.window).arrays
    longest = int(lengths[1].max())
    fill = source.filler(recipe.language, longest)

    def draws(wanted: int) -> int:
        mean = pool.used / pool.words if pool.words else longest / 2
        pool.reserve(max(pool.used + longest, int(1.1 * mean * (len(pool.offsets) - 1))))
        pool.words, left = fill(
            rng, lengths, pool.symbols, pool.offsets, pool.table,
            pool.words, wanted, _BLOCK, recipe.distinct,
        )  # fmt: skip
        report(pool.words)
        return _BLOCK - left

    pool.fill(split.name, "words", split.count, draws, _PATIENCE, f" of {source}")


def _draw_by_enumeration(recipe: Recipe, index: int, pool: Pool) -> None:
    """Draw from the list of all words."""
    split, support = recipe.splits[index], recipe.support
    flat, bounds = pool.symbols.tolist(), pool.offsets[: pool.words + 1].tolist()
    taken = {tuple(flat[a:b]) for a, b in pairwise(bounds)}
    weights = recipe.source.length_weights(recipe.language, split.window)
    candidates = {
        word: recipe.source.word_weight(recipe.language, word, split.window, weight)
        for length, weight in weights.items()
        for word in support.words(length)
        if word not in taken
    }
    if len(candidates) < split.count:
        raise Impossible(
            f"{split.name}: earlier splits have left {len(candidates):,} distinct words with lengths "
            f"{split.window.low} to {split.window.high}, and {split.count:,} are wanted"
        )
    bits = bit_generator(recipe.seed, Purpose.CORPORA, index)
    chosen = draw_most(list(candidates), list(candidates.values()), split.count, bits)
    pool.admit(*pack(recipe.language, chosen), pool.words + len(chosen))


@called_right
def sample(
    language: Language[Any], source: Source, window: Window, count: int, *, seed: int, distinct: bool = True
) -> Corpus:
    """Draw one set of words."""
    return draw(Recipe(language, source, (Split("sample", window, count),), seed, distinct))["sample"]
