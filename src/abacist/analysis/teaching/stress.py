"""Words that put a counter to the test: deep in, back and forth many times, and out again."""

from __future__ import annotations

import numpy as np

from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.corpora import Purpose, bit_generator
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Word

#: Symbols read at random before going back and forth, at most.
_DEEPEST = 12


@checked
def back_and_forth(known: Configurations, count: int, longest: int, *, seed: int) -> list[Word]:
    """Words of at most `longest` symbols, drawn from a seed.

    Up to twelve symbols lead away from the start; then one symbol and the one that takes it back follow
    each other, as often as there is room for half the time and less often otherwise; then comes the
    shortest ending. In Dyck-1: ((()()()())).
    """
    if count < 0 or longest < 2:
        raise BadInput(
            f"back_and_forth: count must be at least 0 and longest at least 2, got {count} and {longest}"
        )
    random = np.random.Generator(bit_generator(seed, Purpose.STRESS))
    words: list[Word] = []
    while len(words) < count:
        word, place = _away(known, int(random.integers(0, _DEEPEST + 1)), longest, random)
        turn = _turn(known, place, random)
        room = (longest - len(word) - int(known.endings[place])) // 2
        times = int(random.integers(0, room + 1)) if turn and random.random() < 0.5 else room
        word += [*turn] * times + known.shortest_ending(place)
        words.append(tuple(word))
    return words


def _away(
    known: Configurations, steps: int, longest: int, random: np.random.Generator
) -> tuple[list[int], int]:
    """Symbols that lead away from the start, and where to; there is always room for the ending."""
    word: list[int] = []
    place = 0
    for _ in range(steps):
        known.expand(np.array([place]))
        following = known.successors[:, place]
        away = known.endings[following] >= known.endings[place]
        ahead = np.flatnonzero(
            (following != NONE) & (away | (not word))
        )  # some languages lack the empty word
        ahead = ahead[len(word) + 1 + known.endings[following[ahead]] <= longest]
        if not len(ahead):
            break
        symbol = int(random.choice(ahead))
        word.append(symbol)
        place = int(following[symbol])
    return word, place


def _turn(known: Configurations, place: int, random: np.random.Generator) -> list[int]:
    """A symbol and one that leads back, chosen at random; none where no symbol can be taken back."""
    known.expand(np.array([place]))
    turns = []
    for symbol, there in enumerate(known.successors[:, place]):
        if there != NONE:
            known.expand(np.array([there]))
            back = np.flatnonzero(known.successors[:, there] == place)
            turns += [[symbol, int(second)] for second in back]
    return turns[int(random.integers(len(turns)))] if turns else []
