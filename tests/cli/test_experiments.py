"""The commands about experiments: run, reproduce, table, runs, export --csv."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from abacist.experiments import (
    Experiment,
    KnownHorizon,
    Results,
    Store,
    catalogue,
    check_claims,
    experiment_named,
    jobs_for,
    load_experiment,
)
from abacist.report import TABLE_FORMS, claims_table, runs_table, table_of
from abacist.report.own_runs import own_runs
from abacist.report.own_table import own_table
from abacist.report.run_table import with_short_keys
from abacist.specs import Spec
from tests.cli.command import abacist, inside, refused
from tests.experiments.cases import (
    TINY,
    content,
    keep,
    made_up,
    made_up_horizons,
    results_in,
    runs_in,
    runs_of,
)

SWEEP = TINY + "rate = [0.01, 0.05]\nruns = 3\ntitle = 'A sweep'\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment's file and its results, made by the command."""
    path = tmp_path_factory.mktemp("experiment")
    (path / "sweep.toml").write_text(SWEEP)
    code, _, errors = inside(
        "run", str(path / "sweep.toml"), "--results", str(path / "results"), "--jobs", "2", "--quiet"
    )
    assert (code, errors) == (0, "")
    return path


def fill(results: Path, percent: float) -> None:
    """Make up all runs of all experiments, with the same accuracy everywhere, and horizons."""
    with Store(results) as store:
        known: dict[tuple[Spec, int], dict[str, dict[str, float]]] = {}
        horizons: dict[Spec, tuple[KnownHorizon, ...]] = {}
        for task in (task for name in catalogue() for task in experiment_named(name).tasks):
            horizons[task.spec] = made_up_horizons(task.horizons) or horizons.get(task.spec, ())
            for seed in task.seeds:
                accuracy = known.setdefault((task.spec, seed), {})
                for name, epoch in task.wanted():
                    accuracy.setdefault(name, {})[str(epoch)] = percent / 100
        store.put(
            made_up(spec, seed, accuracy, horizons=horizons[spec]) for (spec, seed), accuracy in known.items()
        )
        assert (
            jobs_for([t for name in catalogue() for t in experiment_named(name).tasks], Results.of(store))
            == []
        )


def test_run_shows_the_table_of_the_experiment_and_keeps_its_runs(folder: Path) -> None:
    code, output, errors = inside("run", str(folder / "sweep.toml"), "--results", str(folder / "results"))
    assert (code, errors) == (0, "")
    assert "A sweep" in output
    assert output.count("ours, 3 runs") == 2
    assert len(content(folder / "results")) == 6


def test_run_takes_names_of_the_catalogue_and_a_number_of_runs(folder: Path, tmp_path: Path) -> None:
    code, output, _ = inside("run", "few-units", "--dry-run", "--runs", "3", "--results", str(tmp_path))
    assert code == 0
    assert "6 runs in 2 blocks would run" in output
    args = ("run", str(folder / "sweep.toml"), "--results", str(tmp_path), "--runs", "1")
    assert inside(*args)[0] == 0
    assert len(content(tmp_path)) == 2


def test_a_dry_run_says_what_would_run(folder: Path, tmp_path: Path) -> None:
    file, results = str(folder / "sweep.toml"), str(folder / "results")
    assert "6 runs in 2 blocks would run" in inside("run", file, "--dry-run", "--results", str(tmp_path))[1]
    assert (
        "nothing would run: the store has all of it"
        in inside("run", file, "--dry-run", "--results", results)[1]
    )
    output = inside("run", file, "--dry-run", "--force", "--results", results)[1]
    assert "6 runs in 2 blocks would run" in output
    assert "in the store: 6 runs" in output
    assert output.count("train and judge") == 2
    runs = [made_up(t.spec, seed, {"short": {"3": 0.5}}) for t in asked(folder).tasks for seed in t.seeds]
    keep(tmp_path / "judged on one set", runs)
    lines = inside("run", file, "--dry-run", "--results", str(tmp_path / "judged on one set"))[1].splitlines()
    assert [line.split()[-1] for line in lines if "dyck-1" in line] == ["judge"] * 2
    code, output, _ = inside("reproduce", "--dry-run", "--results", str(tmp_path))
    assert code == 0
    assert "510 runs in 39 blocks would run" in output


@pytest.mark.parametrize("verb", [("run", "few-units"), ("reproduce",), ("train", "dyck-1", "lstm")])
def test_a_dry_run_changes_nothing(tmp_path: Path, verb: tuple[str, ...]) -> None:
    assert inside(*verb, "--dry-run", "--results", str(tmp_path / "results"))[0] == 0
    assert not (tmp_path / "results").exists()


