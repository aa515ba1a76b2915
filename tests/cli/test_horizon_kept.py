"""What `abacist horizon` keeps: whatever is interrupted, read-only, or written by others meanwhile."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abacist.analysis import Search
from abacist.experiments import HorizonAim, Run, measure
from abacist.specs.files import NetworkFile
from tests.cli.command import inside
from tests.cli.horizon_cases import FEW, agrees, printed, runs, truth
from tests.experiments.cases import child, ended, keep, made_up, made_up_horizons, runs_in
from tests.ordinary import closed, closed_folder


@pytest.fixture
def results(tmp_path: Path) -> str:
    keep(tmp_path / "results", runs())
    return str(tmp_path / "results")


def test_a_store_that_cannot_be_written_is_read(results: str) -> None:
    printed("--results", results)  # imports all that is needed
    with closed_folder() as folder:
        keep(folder, runs()[:1])
        with closed(folder):
            code, output, errors = inside("horizon", "--results", str(folder), *FEW, "--json")
        assert code == 0
        assert agrees(json.loads(output)[0], truth(runs()[0].networks))
        assert errors.endswith("; what was found is not kept\n")
        assert errors.count("\n") == 1
        assert runs_in(folder)[0].outcome.horizons == ()


def test_what_others_keep_meanwhile_stays(results: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = made_up_horizons([HorizonAim(Search(99), 7.0)])

    def slow(job: Any, progress: Any, **given: Any) -> list[Run]:
        accuracy = {**job.run.outcome.accuracy, "short": {3: 0.5}}
        keep(
            Path(results),
            [replace(job.run, outcome=replace(job.run.outcome, accuracy=accuracy, horizons=other))],
        )
        return measure(job, progress, **given)

    monkeypatch.setattr("abacist.cli.horizon.measure", slow)
    printed(runs()[0].key, "--results", results)
    (own,) = [run for run in runs_in(Path(results)) if run.key == runs()[0].key]
    assert own.accuracy("short") == 0.5
    assert [known.factor for known in own.outcome.horizons] == [7.0, 1.0]


INTERRUPTED = """
import os, signal, sys, time
from abacist.cli.app import run
from abacist.experiments import Store

whole_put, kept = Store.put, []

def put(self, runs):
    listed = list(runs)
    if len(kept) == 2:
        os.kill(os.getpid(), signal.SIGINT)
    whole_put(self, listed)
    kept.extend(listed)
    print(*(run.key for run in listed))

Store.put = put
far = ("--max-length", "100000", "--boxes", "1024")
sys.exit(run(["horizon", "--results", sys.argv[1], *far, "--jobs", "4"]))
"""


@pytest.mark.thorough
def test_control_c_keeps_what_is_finished(tmp_path: Path) -> None:
    """Three are known after a moment, and it comes as the third is written; the rest would take hours."""
    assert inside("construct", "dyck-1", "--out", str(tmp_path / "counter"))[0] == 0
    counter = NetworkFile.load_folder(tmp_path / "counter").networks.parameters[0]
    quick = [run for run in runs() if truth(run.networks).closed][:3]
    endless = [replace(made_up(runs()[0].spec, seed, {}), kept=counter) for seed in (8, 9)]
    keep(tmp_path / "results", [*quick, *endless])
    code, output, errors = ended(child(INTERRUPTED, str(tmp_path / "results")))
    assert (code, errors.splitlines()[-1]) == (  # on a busy machine lines of progress come before it
        130,
        "the horizons of 2 networks are kept; the same command continues from there",
    )
    kept = {run.key for run in runs_in(tmp_path / "results") if run.outcome.horizons}
    assert kept == set(output.split())
    assert len(kept) == 2
    assert kept < {run.key for run in quick}
