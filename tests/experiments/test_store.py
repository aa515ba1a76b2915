"""The store: what is put in comes out again, under a name that only its own content has."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import CELLS, Initialisation
from abacist.corpora import Grammar, Uniform, Window
from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Run, Store, run_key
from abacist.languages import language_named
from abacist.optimisers import Schedule
from abacist.specs import Lesson, Pretraining, Spec
from tests.experiments.cases import everything, made_up, runs_of, small
from tests.ordinary import closed, closed_folder

SHARES = {"short": {"1": 0.25, "3": 1 / 3}, "long": {"3": 1.0}}

#: Every field of a spec with another value.
CHANGES: dict[str, Any] = {
    "pool": 7,
    "language": language_named("shuffle-2"), "cell": CELLS["lstm"], "hidden": 3, "epochs": 4, "batch": 2,
    "rate": np.nextafter(0.001, 1), "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-7, "precision": "float64",
    "steps": "last", "source": Uniform(Grammar()), "training": 41, "test": 11, "short": Window(2, 14),
    "long": Window(14, 22), "decay": 0.1, "order": "own", "lesson": Lesson(rounds=1),
    "optimiser": "sgd", "momentum": 0.5, "smoothing": 0.9, "clip_norm": 1.0, "clip_value": 0.1,
    "layers": 2, "objective": "cross-entropy", "threshold": 0.2, "distinct": False,
    "schedule": Schedule("step", 3), "init": Initialisation(True), "pretrain": Pretraining(epochs=1),
    "carry_states": True, "state_noise": 0.5,
}  # fmt: skip

#: What reads a field that the usual optimiser or objective does not.
READ_BY = {
    "momentum": {"optimiser": "sgd"},
    "smoothing": {"optimiser": "rmsprop"},
    "threshold": {"objective": "next-symbol"},
}


def changed(field: str) -> tuple[Spec, Spec]:
    """A spec, and the same with another value of a field."""
    usual = small(**READ_BY.get(field, {}))
    return usual, replace(usual, **{field: CHANGES[field]})


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_get_is_the_inverse_of_put(store: Store, precision: str) -> None:
    spec = small(precision=precision, source=Uniform(), rate=0.1 + 0.2)
    odd = np.zeros(spec.layout.size, precision)
    odd[:5] = [np.nan, -0.0, np.inf, np.finfo(precision).tiny / 4, np.finfo(precision).max]
    runs = [made_up(spec, 3, SHARES), Run(spec, 2**62, made_up(spec, 0, SHARES).outcome, odd)]
    store.put(runs)
    for run in runs:
        found = store.get(run.key)
        assert found is not None
        assert everything(found) == everything(run)
        assert found.networks.layout == spec.layout
        assert found.networks.parameters[0].tobytes() == run.weights.tobytes()
    assert len(store) == 2


def test_put_replaces_a_run_of_the_same_name(store: Store) -> None:
    first, second = made_up(small(), 1, SHARES), made_up(small(), 1, {"short": {"3": 0.5}}, diverged=2)
    store.put([first])
    store.put([second])
    assert [everything(run) for run in runs_of(store)] == [everything(second)]


def test_a_block_is_put_whole_or_not_at_all(store: Store) -> None:
    def block() -> Any:
        yield made_up(small(), 1, SHARES)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.put(block())
    assert len(store) == 0
    store.put([made_up(small(), 1, SHARES)])
    assert len(store) == 1


def test_every_field_has_another_value_here() -> None:
    assert set(CHANGES) == set(small().as_dict())


@pytest.mark.parametrize("field", CHANGES)
def test_the_key_changes_with_every_field(store: Store, field: str) -> None:
    """So that a changed spec never reuses an old result."""
    usual, other = changed(field)
    assert run_key(other, 0) != run_key(usual, 0)
    store.put([made_up(usual, 0, SHARES)])
    assert store.get(run_key(other, 0)) is None


def test_the_key_changes_with_the_seed_and_with_nothing_else() -> None:
    keys = [run_key(small(), seed) for seed in range(100)]
    assert len(set(keys)) == 100
    assert keys == [run_key(small(), seed) for seed in range(100)]
    assert made_up(small(), 5, SHARES).key == made_up(small(), 5, {}).key == keys[5]


def test_iteration_is_by_spec_and_then_by_seed_whatever_the_order_of_writing(store: Store) -> None:
    runs = [made_up(small(rate=rate), seed, SHARES) for rate in (0.1, 0.2) for seed in (0, 1, 2, 10, 11)]
    store.put(np.random.default_rng(0).permutation(np.array(runs, object)))
    assert [run.key for run in runs_of(store)] == [run.key for run in runs]


def test_accuracy_is_that_of_the_last_epoch_unless_told() -> None:
    run = made_up(small(), 0, SHARES)
    assert run.accuracy("short") == run.accuracy("short", 3) == 1 / 3
    assert run.accuracy("short", 1) == 0.25
    assert run.accuracy("short", 2) is None
    assert run.accuracy("training") is None
    assert run.outcome.known() == {("short", 1), ("short", 3), ("long", 3)}


def test_a_store_of_another_version_is_refused(store: Store, tmp_path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("PRAGMA user_version = 7")
    sentence = f"{FILE_NAME}: the store has version 7, but this Abacist reads versions 1 to 4$"
    with pytest.raises(BadFile, match=sentence):
        Store(tmp_path)


def test_results_are_kept_as_json(store: Store, tmp_path: Path) -> None:
    """So that others can read them without Abacist."""
    store.put([made_up(small(), 4, SHARES)])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        rows = connection.execute("SELECT spec, seed, results FROM runs").fetchall()
    ((spec, seed, results),) = rows
    assert (json.loads(spec)["hidden"], seed, json.loads(results)["accuracy"]) == (2, 4, SHARES)


def test_a_store_that_must_not_be_written_can_be_read() -> None:
    run = made_up(small(), 1, SHARES)
    with closed_folder() as folder:
        with Store(folder) as first:
            first.put([run])
        with closed(folder):
            with pytest.raises(BadFile, match="cannot be written"):
                Store(folder)
            with Store(folder, reading=True) as only_read:
                assert [everything(found) for found in runs_of(only_read)] == [everything(run)]
                with pytest.raises(BadFile, match="cannot be written"):
                    only_read.put([made_up(small(), 2, SHARES)])
        assert [path.name for path in folder.iterdir()] == [FILE_NAME]
        (folder / FILE_NAME).write_bytes(b"no store" * 200)
        with closed(folder), pytest.raises(BadFile, match="the store is damaged"):
            Store(folder, reading=True)


def test_threads_share_a_store(store: Store) -> None:
    """`tell` is called from threads that work: all of them read and write as they please."""
    own = [made_up(small(), seed, SHARES) for seed in range(8)]
    store.put(own)

    def work(number: int) -> int:
        seen = 0
        for _ in range(10):
            store.claim([f"{number}"])
            seen += sum(store.get(run.key) is not None for run in own) + len({row[0] for row in store.rows()})
            store.put([own[number]])
        return seen

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == 4 * [10 * 16]
    assert len(store) == 8
