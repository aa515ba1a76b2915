"""Callbacks: every epoch is reported once, with the numbers of the store; what they raise ends the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import abacist as ab
from abacist.experiments import Epoch, RunProgress, Task
from abacist.specs import Lesson
from tests.experiments.cases import claims, content, ran, runs_in, small

#: Two blocks of runs, or three.
TASK = Task("tiny", small(epochs=4), tuple(range(20)), at_epochs=(2,))


def reported(epochs: list[Epoch], name: str = "") -> dict[tuple[int, int], float]:
    """Losses, or the shares of a set, by seed and epoch; nothing is reported twice."""
    listed = [
        ((seed, one.epoch), float(value))
        for one in epochs
        for seed, value in zip(one.seeds, one.accuracies.get(name, ()) if name else one.losses, strict=False)
    ]
    assert len(dict(listed)) == len(listed)
    return dict(listed)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_epoch_of_every_run_is_reported_once_as_it_is_stored(tmp_path: Path, jobs: int) -> None:
    epochs: list[Epoch] = []
    ran([TASK], tmp_path / "with", jobs=jobs, progress=RunProgress(callback=epochs.append))
    runs = {run.seed: run.outcome for run in runs_in(tmp_path / "with")}
    losses = {(seed, n): loss for seed, run in runs.items() for n, loss in enumerate(run.losses, 1)}
    assert reported(epochs) == losses
    for name in TASK.sets:
        judged = {(seed, n): share for seed, run in runs.items() for n, share in run.accuracy[name].items()}
        assert {n for _, n in judged} == {2, 4}
        assert reported(epochs, name) == judged
    for seed in TASK.seeds:  # in order, whatever the blocks beside it do
        assert [one.epoch for one in epochs if seed in one.seeds] == [1, 2, 3, 4]
    ran([TASK], tmp_path / "without")
    assert content(tmp_path / "with") == content(tmp_path / "without")


def test_what_the_store_has_is_not_reported_again(tmp_path: Path) -> None:
    epochs: list[Epoch] = []
    ran([TASK], tmp_path, keep_moments=True)
    ran([TASK], tmp_path, progress=RunProgress(callback=epochs.append))
    assert epochs == []
    longer = Task("longer", small(epochs=6), TASK.seeds)
    ran([longer], tmp_path, progress=RunProgress(callback=epochs.append))
    assert {one.epoch for one in epochs} == {5, 6}
    assert all(one.spec == longer.spec for one in epochs)


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt(), SystemExit(3)])
def test_what_a_callback_raises_ends_the_run_cleanly(tmp_path: Path, error: BaseException) -> None:
    """It comes out as it is, at once, after one call; nothing stays claimed, and the same command goes on."""
    calls = []

    def callback(epoch: Epoch) -> None:
        calls.append(epoch)
        if len(calls) == 3:
            raise error

    with pytest.raises(type(error)) as raised:
        ran([TASK], tmp_path / "ended", jobs=2, progress=RunProgress(callback=callback))
    assert raised.value is error
    assert len(calls) == 3
    assert not claims(tmp_path / "ended")
    ran([TASK], tmp_path / "ended")
    ran([TASK], tmp_path / "at once")
    assert content(tmp_path / "ended") == content(tmp_path / "at once")


def test_a_lesson_is_reported_after_every_round(tmp_path: Path) -> None:
    epochs: list[Epoch] = []
    spec = small(epochs=6, lesson=Lesson(rounds=3, to=20, budget=4))
    ran([Task("taught", spec, (0, 1))], tmp_path, progress=RunProgress(callback=epochs.append))
    assert [one.epoch for one in epochs] == [2, 4, 6]


def test_the_laboratory_hands_a_callback_on() -> None:
    losses: list[float] = []
    found = ab.train(
        "dyck-1", "rnn", hidden=2, epochs=3, train_words=40, test_words=10, progress=False, at_epochs=[1],
        train_lengths="2:12", long_lengths="14:20", callback=lambda epoch: losses.append(epoch.losses[0]),
    )  # fmt: skip
    np.testing.assert_array_equal(losses, found.runs[0].outcome.losses)
    assert set(found.runs[0].outcome.accuracy["short"]) == {1, 3}
