"""`abacist trace` and `figures`, whose figures are those of the library; what shows itself in a notebook."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from abacist.engine import Accuracies, trace
from abacist.errors import BadInput
from abacist.experiments import Results, Run, Store, experiment_named
from abacist.files import make_folder
from abacist.report.figures import (
    FIGURE_FORMS,
    PICTURES,
    Picture,
    draw_picture,
    pictures,
    save_drawn,
)
from abacist.report.figures.paper_pictures import read_by
from abacist.report.figures.picture import Content
from abacist.report.html import write_report
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.analysis.cases import networks, read
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, results_in, small
from tests.report.report_cases import filled

SPEC = experiment_named("few-units").tasks[0].spec


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([run_of(seed) for seed in range(2)])
    return tmp_path / "results"


def run_of(seed: int) -> Run:
    weights = Networks.initial(SPEC.layout, [seed]).parameters[0]
    return Run(SPEC, seed, made_up(small(), 0, {"long": {"20": 0.5}}).outcome, weights)


def test_a_trace_as_a_table(results: Path) -> None:
    code, output, _ = inside("trace", run_of(1).key[:8], "(())", "--results", str(results))
    assert code == 0
    assert "lstm with 1 hidden unit on dyck-1, seed 1" in output
    assert "of 4 judged steps are wrong" in output


def test_a_trace_as_csv_and_json(results: Path) -> None:
    asked = ("trace", run_of(1).key, "(())", "--results", str(results))
    reading_of = trace(run_of(1).networks, 0, (0, 0, 1, 1))
    code, output, _ = inside(*asked, "--csv", "--values", "c,y")
    rows = list(csv.DictReader(StringIO(output)))
    assert code == 0
    assert [row["symbol"] for row in rows] == ["(", "(", ")", ")"]
    assert [row["right"] for row in rows] == ["( )", "( )", "( )", "("]
    np.testing.assert_allclose([float(row["c 1"]) for row in rows], reading_of["c"][:, 0])
    np.testing.assert_allclose([float(row["y )"]) for row in rows], reading_of["y"][:, 1])
    for row in rows:
        assert (row["wrong"] == "'") == (row["predicted"] != row["right"])
    code, output, _ = inside(*asked, "--json")
    whole = json.loads(output)["rows"]
    assert code == 0
    assert [row["step"] for row in whole] == [1, 2, 3, 4]
    for name in ("h", "c", "i", "f", "g", "o"):
        np.testing.assert_allclose([row[f"{name} 1"] for row in whole], reading_of[name][:, 0])


@pytest.mark.parametrize(
    ("text", "allowed", "depths", "told"),
    [
        ("(()", ["( )", "( )", "( )"], [1, 2, 1], "ends too early: the word ends while ( is still open"),
        ("())(", ["( )", "(", None, None], [1, 0, None, None], "left at 3: ) closes nothing: no ( is open"),
    ],
)
def test_a_trace_of_a_string_outside_the_language(
    results: Path, text: str, allowed: list[str | None], depths: list[int | None], told: str
) -> None:
    asked = ("trace", run_of(1).key, text, "--results", str(results))
    code, output, _ = inside(*asked, "--json")
    found = json.loads(output)
    assert code == 0
    assert [row["right"] for row in found["rows"]] == allowed
    assert [row["depth ( )"] for row in found["rows"]] == depths
    assert {row["wrong"] for row in found["rows"] if row["right"] is None} <= {""}
    assert found["note"].endswith(f"; not in dyck-1, {told}")
    assert told in " ".join(inside(*asked)[1].split())


def test_people_are_shown_states_and_outputs_and_gates_if_they_ask(results: Path) -> None:
    asked = ("trace", run_of(1).key, "()", "--results", str(results))

    def groups(*options: str) -> set[str]:
        return set(inside(*asked, *options)[1].splitlines()[1].split())

    assert groups() == {"depth", "h", "c", "y"}
    assert groups("--gates") == {"depth", *"hcyifgo"}


def test_a_trace_of_a_run_that_only_the_last_bracket_counts_for(tmp_path: Path) -> None:
    run = made_up(experiment_named("last-bracket").tasks[0].spec, 0, {})
    with Store(tmp_path) as store:
        store.put([run])
    _, output, _ = inside("trace", run.key, "([])[()]", "--results", str(tmp_path))
    reading = read_by(run, "([])[()]")
    assert f"{reading.wrong.sum()} of 1 judged steps are wrong" in output


def test_a_trace_of_a_folder_drawn(tmp_path: Path) -> None:
    save_folder(networks("dyck-2"), tmp_path / "nets", about={"language": "dyck-2"})
    out = tmp_path / "trace.svg"
    code, output, errors = inside(
        "trace", str(tmp_path / "nets"), "([])", "--run", "0", "--csv", "--out", str(out)
    )
    rows = list(csv.DictReader(StringIO(output)))
    reading = read("dyck-2", "([])")
    assert code == 0
    np.testing.assert_allclose([float(row["c 2"]) for row in rows], reading.values("c")[:, 1])
    assert [row["wrong"] == "'" for row in rows] == reading.wrong.tolist()
    assert out.read_text().startswith("<?xml")
    assert "drawn in" in errors


def test_weights_that_are_not_finite_still_make_json(tmp_path: Path) -> None:
    fresh = networks("dyck-1")
    broken = Networks(fresh.layout, np.full_like(fresh.parameters, np.nan))
    save_folder(broken, tmp_path / "nets", about={"language": "dyck-1"})
    code, output, _ = inside("trace", str(tmp_path / "nets"), "()", "--json")
    assert code == 0
    assert json.loads(output, parse_constant=pytest.fail)["rows"][0]["c 1"] is None


def test_traces_that_cannot_be(results: Path, tmp_path: Path) -> None:
    key, where = run_of(0).key, ("--results", str(results))
    assert "the empty word of dyck-1 has no step to follow" in refused("trace", key, " ", *where)
    assert "give it or --values" in refused("trace", key, "()", *where, "--gates", "--values", "c")
    assert "']' at character 2 is not in the alphabet" in refused("trace", key, "(]", *where)
    assert "has a key that begins with 'zz'" in refused("trace", "zz", "()", *where)
    assert "has a key that begins with ''" in refused("trace", "", "()", *where)
    assert "unknown value 'q'" in refused("trace", key, "()", *where, "--values", "q")
    assert "written as .svg, .pdf, .png" in refused("trace", key, "()", *where, "--out", "x.gif")
    assert "not as both" in refused("trace", key, "()", *where, "--csv", "--json")
    assert "has 4 symbols" in refused("trace", key, "()", *where, "--language", "dyck-2")
    missing = str(tmp_path / "none" / "x.svg")
    assert "cannot be written" in refused("trace", key, "()", *where, "--out", missing)
    assert "holds no results" in refused("trace", key, "()", "--results", str(tmp_path / "none"))


def test_the_figures_that_can_be_made_are_made(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "pictures"
    code, output, errors = inside("figures", "--results", str(results), "--out", str(out), "--format", "svg")
    assert code == 0
    names = ["shuffle-6-corpora.svg", "dyck-1-one-unit.svg"]
    assert output.splitlines() == [str(out / name) for name in names]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    usual = [name for name in PICTURES if name != "zoo"]  # that is only made when it is asked for
    assert errors.count("\n") == len(usual) - len(names) + 1  # those that cannot be created, and the sum
    assert "2 figures in" in errors
    assert "shuffle-6-counters: " in errors


def test_one_figure(results: Path) -> None:
    asked = ("figures", "--results", str(results), "--only")
    code, _, errors = inside(*asked, "dyck-1-one-unit")
    assert (code, errors) == (0, f"1 figure in {results / 'figures'}, 0 could not be made\n")
    found = sorted(path.name for path in (results / "figures").iterdir())
    assert found == [f"dyck-1-one-unit.{form}" for form in ("pdf", "png", "svg")]
    code, output, errors = inside(*asked, "epochs")
    assert (code, output) == (1, "")
    assert "abacist run epochs --results" in errors
    assert "unknown figure 'epoch'" in refused(*asked, "epoch")
    assert "--format must be svg, pdf or png, got 'gif'" in refused(*asked, "epochs", "--format", "gif")


def test_a_figure_goes_by_its_old_name_too(results: Path) -> None:
    code, _, errors = inside("figures", "--results", str(results), "--only", "table-1-runs")
    assert code == 1  # there are no such runs
    assert errors.startswith("abacist: table-3-runs: ")


def test_figures_of_networks_by_key_by_condition_and_by_folder(results: Path, tmp_path: Path) -> None:
    save_folder(networks("dyck-2"), tmp_path / "nets", about={"language": "dyck-2"})
    out, where = tmp_path / "own", ("--results", str(results))
    keys = [run_of(seed).key[:8] for seed in range(2)]
    to = ("--out", str(out), "--format", "svg")
    asked: tuple[tuple[tuple[str, ...], list[str]], ...] = (
        ((keys[0],), [f"{keys[0]}-states", f"{keys[0]}-units"]),
        (("--where", "seed=1", "--only", "units"), [f"{keys[1]}-units"]),
        ((str(tmp_path / "nets"), "--only", "states"), ["nets-0-states", "nets-1-states"]),
    )
    for arguments, names in asked:
        code, output, errors = inside("figures", *arguments, *where, *to)
        assert (code, output.splitlines()) == (0, [str(out / f"{name}.svg") for name in names]), errors
    title = f"<!-- run {keys[1]}: lstm with 1 hidden unit on dyck-1, seed 1 -->"
    assert title in (out / f"{keys[1]}-units.svg").read_text()
    assert "lstm with 3 hidden units on dyck-2 -->" in (out / "nets-1-states.svg").read_text()


def test_figures_of_networks_that_cannot_be(results: Path, tmp_path: Path) -> None:
    where = ("--results", str(results))
    for folder in ("a", "b"):
        save_folder(networks("dyck-2"), tmp_path / folder / "nets", about={"language": "dyck-2"})
    both = [str(tmp_path / folder / "nets") for folder in ("a", "b")]
    assert "2 figures would be called nets-0-states" in refused("figures", *both, *where)
    key = run_of(0).key
    assert "unknown figure 'horizons'; there are states, units" in refused(
        "figures", key, "--only", "horizons", *where
    )
    assert "--language is for networks that are named" in refused("figures", "--language", "dyck-1", *where)


def test_a_folder_that_cannot_be_written(results: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = refused("figures", "--results", str(results), "--out", str(tmp_path / "file"), code=1)
    assert "cannot be created" in told
    assert "holds no results" in refused("figures", "--results", str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_notebooks() -> None:
    traced = trace(networks("dyck-1"), 0, (0, 1))._repr_html_()
    assert traced.count("<tr>") == traced.count("</tr>") == 3
    shown = Accuracies(("a<b",), np.array([[0.5, 1.0]]))._repr_html_()
    assert "<td>a&lt;b</td><td>50.00</td><td>100.00</td><td>75.00</td>" in shown


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.thorough
def test_figures_are_those_of_the_library(results: Path, tmp_path: Path) -> None:
    for picture in pictures(results_in(results)).values():
        if isinstance(picture, Picture):
            drawn = draw_picture(picture)
            assert isinstance(drawn, list)
            make_folder(tmp_path / "library")
            save_drawn(picture, drawn, tmp_path / "library", FIGURE_FORMS)
    out = tmp_path / "command"
    code, output, _ = inside("figures", "--results", str(results), "--out", str(out))
    assert (code, output.count("\n")) == (0, 6)
    assert files_in(out) == files_in(tmp_path / "library")
    assert inside("report", "--results", str(results), "--out", str(tmp_path / "command.html"))[0] == 0
    write_report(results_in(results), tmp_path / "library.html")
    assert (tmp_path / "command.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def test_a_figure_that_fails_is_the_only_one(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Figure:
        raise BadInput("cannot be drawn today")

    def failing(_: Results) -> Content:
        return "", "", refuse

    monkeypatch.setitem(PICTURES, "epochs", failing)
    asked = ("figures", "--results", str(results), "--out", str(tmp_path / "figures"), "--format", "svg")
    code, output, errors = inside(*asked)
    assert (code, output.count("\n")) == (0, 2)
    assert "abacist: epochs: cannot be drawn today\n" in errors
    assert "2 figures in" in errors


@pytest.mark.thorough
def test_an_interrupted_command_draws_no_more(tmp_path: Path) -> None:
    with filled(tmp_path / "results", runs=2):
        pass
    asked = ("figures", "--results", str(tmp_path / "results"), "--format", "svg")
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "abacist", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().endswith(f"{next(iter(PICTURES))}.svg\n")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (130, "abacist: interrupted\n")
    assert "dyck-1-lengths" not in output
