"""Kills: whenever a process is killed, what it finished is there, and going on ends as if undisturbed."""

from __future__ import annotations

import random
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from abacist.experiments import FILE_NAME, Store, run_key
from tests.experiments.cases import TINY, child, claims, content, ended, let_say, ran, tasks_by_rate

BLOCKS = 30

#: Runs the experiment, and says what it is about to do and what it has done.
WORKER = """
import os, sys
from pathlib import Path
from abacist.experiments import Store, run, running
from tests.experiments.cases import tasks_by_rate

whole_compute, whole_put = running.compute, Store.put

def say(*words):
    os.read(0, 1)  # waits until it is let
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def compute(job, *given):
    say("begins", *job.seeds)
    return whole_compute(job, *given)

def put(self, runs):
    say("writes", *(run.key for run in runs))
    whole_put(self, runs)
    say("has", *(run.key for run in runs))

running.compute, Store.put = compute, put
with Store(Path(sys.argv[1])) as store:
    run(tasks_by_rate(int(sys.argv[2])), store, jobs=2)
"""


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nobody disturbed."""
    folder = tmp_path_factory.mktemp("true")
    ran(tasks_by_rate(BLOCKS), folder)
    return folder


def heard(folder: Path, lines: int, end: signal.Signals) -> tuple[int, set[str]]:
    """Run a worker until it has said some lines, send it a signal; its exit code and what it has written."""
    process = child(WORKER, str(folder), str(BLOCKS))
    said = let_say(process, lines)
    process.send_signal(end)
    code, rest, _ = ended(process)
    said += [line.split() for line in rest.splitlines()]
    return code, {key for what, *keys in said if what == "has" for key in keys}


@pytest.mark.thorough
def test_killed_again_and_again_it_ends_as_if_undisturbed(true: Path, tmp_path: Path) -> None:
    chance, undisturbed = random.Random(2019), content(true)
    there: list[set[str]] = [set()]
    for _ in range(5):
        code, written = heard(tmp_path, chance.randrange(1, BLOCKS // 2), signal.SIGKILL)
        assert code == -signal.SIGKILL
        now = content(tmp_path)
        assert written <= set(now)
        assert all(now[key] == undisturbed[key] for key in now)
        there.append(set(now))
    assert all(before <= after for before, after in pairwise(there))
    assert len({len(keys) for keys in there}) > 3
    assert len(there[-1]) < len(undisturbed)
    code, _, errors = ended(child(WORKER, str(tmp_path), str(BLOCKS)))
    assert (code, errors) == (0, "")
    assert content(tmp_path) == undisturbed


@pytest.mark.thorough
def test_a_block_is_there_whole_or_not_at_all(true: Path, tmp_path: Path) -> None:
    heard(tmp_path, 12, signal.SIGKILL)
    found = content(tmp_path)
    for task in tasks_by_rate(BLOCKS):
        assert len({run_key(task.spec, seed) in found for seed in task.seeds}) == 1


INTERRUPTED = """
import os, signal, sys
from abacist.cli.app import run
from abacist.experiments import Store

whole_put, blocks = Store.put, []

def put(self, runs):
    whole_put(self, runs)
    print(*(run.key for run in runs))
    blocks.append(runs)
    if len(blocks) == 3:
        os.kill(os.getpid(), signal.SIGINT)

Store.put = put
code = run(["run", sys.argv[1], "--results", sys.argv[2], "--jobs", "2", "--quiet"])
sys.exit(code)
"""


def test_control_c_keeps_what_is_finished_and_stops_the_rest(tmp_path: Path) -> None:
    """One block would take hours."""
    file, folder = tmp_path / "sweep.toml", tmp_path / "results"
    rates = [round(0.01 * (n + 1), 2) for n in range(8)]
    tasks = f"runs = 2\n[[task]]\nrate = {rates}\n[[task]]\nepochs = 1_000_000\n"
    file.write_text(TINY + tasks)
    code, output, errors = ended(child(INTERRUPTED, str(file), str(folder)))
    kept = set(content(folder))
    said = f"{len(kept)} of 18 runs kept in {folder / FILE_NAME}; the same command continues from there\n"
    assert (code, errors) == (130, said)
    finished = set(output.split())
    assert len(finished) >= 6
    assert finished <= kept
    with Store(folder) as store:
        assert store.claim(["any"]) == ["any"]
        assert set(claims(folder)) == {"any"}
