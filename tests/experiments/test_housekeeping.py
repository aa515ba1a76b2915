"""Stores merged, runs deleted, room given back: all of it or nothing, also when it is killed."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search
from abacist.errors import BadFile, BadInput
from abacist.experiments import FILE_NAME, HorizonAim, Run, Store, delete, merge, vacuum
from abacist.progress import Progress
from tests.experiments.cases import (
    child,
    content,
    ended,
    everything,
    flip,
    keep,
    made_up,
    made_up_horizons,
    results_in,
    runs_in,
    small,
)


def run_of(seed: int, sets: tuple[str, ...] = ("short",), **results: Any) -> Run:
    return made_up(small(), seed, {name: {"3": 0.5} for name in sets}, **results)


def stored(folder: Path) -> dict[str, tuple[Any, ...]]:
    """All that a store has, timings included."""
    return {run.key: everything(run) for run in runs_in(folder)}


def test_merged_stores_are_the_union_of_their_runs(tmp_path: Path) -> None:
    """Whichever comes first, and as often as they are merged."""
    chance = random.Random(7)
    runs = [run_of(seed) for seed in range(30)]
    for number in range(4):
        keep(tmp_path / str(number), chance.sample(runs, 12))
    union = {key: kept for number in range(4) for key, kept in stored(tmp_path / str(number)).items()}
    for name in ("one", "other"):
        sources = [tmp_path / str(number) for number in range(4)]
        chance.shuffle(sources)
        made = merge(tmp_path / name, sources)
        assert (made.new, made.joined, made.new + made.same) == (len(union), 0, 48)
        assert stored(tmp_path / name) == union
        again = merge(tmp_path / name, sources)
        assert (again.new, again.joined, again.same) == (0, 0, 48)
        assert results_in(tmp_path / name).left_out == ()


def test_what_each_store_knows_of_a_run_is_joined(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    plain = (HorizonAim(Search(20)), HorizonAim(Search(20), 2.0))
    for seed in range(12):
        deep = made_up_horizons((HorizonAim(Search(60), certify=True),))
        keep(tmp_path / "a", [run_of(seed, ("short", "long"), begun=2.5)])
        keep(tmp_path / "b", [run_of(seed, ("short", "training"), horizons=made_up_horizons(plain))])
        keep(tmp_path / "c", [run_of(seed, ("crossing long",), horizons=deep if rng.random() < 0.5 else ())])
    assert merge(tmp_path / "a", [tmp_path / "b", tmp_path / "c"]).joined == 24
    for run in runs_in(tmp_path / "a"):
        assert set(run.outcome.accuracy) == {"short", "long", "training", "crossing long"}
        assert run.outcome.begun == 2.5
        for name in ("b", "c"):
            (other,) = [own for own in runs_in(tmp_path / name) if own.key == run.key]
            for known in other.outcome.horizons:
                own = run.outcome.horizon(known.factor)
                assert own is not None
                assert own.proved >= known.horizon.proved
                assert own.answers(known.horizon.search)
    before = stored(tmp_path / "a")
    assert merge(tmp_path / "a", [tmp_path / "b", tmp_path / "c"]).same == 24
    assert stored(tmp_path / "a") == before


def other_weights(run: Run) -> Run:
    weights = run.weights.copy()
    weights.view(np.uint32)[3] ^= 1  # the last bit of one of them
    return replace(run, kept=weights)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (other_weights, "weights"),
        (lambda run: replace(run, outcome=replace(run.outcome, losses=(0.5, 0.125))), "losses"),
        (lambda run: replace(run, outcome=replace(run.outcome, accuracy={"short": {3: 0.75}})), "accuracies"),
        (lambda run: replace(run, outcome=replace(run.outcome, diverged=1)), "divergence"),
    ],
)
def test_a_run_that_is_not_the_same_is_named_and_nothing_is_changed(
    tmp_path: Path, change: Callable[[Run], Run], named: str
) -> None:
    keep(tmp_path / "into", [run_of(seed) for seed in (0, 5)])
    keep(tmp_path / "new", [run_of(seed) for seed in (1, 2)])
    keep(tmp_path / "from", [run_of(seed) for seed in range(3, 5)] + [change(run_of(5))])
    before = stored(tmp_path / "into")
    for place in ("into", "nowhere"):
        sources = [tmp_path / "new", tmp_path / "into" if place == "nowhere" else tmp_path / "new"]
        with pytest.raises(BadFile, match=f"run {run_of(5).key} of .*from .* has another with other {named}"):
            merge(tmp_path / place, [*sources, tmp_path / "from"])
    assert stored(tmp_path / "into") == before
    assert results_in(tmp_path / "into").left_out == ()
    assert not (tmp_path / "nowhere" / FILE_NAME).exists()


def test_runs_of_other_processors_are_told(tmp_path: Path) -> None:
    both = [other_weights(run_of(0, versions={"processor": "one"})), run_of(0, versions={"processor": "two"})]
    for name, run in zip("ab", both, strict=True):
        keep(tmp_path / name, [run])
    with pytest.raises(BadFile, match='computed on different processors, "two" or "one"'):
        merge(tmp_path / "b", [tmp_path / "a"])


def test_a_damaged_run_is_not_merged_and_one_that_is_damaged_is_mended(tmp_path: Path) -> None:
    for name in ("a", "b"):
        keep(tmp_path / name, [run_of(seed) for seed in range(3)])
    whole = stored(tmp_path / "a")
    flip(tmp_path / "b", "weights", seed=1)
    with pytest.raises(BadFile, match=f"run {run_of(1).key} is damaged, so nothing was merged; `abacist rep"):
        merge(tmp_path / "a", [tmp_path / "b"])
    assert stored(tmp_path / "a") == whole
    assert merge(tmp_path / "b", [tmp_path / "a"]).new == 1
    assert stored(tmp_path / "b") == whole


def test_a_store_is_not_merged_into_itself(tmp_path: Path) -> None:
    keep(tmp_path / "a", [run_of(0)])
    (tmp_path / "link").symlink_to(tmp_path / "a")
    for own in ("a", "link"):
        with pytest.raises(BadInput, match="a store cannot be merged into itself"):
            merge(tmp_path / "a", [tmp_path / own])
    with pytest.raises(BadFile, match="cannot be opened, no such file"):
        merge(tmp_path / "b", [tmp_path / "nothing"])
    assert not (tmp_path / "b").exists()


def test_deleted_runs_are_gone_and_not_missed(tmp_path: Path) -> None:
    runs = [run_of(seed) for seed in range(10)]
    keep(tmp_path, runs)
    gone = [run.key for run in runs[::3]]
    assert delete(tmp_path, [*gone, "not there"]) == 4
    assert set(stored(tmp_path)) == {run.key for run in runs} - set(gone)
    assert results_in(tmp_path).left_out == ()
    keep(tmp_path, runs[:1])
    assert len(stored(tmp_path)) == 7


def test_a_store_that_is_being_filled_keeps_its_runs(tmp_path: Path) -> None:
    keep(tmp_path / "a", [run_of(seed) for seed in range(3)])
    with Store(tmp_path / "a") as other:
        other.claim([run_of(9).key])
        for change in (lambda: delete(tmp_path / "a", [run_of(0).key]), lambda: vacuum(tmp_path / "a")):
            with pytest.raises(BadFile, match="another process is filling it, so try again"):
                change()
        assert merge(tmp_path / "b", [tmp_path / "a"]).filling == (tmp_path / "a",)
        other.release()
    assert len(stored(tmp_path / "a")) == 3
    assert delete(tmp_path / "a", [run_of(0).key]) == 1


def test_room_is_given_back(tmp_path: Path) -> None:
    runs = [run_of(seed, tuple(f"set {n}" for n in range(50))) for seed in range(200)]
    keep(tmp_path, runs)
    delete(tmp_path, [run.key for run in runs[10:]])
    left = stored(tmp_path)
    before, after = vacuum(tmp_path)
    assert after == (tmp_path / FILE_NAME).stat().st_size < before / 2
    assert stored(tmp_path) == left


def test_room_is_not_given_back_where_someone_stops_it(tmp_path: Path) -> None:
    keep(tmp_path, [run_of(seed) for seed in range(60)])
    before = stored(tmp_path)

    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vacuum(tmp_path, progress=Progress(stop))
    assert stored(tmp_path) == before


#: Does something to stores again and again, each time in a process that kills itself once it has said for
#: the nth time that it goes on.
KILLED = """
import os, signal, sys
from pathlib import Path
from abacist.experiments import merge, vacuum
from abacist.progress import Progress

