"""What `train`, `judge`, `import` and `trace` are told is what they do."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from abacist.analysis import TraceReading, follow
from abacist.cells import CELLS
from abacist.corpora import Grammar, Uniform, Window
from abacist.engine import train
from abacist.experiments import run
from abacist.languages import language_named
from abacist.specs import Spec
from abacist.specs.files import NetworkFile, save_folder
from abacist.wording import spans
from tests.analysis.cases import networks
from tests.cli.command import inside, split

DYCK = language_named("dyck-2")
WORDS = ("[]", "([])[()]", "[([])]")
SMALL = split("--train-words 60 --test-words 20 --train-lengths 2:14 --long-lengths 16:20 --epochs 2")


@pytest.fixture(params=["all", "last"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """A folder of two networks that some steps count for, and which steps."""
    save_folder(networks("dyck-2"), tmp_path, about={"language": "dyck-2", "steps": request.param})
    return str(tmp_path), request.param


def reading_of(run: int, text: str, steps: str) -> TraceReading:
    return follow(networks("dyck-2"), run, DYCK, DYCK.alphabet.parse(text), steps=steps)


def first_wrong(run: int, text: str, steps: str) -> int | None:
    wrong = np.flatnonzero(reading_of(run, text, steps).wrong)
    return int(wrong[0]) + 1 if len(wrong) else None


def test_train_does_what_it_is_told(tmp_path: Path) -> None:
    sizes = ("--hidden", "2", "--runs", "2", "--epochs", "3", "--seed", "8", "--batch", "4", "--rate", "0.01")
    kinds = ("--precision", "float64", "--steps", "last", "--uniform", "--grammar", "1/3,1/5")
    words = split("--train-words 30 --test-words 10 --train-lengths 2:10 --long-lengths 12:16")
    code, text, _ = inside("train", "dyck-2", "rnn", *sizes, *kinds, *words, "--json", "--out", str(tmp_path))
    spec = Spec(
        DYCK, CELLS["rnn"], hidden=2, epochs=3, batch=4, rate=0.01, precision="float64", steps="last",
        source=Uniform(Grammar(Fraction(1, 3), Fraction(1, 5))),
        training=30, test=10, short=Window(2, 10), long=Window(12, 16),
    )  # fmt: skip
    record = json.loads(text)
    assert code == 0
    assert record["spec"] == spec.as_dict()
    assert record["seeds"] == [8, 9]
    assert record["losses"] == train(spec, [8, 9]).losses.tolist()


def test_train_has_the_jobs_it_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run's result does not depend on them, so they are looked at on their way."""
    asked: list[Any] = []

    def watched(*values: Any, **named: Any) -> Any:
        asked.append(named["jobs"])
        return run(*values, **named)

    monkeypatch.setattr("abacist.cli.work.run", watched)
    for number, jobs in enumerate(((), ("--threads", "2"), ("--jobs", "3"))):
        place = ("--out", str(tmp_path / str(number)))
        assert inside("train", "dyck-1", "rnn", "--runs", "2", *SMALL, *jobs, *place)[0] == 0
    assert asked == [None, 2, 3]


def test_runs_that_diverge_are_in_the_record_and_named(tmp_path: Path) -> None:
    options = ("--runs", "4", "--rate", "1e30", *SMALL, "--out", str(tmp_path / "kept"))
    asked = ("train", "dyck-1", "rnn_relu", *options)
    record = json.loads(inside(*asked, "--json")[1], parse_constant=pytest.fail)
    trained = train(Spec.from_dict(record["spec"]), range(4))
    assert record["diverged"] == list(trained.diverged)
    assert None not in trained.diverged
    expected = [
        [loss if isfinite(loss) else str(loss) for loss in losses] for losses in trained.losses.tolist()
    ]
    assert record["losses"] == expected
    seeds = [seed for seed, epoch in enumerate(trained.diverged) if epoch is not None]
    setting = "language dyck-1, cell rnn_relu, hidden 3, epochs 2"
    why = "a weight is not finite or beyond 1,000,000"
    said = f"{len(seeds)} of 4 runs diverged ({why}), seeds {spans(seeds)}\n"
    assert f"{setting}: {said}" in inside(*asked)[2]
    (tmp_path / "one.toml").write_text(
        'language = "dyck-1"\ncell = "rnn_relu"\nrate = [1e30, 0.001]\nruns = 4\nepochs = 2\n'
        'training = 60\ntest = 20\nshort = "2:14"\nlong = "16:20"\n'
    )
    errors = inside("run", str(tmp_path / "one.toml"), "--results", str(tmp_path / "other"), "-q")[2]
    assert errors == f"{setting}, rate 1e+30: {said}"


