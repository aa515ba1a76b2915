"""One layer after the other: configurations, ways, boxes that are merged and states that are thinned out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise, product, takewhile
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.analysis.horizons.exploration import ways_on
from abacist.analysis.horizons.next_layers import merge_boxes, thin_states
from abacist.languages import language_named

Array = NDArray[Any]

LANGUAGES = ["dyck-1", "dyck-2", "shuffle-2", "anbn", "anbncn"]


def configurations_after(known: Configurations, word: tuple[int, ...]) -> list[int]:
    """The configuration after every symbol, as far as the word is a beginning of one."""
    steps = accumulate(word, lambda number, symbol: int(known.following(number)[symbol]), initial=0)
    return [*takewhile(lambda number: number != NONE, steps)][1:]


@pytest.mark.parametrize("name", LANGUAGES)
def test_configurations_are_those_of_the_language(name: str) -> None:
    language = language_named(name)
    known, symbols = Configurations(language), range(len(language.alphabet))
    words = {word for length in range(9) for word in language.words(length)}
    for length in range(5):
        for text in product(symbols, repeat=length):
            after, reading = configurations_after(known, text), language.read(text)
            assert len(after) == len(reading.steps)
            number = after[-1] if after else 0
            if len(after) < length:
                continue
            assert known.targets[number].astype(int).tolist() == (
                language.targets(text)[-1].tolist() if text else known.targets[0].astype(int).tolist()
            )
            rests = sorted(len(word) - length for word in words if word[:length] == text)
            assert (rests[0] if rests else known.endings[number]) == known.endings[number]
            assert known.last[number] == (1 in rests)
            ending = known.shortest_ending(number)
            assert len(ending) == known.endings[number]
            assert (*text, *ending) in language
            if known.last[number]:
                assert len(ending := known.shortest_ending(number, least=1)) == 1
                assert (*text, *ending) in language


@pytest.mark.parametrize("name", LANGUAGES)
def test_layers_have_every_beginning_of_a_word_below_the_limit(name: str) -> None:
    language, limit = language_named(name), 9
    known, layer = Configurations(language), np.zeros(1, np.int64)
    words = [word for length in range(1, limit) for word in language.words(length)]
    for length in range(limit):
        ways = ways_on(known, layer, length, limit)
        steps = {
            (ways.symbols[way], layer[ways.sources[way]], ways.configurations[number])
            for number in range(len(ways.configurations))
            for way in range(ways.starts[number], ways.starts[number + 1])
        }
        wanted = set()
        for word in words:
            if len(word) > length:
                after = [0, *configurations_after(known, word[: length + 1])]
                wanted.add((word[length], after[-2], after[-1]))
        assert steps == wanted
        assert len(ways.symbols) == len(steps)
        layer = ways.configurations


class Made:
    """A made-up layer: some configurations, each reached by several ways from several others."""

    count = 6

    def __init__(self, rng: np.random.Generator, *, rows: int) -> None:
        self.layer_starts = np.append(0, np.cumsum(rng.integers(1, 40, 5)))
        ways = rng.integers(1, 4, self.count)
        self.starts = np.append(0, np.cumsum(ways))
        self.symbols, self.sources = rng.integers(0, 3, ways.sum()), rng.integers(0, 5, ways.sum())
        scale = 10.0 ** rng.integers(-3, 2, (rows, 1))
        self.after = (rng.normal(size=(3, rows, self.layer_starts[-1] + 5)) * scale).astype(np.float32)
        self.targets = rng.random((6, 2)) < 0.5
        self.counted = rng.random(6) < 0.8
        self.influences = 10.0 ** rng.uniform(-3, 0, 3)

    def reached(self, number: int) -> Iterator[tuple[int, int]]:
        """The symbols, and the places in the layer before, that lead to a configuration."""
        for way in range(self.starts[number], self.starts[number + 1]):
            source = self.sources[way]
            for place in range(self.layer_starts[source], self.layer_starts[source + 1]):
                yield int(self.symbols[way]), place

    def places(self, budget: int) -> int:
        """How many boxes or states there may be."""
        return sum(min(budget, len(list(self.reached(number)))) for number in range(self.count))

    def next_layer(
        self, kernel: Any, rows: int, budget: int, widths: Array, *more: Any
    ) -> tuple[Array, Array]:
        """What a kernel writes, (row, place), and where that of each configuration starts."""
        values = np.full((rows, self.places(budget)), np.nan, np.float32)
        starts = np.zeros(self.count + 1, np.int64)
        candidates = [list(self.reached(number)) for number in range(self.count)]
        read, places = np.concatenate(candidates).T.copy()
        kernel(
            self.after, read, places, np.append(0, np.cumsum([*map(len, candidates)])), self.targets,
            self.counted, self.influences, 1e-3, budget, widths, values, starts,
            np.empty(4 * budget + 1, np.int64), np.empty(4 * budget + 1, np.uint64), *more,
        )  # fmt: skip
        return values, starts


_LOWER, _UPPER = np.array([0, 1, 4, 6, 7]), np.array([2, 3, 5, 8, 9])  # a state of two, one of one, two sums


@pytest.mark.parametrize("budget", [1, 2, 7, 60, 500])
def test_no_box_is_lost_when_boxes_are_merged(budget: int) -> None:
    rng = np.random.default_rng(budget)
    for trial in range(30):
        made = Made(rng, rows=10)
        low, high = made.after[:, _LOWER].copy(), made.after[:, _UPPER].copy()
        made.after[:, _LOWER], made.after[:, _UPPER] = np.minimum(low, high), np.maximum(low, high)
        if trial % 2:  # all configurations alike, and right: the sums lie far from zero
            made.targets[:] = made.targets[0]
            signs = np.where(made.targets[0], 1, -1)
            for rows, shift in ((_LOWER[3:], -0.5), (_UPPER[3:], 0.5)):
                made.after[:, rows] = (3 * signs + shift)[:, None]
            if trial % 3:  # but for one that is nearer than the margin, or just not
                near = signs * rng.choice([-1, 1], 2) * rng.choice([0.8e-3, 1.2e-3])
                symbol, place = list(made.reached(0))[-1]
                made.after[symbol, _LOWER[3:], place] = made.after[symbol, _UPPER[3:], place] = near
        if trial % 5 == 4:
            wild = rng.choice([np.nan, np.inf, 1e13])
            made.after[rng.integers(3), rng.integers(10), rng.integers(made.layer_starts[-1])] = wild
        unsure, widths = np.zeros(made.count, np.bool_), 10.0 ** rng.uniform(-9, 3, made.count)
        boxes, starts = made.next_layer(merge_boxes, 6, budget, widths, _LOWER, _UPPER, 1e12, unsure)
        for number in range(made.count):
            given = np.array([made.after[symbol, :, place] for symbol, place in made.reached(number)])
            lower, upper = given[:, _LOWER], given[:, _UPPER]
            decided = np.where(made.targets[number], lower[:, 3:] > 1e-3, upper[:, 3:] < -1e-3).all()
            small = ((lower > -1e12) & (upper < 1e12)).all()
            assert unsure[number] == (not small or (bool(made.counted[number]) and not decided))
            kept = boxes[:, starts[number] : starts[number + 1]].T
            assert len(kept) <= budget
            if unsure[number]:
                assert len(kept) == 0
                continue
            inside = kept[:, None, _LOWER[:3]] <= lower[None, :, :3]
            inside &= kept[:, None, _UPPER[:3]] >= upper[None, :, :3]
            assert inside.all(axis=2).any(axis=0).all()
            if len(given) <= budget:
                np.testing.assert_array_equal(kept, given[:, :6])


@pytest.mark.parametrize("budget", [20, 60, 500])
def test_states_that_stay_are_real_and_wrong_ones_are_found(budget: int) -> None:
    rng = np.random.default_rng(budget)
    for trial in range(30):
        made = Made(rng, rows=5)
        if trial % 2:
            made.counted[:] = False
        parents, read = np.empty(made.places(budget), np.int32), np.empty(made.places(budget), np.uint8)
        wrong, widths = np.zeros(6, np.int64), np.full(6, 1e-4)
        wrong_parents, wrong_read = np.empty((6, 4), np.int32), np.empty((6, 4), np.uint8)
        states, starts = made.next_layer(
            thin_states, 3, budget, widths, np.arange(5), trial % 3 / 3,
            parents, read, wrong, wrong_parents, wrong_read,
        )  # fmt: skip
        for number in range(made.count):
            ways = list(made.reached(number))
            given = np.array([made.after[symbol, :, place] for symbol, place in ways])
            misses = np.where(made.targets[number], given[:, 3:] < -1e-3, given[:, 3:] > 1e-3)
            bad = np.asarray(misses.any(axis=1) & made.counted[number])
            assert wrong[number] == min(4, bad.sum())
            found = list(zip(wrong_read[number], wrong_parents[number], strict=True))[: wrong[number]]
            assert all(bad[ways.index((int(symbol), int(place)))] for symbol, place in found)
            kept = slice(starts[number], starts[number + 1])
            assert (starts[number + 1] == starts[number]) == bool(bad.any())
            for place in range(kept.start, kept.stop):
                assert (int(read[place]), int(parents[place])) in ways
                np.testing.assert_array_equal(states[:, place], made.after[read[place], :3, parents[place]])
            if not bad.any():
                assert kept.stop - kept.start <= budget
                same = len({(int(read[p]), int(parents[p])) for p in range(kept.start, kept.stop)})
                assert same == len({*ways}) if len(ways) <= budget else same <= budget


@pytest.mark.parametrize("nearest", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("budget", [1, 2, 7, 24, 60])
def test_the_states_nearest_to_a_wrong_decision_fill_the_budget(budget: int, nearest: float) -> None:
    """The plain reference: what a grid of fewer cells keeps, then all others, sorted by their margin."""
    rng = np.random.default_rng(budget)
    for trial in range(20):
        made = Made(rng, rows=5)
        made.counted[:] = False
        if trial % 3 == 0:  # equal margins: the first stay
            made.after[:, 3:] = np.round(made.after[:, 3:], 1)
        widths = 10.0 ** rng.uniform(-4, 1, 6)
        of_grid = budget - int(nearest * budget)

        def kept(budget: int, share: float, made: Made = made, widths: Array = widths) -> Any:
            parents, read = np.empty(made.places(budget), np.int32), np.empty(made.places(budget), np.uint8)
            found = np.zeros(6, np.int64), np.empty((6, 4), np.int32), np.empty((6, 4), np.uint8)
            more = np.arange(5), share, parents, read, *found
            _, starts = made.next_layer(thin_states, 3, budget, widths.copy(), *more)
            places = list(zip(read.tolist(), parents.tolist(), strict=True))
            return [places[first:end] for first, end in pairwise(starts)]

        pairs = zip(kept(budget, nearest), kept(of_grid, 0.0), strict=True)
        for number, (result, head) in enumerate(pairs):
            ways = list(made.reached(number))
            if len(ways) <= budget:
                assert result == ways
                continue
            sums = [made.after[symbol, 3:, place].astype(float) for symbol, place in ways]
            margins = [np.where(made.targets[number], one, -one).min() for one in sums]
            others = [way for _, way in sorted(zip(margins, ways, strict=True), key=itemgetter(0))]
            for way in head:
                others.remove(way)  # a way may be there twice
            assert result == [*head, *(others[: budget - len(head)] if nearest else [])]
