"""Stress words: structured words of any length, by families, far past what networks were trained on.

A family of brackets is a path of depths, up and down; its pairs are of all kinds in turn, or at random.
Such words nest properly, so they belong to Dyck-n and to every shuffle; the crossing ones to shuffles only.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Purpose, bit_generator
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.languages import NOTHING, Blocks, Dyck, Language, Recogniser, Shuffle

Array = NDArray[Any]
Bits = np.random.SFC64

#: Which of some options is taken, given how many words each has.
Choose = Callable[[Sequence[int], Bits], int]


def _derived(choose: Choose, language: Language[Any], length: int, bits: Bits) -> Array | None:
    """A word with a length, or the nearest shorter one that the language has words of: choice by choice."""
    if not language.has_derivations or length > language.longest_derived:
        return None
    counts, derivations, word = language.counts(length), language.derivations(length), list[int]()
    pending = [(0, next((n for n in range(length, 0, -1) if counts[n]), 0))]
    while pending:
        goal, left = pending.pop()
        if not left:
            continue
        action = derivations.actions[goal][choose(derivations.weights(goal, left), bits)]
        word.append(action.symbol)
        if action.second != NOTHING:
            splits = derivations.splits(action, left - 1)
            taken = splits[choose([weight for _, weight in splits], bits)][0]
            pending += [(action.second, left - 1 - taken), (action.first, taken)]
        elif action.first != NOTHING:
            pending.append((action.first, left - 1))
    return np.array(word, np.int64) if word else None


def first_possible(weights: Sequence[int], bits: Bits) -> int:
    """The first option that some word has."""
    return next(place for place, weight in enumerate(weights) if weight)


def last_possible(weights: Sequence[int], bits: Bits) -> int:
    """The last option that some word has."""
    return max(place for place, weight in enumerate(weights) if weight)


def any_possible(weights: Sequence[int], bits: Bits) -> int:
    """An option by how many words it has; exact but for one part in 2¹²⁸."""
    total = sum(weights)
    ticket = total * (int(bits.random_raw()) << 64 | int(bits.random_raw())) >> 128
    return next(place for place, below in enumerate(accumulate(weights)) if ticket < below)


#: A word of a language with a length, from random bits; None where the family has no such word.
Make = Callable[[Language[Any], int, Bits], Array | None]


@dataclass(frozen=True)
class Family:
    """A named generator; where its words are random, it makes `count` of every length."""

    name: str
    meaning: str
    make: Make
    count: int = 1

    def __post_init__(self) -> None:
        check_fields(self)

    @checked
    def words(self, language: Language[Any], length: int, *, seed: int) -> tuple[Array, ...]:
        """Its words of a language, of the length or the nearest that the language has words of.

        None at all where the family does not fit the language, or the length is too short for it.
        """
        if length < 1:
            raise BadInput(f"{self.name}: a length must be at least 1, got {length}")
        streams = (
            bit_generator(seed, Purpose.STRESS, zlib.crc32(self.name.encode()), number)
            for number in range(self.count)
        )
        words = [self.make(language.word_language, length, bits) for bits in streams]
        return tuple(word for word in words if word is not None)


def _nest(length: int, bits: Bits) -> Array:
    return np.repeat(np.array([1, -1], np.int8), length // 2)


def _alternation(depth: int, length: int, bits: Bits) -> Array | None:
    if length < 2 * depth + 2:
        return None
    climb = np.ones(depth, np.int8)
    return np.concatenate((climb, np.tile(_nest(2, bits), length // 2 - depth), -climb))


def _saw(height: int, length: int, bits: Bits) -> Array | None:
    if length < 4 * height:  # fewer than two teeth are none
        return None
    teeth, rest = divmod(length, 2 * height)
    return np.concatenate((np.tile(_nest(2 * height, bits), teeth), _nest(rest, bits)))


def _walk(depth: int, length: int, bits: Bits) -> Array | None:
    """A fair walk that turns round at 0 and at a depth: a free one, folded; at last it goes straight down."""
    if length < 2 * depth:
        return None
    free = np.cumsum(2 * coins(length, bits).astype(np.int64) - 1)
    heights = np.concatenate(([0], np.abs((free + depth) % (2 * depth) - depth)))
    left = length - np.arange(length + 1)
    turn = int(np.argmax(heights >= left))  # equal there: both have the parity of what is left
    heights[turn:] = left[turn:]
    return np.diff(heights).astype(np.int8)


def coins(count: int, bits: Bits) -> Array:
    """Fair coins, the first ones the same however many are thrown, (count,)."""
    raw = bits.random_raw(-(-count // 64)).astype("<u8")
    return np.unpackbits(raw.view(np.uint8))[:count]


def uniform_path(length: int, bits: Bits) -> Array:
    """A path drawn uniformly among all of a length.

    Of the rotations of n ups and n + 1 downs, exactly one stays at 0 or above until its last step: that
    which begins after the first of the lowest points (the cycle lemma).
    """
    half = length // 2
    keys = bits.random_raw(2 * half + 1)
    steps = np.full(2 * half + 1, -1, np.int8)
    steps[np.argpartition(keys, half)[:half]] = 1
    lowest = int(np.argmin(np.cumsum(steps, dtype=np.int64)))
    return np.roll(steps, -lowest - 1)[:-1]


def brackets(path: Array, kinds: Array) -> Array:
    """The word of a path, the n-th bracket that opens of the kind kinds[n], (symbol,).

    The brackets between two depths open and close in turn, so the second of any two closes the first.
    """
    if not kinds.any():
        return np.asarray(path < 0, np.int64)
    levels = np.cumsum(path, dtype=np.int64) + (path < 0)
    if levels.max(initial=0) < 2**15:
        levels = levels.astype(np.int16)  # which NumPy sorts without comparing
    order = np.argsort(levels, kind="stable")
    opening, closing = order[0::2], order[1::2]
    word = np.empty(len(path), np.int64)
    word[path > 0] = 2 * kinds
    word[closing] = word[opening] + 1
    return word


def _dycks(language: Language[Any]) -> tuple[Dyck, ...]:
    """The parts of a language of brackets, () for any other."""
    parts = language.parts if isinstance(language, Shuffle) else (language,)
    dycks = tuple(one for one in parts if isinstance(one, Dyck))
    return dycks if len(dycks) == len(parts) else ()


def _in_turn(
    path_of: Callable[[int, Bits], Array | None], language: Language[Any], length: int, bits: Bits
) -> Array | None:
    """Words whose pairs are opened in turn, one kind after the other."""
    path = path_of(length - length % 2, bits) if _dycks(language) and length > 1 else None
    if path is None:
        return None
    return brackets(path, np.arange(len(path) // 2) % (len(language.alphabet) // 2))


def _uniform(language: Language[Any], length: int, bits: Bits) -> Array | None:
    """A uniform word; of a shuffle, uniform words of its parts, shuffled uniformly."""
    dycks, length = _dycks(language), length - length % 2
    if not dycks or not length:
        return None
    owners = np.repeat(np.arange(len(dycks)), [dyck.pairs for dyck in dycks])
    pairs = bits.random_raw(length // 2) % len(owners)  # of which kind each pair is
    order = np.argsort(bits.random_raw(length), kind="stable")
    word, first, done = np.empty(length, np.int64), 0, 0
    for number, dyck in enumerate(dycks):
        kinds = pairs[owners[pairs] == number].astype(np.int64) - first
        path = uniform_path(2 * len(kinds), bits)
        word[np.sort(order[done : done + len(path)])] = brackets(path, kinds) + 2 * first
        first, done = first + dyck.pairs, done + len(path)
    return word


def _crossing(deep: bool, language: Language[Any], length: int, bits: Bits) -> Array | None:
    """Brackets of one kind of each part, opened in turn and closed in the same order."""
    dycks = _dycks(language)
    if len(dycks) < 2 or length < 4:
        return None
    firsts = np.cumsum([0, *(2 * dyck.pairs for dyck in dycks[:-1])])
    rounds, rest = divmod(length // 2, len(dycks))
    if deep:
        opening = np.repeat(firsts, [rounds + (number < rest) for number in range(len(dycks))])
        return np.concatenate((opening, opening + 1))
    once = np.concatenate((firsts, firsts + 1))
    return np.concatenate((np.tile(once, rounds), firsts[:rest], firsts[:rest] + 1))


def _blocks(language: Language[Any], length: int, bits: Bits) -> Array | None:
    if not isinstance(language, Blocks):
        return None
    return np.repeat(np.arange(language.blocks), max(1, round(length / language.blocks)))


#: All families of brackets and blocks, by name. A further one is a further record.
FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("nest", "(ⁿ)ⁿ, as deep as can be", partial(_in_turn, _nest)),
        Family("pairs", "()ⁿ, never deeper than 1", partial(_in_turn, partial(_alternation, 0))),
        *(
            Family(f"{kind}-{size}", meaning.format(size), partial(_in_turn, partial(path_of, size)), count)
            for kind, meaning, path_of, sizes, count in (
                ("alternation", "()ⁿ inside {} brackets", _alternation, (1, 4, 16), 1),
                ("saw", "teeth of depth {}", _saw, (4, 16), 1),
                ("walk", "random walks no deeper than {}", _walk, (4, 16), 4),
            )
            for size in sizes
        ),
        Family("uniform", "uniform words; of shuffles, uniform words shuffled uniformly", _uniform, 4),
        Family(
            "crossing", "(ⁿ[ⁿ)ⁿ]ⁿ, closed in the order in which they were opened", partial(_crossing, True)
        ),
        Family("crossing-pairs", "([)]ⁿ, the same in short", partial(_crossing, False)),
        Family("blocks", "aⁿbⁿ and its kin, the only word of its length", _blocks),
    )
}

#: Those for languages that an automaton gives.
OWN_FAMILIES: dict[str, Family] = {
    name: Family(name, f"of an automaton's words, {meaning}", partial(_derived, choose), count)
    for name, meaning, choose, count in (
        ("first", "the first symbol wherever there is a choice", first_possible, 1),
        ("last", "the last symbol wherever there is a choice", last_possible, 1),
        ("drawn", "uniform ones", any_possible, 4),
    )
}

ALL_FAMILIES = FAMILIES | OWN_FAMILIES


def families_of(
    language: Language[Any], families: Sequence[Family] = tuple(ALL_FAMILIES.values())
) -> list[Family]:
    """Those that are for a language: an automaton's have families of their own, a recogniser has none."""
    if isinstance(language, Recogniser):
        return []
    derived = language.word_language.has_derivations
    return [family for family in families if (family.name in OWN_FAMILIES) == derived]
