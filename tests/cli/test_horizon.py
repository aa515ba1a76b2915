"""`abacist horizon`: what it prints is what the analysis finds; what it finds about runs is kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search, saturated
from abacist.experiments import HorizonAim, Run, measure
from abacist.specs import Networks
from abacist.specs.files import NetworkFile, save_folder
from tests.analysis.horizons.badly_trained import badly_trained
from tests.cli.command import inside, refused, shown
from tests.cli.horizon_cases import FEW, SEARCH, agrees, printed, runs, truth
from tests.experiments.cases import child, ended, keep, made_up, made_up_horizons, runs_in
from tests.ordinary import closed, closed_folder


@pytest.fixture
def results(tmp_path: Path) -> str:
    keep(tmp_path / "results", runs())
    return str(tmp_path / "results")


def test_keys_stores_and_conditions_name_networks(results: str) -> None:
    by_key = {run.key: run for run in runs()}
    whole = printed("--results", results)
    assert {row["run"] for row in whole} == set(by_key)
    for row in whole:
        run = by_key[row["run"]]
        assert agrees(row, truth(run.networks))
        assert (row["cell"], row["hidden"], row["seed"]) == (run.spec.cell.name, run.spec.hidden, run.seed)
        assert row["search"] == {"to": 20, "budget": 16, "most": Search.most}
    assert len({row["wrong"]["length"] if row["wrong"] else None for row in whole}) > 2
    assert printed(results) == whole
    lstms = [row for row in whole if row["cell"] == "lstm"]
    assert printed("--results", results, "--where", "cell=lstm") == lstms
    assert printed(results, "--where", "cell=lstm") == lstms
    keys = [runs()[4].key, runs()[1].key[:10]]
    assert [row["run"] for row in printed(*keys, "--results", results)] == [runs()[4].key, runs()[1].key]


def test_what_is_found_is_kept_and_not_looked_for_again(
    results: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = printed("--results", results)
    kept = {run.key: run.outcome for run in runs_in(Path(results))}
    aim = HorizonAim(SEARCH)
    assert all(outcome.unanswered([aim]) == () for outcome in kept.values())
    assert {key: outcome.accuracy for key, outcome in kept.items()} == {
        run.key: run.outcome.accuracy for run in runs()
    }
    monkeypatch.setattr("abacist.cli.horizon.measure", None)
    assert printed("--results", results) == first
    assert {run.key: run.outcome for run in runs_in(Path(results))} == kept


def test_sharper_gates_have_a_horizon_of_their_own(results: str) -> None:
    for row in printed("--results", results, "--sharpen", "4"):
        (run,) = [run for run in runs() if run.key == row["run"]]
        assert row["saturate"] == 4
        assert agrees(row, truth(saturated(run.networks, 4)))
    assert all(run.outcome.horizon() is None for run in runs_in(Path(results)))
    printed("--results", results)
    for run in runs_in(Path(results)):
        assert [known.factor for known in run.outcome.horizons] == [4.0, 1.0]


def test_folders_of_networks_are_looked_at_too(tmp_path: Path) -> None:
    folder, sharper, counter = (str(tmp_path / name) for name in ("own", "sharper", "counter"))
    networks = badly_trained("gru", 2, "dyck-1")
    three = Networks(networks.layout, networks.parameters[3:6].copy())
    save_folder(three, Path(folder), about={"language": "dyck-1", "steps": "last"})
    assert inside("sharpen", folder, "--factor", "2", "--out", sharper)[0] == 0
    assert inside("construct", "dyck-1", "--out", counter)[0] == 0
    rows = printed(folder, sharper, counter)
    singles = [Networks(networks.layout, networks.parameters[n : n + 1].copy()) for n in (3, 4, 5)]
    expected = [truth(own, steps="last") for own in (*singles, *(saturated(own, 2) for own in singles))]
    assert all(agrees(row, found) for row, found in zip(rows, expected, strict=False))
    assert [(row["place"], row["number"], row["run"]) for row in rows] == [
        *((folder, n, None) for n in range(3)), *((sharper, n, None) for n in range(3)), (counter, 0, None),
    ]  # fmt: skip
    assert (rows[-1]["proved"], rows[-1]["wrong"]) == (20, None)


def test_one_network_is_told_in_sentences(results: str) -> None:
    for run in runs():
        found = truth(run.networks)
        code, output, errors = inside("horizon", run.key, "--results", results, *FEW)
        title, proved, wrong, *step = output.splitlines()
        assert code == 0
        assert title.startswith(f"run {run.key[:8]}: ")
        length = found.proved - found.proved % 2  # no word of Dyck-1 has an odd number of symbols
        of = f"proved to {length}: on every word of at most {length} symbols, "
        assert proved.startswith(of if length else "nothing is proved")
        if found.wrong is None:
            assert (wrong, step) == ("no word of at most 20 symbols was found that it gets wrong", [])
        else:
            assert wrong.startswith(f"wrong at {len(found.wrong)}: ")
            (line,) = step
            assert line.startswith(f"  at step {found.wrong.step} it predicts ")
        if found.done:
            assert errors == ""
        else:
            last = 20 if found.wrong is None else len(found.wrong) - 1
            assert errors == (
                f"words of {found.proved + 1} to {last} symbols are open, after trying up to 16 boxes "
                "for each configuration; raise --boxes to search further\n"
            )


def test_nothing_proved_and_nothing_found_is_said(tmp_path: Path) -> None:
    """With one box, and only a moment to look."""
    save_folder(runs()[1].networks, tmp_path / "own", about={"language": "dyck-1"})
    asked = ("horizon", str(tmp_path / "own"), "--seconds", "1e-9", "--max-length", "1000")
    code, output, errors = inside(*asked)
    assert code == 0
    assert "nothing is proved\n" in output
    assert "no word" not in output
    assert re.fullmatch(
        "words of [12] to 1,000 symbols are open: there was no time to try all of them once; "
        "raise --seconds to search further\n",
        errors,
    )


def test_time_that_is_over_leaves_the_rest_for_later(results: str) -> None:
    key = runs()[1].key
    asked = ("horizon", key, "--results", results, "--json")
    row = json.loads(inside(*asked, "--seconds", "1e-9", "--max-length", "20", "--boxes", "16")[1])[0]
    assert row["reached"] < 16
    (again,) = printed(key, "--results", results)
    assert agrees(again, truth(runs()[1].networks))


def test_several_have_a_row_each(results: str) -> None:
    output = shown("horizon", "--results", results, *FEW)
    closed_ones = whole = 0
    for run in runs():
        (line,) = [line for line in output.splitlines() if line.startswith(run.key[:8])]
        found = truth(run.networks)
        closed_ones += found.closed
        whole += found.proved == 20
        numbers = [str(found.proved - found.proved % 2)] + (
            [] if found.wrong is None else [str(len(found.wrong))]
        )
        share = f"{25 * run.seed:.2f}"
        assert line.split()[4 : 6 + len(numbers)][:2] == [str(run.seed), share]
        assert line.split()[6 : 6 + len(numbers)] == numbers
    known = f"6 networks: {whole} proved to 20, {closed_ones} with a horizon that is known exactly"
    assert f"{known}, {6 - whole - closed_ones} open." in output
    assert "steps" not in output
    assert "epochs" not in output


def test_what_tells_runs_of_one_seed_apart_has_a_column(tmp_path: Path) -> None:
    longer = replace(runs()[0], spec=replace(runs()[0].spec, epochs=7))
    last = replace(runs()[0], spec=replace(runs()[0].spec, steps="last"))
    keep(tmp_path, [runs()[0], longer, last])
    output = inside("horizon", "--results", str(tmp_path), *FEW)[1]
    heading = next(line for line in output.splitlines() if line.startswith("run"))
    rows = {line.split()[0]: line.split()[4:6] for line in output.splitlines() if "dyck-1" in line}
    assert heading.split()[4:6] == ["epochs", "steps"]
    assert rows == {
        runs()[0].key[:8]: ["3", "all"],
        longer.key[:8]: ["7", "all"],
        last.key[:8]: ["3", "last"],
    }
    sentences = inside("horizon", last.key, "--results", str(tmp_path), *FEW)[1]
    assert "only last steps count\n" in sentences
    assert "the prediction at its last step is right\n" in sentences
    output = inside("horizon", "--results", str(tmp_path), "--where", "steps=last", str(tmp_path), *FEW)[1]
    assert "only last steps count" in output


def test_sharper_gates_are_named_wherever_their_horizons_are(results: str) -> None:
    sharper = ("--results", results, "--sharpen", "4", *FEW)
    assert "gates × 4\n" in inside("horizon", runs()[0].key, *sharper)[1].splitlines(keepends=True)[0]
    title, *rest = inside("horizon", *sharper)[1].splitlines()
    assert title.rstrip() == "Counting horizons, gates × 4"
    assert "long" not in "".join(rest[:2])  # that is the accuracy of the networks as they are


def test_a_network_is_provable_once_however_often_it_is_named(results: str) -> None:
    named = (runs()[0].key, runs()[0].key[:12], results, "--results", results)
    assert sorted(row["run"] for row in printed(*named)) == sorted(run.key for run in runs())


def test_a_diverged_network_is_no_obstacle(tmp_path: Path) -> None:
    broken = [replace(run, kept=np.full_like(run.weights, np.nan)) for run in runs()[:2]]
    keep(tmp_path, [*broken, *runs()[2:4]])
    for sharper in ("1", "8"):
        rows = {row["run"]: row for row in printed(str(tmp_path), "--sharpen", sharper)}
        assert all(rows[run.key]["proved"] <= 1 for run in broken)
        assert len(rows) == 4


def test_what_is_refused(results: str, tmp_path: Path) -> None:
    store = ("--results", results)
    for wrong, said in (
        (
            ("--max-length", "1000000000000"),
            "--max-length must be from 1 to 10,000,000, got 1,000,000,000,000",
        ),
        (("--boxes", "10000000000"), "--boxes must be from 1 to 1,000,000,000, got 10,000,000,000"),
        (("--max-length", "0"), "--max-length must be from 1 to 10,000,000, got 0"),
        (("--boxes", "0"), "--boxes must be from 1 to 1,000,000,000, got 0"),
        (("--jobs", "0"), "jobs must be at least 1, got 0"),
        (("--seconds", "0"), "--seconds must be positive and finite, got 0.0"),
        (("--seconds", "nan"), "--seconds must be positive and finite, got nan"),
        (("--sharpen", "0"), "--sharpen must be positive and finite, got 0.0"),
        (("--sharpen", "1e39"), "weights must stay finite in float32, but times 1e+39"),
        (
            ("--sharpen", "1e30"),
            "larger than 10¹², or large enough to overflow, and of such a network nothing is proved",
        ),
        (
            (runs()[0].key, "--where", "cell=gru"),
            "--where chooses runs of a store, not keys or folders of networks",
        ),
        (("zzz",), "no run in"),
        (("--where", "colour=red"), "no field 'colour'"),
    ):
        assert said in refused("horizon", *wrong, *store)
    assert "holds no results" in refused("horizon", "--results", str(tmp_path), code=1)
    keep(tmp_path / "empty", [])
    assert "its store holds no runs yet" in refused("horizon", "--results", str(tmp_path / "empty"), code=1)
    code, output, errors = inside("horizon", "--where", "cell=rnn", *store)
    assert (code, output) == (2, "")
    assert errors.endswith("abacist: no networks: the store has no runs that fit\n")


def test_a_bracket_is_shown_in_lengths_that_words_have(results: str) -> None:
    printed("--results", results)
    stored = {run.key: run.outcome.horizon() for run in runs_in(Path(results))}
    odd = 0
    for run in runs():
        found = truth(run.networks)
        length = found.proved - found.proved % 2
        for text in (str(found), str(stored[run.key])):
            assert (f"proved to {length}," if length else "nothing proved,") in text
        odd += found.proved % 2
    assert odd


def test_memory_that_it_may_take_is_said_first(tmp_path: Path) -> None:
    inside("construct", "shuffle-6", "--out", str(tmp_path / "six"))
    asked = ("horizon", str(tmp_path / "six"), "--max-length", "2", "--boxes", "1")
    said = inside(*asked)[2]
    assert said.startswith("the boxes of one length may take 4.5 GB; with --max-boxes ")
    most = said.split()[-5]
    assert inside(*asked, "--max-boxes", most)[2] == ""


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
