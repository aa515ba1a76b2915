"""What experiments, stores and statistics cannot take is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abacist.errors import BadInput
from abacist.experiments import (
    Experiment,
    Figures,
    Job,
    Outcome,
    Results,
    Run,
    Store,
    Task,
    check_claims,
    compute,
    exact_p_value,
    experiment_named,
    holm,
    jobs_for,
    joint_p_value,
    load_experiment,
    median_interval,
    p_value,
    parse_experiment,
    percents,
    rank_correlation,
    run,
    run_key,
    set_recipe,
    share_p_value,
    summarise,
)
from abacist.experiments.statistics import exact_median_interval
from tests.experiments.cases import made_up, small, view
from tests.wrong_input import is_refused

TASK = Task("tiny", small(), (0, 1))


@pytest.mark.parametrize(
    "changed",
    [
        {"spec": None},
        {"seeds": "ab"},
        {"seeds": 3},
        {"seeds": [0]},
        {"seeds": (0.5,)},
        {"seeds": (-1,)},
        {"seeds": (0, 0)},
        {"sets": "short"},
        {"sets": (3,)},
        {"at_epochs": 1},
        {"at_epochs": ("1",)},
        {"at_epochs": (99,)},
    ],
)
def test_tasks(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"experiment": "tiny", "spec": small(), "seeds": (0,)}
    is_refused(lambda: Task(**usual | changed))


@pytest.mark.parametrize("tasks", [None, TASK, [TASK.spec], experiment_named("table-3"), "table-3"])
def test_what_to_run(tmp_path: Path, tasks: Any) -> None:
    with Store(tmp_path) as store:
        is_refused(lambda: run(tasks, store))
    is_refused(lambda: jobs_for(tasks, None))


@pytest.mark.parametrize("store", [None, "results", Path("results")])
def test_stores_to_run_in(store: Any) -> None:
    is_refused(lambda: run([TASK], store))
    is_refused(lambda: Results.of(store))


@pytest.mark.parametrize("jobs", [-1, 0, "2", 1.5])
def test_blocks_at_once(tmp_path: Path, jobs: Any) -> None:
    with Store(tmp_path) as store:
        is_refused(lambda: run([TASK], store, jobs=jobs))


@pytest.mark.parametrize(
    "changed",
    [
        {"spec": None},
        {"seeds": ()},
        {"seeds": "01"},
        {"wanted": frozenset({("nowhere", 1)})},
        {"wanted": frozenset({("short", 99)})},
        {"wanted": None},
    ],
)
def test_jobs(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"spec": small(), "seeds": (0,), "wanted": frozenset()}
    is_refused(lambda: Job(**usual | changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"spec": small()},
        {"spec": small(epochs=9)},
        {"spec": small(epochs=1, rate=0.5)},
        {"seeds": (0, 7)},
        {"start": (made_up(small(epochs=1), 0, {}),)},
        {"shorter": (Job(small(epochs=0), (0,), frozenset()),)},
    ],
)
def test_shorter_jobs(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"spec": small(epochs=1), "seeds": (0,), "wanted": frozenset()}
    whole = Job(small(), (0, 1), frozenset(), shorter=(Job(**usual),))
    assert len(whole.keys) == 3
    is_refused(lambda: replace(whole, shorter=(Job(**usual | changed),)))
    is_refused(lambda: replace(whole, shorter=("shorter",)))  # type: ignore[arg-type]
    is_refused(lambda: replace(whole, start=tuple(made_up(small(), seed, {}) for seed in (0, 1))))


def test_what_is_no_job() -> None:
    wrong: Any = TASK
    is_refused(lambda: compute(wrong))


@pytest.mark.parametrize("folder", [None, 3, ["results"]])
def test_folders_of_stores(folder: Any) -> None:
    is_refused(lambda: Store(folder))


@pytest.mark.parametrize("wrong", [3, "abc", [3]])
def test_runs_and_keys_of_a_store(tmp_path: Path, wrong: Any) -> None:
    with Store(tmp_path) as store:
        is_refused(lambda: store.put(wrong))
        is_refused(lambda: store.claim(wrong))
        is_refused(lambda: store.release(wrong))
        is_refused(lambda: store.get([wrong]))  # type: ignore[arg-type]
        assert len(store) == 0


@pytest.mark.parametrize("wrong", [None, "table-3", small()])
def test_results_of_what_is_no_task(wrong: Any) -> None:
    is_refused(lambda: view([]).complete(wrong))
    is_refused(lambda: check_claims(wrong))
    is_refused(lambda: percents([wrong], "short"))


def test_keys_and_sets() -> None:
    wrong: Any = None
    is_refused(lambda: run_key(wrong, 0))
    is_refused(lambda: run_key(small(), wrong))
    is_refused(lambda: set_recipe(small(), 0, wrong))
    with pytest.raises(BadInput, match="unknown set 'middle'"):
        set_recipe(small(), 0, "middle")


@pytest.mark.parametrize("shares", [None, [], "ab", [[1.0], [2.0]], ["a"], 3])
def test_accuracies_of_statistics(shares: Any) -> None:
    is_refused(lambda: summarise(shares))
    is_refused(lambda: p_value(shares, 1.0, "min"))
    is_refused(lambda: median_interval(shares))
    is_refused(lambda: exact_median_interval(shares))


def test_statistics() -> None:
    wrong: Any = "a"
    is_refused(lambda: p_value([1.0], wrong, "min"))
    is_refused(lambda: p_value([1.0], 1.0, "mean"))
    is_refused(lambda: p_value([1.0], 1.0, "min", 0))
    is_refused(lambda: exact_p_value([1.0], 1.0, "min", 0))
    is_refused(lambda: holm([0.5, wrong]))
    is_refused(lambda: share_p_value(11, 10, 1, 10))
    is_refused(lambda: rank_correlation([1.0], [1.0, 2.0]))
    is_refused(lambda: joint_p_value({"short": [1.0]}, {"short": Figures(1, 2, 3)}))
    is_refused(lambda: Figures(1, 2, 3).of("mean"))
    is_refused(lambda: check_claims(view([]), at_least=0))


def test_experiments() -> None:
    wrong: Any = None
    is_refused(lambda: Experiment("mine", wrong, ()))
    is_refused(lambda: experiment_named(wrong))
    is_refused(lambda: experiment_named("table-3", runs=0))
    is_refused(lambda: load_experiment(wrong))
    is_refused(lambda: parse_experiment(wrong, "mine.toml"))
    is_refused(lambda: parse_experiment("", wrong))


@pytest.mark.parametrize(
    "changed",
    [{"accuracy": None}, {"accuracy": {"short": 3}}, {"accuracy": {"short": {1: "a"}}}, {"losses": 3}],
)
def test_outcomes(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {
        "accuracy": {}, "losses": (), "diverged": None, "begun": 0.0, "seconds": 0.0, "versions": {},
    }  # fmt: skip
    is_refused(lambda: Outcome(**usual | changed))


def test_runs() -> None:
    whole, wrong = made_up(small(), 0, {}), "a"
    is_refused(lambda: Run(small(), 0, whole.outcome, wrong))  # type: ignore[arg-type]
    is_refused(lambda: Run(wrong, 0, whole.outcome, whole.weights))  # type: ignore[arg-type]