def test_force_works_out_again(folder: Path, tmp_path: Path) -> None:
    args = ("run", str(folder / "sweep.toml"), "--results", str(tmp_path))
    inside(*args)
    with Store(tmp_path) as store:
        before = {run.key: run.outcome.begun for run in runs_of(store)}
        inside(*args)
        assert {run.key: run.outcome.begun for run in runs_of(store)} == before
        inside(*args, "--force")
        assert all(run.outcome.begun > before[run.key] for run in runs_of(store))


@pytest.mark.thorough
def test_reproduce_makes_every_table_and_judges_every_claim(tmp_path: Path) -> None:
    fill(tmp_path, 100.0)
    before = content(tmp_path)
    assert inside("reproduce", "--results", str(tmp_path))[0] == 0
    again = ("reproduce", "--results", str(tmp_path), "--strict", "--tables", str(tmp_path / "t"))
    code, output, errors = inside(*again)
    assert code == 3
    verdicts = check_claims(results_in(tmp_path))
    lines = output.splitlines()
    for verdict in verdicts:
        which = f"; {verdict.which}" if verdict.which else ""
        line = f"{verdict.verdict:>13}: “{verdict.claim}” ({verdict.place}: {verdict.rule}{which})"
        assert line in lines
    assert errors.startswith(f"{len(before):,} runs in ")
    assert content(tmp_path) == before
    with Store(tmp_path) as store:
        tables = [table_of(experiment_named(name), Results.of(store)) for name in catalogue()]
        for table in (*tables, claims_table(verdicts)):
            for ending, form in TABLE_FORMS.items():
                for where in (tmp_path / "tables", tmp_path / "t"):
                    assert (where / f"{table.name}.{ending}").read_text() == form(table)


def test_strict_is_content_when_nothing_fails(tmp_path: Path) -> None:
    """Claims that cannot be decided are no failures."""
    fill(tmp_path, 100.0)
    for only in ("few-units", "last-bracket"):
        kept = tmp_path / only
        with Store(kept) as store:
            whole = {run.key: run for run in runs_in(tmp_path)}
            wanted = {t.spec for t in experiment_named(only).tasks}
            store.put(run for run in whole.values() if run.spec in wanted)
            code, output, _ = inside("reproduce", "--only", only, "--strict", "--results", str(kept))
            assert code == 0
            assert "holds: " in output
            assert "inconclusive: “none of our RNNs was able to emulate a DPA" in output
            assert {path.stem for path in (kept / "tables").iterdir()} == {only, "claims"}


def asked(folder: Path) -> Experiment:
    return load_experiment(folder / "sweep.toml")


@pytest.mark.thorough
@pytest.mark.parametrize("form", TABLE_FORMS)
def test_tables_and_runs_in_every_form(folder: Path, form: str) -> None:
    results, found = str(folder / "results"), results_in(folder / "results")
    args = ("--results", results, "--format", form)
    made = TABLE_FORMS[form]
    assert inside("table", str(folder / "sweep.toml"), *args) == (0, made(table_of(asked(folder), found)), "")
    assert inside("table", "table-3", *args)[1] == made(table_of(experiment_named("table-3"), found))
    assert inside("table", *args)[1] == inside("table", "own", *args)[1] == made(own_table(own_runs(found)))
    assert inside("table", "claims", *args)[1] == made(claims_table(check_claims(found)))
    shown = with_short_keys(runs_table(found.runs)) if form in ("md", "tex") else runs_table(found.runs)
    assert inside("runs", *args)[1] == made(shown)
    ten = inside("table", "few-units", "--runs", "4", *args)[1]
    assert ten == made(table_of(experiment_named("few-units", runs=4), found))


def test_an_experiment_goes_by_its_old_name_too(folder: Path) -> None:
    results = ("--results", str(folder / "results"))
    assert inside("table", "table-1", *results) == inside("table", "table-3", *results)
    asked_for = ("--dry-run", *results)
    assert inside("run", "table-1", *asked_for) == inside("run", "table-3", *asked_for)
    assert inside("reproduce", "--only", "table-1", *asked_for) == inside("run", "table-3", *asked_for)