folder, what = Path(sys.argv[1]), sys.argv[2]

def work(left):
    def going(*_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    if what == "merge":
        merge(folder / "into", [folder / "from"], progress=Progress(going))
    else:
        vacuum(folder / "into", progress=Progress(going))

for left in map(int, sys.argv[3:]):
    process = os.fork()
    if process == 0:
        work(left)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("what", "moments"), [("merge", (1, 3, 5)), ("vacuum", (1, 4, 8))])
def test_a_kill_leaves_a_store_as_it_was(tmp_path: Path, what: str, moments: tuple[int, ...]) -> None:
    keep(tmp_path / "into", [run_of(seed) for seed in range(200)])
    keep(tmp_path / "from", [run_of(seed, ("short", "long")) for seed in range(40, 400)])
    if what == "vacuum":
        delete(tmp_path / "into", [run_of(seed).key for seed in range(0, 200, 2)])
    before = content(tmp_path / "into")
    code, said, errors = ended(child(KILLED, str(tmp_path), what, *map(str, moments)))
    assert (code, said.split(), errors) == (0, [str(-signal.SIGKILL)] * 3, "")
    assert content(tmp_path / "into") == before
    if what == "merge":
        merge(tmp_path / "into", [tmp_path / "from"])
    else:
        vacuum(tmp_path / "into")
    after = content(tmp_path / "into")
    assert after == before if what == "vacuum" else len(after) == 400
