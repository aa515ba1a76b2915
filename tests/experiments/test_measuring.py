"""Horizons of an experiment: looked for once a run is finished, kept one by one, never forgotten."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search, horizon, saturated
from abacist.cells import cell_named
from abacist.experiments import (
    HorizonAim,
    Job,
    Measurement,
    Run,
    RunProgress,
    Store,
    Task,
    jobs_for,
    measure,
    run,
    run_key,
    running,
    work,
)
from abacist.languages import language_named
from tests.experiments.cases import (
    content,
    keep,
    made_up,
    made_up_horizons,
    ran,
    results_in,
    runs_in,
    small,
    tasks_by_rate,
    view,
)
from tests.experiments.measured_tasks import AIMS, EPOCHS, tasks


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nobody disturbed."""
    folder = tmp_path_factory.mktemp("true")
    ran(tasks(), folder)
    return folder


def test_an_experiment_finds_what_each_network_alone_would_give(true: Path) -> None:
    lengths = set()
    for own in runs_in(true):
        assert [known.factor for known in own.outcome.horizons] == [1.0, 4.0]
        for aim in AIMS:
            sharpened = own.networks if aim.factor == 1 else saturated(own.networks, aim.factor)
            alone = horizon(sharpened, 0, own.spec.language, aim.search)
            found = own.outcome.horizon(aim.factor)
            assert found is not None
            assert replace(found, seconds=0.0) == replace(alone, seconds=0.0)
            lengths.add(None if found.wrong is None else len(found.wrong))
    assert len(lengths) > 1  # they are not all alike


