"""Verdicts: what parts come to."""

from __future__ import annotations

from itertools import product

import pytest

from abacist.errors import BadInput
from abacist.experiments import FAILS, HOLDS, OPEN, PARTLY, Part, Verdict


def judged(*verdicts: str) -> Verdict:
    parts = tuple(Part(f"part {n}", verdict, "1", "2", 10) for n, verdict in enumerate(verdicts))
    return Verdict("so it is", "section 1", "it is so", parts)


def test_parts_come_to_a_verdict() -> None:
    """All ways: it holds only if every part does, and never while nothing is known to hold."""
    for verdicts in (v for n in (1, 2, 3) for v in product((HOLDS, FAILS, OPEN), repeat=n)):
        found = judged(*verdicts).verdict
        assert (found == HOLDS) == all(v == HOLDS for v in verdicts)
        assert (found == PARTLY) == (HOLDS in verdicts and set(verdicts) != {HOLDS})
        assert (found == FAILS) == (FAILS in verdicts and HOLDS not in verdicts)
        assert (found == OPEN) == (set(verdicts) == {OPEN})


def test_which_parts_hold_is_said_where_not_all_do() -> None:
    assert judged(HOLDS, HOLDS).which == judged(FAILS, OPEN).which == ""
    assert judged(HOLDS, FAILS).which == "fails: part 1; holds: part 0"
    assert judged(OPEN, HOLDS, OPEN).which == "holds: part 1; inconclusive: all else"
    assert judged(HOLDS, FAILS, OPEN, HOLDS).which == "fails: part 1; inconclusive: part 2; holds: all else"


def test_a_claim_without_parts_and_a_part_that_holds_in_part_are_refused() -> None:
    with pytest.raises(BadInput, match="a part at least"):
        judged()
    with pytest.raises(BadInput, match="verdict must be holds, fails or inconclusive, got 'holds in part'"):
        judged(PARTLY)
