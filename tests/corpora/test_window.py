"""A window is a set of lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Window

WINDOWS = st.builds(lambda low, span: Window(low, low + span), st.integers(1, 12), st.integers(0, 8))


@given(WINDOWS)
def test_it_has_the_lengths_between_its_ends(window: Window) -> None:
    assert set(window.lengths) == {n for n in range(40) if window.low <= n <= window.high}
    assert {n for n in range(40) if n in window} == set(window.lengths)


@given(WINDOWS, WINDOWS)
def test_one_lies_in_another_if_all_its_lengths_do(first: Window, second: Window) -> None:
    assert (first in second) == (set(first.lengths) <= set(second.lengths))


@given(WINDOWS, WINDOWS)
def test_two_overlap_if_they_share_a_length(first: Window, second: Window) -> None:
    assert first.overlaps(second) == second.overlaps(first) == bool(set(first.lengths) & set(second.lengths))


@given(WINDOWS)
def test_it_is_read_as_it_is_written(window: Window) -> None:
    assert Window.parse(str(window)) == window


@pytest.mark.parametrize(
    ("text", "low", "high"), [("2:50", 2, 50), ("8", 8, 8), (" 2 : 5 ", 2, 5), ("3:", 3, 3)]
)
def test_a_single_length_is_a_window_too(text: str, low: int, high: int) -> None:
    assert Window.parse(text) == Window(low, high)
