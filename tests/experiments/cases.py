"""Tiny experiments, made-up runs and child processes that several tests share."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from abacist.analysis import Horizon, Refutation
from abacist.cells import CELLS
from abacist.corpora import Window
from abacist.experiments import (
    FILE_NAME,
    AnyJob,
    HorizonAim,
    KnownHorizon,
    Outcome,
    Results,
    Run,
    RunProgress,
    Store,
    Task,
)
from abacist.experiments import run as run_tasks
from abacist.languages import language_named
from abacist.specs import Spec

#: The same tiny experiment as TOML, without the number of runs.
TINY = """
language = "dyck-1"
cell = "rnn"
hidden = 2
training = 40
test = 10
short = "2:12"
long = "14:20"
epochs = 3
"""

#: What a result holds that depends on the clock.
_TIMINGS = ("begun", "seconds")


class WhenFinished(RunProgress):
    """Calls something for every block that is finished."""

    def __init__(self, call: Callable[[AnyJob, Sequence[Run]], None]) -> None:
        super().__init__()
        self.call = call

    def finished_job(self, job: AnyJob, runs: Sequence[Run]) -> None:
        self.call(job, runs)


def small(**values: Any) -> Spec:
    """A spec that trains in milliseconds; nearly all tests share its shape, which is compiled once."""
    usual: dict[str, Any] = {
        "language": language_named("dyck-1"), "cell": CELLS["rnn"], "hidden": 2, "epochs": 3,
        "training": 40, "test": 10, "short": Window(2, 12), "long": Window(14, 20),
    }  # fmt: skip
    return Spec(**usual | values)


def tasks_by_rate(count: int, runs: int = 2, epochs: int = 3) -> list[Task]:
    """Many small blocks of one shape."""
    specs = (small(rate=0.01 * (n + 1), epochs=epochs) for n in range(count))
    return [Task("rates", spec, tuple(range(runs))) for spec in specs]


def made_up(spec: Spec, seed: int, accuracy: dict[str, dict[str, float]], **results: Any) -> Run:
    """A run that nobody trained, with accuracies as they are wanted: {set: {epoch: share}}."""
    weights = np.random.default_rng(seed).normal(size=spec.layout.size).astype(spec.precision)
    known = {name: {int(epoch): share for epoch, share in at.items()} for name, at in accuracy.items()}
    outcome = Outcome(known, (0.5, 0.25), None, begun=1.5, seconds=0.125, versions={"abacist": "0"})
    return Run(spec, seed, replace(outcome, **results), weights)


def made_up_horizons(
    aims: Iterable[HorizonAim], rng: np.random.Generator | None = None
) -> tuple[KnownHorizon, ...]:
    """A horizon for every aim, as if it had been looked for; by default each is proved as far as asked."""
    found = []
    for aim in aims:
        to, budget = aim.search.to, aim.search.budget
        proved = to if rng is None else int(rng.integers(to))
        wrong = None
        if proved < to and rng is not None and rng.random() < 0.8:
            pairs = int(rng.integers(proved // 2 + 1, to // 2 + 2))
            wrong = Refutation((0, 1) * pairs, 2 * pairs, (0, 1), (0,))
        horizon = Horizon(proved, wrong, aim.search, budget, seconds=0.25, looked=to)
        found.append(KnownHorizon(aim.factor, horizon, wrong is None if aim.certify else None))
    return tuple(found)


def view(runs: Iterable[Run]) -> Results:
    """Results of runs that no store has."""
    return Results(Path("nowhere") / FILE_NAME, tuple(runs))


def runs_of(store: Store) -> list[Run]:
    """All runs of a store, none of which is damaged."""
    results = Results.of(store)
    assert results.left_out == ()
    return list(results.runs)


def results_in(folder: Path) -> Results:
    """All that the store of a folder has."""
    with Store(folder) as store:
        return Results.of(store)


def runs_in(folder: Path) -> list[Run]:
    """All runs in the store of a folder, none of which is damaged."""
    with Store(folder) as store:
        return runs_of(store)


def keep(folder: Path, runs: Iterable[Run]) -> None:
    """Put runs into the store of a folder."""
    with Store(folder) as store:
        store.put(runs)


def ran(tasks: Sequence[Task], folder: Path, **given: Any) -> Results:
    """Compute what is missing in the store of a folder."""
    with Store(folder) as store:
        return run_tasks(tasks, store, **given)


def with_shares(
    spec: Spec, shares: Iterable[float], sets: Iterable[str], at: Iterable[int] = ()
) -> list[Run]:
    """Made-up runs from seed 0 on, with the same share on all the sets after all the epochs."""
    epochs = [str(epoch) for epoch in (*at, spec.epochs)]
    named = list(sets)
    return [
        made_up(spec, seed, {name: dict.fromkeys(epochs, share) for name in named})
        for seed, share in enumerate(shares)
    ]


def described(run: Run) -> tuple[Any, ...]:
    """All that a run is, except how long it took and when."""
    outcome = json.loads(run.outcome.as_json())
    results = {name: value for name, value in outcome.items() if name not in _TIMINGS}
    for horizon in results.get("horizons", ()):
        del horizon["seconds"]
    losses = array("d", run.outcome.losses).tobytes()
    return run.key, run.spec, run.seed, results, losses, str(run.weights.dtype), run.weights.tobytes()


def content(folder: Path) -> dict[str, tuple[Any, ...]]:
    """All that a store has, except timings, by key."""
    with Store(folder) as store:
        found = {run.key: described(run) for run in runs_of(store)}
        assert len(found) == len(store)
    return found


def everything(run: Run) -> tuple[Any, ...]:
    """A run with its timings, to be compared."""
    return (*described(run), run.outcome.as_json())


def claims(folder: Path) -> dict[str, tuple[str, float]]:
    """The claims that are in a store: owner and time by key."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        rows = connection.execute("SELECT key, owner, renewed FROM claims").fetchall()
    return {key: (owner, renewed) for key, owner, renewed in rows}


def flip(folder: Path, column: str, *, seed: int) -> None:
    """Flip a bit in the middle of a column of all runs with a seed, behind the store's back."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.text_factory = bytes
        chosen = f"SELECT rowid, {column}, typeof({column}) FROM runs WHERE seed = ?"
        for row, value, kind in connection.execute(chosen, (seed,)).fetchall():
            flipped = bytearray(value)
            flipped[len(flipped) // 2] ^= 0x80  # no text any more, where it was one
            changed = f"UPDATE runs SET {column} = CAST(? AS {kind.decode()}) WHERE rowid = ?"
            connection.execute(changed, (bytes(flipped), row))


def child(script: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process of its own that runs a script."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def let_say(process: subprocess.Popen[str], lines: int) -> list[list[str]]:
    """The words of the next lines of a child that reads a character before it says a line.

    So it is never further than the line after these; `ended` lets it go on to its end.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("." * lines)
    process.stdin.flush()
    return [process.stdout.readline().split() for _ in range(lines)]


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """A child's exit code, standard output and standard error, once it has ended."""
    try:
        output, errors = process.communicate()
    finally:
        process.kill()
    return process.returncode, output, errors
