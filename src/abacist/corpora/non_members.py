"""Strings right outside a language: words of a recipe with one edit each.

Of every split and every kind of edit a set is drawn, one string after the other: a word from the split's own
distribution, among the words of which some edit of the kind is wanted, and then one of these edits, all
equally likely. An edit is wanted if what it makes is not in the language, but begins with a symbol that a
word can begin with: before the first symbol a network has predicted nothing, so a wrong one says nothing
about it. What is in one of the sets already is drawn again.

The edits of a kind that a word has are numbered from 0. No two kinds share an edit: what would be inserted
at the end is an extension, and what would be deleted there is a truncation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Purpose, stream_state
from abacist.corpora.corpus import Drawn
from abacist.corpora.packed import Pool, symbol_type
from abacist.corpora.recipe import Recipe
from abacist.corpora.source import length_choices
from abacist.corpora.words import leaving, settle_swaps
from abacist.errors import BadInput, Impossible, UnknownName
from abacist.fields import checked, expect
from abacist.languages import Language, refuse_recogniser
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.wording import unknown

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import

#: Words in a batch, at least and at most, and symbols of edited words that are looked at together.
_FEW, _MANY, _SYMBOLS = 256, 1 << 14, 1 << 22

#: What stands for an edit of which it is not known whether it is wanted.
_UNKNOWN = 2

#: After this many draws in a row without a new string, the request is given up.
_PATIENCE = 200_000

#: The longest words that are edited: to find all edits of one takes a time that grows with the square.
LONGEST_EDITED = 2_000

Packed = tuple[NDArray[Any], NDArray[np.int64]]

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Edit:
    """A kind of edit: how many of them words of some lengths have over a size of alphabet, and what they do.

    `splice(numbers, lengths, size, at)` says at which place of each word how many symbols go, and which new
    ones come; `at` has the words' symbols at some places.
    """

    counts: Callable[[Numbers, int], Numbers]
    splice: Callable[[Numbers, Numbers, int, Callable[[Numbers], Any]], tuple[Numbers, Any, list[Any]]]


def _all_but_one(lengths: Numbers, size: int) -> Numbers:
    return np.maximum(lengths - 1, 0)


#: The kinds of edits, in the order of their numbers.
EDITS: dict[str, Edit] = {
    "inserted": Edit(  # one symbol more, anywhere before the end
        lambda lengths, size: lengths * size,
        lambda numbers, lengths, size, at: (numbers // size, 0, [numbers % size]),
    ),
    "deleted": Edit(  # one symbol less, but not the last
        _all_but_one, lambda numbers, lengths, size, at: (numbers, 1, [])
    ),
    "replaced": Edit(  # one symbol in place of another
        lambda lengths, size: lengths * (size - 1),
        lambda numbers, lengths, size, at: _replaced(*np.divmod(numbers, size - 1), at),
    ),
    "swapped": Edit(  # two neighbours in each other's place
        _all_but_one, lambda numbers, lengths, size, at: (numbers, 2, [at(numbers + 1), at(numbers)])
    ),
    "truncated": Edit(  # one or more symbols less at the end, never all
        _all_but_one, lambda numbers, lengths, size, at: (numbers + 1, lengths - numbers - 1, [])
    ),
    "extended": Edit(  # one symbol more at the end
        lambda lengths, size: np.full_like(lengths, size),
        lambda numbers, lengths, size, at: (lengths, 0, [numbers]),
    ),
}


def _replaced(
    places: Numbers, others: Numbers, at: Callable[[Numbers], Any]
) -> tuple[Numbers, int, list[Numbers]]:
    """The other symbols are numbered without the one that is there."""
    return places, 1, [others + (others >= at(places))]


@dataclass(frozen=True, eq=False)
class NonMembers(Drawn):
    """Distinct strings outside a language.

    `kind` says how each was made from a word of the recipe's split, and `left_at`, (string,), where it
    leaves the language, as `Labels` has it: never at its first symbol.
    """

    kind: str
    left_at: NDArray[np.int64]

    @property
    def name(self) -> str:
        """What the set is called, such as `swapped long`."""
        return f"{self.kind} {self.split.name}"


@checked
def draw_non_members(
    recipe: Recipe,
    count: int,
    kinds: Sequence[str] = tuple(EDITS),
    progress: Progress | None = None,
    *,
    leave_out: bool = False,
) -> tuple[NonMembers, ...]:
    """Draw `count` strings of every kind for every split of a recipe, all of them distinct.

    Where a set is out of reach, the request is refused, or with `leave_out` that set is left out: symbols
    that change places never leave parity. `progress` is told now and then.
    """
    if count < 1:
        raise BadInput(f"non-members: their number must be at least 1, got {count}")
    numbers = [edit_number(kind) for kind in kinds]
    if not numbers or len(set(numbers)) < len(numbers):
        raise BadInput(f"non-members: kinds of edits must be different, at least one, got {kinds!r}")
    refuse_recogniser(recipe.language, "non-members")
    _refuse_long_words(recipe)
    wanted = count * len(kinds) * len(recipe.splits)
    pool = Pool(recipe.language, wanted)
    sets = []
    for place, split in enumerate(recipe.splits):
        for kind in kinds:
            first = pool.words
            try:
                _fill(pool, recipe, place, kind, count, lambda words: progress and progress(words / wanted))
            except Impossible:
                if not leave_out:
                    raise
                continue
            strings = pool.words_from(first, pool.words)
            sets.append(NonMembers(recipe, split, *strings, kind, leaving(recipe.language, *strings)))
    return tuple(sets)


def near_words(recipe: Recipe, counts: Sequence[int]) -> Iterator[Drawn]:
    """For each split of a recipe so many strings outside the language, all distinct if its words are.

    Of every kind of edit there are as many; what one has too few of, the others make up for. They may leave
    the language at their first symbol, too: it is for recognisers, which are asked about it. Those of a split
    do not depend on the splits that follow.
    """
    _refuse_long_words(recipe)
    pool = Pool(recipe.language, sum(counts), distinct=recipe.distinct)
    for place, count in enumerate(counts):
        first, kinds = pool.words, list(EDITS)
        while pool.words < first + count:
            possible = []
            for left, kind in zip(range(len(kinds), 0, -1), kinds, strict=True):
                missing = first + count - pool.words
                try:
                    _fill(pool, recipe, place, kind, -(-missing // left), lambda words: None, least=0)
                    possible.append(kind)
                except Impossible:
                    if left == 1 and not possible:
                        raise
            kinds = possible
        yield Drawn(recipe, recipe.splits[place], *pool.words_from(first, pool.words))


def _refuse_long_words(recipe: Recipe) -> None:
    highest = max(split.window.high for split in recipe.splits)
    if highest > LONGEST_EDITED:
        raise BadInput(
            f"non-members: words of at most {LONGEST_EDITED:,} symbols can be edited, got {highest:,}"
        )


def _fill(
    pool: Pool,
    recipe: Recipe,
    place: int,
    kind: str,
    count: int,
    report: Callable[[int], object],
    least: int = 1,
) -> None:
    """Add one set to the pool, batch by batch: strings that leave the language from a place on."""
    language, split = recipe.language, recipe.splits[place]
    rng = stream_state(recipe.seed, Purpose.EDITS, place, edit_number(kind))
    lengths = length_choices(language, recipe.source, split.window).arrays
    longest = int(lengths[1].max())
    fill = recipe.source.filler(language, longest)
    no_table = np.zeros(1, np.int64)

    def draws(wanted: int) -> int:
        batch = min(max(wanted - pool.words, _FEW), _MANY)
        symbols, offsets = np.empty(batch * longest, symbol_type(language)), np.zeros(batch + 1, np.int64)
        fill(rng, lengths, symbols, offsets, no_table, 0, batch, batch, False)
        pool.admit(*_one_edit_each(language, kind, (symbols[: offsets[-1]], offsets), rng, least), wanted)
        report(pool.words)
        return batch

    pool.fill(f"{kind} {split.name}", "strings", count, draws, _PATIENCE)


def _one_edit_each(
    language: Language[Any], kind: str, words: Packed, rng: NDArray[np.uint64], least: int
) -> Packed:
    """One wanted edit of every word that has any, all equally likely.

    One edit is drawn among all of them. Where it is not wanted, one is drawn among those that are: of
    v wanted ones among e, each comes with probability 1/e + (1 − v/e)/v = 1/v.
    """
    size = len(language.alphabet)
    counts = EDITS[kind].counts(np.diff(words[1]), size)
    numbers = _draw_below(rng, counts)
    tried = np.flatnonzero(counts)
    unwanted = tried[~_wanted(language, edited(kind, *words, tried, numbers[tried], size), least)]
    numbers[unwanted] = -1
    for some in _pieces(unwanted, counts * np.diff(words[1])):
        which = np.repeat(some, counts[some])
        each = np.arange(len(which)) - np.repeat(np.cumsum(counts[some]) - counts[some], counts[some])
        settled = np.full(len(which), _UNKNOWN, np.int8)
        if kind == "swapped":  # most of them change nothing, which is seen without running the word
            settle_swaps(language, *words, some, settled)
            settled[each < 1 - least] = _UNKNOWN  # the first two may leave it at the first symbol
        open_ = np.flatnonzero(settled == _UNKNOWN)
        settled[open_] = _wanted(language, edited(kind, *words, which[open_], each[open_], size), least)
        wanted = np.flatnonzero(settled)
        firsts = np.searchsorted(which[wanted], some)
        bounds = np.searchsorted(which[wanted], some, side="right") - firsts
        picked = _draw_below(rng, bounds)
        hit = picked >= 0
        numbers[some[hit]] = each[wanted[(firsts + picked)[hit]]]
    chosen = np.flatnonzero(numbers >= 0)
    return edited(kind, *words, chosen, numbers[chosen], size)


def _wanted(language: Language[Any], strings: Packed, least: int) -> NDArray[np.bool_]:
    """Which strings leave the language at a place or later: from 1 on not because of their first symbol."""
    return np.asarray(leaving(language, *strings) >= least)


def _draw_below(rng: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """A uniform number below every bound, −1 where it is 0."""
    numbers = np.empty(len(bounds), np.int64)
    kernels.draw_below(rng, bounds, numbers)
    return numbers


def _pieces(words: NDArray[np.int64], work: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Words in pieces of about equal work, at least one word each."""
    if len(words):
        at = np.cumsum(work[words]) // _SYMBOLS
        yield from np.split(words, np.flatnonzero(np.diff(at)) + 1)


def edit_number(kind: str) -> int:
    """The number of a kind of edit."""
    expect("a kind of edit", kind, str)
    if kind not in EDITS:
        raise UnknownName(unknown("edit", kind, EDITS))
    return list(EDITS).index(kind)


def edited(
    kind: str, symbols: NDArray[Any], offsets: Numbers, which: Numbers, numbers: Numbers, size: int
) -> Packed:
    """Packed strings: of word which[i] of a corpus its edit numbers[i], for every i."""
    starts, lengths = offsets[which], np.diff(offsets)[which]
    places, gone, new = EDITS[kind].splice(numbers, lengths, size, lambda at: symbols[starts + at])
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths - gone + len(new))))
    out = np.empty(int(ends[-1]), symbols.dtype)
    columns = np.array(new, symbols.dtype).reshape(len(new), len(which))
    kernels.splice(symbols, starts, places, starts + places + gone, columns, out, ends)
    return out, ends
