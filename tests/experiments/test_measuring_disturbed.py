"""Horizons of an experiment that is killed, or that two processes work on: none is lost or found twice."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.experiments.cases import child, content, ended, let_say, ran, tasks_by_rate
from tests.experiments.measured_tasks import EPOCHS, tasks

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nobody disturbed."""
    folder = tmp_path_factory.mktemp("true")
    ran(tasks(), folder)
    return folder


#: Runs the experiment, and says what it has written.
WORKER = """
import os, sys
from pathlib import Path
from abacist.experiments import Store, run, work
from tests.experiments.measured_tasks import tasks

whole_put, whole_measure = Store.put, work.measure

def say(*words):
    os.read(0, 1)  # waits until it is let
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def measure(job, *given):
    say("begins", job.run.key)
    return whole_measure(job, *given)

def put(self, runs):
    listed = list(runs)
    whole_put(self, listed)
    say("has", *(run.key for run in listed if run.outcome.horizons))

Store.put, work.measure = put, measure
say("ready")
with Store(Path(sys.argv[1])) as store:
    run(tasks(), store, jobs=1)
"""


def test_killed_in_the_middle_it_keeps_what_is_finished_and_ends_as_if_undisturbed(
    true: Path, tmp_path: Path
) -> None:
    undisturbed, measured = content(true), 0
    for kept_before_the_kill in (1, 2):
        process = child(WORKER, str(tmp_path))
        said: list[list[str]] = []
        while sum(words[0] == "has" and len(words) > 1 for words in said) < kept_before_the_kill:
            said += let_say(process, 1)
        process.send_signal(signal.SIGKILL)
        code, rest, _ = ended(process)
        said += [line.split() for line in rest.splitlines()]
        assert code == -signal.SIGKILL
        written = {key for what, *keys in said if what == "has" for key in keys}
        kept = content(tmp_path)
        there = {key for key, own in kept.items() if "horizons" in own[3]}
        assert written <= there
        assert measured < len(there) < len(undisturbed)
        assert all(kept[key] == undisturbed[key] for key in there)
        measured = len(there)
    code, rest, errors = ended(child(WORKER, str(tmp_path)))
    assert (code, errors) == (0, "")
    assert sum(line.startswith("begins") for line in rest.splitlines()) == len(undisturbed) - measured
    assert content(tmp_path) == undisturbed


def test_two_processes_share_the_work(true: Path, tmp_path: Path) -> None:
    ran(tasks_by_rate(4, epochs=EPOCHS), tmp_path)
    workers = [child(WORKER, str(tmp_path)) for _ in range(2)]
    for worker in workers:
        assert let_say(worker, 1) == [["ready"]]
    outputs = []
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("." * 1_000)
        worker.stdin.flush()
    for worker in workers:
        code, output, errors = ended(worker)
        assert (code, errors) == (0, "")
        outputs += [line.split()[1] for line in output.splitlines() if line.startswith("begins")]
    assert content(tmp_path) == content(true)
    assert sorted(outputs) == sorted(content(true))  # each once
