"""Runs of models from outside in a store: kept, joined, merged, repaired, deleted and shown."""

from __future__ import annotations

import csv
import io
import pickle
import shlex
from pathlib import Path

import pytest

from abacist.bridge import keep
from abacist.cells import CELLS, outside_model
from abacist.errors import BadInput
from abacist.experiments import Results, Run, Store, Task, delete, fitting, merge, run
from abacist.experiments.rows import row_of, run_of
from abacist.languages import language_named
from abacist.report import runs_table
from abacist.report.figures.own import own_pictures
from abacist.report.own_runs import all_runs
from abacist.report.own_table import own_table
from abacist.specs import Spec
from tests.bridge.cases import SIZES, judged
from tests.cli.command import inside
from tests.report.report_cases import possible

SETS = ("short", "long")


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A store with trained networks and with models from outside."""
    folder = tmp_path / "mixed"
    spec = Spec(language_named("shuffle-2"), CELLS["rnn"], hidden=2, epochs=1, **SIZES)
    with Store(folder) as store:
        run([Task("beside", spec, (0, 1))], store)
        for seed in (0, 1):
            keep(judged(seed, sets=SETS), store)
        keep(judged(0, "blunt", sharpness=0.05, sets=SETS), store)
    return folder


def results_of(folder: Path) -> Results:
    with Store(folder, reading=True) as store:
        return Results.of(store)


def outside(results: Results) -> list[Run]:
    return [one for one in results.runs if one.spec.outside]


def test_a_run_comes_back_from_its_row() -> None:
    own = judged(3, sets=SETS).run()
    back = run_of(row_of(own))
    assert (back.key, back.seed, back.spec) == (own.key, 3, own.spec)
    assert back.outcome == own.outcome
    assert back.weights.size == 0


def test_no_key_of_theirs_is_that_of_a_trained_run() -> None:
    spec = judged(sets=SETS).spec
    keys = {judged(seed, name, sets=SETS).run().key for seed in (0, 1) for name in ("lstm", "rnn")}
    assert len(keys) == 4
    assert spec.key_values()["cell"] == "outside:leaky"
    with pytest.raises(
        BadInput, match="hidden must be 1 for outside:leaky, a model from outside, which is not trained"
    ):
        Spec(spec.language, spec.cell)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_what_is_known_already_is_joined_and_what_differs_is_refused(tmp_path: Path) -> None:
    first, second = judged(sets=("short",)), judged(sets=("long",))
    assert first.run().key == second.run().key
    keep(first, tmp_path)
    both = keep(second, tmp_path)
    assert {*both.outcome.accuracy} == {"short", "long", "stress to 60"}
    with pytest.raises(BadInput, match="has another run of outside:leaky with seed 0 and other accuracies"):
        keep(judged(sharpness=0.05, sets=("short",)), tmp_path)
    replaced = keep(judged(sharpness=0.05, sets=("short",)), tmp_path, replace=True)
    (stored,) = results_of(tmp_path).runs
    assert stored.outcome.accuracy == replaced.outcome.accuracy
    assert "long" not in stored.outcome.accuracy


def test_they_survive_merging_repairing_and_deleting(mixed: Path, tmp_path: Path) -> None:
    before = results_of(mixed)
    assert (len(before.runs), len(outside(before))) == (5, 3)
    merged = merge(tmp_path / "other", [mixed])
    assert (merged.new, merge(tmp_path / "other", [mixed]).same) == (5, 5)
    with Store(tmp_path / "other") as store:
        assert store.repair() == ()
    after = results_of(tmp_path / "other")
    assert after.weights_checksum == before.weights_checksum
    assert [one.outcome for one in after.runs] == [one.outcome for one in before.runs]
    assert delete(tmp_path / "other", [one.key for one in outside(after)]) == 3
    assert not outside(results_of(tmp_path / "other"))


def test_tables_and_conditions_show_them_beside_the_others(mixed: Path) -> None:
    results = results_of(mixed)
    rows = {row["key"]: row for row in runs_table(results.runs).rows}
    for own in outside(results):
        row = rows[own.key]
        assert row["cell"] == own.spec.cell.name
        assert (row["hidden"], row["epochs"], row["rate"], row["loss"]) == (None,) * 4
        assert row["short"] == pytest.approx(100 * own.outcome.accuracy["short"][0])
        assert row["wrong"] == len(own.outcome.horizons[0].horizon.wrong or ())
    table = own_table(all_runs(results))
    assert [(row["cell"], row["runs"]) for row in table.rows] == [
        ("rnn", 2),
        ("outside:blunt", 1),
        ("outside:leaky", 2),
    ]
    assert {run.key for run in fitting(results.runs, ["hidden=none"])} == {
        run.key for run in outside(results)
    }
    assert table.title.endswith("the same in all trained here: hidden 2, epochs 1")
    spread = own_table(all_runs(results), ("mean", "std", "q25"))
    shares = [
        100 * own.outcome.accuracy["short"][0] for own in outside(results) if "leaky" in own.spec.cell.name
    ]
    assert spread.rows[2]["short mean"] == pytest.approx(sum(shares) / 2)
    assert spread.rows[2]["short std"] == pytest.approx(abs(shares[0] - shares[1]) / 2**0.5)


def test_of_a_model_from_outside_words_were_tried_and_nothing_is_proved(mixed: Path) -> None:
    results = results_of(mixed)
    own = next(one for one in outside(results) if one.spec.cell.name == "outside:leaky" and one.seed == 0)
    known = own.outcome.horizons[0].horizon
    tried = known.proved_in(own.spec.language)
    row = next(row for row in runs_table(results.runs).rows if row["key"] == own.key)
    assert (row["proved"], row["tried"]) == (None, tried)
    table = own_table(all_runs(results))
    assert [c.group for c in table.columns if c.key in ("tried to min", "proved to min")] == ["tried to"]
    assert "of models from outside nothing is proved" in table.note
    code, shown, _ = inside("show", own.key, "--results", str(mixed))
    assert code == 0
    assert "tried to" in shown
    assert "proved to" not in shown
    assert f"tried to {tried}, " in judged(0, sets=SETS)._repr_html_()


def test_the_note_under_their_table_names_a_command_that_shows_what_is_left_out(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keep(judged(0, sets=("long", "members long", "swapped long")), store)
    results = results_of(tmp_path)
    note = own_table(all_runs(results)).note
    assert "Left out: members long, swapped long; abacist runs " in note
    _, *arguments = shlex.split(note[note.index("abacist runs") : note.index(" shows such")])
    code, printed, _ = inside(*arguments, "--results", str(tmp_path), "--format", "csv")
    assert code == 0
    (row,) = csv.DictReader(io.StringIO(printed))
    shares = results.runs[0].outcome.accuracy["members long"]
    assert (row["cell"], float(row["members_long median"])) == ("outside:leaky", 100 * shares[0])


def test_every_figure_of_a_store_with_them_can_be_drawn(mixed: Path) -> None:
    drawn = {name: one.make() for name, one in possible(own_pictures(results_of(mixed))).items()}
    labels = [text.get_text() for text in drawn["own-glance"].axes[0].get_yticklabels()]
    assert labels == ["RNN", "Blunt, outside", "Leaky, outside"]


def test_nothing_can_be_trained_or_followed(mixed: Path) -> None:
    own = outside(results_of(mixed))[0]
    with pytest.raises(BadInput, match="has no weights here, only results"):
        _ = own.networks
    with pytest.raises(BadInput, match="can only be judged, by judge_model, and not trained"):
        Task("again", own.spec, (0,))


@pytest.mark.parametrize("name", ["", " x", "a:b", "x" * 300, "(a)", "a\n"])
def test_a_model_s_name_is_plain(name: str) -> None:
    with pytest.raises(BadInput, match="a model from outside"):
        outside_model(name)


def test_settings_tell_models_apart() -> None:
    assert outside_model("t", {"b": 2, "a": 0.5}) == outside_model("t", {"a": 0.5, "b": 2})
    assert outside_model("t", {"a": 1}) != outside_model("t", {"a": 2})
    assert outside_model("t", {"a": 1}).name == "outside:t (a 1)"
    with pytest.raises(BadInput, match="a setting is a name and a number or a word"):
        outside_model("t", {"a": "x, y"})
