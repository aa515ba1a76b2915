"""Shards: disjoint, together everything, the same on every target and in every plan; the command's option."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.errors import BadInput
from abacist.experiments import Shard, Task, experiment_named, jobs_for, run_key
from abacist.targets import target_named
from tests.cli.command import inside, refused
from tests.experiments.cases import TINY, content, small

TASKS = st.lists(
    st.builds(
        lambda rate, epochs, precision, seeds: Task(
            "sweep", small(rate=rate, epochs=epochs, precision=precision), tuple(seeds)
        ),
        st.sampled_from((0.01, 0.02, 0.03)),
        st.sampled_from((1, 2, 5)),
        st.sampled_from(("float32", "float64")),
        st.lists(st.integers(0, 60), max_size=40, unique=True),
    ),
    max_size=6,
)


def keys(tasks: list[Task]) -> list[str]:
    return [run_key(task.spec, seed) for task in tasks for seed in task.seeds]


def shards(tasks: list[Task], count: int) -> list[list[Task]]:
    return [Shard(number, count).of(tasks) for number in range(1, count + 1)]


@given(TASKS, st.integers(1, 9))
def test_shards_are_disjoint_and_together_everything(tasks: list[Task], count: int) -> None:
    parts = shards(tasks, count)
    assert Counter(key for part in parts for key in keys(part)) == Counter(keys(tasks))
    owners = Counter(key for part in parts for key in set(keys(part)))
    assert set(owners.values()) <= {1}


@given(TASKS, st.integers(1, 9), st.sampled_from((1, 5, 16, 40, 4_000)), st.randoms(use_true_random=False))
def test_a_run_has_the_same_shard_on_every_target_and_in_every_plan(
    tasks: list[Task], count: int, block: int, rng: Random
) -> None:
    """Two machines need not have the same blocks, nor name tasks and seeds in the same order, nor all of
    them: none is left out and none is computed twice."""
    here = [set(keys(part)) for part in shards(tasks, count)]
    there = [replace(task, seeds=tuple(rng.sample(task.seeds, len(task.seeds)))) for task in tasks]
    rng.shuffle(there)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(target_named()), "block", lambda _target, _spec: block)
        assert [set(keys(part)) for part in shards(there, count)] == here
        half = there[: len(there) // 2]
        assert [set(keys(part)) for part in shards(half, count)] == [part & set(keys(half)) for part in here]


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_shards_have_the_blocks_of_the_whole(precision: str) -> None:
    """So nothing is trained twice, and no block is computed for a few of its runs; each epoch on the way to
    the last stays with it."""
    tasks = [
        Task("sweep", small(rate=rate, epochs=epochs, precision=precision), tuple(range(70)))
        for rate in (0.01, 0.02, 0.03)
        for epochs in (1, 2, 5)
    ]
    for count in (2, 3, 8):
        parts = [jobs_for(part, None) for part in shards(tasks, count)]
        blocks = sorted(job.keys for part in parts for job in part)
        assert blocks == sorted(job.keys for job in jobs_for(tasks, None))


def test_the_papers_table_is_shared_out_evenly() -> None:
    tasks = list(experiment_named("table-3", runs=400).tasks)
    work = [sum(job.size for job in jobs_for(part, None)) for part in shards(tasks, 4)]
    assert max(work) < 1.15 * min(work)


@pytest.mark.parametrize(
    "text", ["", "1", "0/4", "5/4", "-1/4", "a/b", "1/4/2", "1/0", "½/2", "1/" + "9" * 20]
)
def test_a_shard_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="shard"):
        Shard.parse(text)
    sentence = refused("train", "dyck-1", "rnn", "--out", str(tmp_path / "new"), f"--shard={text}")
    assert "a shard" in sentence
    assert not (tmp_path / "new").exists()


def test_a_shard_is_read_as_it_is_written() -> None:
    assert str(Shard.parse("3/7")) == "3/7"
    with pytest.raises(BadInput, match="from 1 to 2, got 3"):
        Shard(3, 2)


def test_the_shards_of_a_command_fill_stores_with_its_runs(tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text(TINY + "runs = 20\nrate = [0.01, 0.02]\n")
    ask = ("run", str(file), "--results")
    assert inside(*ask, str(tmp_path / "whole"))[0] == 0
    together: dict[str, object] = {}
    for number in (1, 2, 3):
        folder = tmp_path / str(number)
        assert inside(*ask, str(folder), "--shard", f"{number}/3")[0] == 0
        assert not together.keys() & content(folder).keys()
        together |= content(folder)
    assert together == content(tmp_path / "whole")


def test_an_empty_shard_says_so(tmp_path: Path) -> None:
    ask = ("train", "dyck-1", "rnn", "--runs", "2", "--epochs", "1", "--out", str(tmp_path / "results"))
    code, output, errors = inside(*ask, "--shard", "2/2")
    assert (code, output) == (0, "")
    assert errors == "shard 2/2 has no runs: the plan is too small for so many shards\n"
    assert inside(*ask, "--shard", "2/2", "--dry-run")[0] == 0


def test_a_task_without_seeds_has_no_part(tmp_path: Path) -> None:
    assert Shard(1, 1).of([replace(Task("none", small(), (0,)), seeds=())]) == []