def listed(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    code, output, _ = inside("runs", "--results", str(folder / "results"), "--format", "json", *arguments)
    assert code == 0
    rows: list[dict[str, Any]] = json.loads(output)["rows"]
    return rows


def test_what_is_missing_is_sorted_last(tmp_path: Path, folder: Path) -> None:
    spec = asked(folder).tasks[0].spec
    runs = [
        made_up(spec, 0, {"short": {"3": 0.5}}, losses=(2.0,)),
        made_up(spec, 1, {}, losses=(float("nan"),), diverged=1),
        made_up(spec, 2, {"short": {"3": 0.1}}, losses=(1.0,)),
        made_up(spec, 3, {"short": {"3": 0.9}}, losses=()),
    ]
    (tmp_path / "results").mkdir()
    keep(tmp_path / "results", runs)
    assert [row["seed"] for row in listed(tmp_path, "--sort", "short")] == [2, 0, 3, 1]
    assert [row["seed"] for row in listed(tmp_path, "--sort", "-short")] == [3, 0, 2, 1]
    assert [row["seed"] for row in listed(tmp_path, "--sort", "loss")][:2] == [2, 0]
    assert [row["seed"] for row in listed(tmp_path, "--sort", "-loss")][:2] == [0, 2]


def test_export_writes_all_runs_as_csv(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "runs.csv"
    assert inside("export", str(folder / "results"), "--csv", str(file))[0] == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert file.read_text() == TABLE_FORMS["csv"](runs_table(runs_in(folder / "results")))
    assert [(row["seed"], float(row["rate"])) for row in rows] == [
        (str(seed), rate) for rate in (0.01, 0.05) for seed in range(3)
    ]


def test_export_writes_csv_to_standard_output(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = TABLE_FORMS["csv"](runs_table(runs_in(folder / "results")))
    assert inside("export", "--results", str(folder / "results"), "--csv", "-") == (0, made, "")
    assert list(tmp_path.iterdir()) == []


def test_csv_has_all_runs_and_says_so_if_one_is_named(folder: Path, tmp_path: Path) -> None:
    key = runs_in(folder / "results")[0].key
    asked = ("export", key, "--results", str(folder / "results"), "--csv", str(tmp_path / "x.csv"))
    assert "--csv writes all runs of a store" in refused(*asked)
    assert list(tmp_path.iterdir()) == []


def test_misuse_gets_one_sentence(folder: Path, tmp_path: Path) -> None:
    file, results = str(folder / "sweep.toml"), ("--results", str(folder / "results"))
    assert "jobs must be at least 1, got 0" in refused("run", file, "--jobs", "0", *results)
    assert "runs must be at least 1, got -1" in refused("reproduce", "--runs", "-1", *results)
    assert "--runs must be at least 1, got 0" in refused("table", "--runs", "0", *results)
    assert "unknown experiment 'no'; there are table-3" in refused("reproduce", "--only", "no", *results)
    assert "unknown experiment 'no'" in refused("table", "no", *results)
    assert "no.toml: cannot be read" in refused("run", str(tmp_path / "no.toml"), *results)
    assert "text, md, tex, latex, csv or json, got 'pdf'" in refused("table", "--format", "pdf", *results)
    assert "a condition must be FIELD=VALUE" in refused("runs", "--where", "cell", *results)
    assert "no field 'colour'; fields are key, language" in refused("runs", "--where", "colour=red", *results)
    assert "did you mean hidden?" in refused("runs", "--where", "hiden=3", *results)
    assert "--out for one network, or --csv" in refused("export", str(folder))
    assert "cannot be" in refused("export", results[1], "--csv", str(tmp_path / "nowhere" / "runs.csv"))
    (tmp_path / "bad.toml").write_text(TINY + "hiden = 3")
    assert "bad.toml: there is no field 'hiden'" in refused("run", str(tmp_path / "bad.toml"), *results)
    (tmp_path / "file").write_text("")
    assert "cannot be" in refused("run", file, "--results", str(tmp_path / "file"), code=1)
    fill(tmp_path / "full", 10.0)
    full = ("reproduce", "--results", str(tmp_path / "full"), "--tables", str(tmp_path / "file"))
    assert "cannot be created" in refused(*full, code=1)


@pytest.mark.parametrize("verb", [("table",), ("runs",), ("export", "--csv", "x.csv"), ("table", "claims")])
def test_a_folder_without_results_is_refused_and_left_alone(tmp_path: Path, verb: tuple[str, ...]) -> None:
    place = (str(tmp_path),) if verb[0] == "export" else ("--results", str(tmp_path))
    assert f"{tmp_path}: holds no results" in refused(*verb, *place, code=1)
    assert list(tmp_path.iterdir()) == []


def test_as_a_user_does(folder: Path, tmp_path: Path) -> None:
    done = abacist("run", str(folder / "sweep.toml"), "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert content(tmp_path / "results") == content(folder / "results")
