"""Gradients in tiles: every column of every band is summed in just one pass."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from abacist.targets.tiles import Segment, passes


@given(
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, 99)), min_size=1, max_size=4), st.integers(1, 24)
)
def test_passes_cover_every_column_once(parts: list[tuple[int, int]], width: int) -> None:
    segments = [Segment(1000 * n, count, count, (place,)) for n, (count, place) in enumerate(parts)]
    groups = passes(segments, width)
    assert all(0 < sum(s.count for s in group) <= width for group in groups)
    covered = [(s.tape or 0) + c for group in groups for s in group for c in range(s.count)]
    assert covered == [1000 * n + c for n, (count, _) in enumerate(parts) for c in range(count)]
    for group in groups:
        for s in group:
            number, begin = divmod(s.tape or 0, 1000)
            assert s.places == (parts[number][1] + begin,)
            assert s.stride == parts[number][0]
