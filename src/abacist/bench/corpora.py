"""Drawing the Dyck-1 training set against plain rejection sampling."""

from __future__ import annotations

import random
from collections.abc import Iterator

from abacist.bench.measure import Row, side_by_side
from abacist.corpora import Grammar, Window, sample
from abacist.languages import Dyck

_COUNT, _LOW, _HIGH = 10_000, 2, 50


def rejection_loop(p: float, q: float, low: int, high: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """The obvious way: expand the grammar, give up beyond the longest word, keep what is new."""
    rng = random.Random(seed)
    seen: set[tuple[int, ...]] = set()
    words: list[tuple[int, ...]] = []
    while len(words) < count:
        word: list[int] = []
        todo, pending = [True], 0
        while todo and len(word) + pending <= high and len(todo) <= 2_000:
            if not todo.pop():
                word.append(1)
                pending -= 1
                continue
            chance = rng.random()
            if chance < p:
                word.append(0)
                pending += 1
                todo += [False, True]
            elif chance < p + q:
                todo += [True, True]
        candidate = tuple(word)
        if not todo and low <= len(word) <= high and candidate not in seen:
            seen.add(candidate)
            words.append(candidate)
    return words


def rows() -> Iterator[Row]:
    """Seconds for 10,000 distinct words of Dyck-1 with lengths 2 to 50."""

    def ours() -> object:
        return sample(Dyck(1), Grammar(), Window(_LOW, _HIGH), _COUNT, seed=0)

    ours()  # compile
    fast, slow = side_by_side(5, ours, lambda: rejection_loop(0.5, 0.25, _LOW, _HIGH, _COUNT, 0))
    yield Row(
        "drawing the Dyck-1 training set, against plain rejection",
        f"{1000 * fast:.1f} ms",
        f"{1000 * slow:.0f} ms",
        slow / fast,
        20,
    )
