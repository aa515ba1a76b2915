"""A frame has one entry for every run in each column, with the values that the run itself has."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import fields, replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search
from abacist.cells import CELLS
from abacist.errors import NotInstalled
from abacist.experiments import HorizonAim, Results, Run, Store, fitting, frame
from abacist.report import comma_separated, runs_table
from abacist.report.own_runs import all_runs
from abacist.report.own_table import own_table
from abacist.specs import Lesson, Round, Spec, Taught
from tests.experiments.cases import keep, made_up, made_up_horizons, small, view


def some_runs() -> list[Run]:
    rng = np.random.default_rng(3)
    found = []
    for seed in range(40):
        spec = replace(small(hidden=int(rng.integers(1, 4))), cell=CELLS[("rnn", "gru")[seed % 2]])
        if seed % 5 == 0:
            spec = replace(spec, lesson=Lesson(rounds=2, kept=seed + 1))
        known: dict[str, Any] = {"long": {"3": float(rng.random())}} if seed % 3 else {}
        extra: dict[str, Any] = {"diverged": 2} if seed % 7 == 0 else {}
        if seed % 4 == 0:
            extra["horizons"] = made_up_horizons((HorizonAim(Search(20), certify=True),), rng)
        if spec.lesson is not None:
            extra["taught"] = Taught((Round(2, 0, None, None),), 16, 4.0)
        found.append(made_up(spec, seed, known, **extra))
    return found


def test_every_run_has_its_entry_in_every_column(tmp_path: Path) -> None:
    keep(tmp_path, some_runs())
    with Store(tmp_path) as store:
        made, runs = frame(store), Results.of(store).runs
    assert {len(column) for column in made.values()} == {len(runs)} == {40}
    assert made["key"] == [run.key for run in runs]
    assert made["cell"] == [run.spec.cell.name for run in runs]
    assert made["hidden"].tolist() == [run.spec.hidden for run in runs]  # type: ignore[union-attr]
    assert np.array(made["seed"]).dtype == np.int64
    shares = [run.accuracy("long") for run in runs]
    plain: dict[str, list[float | None]] = {
        "long": [None if share is None else 100 * share for share in shares],
        "loss": [run.outcome.losses[-1] for run in runs],
        "seconds": [run.outcome.seconds for run in runs],
        "diverged": [run.outcome.diverged for run in runs],
        "proved": [
            known.proved_in(run.spec.language) if (known := run.outcome.horizon()) else None for run in runs
        ],
        "lesson_fed_words": [run.spec.lesson.kept if run.spec.lesson else None for run in runs],
        "taught_proved": [run.outcome.taught.proved if run.outcome.taught else None for run in runs],
    }
    for name, values in plain.items():
        wanted = np.array([np.nan if value is None else value for value in values])
        assert np.array_equal(np.array(made[name], np.float64), wanted, equal_nan=True), name
    assert len(fields(Spec)) <= len(made)
    for name, column in made.items():
        if isinstance(column, list):
            assert {type(value) for value in column} <= {str, type(None)}, name
        else:
            assert column.dtype in (np.int64, np.float64), name


def test_a_frame_and_a_list_of_runs_take_conditions() -> None:
    runs = some_runs()
    where = ["hidden>=2", "cell=gru", "long>50"]
    plain = [
        run
        for run in runs
        if run.spec.hidden >= 2 and run.spec.cell.name == "gru" and (run.accuracy("long") or 0) > 0.5
    ]
    assert fitting(runs, where) == plain
    assert frame(view(runs), where)["key"] == [run.key for run in plain]
    assert 0 < len(plain) < len(runs)


def test_a_frame_without_runs_has_its_columns() -> None:
    made = frame(view([]))
    assert {len(column) for column in made.values()} == {0}
    assert {"key", "hidden", "rate", "seed", "loss"} <= set(made)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_other_libraries_take_it_in_one_call(library: str) -> None:
    made = frame(view(some_runs()))
    table = pytest.importorskip(library).DataFrame(made)
    assert table.shape == (40, len(made))
    assert list(table["hidden"]) == list(made["hidden"])


def test_columns_are_called_as_options_and_are_plain_names() -> None:
    made = frame(view(some_runs()))
    assert all(name.isidentifier() for name in made)
    assert {"train_words", "test_words", "train_lengths", "long_lengths", "lesson_max_length"} <= set(made)


def test_accuracies_are_in_percent_in_frames_tables_and_csv() -> None:
    (run,) = runs = [made_up(small(), 0, {"long": {"3": 0.25}})]
    read = next(csv.DictReader(io.StringIO(comma_separated(runs_table(runs)))))
    assert run.accuracy("long") == 0.25
    assert np.array(frame(view(runs))["long"]).tolist() == [25] == [float(read["long"])]
    assert list(read) == list(frame(view(runs)))
    (row,) = own_table(all_runs(view(runs))).rows
    assert row["long median"] == 25


def test_pandas_gets_the_columns_of_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in: pandas itself takes them where it is installed, which the test above tries."""
    stand_in = ModuleType("pandas")
    stand_in.__spec__ = ModuleSpec("pandas", None)
    stand_in.DataFrame = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", stand_in)
    results = view(some_runs())
    made, plain = results.to_pandas(), frame(results)
    assert list(made) == list(plain)
    for name, column in plain.items():
        assert str(made[name]) == str(column)


def test_without_pandas_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abacist.on_demand.find_spec", lambda name: None)
    with pytest.raises(NotInstalled, match=r"^to_pandas needs pandas; pip install pandas$"):
        view([]).to_pandas()
