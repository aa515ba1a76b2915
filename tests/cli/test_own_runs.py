"""`abacist table`, `figures` and `report` on stores of one's own runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.experiments import Store, experiment_named
from abacist.report import TABLE_FORMS, table_of
from abacist.report.figures import PICTURES
from abacist.report.figures.own import own_pictures
from abacist.report.own_runs import all_runs, own_runs
from abacist.report.own_table import own_table
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, results_in, with_shares
from tests.report.own_cases import SETS, runs_for, spec_of, swept
from tests.report.report_cases import Page, fill, possible, without_pictures, write_with


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put(runs_for(swept(cell=["gru", "lstm"], rate=[0.01, 0.1]), 2))
    return tmp_path / "results"


@pytest.mark.parametrize("form", TABLE_FORMS)
def test_without_an_experiment_a_table_is_of_what_the_store_has(folder: Path, form: str) -> None:
    asked = ("--results", str(folder), "--format", form)
    expected = TABLE_FORMS[form](own_table(own_runs(results_in(folder))))
    assert inside("table", *asked) == inside("table", "own", *asked) == (0, expected, "")


def test_on_the_terminal_what_is_the_same_is_said_above(folder: Path) -> None:
    code, output, errors = inside("table", "--results", str(folder))
    assert (code, errors) == (0, "")
    assert output.splitlines()[0].startswith("8 runs by cell and rate; the same in all: language dyck-1,")
    assert output.count("dyck-1") == 1


def test_where_table_3_is_it_is_shown_and_the_others_are_named(folder: Path) -> None:
    with Store(folder) as store:
        fill(store, "table-3", runs=1)
    code, output, errors = inside("table", "--results", str(folder), "--format", "json")
    found = results_in(folder)
    assert (code, output) == (0, TABLE_FORMS["json"](table_of(experiment_named("table-3"), found)))
    assert errors == "there are also 8 runs of your own: `abacist table own` shows them\n"
    assert (
        len(json.loads(inside("table", "own", "--results", str(folder), "--format", "json")[1])["rows"]) == 4
    )


def test_a_store_of_other_experiments_is_summarised_and_has_nothing_of_one_s_own(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        fill(store, "few-units", runs=2)
    asked = ("--results", str(tmp_path), "--format", "md")
    assert inside("table", *asked)[1] == TABLE_FORMS["md"](own_table(all_runs(results_in(tmp_path))))
    assert "no runs of your own, only those of few-units" in refused("table", "own", *asked)


def test_an_empty_store_still_shows_table_3(tmp_path: Path) -> None:
    with Store(tmp_path):
        pass
    assert "ours, 0 of 10 runs" in inside("table", "--results", str(tmp_path))[1]
    assert refused("table", "own", "--results", str(tmp_path)).endswith("has no runs of your own\n")


def test_figures_are_those_of_the_sweep_and_nothing_is_said_of_the_paper_s(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "pictures"
    code, output, errors = inside("figures", "--results", str(folder), "--out", str(out), "--format", "svg")
    names = list(own_pictures(results_in(folder)))
    assert (code, output.splitlines()) == (0, [str(out / f"{name}.svg") for name in names])
    assert names == ["own-glance", "own-curve-rate"]
    assert errors == f"2 figures in {out}, 0 could not be made\n"


def test_a_figure_by_name_and_those_that_cannot_be(folder: Path, tmp_path: Path) -> None:
    asked = ("figures", "--results", str(folder), "--out", str(tmp_path), "--format", "svg", "--only")
    code, output, _ = inside(*asked, "own-glance")
    assert (code, output) == (0, f"{tmp_path / 'own-glance.svg'}\n")
    code, output, errors = inside(*asked, "table-3-runs")
    assert (code, output) == (1, "")
    assert errors.startswith("abacist: table-3-runs: ")
    told = refused(*asked, "nonsense")
    assert told.startswith("abacist: unknown figure 'nonsense'; there are own-glance, own-curve-rate, ")
    assert told.endswith(f" and {len(PICTURES) - 3} more\n")


def test_further_figures_are_named(folder: Path, tmp_path: Path) -> None:
    with Store(folder) as store:
        store.put(runs_for(swept(hidden=[1, 2], batch=[2, 3], rate=[0.01, 0.1]), 2, at=[1]))
    further = list(own_pictures(results_in(folder)))[6:]
    asked = ("figures", "--results", str(folder), "--out", str(tmp_path), "--format", "svg")
    _, output, errors = inside(*asked)
    assert len(output.splitlines()) == 6
    assert errors.startswith(f"further figures, with --only: {', '.join(further)}\n")
    assert further


def test_a_report_on_a_sweep_has_its_table_its_figures_and_no_paper(folder: Path) -> None:
    code, _, errors = inside("report", "--results", str(folder))
    assert code == 0
    assert errors.endswith("1 table, 0 claims, 2 figures; nothing missing\n")
    page = Page.of(folder / "report.html")
    table = own_table(own_runs(results_in(folder)))
    assert page.headings("rows-own") == table.headings()
    assert page.cells("rows-own") == table.cells()
    assert "The same in all of them: language dyck-1" in page.said("own")
    for picture in possible(own_pictures(results_in(folder))).values():
        assert picture.command in page.commands()
        assert picture.caption in page.said(f"figure-{picture.name}")
    sections = [section.get("id") for section in page.all("section")]
    assert sections == ["ran", "own", "settings", "again"]
    assert "8 trained networks by cell and rate" in page.said()


def test_a_report_on_both_says_only_what_is_missing_of_experiments_that_are_there(folder: Path) -> None:
    few = experiment_named("few-units").tasks[0].spec
    with Store(folder) as store:
        store.put(with_shares(few, [0.5] * 10, SETS))
    write_with(without_pictures, results_in(folder), folder / "report.html")
    page = Page.of(folder / "report.html")
    assert [row[0] for row in page.cells("rows-experiments")] == ["few-units"]
    missing = page.said("missing")
    assert "Experiment few-units: 10 of its 20 runs" in missing
    assert "table-3" not in missing
    assert {"own", "tables", "choices"} <= {section.get("id") for section in page.all("section")}


@pytest.mark.parametrize("losses", [(), (float("nan"),) * 3, (0.5, 0.25)], ids=str)
def test_one_run_without_accuracy_is_no_trouble(tmp_path: Path, losses: tuple[float, ...]) -> None:
    with Store(tmp_path) as store:
        store.put([made_up(spec_of(), 0, {}, losses=losses, diverged=None if losses == (0.5, 0.25) else 1)])
    for verb in ("table", "report", "figures"):
        code, _, errors = inside(verb, "--results", str(tmp_path))
        assert code == 0
        assert "Traceback" not in errors
    assert "1 run: language dyck-1, cell lstm" in inside("table", "--results", str(tmp_path))[1]
