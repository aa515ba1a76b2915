"""The checksum over the weights of a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from abacist.experiments import Results, Store, Task, run
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, small

TASK = Task("tiny", small(), (0, 1, 2))


def checksum_of(folder: Path, task: Task) -> str:
    with Store(folder) as store:
        run([task], store)
        return Results.of(store).weights_checksum


def test_the_same_networks_have_the_same_checksum_whatever_else_is_known_of_them(tmp_path: Path) -> None:
    one = checksum_of(tmp_path / "one", TASK)
    assert one == checksum_of(tmp_path / "two", replace(TASK, sets=("long",)))
    code, printed, _ = inside("runs", "--checksum", "--results", str(tmp_path / "one"))
    assert (code, printed) == (0, f"{one}  weights of 3 runs\n")


def test_other_networks_have_another(tmp_path: Path) -> None:
    fewer = checksum_of(tmp_path / "one", replace(TASK, seeds=(0, 1)))
    longer = checksum_of(tmp_path / "two", replace(TASK, spec=small(epochs=2)))
    assert len({fewer, longer, checksum_of(tmp_path / "one", TASK)}) == 3


def test_one_other_bit_in_a_weight_makes_another(tmp_path: Path) -> None:
    run = made_up(small(), 1, {"short": {"3": 0.5}})
    other = run.weights.copy()
    other[-1] = np.nextafter(other[-1], np.inf)
    one, two = (Results(tmp_path, (replace(run, kept=kept),)) for kept in (run.weights, other))
    assert one.by_key.keys() == two.by_key.keys()
    assert one.weights_checksum != two.weights_checksum


def test_it_is_over_all_runs() -> None:
    assert "it goes with no other choice of them" in refused("runs", "--checksum", "--sort", "long")
