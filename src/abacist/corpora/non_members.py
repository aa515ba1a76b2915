"""Strings right outside a language: words of a recipe with one edit each.

Of every split and every kind of edit a set is drawn, one string after the other: a word from the split's own
distribution, among the words of which some edit of the kind is wanted, and then one of these edits, all
equally likely. An edit is wanted if what it makes is not in the language, but begins with a symbol that a
word can begin with: before the first symbol a network has predicted nothing, so a wrong one says nothing
about it. What is in one of the sets already is drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.drawing import length_choices
from abacist.corpora.edits import EDITS, edit_counts, edit_kernels, edit_number, edited
from abacist.corpora.labels import leaving, swaps_leave
from abacist.corpora.packed import symbol_type
from abacist.corpora.recipe import Recipe, Split
from abacist.corpora.stream import Purpose, stream_state
from abacist.errors import BadInput, Impossible
from abacist.fields import check_fields, checked
from abacist.languages import Language, Word
from abacist.progress import Progress

#: Words in a batch, at least and at most, and symbols of edited words that are looked at together.
_FEW, _MANY, _ROOM = 256, 1 << 14, 1 << 22

#: After this many draws in a row without a new string, the request is given up.
_PATIENCE = 200_000

#: The longest words that are edited: to find all edits of one takes a time that grows with the square.
LONGEST_EDITED = 2_000

Packed = tuple[NDArray[Any], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class NonMembers:
    """Distinct strings outside a language: string i is `symbols[offsets[i]:offsets[i + 1]]`.

    `kind` says how each was made from a word of the recipe's split, and `left_at`, (string,), where it
    leaves the language, as `Labels` has it: never at its first symbol.
    """

    recipe: Recipe
    split: Split
    kind: str
    symbols: NDArray[Any]
    offsets: NDArray[np.int64]
    left_at: NDArray[np.int64]

    def __post_init__(self) -> None:
        check_fields(self)
        for array in (self.symbols, self.offsets, self.left_at):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Word]:
        flat, bounds = self.symbols.tolist(), self.offsets.tolist()
        return (tuple(flat[a:b]) for a, b in pairwise(bounds))

    @property
    def language(self) -> Language[Any]:
        return self.recipe.language

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
    highest = max(split.window.high for split in recipe.splits)
    if highest > LONGEST_EDITED:
        raise BadInput(
            f"non-members: words of at most {LONGEST_EDITED:,} symbols can be edited, got {highest:,}"
        )
    pool = _Pool(recipe, highest + 1, count * len(kinds) * len(recipe.splits))
    sets = []
    for place, split in enumerate(recipe.splits):
        for kind in kinds:
            first = pool.done
            try:
                _fill(pool, recipe, place, kind, count, progress)
            except Impossible:
                if not leave_out:
                    raise
                continue
            sets.append(pool.part(recipe, split, kind, first))
    return tuple(sets)


class _Pool:
    """The strings of all sets so far, end to end, and a hash table of them."""

    def __init__(self, recipe: Recipe, longest: int, wanted: int) -> None:
        self.longest, self.wanted, self.done = longest, wanted, 0
        self.symbols = np.empty(0, symbol_type(recipe.language))
        self.offsets = np.zeros(wanted + 1, np.int64)
        self.table = np.zeros(1 << (2 * wanted - 1).bit_length(), np.int64)

    def admit(self, strings: Packed, wanted: int) -> None:
        """Keep those of some strings that are new, until there are `wanted`."""
        used = self.offsets[self.done]
        room = used + min(len(strings[1]), wanted - self.done) * self.longest
        if room > self.symbols.size:
            self.symbols = np.concatenate((self.symbols[:used], np.empty(room, self.symbols.dtype)))
        self.done = edit_kernels.admit_strings(
            *strings, self.symbols, self.offsets, self.table, self.done, wanted
        )

    def part(self, recipe: Recipe, split: Split, kind: str, first: int) -> NonMembers:
        """The strings from the first of a set to the last so far."""
        begin, end = self.offsets[first], self.offsets[self.done]
        symbols, offsets = self.symbols[begin:end].copy(), self.offsets[first : self.done + 1] - begin
        return NonMembers(recipe, split, kind, symbols, offsets, leaving(recipe.language, symbols, offsets))


def _fill(pool: _Pool, recipe: Recipe, place: int, kind: str, count: int, progress: Progress | None) -> None:
    """Add one set to the pool, batch by batch."""
    language, split = recipe.language, recipe.splits[place]
    rng = stream_state(recipe.seed, Purpose.EDITS, place, edit_number(kind))
    lengths = length_choices(language, recipe.source, split.window).arrays
    longest = int(lengths[1].max())
    fill = recipe.source.filler(language, longest)
    wanted, barren, no_table = pool.done + count, 0, np.zeros(1, np.int64)
    while pool.done < wanted:
        batch, before = min(max(wanted - pool.done, _FEW), _MANY), pool.done
        symbols, offsets = np.empty(batch * longest, symbol_type(language)), np.zeros(batch + 1, np.int64)
        fill(rng, lengths, symbols, offsets, no_table, 0, batch, batch, False)
        pool.admit(_one_edit_each(language, kind, (symbols[: offsets[-1]], offsets), rng), wanted)
        barren = 0 if pool.done > before else barren + batch
        if barren >= _PATIENCE:
            raise Impossible(
                f"{kind} {split.name}: after {count + pool.done - wanted:,} distinct strings, "
                f"{barren:,} draws found no new one, so {count:,} are out of reach"
            )
        if progress is not None:
            progress(pool.done / pool.wanted)


def _one_edit_each(language: Language[Any], kind: str, words: Packed, rng: NDArray[np.uint64]) -> Packed:
    """One wanted edit of every word that has any, all equally likely.

    One edit is drawn among all of them. Where it is not wanted, one is drawn among those that are: of
    v wanted ones among e, each comes with probability 1/e + (1 − v/e)/v = 1/v.
    """
    size = len(language.alphabet)
    counts = edit_counts(kind, np.diff(words[1]), size)
    numbers = _draw_below(rng, counts)
    tried = np.flatnonzero(counts)
    unwanted = tried[~_wanted(language, edited(kind, *words, tried, numbers[tried], size))]
    numbers[unwanted] = -1
    for some in _pieces(unwanted, counts * np.diff(words[1])):
        which = np.repeat(some, counts[some])
        each = np.arange(len(which)) - np.repeat(np.cumsum(counts[some]) - counts[some], counts[some])
        if kind == "swapped":
            wanted = np.flatnonzero(swaps_leave(language, *_some_of(words, some)))
        else:
            wanted = np.flatnonzero(_wanted(language, edited(kind, *words, which, each, size)))
        firsts = np.searchsorted(which[wanted], some)
        bounds = np.searchsorted(which[wanted], some, side="right") - firsts
        picked = _draw_below(rng, bounds)
        found = picked >= 0
        numbers[some[found]] = each[wanted[(firsts + picked)[found]]]
    chosen = np.flatnonzero(numbers >= 0)
    return edited(kind, *words, chosen, numbers[chosen], size)


def _wanted(language: Language[Any], strings: Packed) -> NDArray[np.bool_]:
    """Which strings are outside the language, and not because of their first symbol."""
    return np.asarray(leaving(language, *strings) > 0)


def _some_of(words: Packed, some: NDArray[np.int64]) -> Packed:
    """Some of the packed words, in their order."""
    symbols, offsets = words
    lengths = np.diff(offsets)
    chosen = np.zeros(len(lengths), bool)
    chosen[some] = True
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths[some])))
    return symbols[np.repeat(chosen, lengths)], ends


def _draw_below(rng: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """A uniform number below every bound, −1 where it is 0."""
    numbers = np.empty(len(bounds), np.int64)
    edit_kernels.draw_below(rng, bounds, numbers)
    return numbers


def _pieces(words: NDArray[np.int64], work: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Words in pieces of about equal work, at least one word each."""
    if len(words):
        at = np.cumsum(work[words]) // _ROOM
        yield from np.split(words, np.flatnonzero(np.diff(at)) + 1)
