"""The trail of an exploration: words are found again, however little memory it may take."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from abacist.analysis.horizons import refuter
from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.refuter import Trail, find_wrong
from abacist.languages import language_named
from tests.analysis.certificates.test_certify import nudged


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """States without descendants are looked for soon."""
    monkeypatch.setattr(refuter, "_FIRST", 1_000)


def test_a_trail_is_bounded_and_leads_back() -> None:
    """Of 3,000 layers of 40 states each, of which only some have children."""
    rng, room = np.random.default_rng(0), 60_000
    short, whole = Trail(room), Trail(2**40)
    parents, read = np.zeros((3_000, 40), np.int32), np.zeros((3_000, 40), np.uint8)
    for number in range(3_000):
        parents[number] = rng.integers(0, 40 if number else 1, 40)
        read[number] = rng.integers(0, 3, 40)
        for one in (short, whole):
            one.append(parents[number], read[number])
        assert short._size <= room + 1_000
    assert whole.forgotten == 0
    assert 0 < short.forgotten < 3_000
    for place in range(40):
        symbols, at, border = [], place, -1
        for number in reversed(range(3_000)):
            border = at if number == short.forgotten - 1 else border
            symbols.append(int(read[number, at]))
            at = int(parents[number, at])
        assert whole.path(place) == (0, symbols[::-1])
        assert short.path(place) == (border, symbols[::-1][short.forgotten :])


def test_states_without_descendants_take_no_memory() -> None:
    """All 300 layers of 4,000 states take 11 MB; the ancestors of the last layer take a tenth of it."""
    rng, short = np.random.default_rng(0), Trail(2_000_000)
    for number in range(300):
        short.append(rng.integers(0, 4_000 if number else 1, 4_000), rng.integers(0, 3, 4_000))
    assert short.forgotten == 0


def test_the_words_are_the_same_with_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    known, calls = Configurations(language_named("dyck-1")), 0
    again = refuter._again

    def counted(*arguments: object) -> list[int] | None:
        nonlocal calls
        calls += 1
        return again(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(refuter, "_again", counted)
    networks = nudged(6.0)
    found = find_wrong(networks, 0, known, limit=60, budget=8)
    assert (len(found[0]) > 0, calls) == (True, 0)
    monkeypatch.setattr(refuter, "TRAIL_BYTES", 3_000)
    assert find_wrong(networks, 0, known, limit=60, budget=8) == found
    assert calls > 0


def test_a_word_is_given_up_where_there_is_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    known, again = Configurations(language_named("dyck-1")), refuter._again

    def late(begin: Any, *arguments: Any) -> list[int] | None:
        return again(partial(begin, deadline=0.0), *arguments)

    monkeypatch.setattr(refuter, "_again", late)
    monkeypatch.setattr(refuter, "TRAIL_BYTES", 3_000)
    assert find_wrong(nudged(6.0), 0, known, limit=60, budget=8)[0] == []
