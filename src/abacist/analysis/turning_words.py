"""Words that put a counter to the test: deep in, up and down there many times, and out again."""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.corpora import Purpose, bit_generator
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Language, Word

#: Symbols read at random before going back and forth, at most.
_DEEPEST = 12


def up_and_down(language: Language[Any], longest: int) -> list[Word]:
    """Words that go to a depth, there up and down as often as possible, and back."""
    words: list[Word] = []
    try:
        updates = language.updates
    except BadInput:  # what goes up at one place may go down at another
        return []
    for up, rise in enumerate(updates):
        for down, fall in enumerate(updates):
            if sum(rise) == 1 and rise == tuple(-change for change in fall):
                for depth in (0, 1, 2, 5, 10, 100, longest // 4, longest // 2):
                    times = longest // 2 - depth
                    word = (up,) * depth + (up, down) * times + (down,) * depth
                    if times >= 0 and word and word in language:
                        words.append(word)
    return words


@checked
def back_and_forth(configurations: Configurations, count: int, longest: int, *, seed: int) -> list[Word]:
    """Words of at most `longest` symbols, drawn from a seed.

    Up to twelve symbols lead away from the start; then one symbol and the one that takes it back follow
    each other, as often as fits half the time and less often otherwise; then comes the
    shortest ending. In Dyck-1: ((()()()())).
    """
    if count < 0 or longest < 2:
        raise BadInput(
            f"back_and_forth: count must be at least 0 and longest at least 2, got {count} and {longest}"
        )
    random = np.random.Generator(bit_generator(seed, Purpose.STRESS))
    words: list[Word] = []
    while len(words) < count:
        word, place = _away(configurations, int(random.integers(0, _DEEPEST + 1)), longest, random)
        turn = _turn(configurations, place, random)
        most = (longest - len(word) - int(configurations.endings[place])) // 2
        times = int(random.integers(0, most + 1)) if turn and random.random() < 0.5 else most
        word += [*turn] * times + configurations.shortest_ending(place)
        words.append(tuple(word))
    return words


def _away(
    configurations: Configurations, steps: int, longest: int, random: np.random.Generator
) -> tuple[list[int], int]:
    """Symbols that lead away from the start, and where to; there is always room for the ending."""
    word: list[int] = []
    place = 0
    for _ in range(steps):
        following, endings = configurations.following(place), configurations.endings
        away = (endings[following] >= endings[place]) | (not word)  # the empty word may be none
        fits = len(word) + 1 + endings[following] <= longest
        ahead = np.flatnonzero((following != NONE) & away & fits)
        if not len(ahead):
            break
        symbol = int(random.choice(ahead))
        word.append(symbol)
        place = int(following[symbol])
    return word, place


def _turn(configurations: Configurations, place: int, random: np.random.Generator) -> list[int]:
    """A symbol and one that leads back, chosen at random; none where no symbol can be taken back."""
    turns = []
    for symbol, there in enumerate(configurations.following(place).tolist()):
        if there != NONE:
            back = np.flatnonzero(configurations.following(there) == place)
            turns += [[symbol, int(second)] for second in back]
    return turns[int(random.integers(len(turns)))] if turns else []