def test_a_second_time_nothing_is_computed(true: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(true)
    monkeypatch.setattr(work, "measure", None)
    monkeypatch.setattr(running, "compute", None)
    ran(tasks(), true)
    ran(tasks(aims=[HorizonAim(Search(6, 4, 100), 4.0)]), true)  # what is known answers it
    assert content(true) == before
    assert jobs_for(tasks(), results_in(true)) == []


def test_horizons_do_not_change_what_is_known_besides(true: Path, tmp_path: Path) -> None:
    ran(tasks_by_rate(4, epochs=EPOCHS), tmp_path)
    plain = {own.key: own for own in runs_in(tmp_path)}
    for own in runs_in(true):
        bare = replace(own.outcome, horizons=(), begun=1.0, seconds=1.0)
        assert bare == replace(plain[own.key].outcome, begun=1.0, seconds=1.0)
        assert own.weights.tobytes() == plain[own.key].weights.tobytes()


def test_a_larger_search_is_made_and_nothing_gets_worse(true: Path, tmp_path: Path) -> None:
    """Neither by a search that finds more, nor by one that finds less."""
    ran(tasks(2), tmp_path)
    before = {own.key: own.outcome for own in runs_in(tmp_path)}
    for aim in (HorizonAim(Search(14, 16, 900)), HorizonAim(Search(15, 1, 5))):
        ran(tasks(2, aims=[aim]), tmp_path)
        after = {own.key: own.outcome for own in runs_in(tmp_path)}
        for key, outcome in after.items():
            assert outcome.unanswered((*AIMS, aim)) == ()
            for factor in (1.0, 4.0):
                was, now = before[key].horizon(factor), outcome.horizon(factor)
                assert was is not None
                assert now is not None
                assert now.proved >= was.proved
                assert was.wrong is None or (now.wrong is not None and len(now.wrong) <= len(was.wrong))
        before = after


def test_tasks_that_ask_differently_are_answered_together() -> None:
    spec = small()
    asked = [
        Task("a", spec, (0,), horizons=(HorizonAim(Search(10, 9, 3)), HorizonAim(Search(5), 2.0))),
        Task("b", spec, (1,), horizons=(HorizonAim(Search(20, 4, 5)),)),
        Task("c", spec, (0,)),
    ]
    there = view(made_up(spec, seed, {n: {"3": 0.5} for n in asked[0].sets}) for seed in (0, 1))
    jobs = jobs_for(asked, there)
    assert all(isinstance(job, Measurement) for job in jobs)
    assert {(job.seeds, job.what) for job in jobs} == {((n,), "find 2 horizons") for n in (0, 1)}
    for job in jobs:
        assert isinstance(job, Measurement)
        assert set(job.aims) == {HorizonAim(Search(20, 9, 5)), HorizonAim(Search(5), 2.0)}


def test_what_others_find_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another set is judged, and another horizon found, while a run is being measured."""
    (task,) = tasks(1, 1, AIMS[:1])
    other = made_up_horizons([HorizonAim(Search(99), 7.0)])

    def slow(job: Measurement, *given: Any) -> list[Run]:
        accuracy = {**job.run.outcome.accuracy, "long": {EPOCHS: 0.25, 1: 0.5}}
        keep(
            tmp_path, [replace(job.run, outcome=replace(job.run.outcome, accuracy=accuracy, horizons=other))]
        )
        return measure(job, *given)

    monkeypatch.setattr(work, "measure", slow)
    (own,) = ran([task], tmp_path).runs
    assert own.outcome.accuracy["long"][1] == 0.5
    assert [known.factor for known in own.outcome.horizons] == [7.0, 1.0]
    assert own.outcome.unanswered(AIMS[:1]) == ()


def test_a_run_that_is_trained_again_for_another_epoch_keeps_its_horizons(
    true: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, runs_in(true))
    monkeypatch.setattr(work, "measure", None)
    ran([replace(task, at_epochs=(1,), horizons=()) for task in tasks()], tmp_path)
    for own in runs_in(tmp_path):
        assert own.accuracy("short", 1) is not None
        assert own.outcome.unanswered(AIMS) == ()


def test_force_looks_again(tmp_path: Path) -> None:
    (task,) = tasks(1, 1, AIMS[:1])
    ran([task], tmp_path)
    (own,) = runs_in(tmp_path)
    made = made_up_horizons([HorizonAim(Search(99, 64))])
    keep(tmp_path, [replace(own, outcome=replace(own.outcome, horizons=made))])
    ran([task], tmp_path)
    assert runs_in(tmp_path)[0].outcome.horizons == made  # it answers all that is asked
    ran([task], tmp_path, force=True)
    (known,) = runs_in(tmp_path)[0].outcome.horizons
    assert known.horizon.search == AIMS[0].search


def test_horizons_of_missing_runs_come_later(tmp_path: Path) -> None:
    (task,) = tasks(1, 3)
    assert [type(job) for job in jobs_for([task], None)] == [Job]
    ran([replace(task, seeds=(0, 2), horizons=())], tmp_path)
    jobs = jobs_for([task], results_in(tmp_path))
    assert sorted((type(job).__name__, job.seeds) for job in jobs) == [
        ("Job", (1,)), ("Measurement", (0,)), ("Measurement", (2,)),
    ]  # fmt: skip


def test_progress_rises_through_training_and_measuring(tmp_path: Path) -> None:
    """Trained is not done: all of the work is done once the horizons are known."""
    seen: list[tuple[float, bool]] = []
    with Store(tmp_path) as store:
        keys = [run_key(task.spec, seed) for task in tasks() for seed in task.seeds]

        def tell(state: RunProgress) -> None:
            found = [store.get(key) for key in keys] if len(seen) % 5 == 0 else []
            seen.append((state.share, bool(found) and all(own is not None for own in found)))

        run(tasks(), store, progress=RunProgress(tell), executor=None, jobs=1)
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    trained = next(share for share, whole in seen if whole)
    assert trained < 0.9


@pytest.mark.thorough
def test_another_process_measures_the_same(true: Path, tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        ran(tasks(2), tmp_path, executor=pool)
    found = content(tmp_path)
    assert found == {key: content(true)[key] for key in found}


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm", "rnn_relu"])
def test_a_diverged_network_has_an_honest_bracket(cell: str, number: float) -> None:
    """However sharp its gates are said to be: nothing is proved of it, and nothing is made up."""
    own = made_up(replace(small(), cell=cell_named(cell)), 0, {})
    broken = replace(own, kept=np.full_like(own.weights, number))
    (done,) = measure(Measurement(broken, AIMS))
    assert [known.factor for known in done.outcome.horizons] == [1.0, 4.0]
    for known in done.outcome.horizons:
        assert known.horizon.proved <= 1  # no word of Dyck-1 has one symbol
        assert known.answers(HorizonAim(known.horizon.search, known.factor))


@pytest.mark.parametrize("name", ["anbn", "anbncndn", "shuffle-2", "dyck-2", "dyck-1 || anbn"])
@pytest.mark.parametrize("steps", ["all", "last"])
def test_every_language_has_a_bracket(name: str, steps: str) -> None:
    spec = replace(small(), language=language_named(name), training=5, test=2, steps=steps)
    (done,) = measure(Measurement(made_up(spec, 1, {}), AIMS))
    assert done.outcome.unanswered(AIMS) == ()
    for known in done.outcome.horizons:
        assert known.horizon.proved <= known.horizon.search.to
        if known.horizon.wrong is not None:
            assert known.horizon.wrong.word in spec.language


def test_only_the_steps_that_count_are_measured() -> None:
    lengths = set()
    for seed, steps in ((seed, steps) for seed in range(8) for steps in ("all", "last")):
        own = made_up(replace(small(), steps=steps), seed, {})
        (done,) = measure(Measurement(own, AIMS[:1]))
        found = done.outcome.horizon()
        alone = horizon(own.networks, 0, own.spec.language, AIMS[0].search, steps=steps)
        assert found is not None
        assert replace(found, seconds=0.0) == replace(alone, seconds=0.0)
        lengths.add((steps, None if found.wrong is None else len(found.wrong)))
    assert {length for steps, length in lengths if steps == "all"} != {
        length for steps, length in lengths if steps == "last"
    }


def test_without_an_end_what_was_known_when_time_ran_out(tmp_path: Path) -> None:
    own = made_up(small(), 0, {})
    (done,) = measure(Measurement(own, AIMS), seconds=1e-9)
    for known, aim in zip(done.outcome.horizons, AIMS, strict=True):
        assert known.horizon.reached < aim.search.budget or known.horizon.done
    (again,) = measure(Measurement(done, done.outcome.unanswered(AIMS)))
    assert again.outcome.unanswered(AIMS) == ()
    assert len(again.outcome.horizons) == 2
