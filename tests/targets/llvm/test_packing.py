"""Packing: every symbol of every word lies at its place once, and nothing else counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Words, pack_texts
from abacist.engine import epoch_order
from abacist.languages import language_named
from abacist.targets.llvm.packing import aligned, pack_runs, pack_words
from tests.engine.cases import LANGUAGES, any_words, each

lengths = st.lists(st.integers(1, 30), min_size=1, max_size=20)
steps = st.sampled_from(["all", "last"])


@given(st.integers(1, 2_000), st.integers(0, 50))
def test_an_epoch_visits_every_slot_once(words: int, epoch: int) -> None:
    order = epoch_order(words, epoch)
    assert sorted(order.tolist()) == list(range(words))
    assert order.tolist() == epoch_order(words, epoch).tolist()


def test_epochs_differ_in_their_order() -> None:
    orders = {tuple(epoch_order(50, epoch).tolist()) for epoch in range(40)}
    assert len(orders) == 40
    assert tuple(range(50)) not in orders


@given(st.sampled_from(LANGUAGES), lengths, st.integers(0, 1000), steps)
def test_words_carry_the_languages_labels(name: str, sizes: list[int], seed: int, which: str) -> None:
    language = language_named(name)
    for word, targets, counted in each(any_words(name, sizes, seed=seed, steps=which)):
        allowed = [step.next_symbols for step in language.read(word).steps]
        assert [frozenset(np.flatnonzero(row).tolist()) for row in targets] == allowed
        everything, last = [1] * len(word), [int(t == len(word) - 2) for t in range(len(word))]
        assert counted.tolist() == (everything if which == "all" else last)


class Unpacked:
    """What a program reads, as arrays with all their axes."""

    def __init__(self, packed: dict[str, Any], lanes: int, outputs: int) -> None:
        self.packed = packed
        self.codes, self.counted = (
            packed["codes"].reshape(-1, lanes),
            packed["counted_steps"].reshape(-1, lanes),
        )
        self.targets = packed["targets"].reshape(-1, outputs, lanes)
        self.scales = packed["scales"].reshape(-1, lanes)
        rooms = (packed["codes"], packed["counted_steps"], packed["targets"], packed["scales"])
        assert all(room.ctypes.data % 64 == 0 for room in rooms if room.size)

    def holds(self, slot: int, lane: int, word: tuple[Any, ...], inputs: int) -> None:
        """A word lies at the beginning of its slot, padding behind it."""
        symbols, targets, counted = word
        start, length = self.packed["starts"][slot], self.packed["lengths"][slot]
        rows = slice(start, start + length)
        padding = length - len(symbols)
        assert self.codes[rows, lane].tolist() == [*symbols, *[inputs] * padding]
        assert self.counted[rows, lane].tolist() == [*counted, *[0] * padding]
        np.testing.assert_array_equal(self.targets[rows, :, lane][: len(symbols)], targets)
        assert not self.targets[rows, :, lane][len(symbols) :].any()
        share = 1 / (max(int(counted.sum()), 1) * targets.shape[1])
        assert self.scales[slot, lane] == self.scales.dtype.type(share)


@given(
    st.sampled_from(LANGUAGES), st.integers(1, 12), st.integers(1, 8), st.integers(0, 1000), steps,
    st.sampled_from([("float32", 16), ("float64", 8)]),
)  # fmt: skip
def test_a_lane_holds_its_runs_words_sorted_by_length(
    name: str, count: int, runs: int, seed: int, which: str, kind: tuple[str, int]
) -> None:
    precision, lanes = kind
    rng = np.random.default_rng(seed)
    words = [
        any_words(name, rng.integers(1, 30, count).tolist(), seed=seed + r, steps=which) for r in range(runs)
    ]
    language = language_named(name)
    inputs = len(language.alphabet)
    slots = [np.argsort(own.lengths, kind="stable") for own in words]
    packed = pack_runs(words, slots, inputs, lanes, precision)
    unpacked = Unpacked(packed, lanes, language.outputs)
    assert packed["scales"].dtype == precision
    assert packed["starts"].tolist() == [0, *np.cumsum(packed["lengths"])[:-1].tolist()]
    assert len(unpacked.codes) == packed["lengths"].sum()
    for lane in range(lanes):
        own: Words = words[lane % runs]
        by_length = sorted(each(own), key=lambda word: len(word[0]))
        for slot, word in enumerate(by_length):
            unpacked.holds(slot, lane, word, inputs)
    longest = np.array([np.sort(w.lengths) for w in words]).max(axis=0)
    assert packed["lengths"].tolist() == longest.tolist()


@given(st.sampled_from(LANGUAGES), lengths, st.integers(0, 1000), steps)
def test_for_judging_every_word_has_a_place(name: str, sizes: list[int], seed: int, which: str) -> None:
    words = any_words(name, sizes, seed=seed, steps=which)
    language = language_named(name)
    packed, places = pack_words(words, len(language.alphabet), 8, "float64")
    unpacked = Unpacked(packed, 8, language.outputs)
    assert len(places) == 8 * len(packed["lengths"]) == 8 * -(-len(sizes) // 8)
    assert set(places.tolist()) == set(range(len(sizes)))
    listed = each(words)
    for place, number in enumerate(places.tolist()):
        unpacked.holds(place // 8, place % 8, listed[number], len(language.alphabet))


@pytest.mark.parametrize("words", [[()], [(), (0, 1)], [(0, 1), (), (0, 0, 1, 1)], [()] * 9])
def test_empty_words_can_be_packed(words: list[tuple[int, ...]]) -> None:
    packed, places = pack_words(pack_texts(language_named("dyck-1"), words), 2, 8, "float64")
    unpacked = Unpacked(packed, 8, 2)
    listed = each(pack_texts(language_named("dyck-1"), words))
    for place, number in enumerate(places.tolist()):
        unpacked.holds(place // 8, place % 8, listed[number], 2)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=3), st.sampled_from(["float32", "float64", "u1"]))
def test_rooms_begin_where_registers_like_it(shape: list[int], kind: str) -> None:
    room = aligned(tuple(shape), kind)
    assert room.ctypes.data % 64 == 0
    assert room.shape == tuple(shape)
    assert room.dtype == np.dtype(kind)
    assert not room.any()