def test_judge_looks_at_the_steps_that_the_networks_were_trained_for(kept: tuple[str, str]) -> None:
    folder, steps = kept
    code, text, _ = inside("judge", folder, *WORDS, "--json")
    rows = json.loads(text)
    expected = [(run, word, first_wrong(run, word, steps)) for run in range(2) for word in WORDS]
    assert code == 0
    assert [(row["run"], row["word"], row["wrong_at"]) for row in rows] == expected
    code, table, errors = inside("judge", folder, *WORDS)
    shown = [line.split()[:6] for line in table.splitlines() if line.strip()[:1].isdigit()]
    assert [row[:5] for row in shown] == [
        [str(run), word, "yes", *(["all", "right"] if wrong is None else ["wrong", "at"])]
        for run, word, wrong in expected
    ]
    assert [int(row[5]) for row in shown if row[4] == "at"] == [w for *_, w in expected if w is not None]
    assert errors == f"{sum(wrong is None for *_, wrong in expected)} of 6 accepted\n"


def test_judge_judges_the_run_that_is_named(kept: tuple[str, str]) -> None:
    folder, steps = kept
    _, text, _ = inside("judge", folder, *WORDS, "--run", "1", "--json")
    found = [(row["run"], row["wrong_at"]) for row in json.loads(text)]
    assert found == [(1, first_wrong(1, word, steps)) for word in WORDS]


@pytest.mark.parametrize("run", [0, 1])
def test_trace_follows_the_run_that_is_named_by_the_steps_that_count(kept: tuple[str, str], run: int) -> None:
    folder, steps = kept
    reading = reading_of(run, "([])[()]", steps)
    asked = ("trace", folder, "([])[()]", "--run", str(run))
    _, output, _ = inside(*asked, "--csv")
    rows = list(csv.DictReader(StringIO(output)))
    np.testing.assert_allclose([float(row["h 2"]) for row in rows], reading.values("h")[:, 1])
    assert [row["wrong"] == "'" for row in rows] == reading.wrong.tolist()
    _, table, _ = inside(*asked)
    assert f"{folder}, run {run}: lstm with 3 hidden units on dyck-2" in table
    assert f"\n{reading.wrong.sum()} of {reading.counted.sum()} judged steps are wrong" in table


def test_trace_shows_and_draws_the_values_that_are_named(kept: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "trace.svg"
    asked = ("trace", kept[0], "([])", "--csv", "--out", str(out))
    for values, names in (("h", ["h"]), (" c, o,h", ["c", "o", "h"])):
        _, output, _ = inside(*asked, "--values", values)
        columns = [f"{name} {unit}" for name in names for unit in (1, 2, 3)]
        assert output.splitlines()[0].split(",")[7:] == columns
        assert _axes(out) == 1 + len(names)
        assert f"<!-- {kept[0]}, run 0: lstm with 3 hidden units on dyck-2 -->" in out.read_text()
    _, output, _ = inside(*asked)
    assert {name.split()[0] for name in output.splitlines()[0].split(",")[7:]} == set("hcifgoy")
    assert _axes(out) == 3  # the depths and the states, h and c


def _axes(path: Path) -> int:
    return path.read_text().count('<g id="axes_')


@pytest.mark.parametrize("name", [None, "shuffle-2", "dyck-2"])
def test_import_keeps_the_language_that_is_named(tmp_path: Path, name: str | None) -> None:
    file, out = tmp_path / "model.safetensors", tmp_path / "model"
    save_file(dict(networks("dyck-2").tensors(0)), file)
    told = () if name is None else ("--language", name)
    assert inside("import", str(file), "--cell", "lstm", *told, "--out", str(out))[0] == 0
    assert NetworkFile.load_folder(out).about.get("language") == name
