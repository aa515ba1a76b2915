"""Running: the store ends with exactly what was asked, and nothing is worked out twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abacist.corpora import draw
from abacist.engine import judge, train
from abacist.experiments import (
    SETS,
    Job,
    Results,
    Run,
    Store,
    Task,
    compute,
    jobs_for,
    results,
    run,
    run_key,
    running,
    set_recipe,
    work,
)
from abacist.experiments.rows import run_of
from abacist.languages import Dyck, language_named
from abacist.progress import Progress
from abacist.targets import target_for
from tests.experiments.cases import content, flip, runs_of, small, tasks_by_rate

TASK = Task("tiny", small(), tuple(range(20)))


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("there was nothing to do")


def test_the_store_ends_with_exactly_what_was_asked(store: Store) -> None:
    tasks = [TASK, *tasks_by_rate(3), Task("tiny", small(epochs=2), (4, 9), ("long",), (0, 1))]
    run(tasks, store)
    asked = {run_key(task.spec, seed): task for task in tasks for seed in task.seeds}
    assert {found.key: found.outcome.known() for found in runs_of(store)} == {
        key: t.wanted() for key, t in asked.items()
    }
    assert jobs_for(tasks, Results.of(store)) == []


def test_a_second_time_does_nothing(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run([TASK], store)
    before = content(tmp_path)
    monkeypatch.setattr(running, "compute", never)
    run([TASK, replace(TASK, seeds=(3, 5), sets=("short",))], store)
    assert content(tmp_path) == before


def test_more_runs_only_work_out_those(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run([replace(TASK, seeds=tuple(range(5)))], store)
    assert {seed for job in jobs_for([TASK], Results.of(store)) for seed in job.seeds} == set(range(5, 20))
    run([TASK], store)
    assert len(store) == 20


@pytest.mark.parametrize(
    "spec", [small(), small(precision="float64", batch=4), small(epochs=5, steps="last", rate=0.05)]
)
def test_accuracies_are_those_of_the_engine_at_every_epoch(store: Store, spec: Any) -> None:
    at = (0, 1, spec.epochs - 1)
    seeds = tuple(range(3, 14))
    run([Task("tiny", spec, seeds, at_epochs=at)], store)
    for epoch in (*at, spec.epochs):
        trained = train(replace(spec, epochs=epoch), seeds)
        shares = judge(spec, seeds, trained.networks)
        for number, seed in enumerate(seeds):
            found = store.get(run_key(spec, seed))
            assert found is not None
            for name in ("training", "short", "long"):
                assert found.accuracy(name, epoch) == shares.of(name)[number]
    for number, seed in enumerate(seeds):
        found = store.get(run_key(spec, seed))
        assert found is not None
        assert found.weights.tobytes() == trained.networks.parameters[number].tobytes()
        assert list(found.outcome.losses) == trained.losses[number].tolist()


def test_a_job_gives_exactly_what_it_wants() -> None:
    wanted = frozenset({("short", 1), ("long", 2), ("training", 0)})
    told: list[float] = []
    runs = compute(Job(small(), (4, 5), wanted), Progress(lambda own: told.append(own.share)))
    assert [found.seed for found in runs] == [4, 5]
    assert all(found.outcome.known() == wanted for found in runs)
    assert told[0] == 0
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)


def test_a_run_knows_the_versions_and_the_processor_it_was_made_with() -> None:
    """As the compiler sees it: results may depend on it in their last bits."""
    (found,) = compute(Job(small(), (4,), frozenset()))
    versions = found.outcome.versions
    assert set(versions) == {"abacist", "python", "numpy", "numba", "llvmlite", "processor", "features"}
    assert all(versions.values())
    assert found.outcome.processor == (versions["processor"], versions["features"])
    assert target_for(small().layout).versions().items() <= versions.items()


def test_more_sets_later_are_only_judged(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run([replace(TASK, sets=("short",))], store)
    monkeypatch.setattr(work, "Block", never)
    run([TASK], store)
    with Store(tmp_path / "at once") as other:
        monkeypatch.undo()
        run([TASK], other)
        assert content(tmp_path) == content(tmp_path / "at once")


def test_what_was_known_is_not_forgotten_when_more_epochs_are_asked_for(store: Store) -> None:
    """Else two experiments on the same networks would take turns in undoing each other."""
    first, second = replace(TASK, sets=("short",), at_epochs=(1,)), replace(TASK, at_epochs=(2,))
    run([first], store)
    run([second], store)
    assert jobs_for([first], Results.of(store)) == []
    run([replace(TASK, sets=("long",))], store, force=True)
    found = Results.of(store)
    assert jobs_for([first], found) == jobs_for([second], found) == []


def test_force_works_out_again_with_the_same_content(
    store: Store, computed: list[Job], tmp_path: Path
) -> None:
    run([TASK], store)
    before = content(tmp_path)
    computed.clear()
    run([TASK], store, force=True)
    assert sorted(seed for job in computed for seed in job.seeds) == list(range(20))
    assert content(tmp_path) == before


def test_tasks_on_the_same_networks_are_worked_out_together(store: Store, tmp_path: Path) -> None:
    first = replace(TASK, sets=("short",), at_epochs=(1,))
    second = replace(TASK, experiment="other", sets=("long",), seeds=tuple(range(10, 30)))
    todo = jobs_for([first, second], Results.of(store))
    assert sorted(seed for job in todo for seed in job.seeds) == list(range(30))
    run([first, second], store)
    found = Results.of(store)
    assert jobs_for([first], found) == jobs_for([second], found) == []
    assert len(store) == 30


def test_a_damaged_run_is_named_and_recomputed(store: Store, computed: list[Job], tmp_path: Path) -> None:
    run([TASK], store)
    before = content(tmp_path)
    computed.clear()
    flip(tmp_path, "weights", seed=3)
    told: list[str] = []
    found = run([TASK], store, warn=told.append)
    assert [job.seeds for job in computed] == [(3,)]
    (sentence,) = told
    assert f"run {run_key(TASK.spec, 3)} is damaged" in sentence
    assert (len(found.runs), found.left_out) == (20, ())
    assert content(tmp_path) == before


def test_a_damaged_run_of_something_else_is_named_once_and_left_alone(store: Store, tmp_path: Path) -> None:
    other = Task("other", small(rate=0.5), (3,))
    run([other], store)
    flip(tmp_path, "results", seed=3)
    told: list[str] = []
    found = run([TASK], store, warn=told.append)
    assert told == list(found.left_out)
    assert f"run {run_key(other.spec, 3)} is damaged" in told[0]
    assert (len(told), len(found.runs), len(store)) == (1, 20, 21)


def test_each_row_is_read_once_where_nothing_is_missing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run([TASK], store)
    monkeypatch.setattr(Store, "get", never)
    read: list[str] = []

    def counted(row: Any, *weights: Any) -> Run:
        read.append(row[0])
        return run_of(row, *weights)

    monkeypatch.setattr(results, "run_of", counted)
    run([TASK], store)
    assert sorted(read) == sorted({run_key(TASK.spec, seed) for seed in TASK.seeds})


def test_crossing_and_nested_sets_are_as_large_and_as_long_as_the_papers(store: Store) -> None:
    spec = replace(small(), language=language_named("shuffle-2"))
    for name in ("crossing short", "crossing long", "nested short", "nested long"):
        recipe, split = set_recipe(spec, 5, name)
        plain, crossing = draw(spec.recipe(5))[split], draw(recipe)[split]
        assert plain.split == crossing.split
        words = [tuple(word) for word in crossing]
        assert all(word in spec.language for word in words)
        assert all(len(word) in crossing.split.window for word in words)
        stack = Dyck(2)
        assert any(word not in stack for word in words) == name.startswith("crossing")
        assert all(tuple(word) in stack for word in plain)
    run([Task("crossing", spec, (0, 1), SETS[1:7])], store)
    assert all(found.outcome.known() == {(name, 3) for name in SETS[1:7]} for found in runs_of(store))
