"""Labels: what tables, figures and reports call cells and languages; keys and contents do not change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import abacist as ab
from abacist import labels
from abacist.algebra import sigmoid
from abacist.cells import CELLS
from abacist.errors import BadFile, BadInput
from abacist.experiments import Results, Store, merge, parse_experiment
from abacist.experiments import run as run_tasks
from abacist.labels import give_label, keep_labels, label_of, read_labels
from abacist.languages import language_from_values, language_values
from abacist.report.figures.house_style import title_of
from abacist.report.figures.own.arrangement import looks_of
from abacist.report.own_runs import all_runs
from abacist.report.own_table import own_table
from tests.cli.command import inside

FEW: dict[str, Any] = {
    "hidden": 1,
    "epochs": 1,
    "train_words": 40,
    "test_words": 10,
    "runs": 2,
    "progress": False,
}


def forget() -> None:
    """As in another program, which defines nothing."""
    labels._given.clear()
    labels._read.clear()


def leaking(label: str | None) -> ab.Spec:
    @ab.cell(gates="f n", label=label)
    def leaking(w, x, h):  # type: ignore[no-untyped-def]
        f = sigmoid(w.f(x, h))
        return f * h + (1 - f) * w.n(x, h)

    return ab.Spec(ab.language("dyck-1"), leaking)


def test_a_label_is_no_part_of_keys_or_contents() -> None:
    assert leaking("Leaky unit").key_text == leaking(None).key_text
    table = {"regex": "(ab)*", "name": "pairs"}
    assert language_values(language_from_values(table | {"label": "(ab)*"})) == language_values(
        language_from_values(table)
    )
    assert label_of("leaking#0123456789ab") == "Leaky unit"
    assert title_of("pairs") == title_of("(ab)*") == "(ab)*"


def test_a_store_keeps_the_labels_of_its_runs(tmp_path: Path) -> None:
    give_label("elsewhere", "Never used")
    cell = leaking("Leaky unit").cell
    for name in (cell, "lstm"):
        ab.train("dyck-1", name, results=tmp_path, **FEW)
    forget()
    with Store(tmp_path, reading=True) as store:
        results = Results.of(store)
    assert read_labels(tmp_path) == {"leaking": "Leaky unit"}
    rows = own_table(all_runs(results)).rows
    assert {row["cell"] for row in rows} == {"lstm", "Leaky unit"}
    said = str(ab.compare(results, by="cell", measures=["long"]))
    assert "Leaky unit − LSTM" in said or "LSTM − Leaky unit" in said
    assert {run.spec.cell.name for run in results} == {"lstm", "leaking"}


def test_merging_brings_labels_along(tmp_path: Path) -> None:
    ab.train("dyck-1", leaking("Leaky unit").cell, results=tmp_path / "one", **FEW)
    forget()
    merge(tmp_path / "all", [tmp_path / "one"])
    assert read_labels(tmp_path / "all") == {"leaking": "Leaky unit"}


def test_an_experiment_has_a_table_of_labels(tmp_path: Path) -> None:
    text = """
language = "pairs"
cell = ["lstm", "gru"]
hidden = 1
epochs = 1
train_words = 20
test_words = 5
repeats = true
runs = 1
labels = { lstm = "Long short-term memory" }
[languages.pairs]
regex = "(ab)*"
label = "a b again and again"
"""
    experiment = parse_experiment(text, "mine.toml")
    with Store(tmp_path) as store:
        run_tasks(experiment.tasks, store)
    assert read_labels(tmp_path) == {"lstm": "Long short-term memory", "pairs": "a b again and again"}


def test_what_train_prints_is_headed_by_labels(tmp_path: Path) -> None:
    give_label("rnn", "Plain RNN")
    sizes = ["--train-words", "20", "--test-words", "5", "--epochs", "0", "--runs", "1"]
    printed = inside("train", "dyck-1", "rnn", *sizes, "--out", str(tmp_path / "kept"))[1]
    assert printed.startswith("dyck-1, Plain RNN with ")


@pytest.mark.parametrize("label", ["", "  ", "two\nlines", "x" * 41, 3, None])
def test_what_is_no_label_is_refused(label: object) -> None:
    with pytest.raises(BadInput, match="a label must be a text of at most 40 characters in one line"):
        labels.give_labels({"lstm": label})


def test_a_file_that_has_no_labels_is_named(tmp_path: Path) -> None:
    (tmp_path / labels.FILE_NAME).write_text("[1]")
    with pytest.raises(BadFile, match=r"labels\.json: must have labels by name"):
        read_labels(tmp_path)


def test_labels_are_written_only_where_there_are_any(tmp_path: Path) -> None:
    keep_labels(tmp_path, ["lstm", "dyck-1"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", range(1, 9 - len(CELLS)))
def test_every_cell_has_a_colour_and_a_marker_of_its_own(count: int) -> None:
    looks = looks_of("cell", [*CELLS, *(f"own{number}" for number in range(count))]).values()
    assert len({look.colour for look in looks}) == len({look.marker for look in looks}) == len(looks)
