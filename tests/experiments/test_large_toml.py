"""Files that ask for more than anyone can wait for are refused before anything is multiplied out."""

from __future__ import annotations

import pytest

from abacist.errors import BadInput
from abacist.experiments import parse_experiment
from tests.experiments.cases import TINY

#: 24 × 200 × 200 × 200 combinations.
SWEEP = "\n".join(
    f"{name} = {[round(low + n * step, 6) for n in range(200)]}"
    for name, low, step in (("rate", 0.001, 0.001), ("beta1", 0.1, 0.001), ("beta2", 0.2, 0.001))
)


def refused(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        parse_experiment(TINY + text, "sweep.toml")
    return str(caught.value)


def test_combinations_are_counted_before_they_are_made() -> None:
    sentence = refused(f"batch = {list(range(1, 25))}\n{SWEEP}")
    assert sentence == "sweep.toml: asks for 192,000,000 combinations of settings, and there may be 10,000"


def test_all_tables_count_together() -> None:
    table = f"[[task]]\nrate = {[0.001 * (n + 1) for n in range(4_000)]}\n"
    tables = "".join(f"{table}batch = {batch}\n" for batch in (1, 2, 3))
    assert "asks for 12,000 combinations" in refused(tables)


def test_runs_are_counted_too() -> None:
    rates = [0.001 * (n + 1) for n in range(11)]
    assert "asks for 1,100,000 runs in all, and there may be 1,000,000" in refused(
        f"runs = 100_000\nrate = {rates}"
    )


def test_what_is_large_but_possible_is_made() -> None:
    rates = [round(0.0001 * (n + 1), 6) for n in range(2_000)]
    assert len(parse_experiment(f"{TINY}runs = 2\nrate = {rates}", "sweep.toml").tasks) == 2_000
