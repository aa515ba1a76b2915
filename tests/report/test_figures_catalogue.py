"""The catalogue: what a store is enough for is made, and what is missing is said in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import follow, match_units
from abacist.corpora import draw
from abacist.errors import BadFile, BadInput
from abacist.experiments import Store, experiment_named
from abacist.report.figures import PICTURES, Picture, new_figure, pictures, save
from abacist.report.figures.paper_pictures import NESTED, REPETITIVE, read_by, richest_word
from abacist.report.figures.shelf import best
from tests.experiments.cases import made_up, small

SETS = ("training", "short", "long")


def put(store: Store, experiment: str, language: str | None = None) -> None:
    """Two made-up runs of an experiment's tasks, or of those on one language; the later is better."""
    for task in experiment_named(experiment).tasks:
        if language in (None, task.spec.language.name):
            for seed in range(2):
                at = dict.fromkeys(map(str, task.epochs), 0.5) | {str(task.spec.epochs): seed / 9}
                store.put([made_up(task.spec, seed, dict.fromkeys(SETS, at))])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("full"))
    for name in ("table-1", "few-units", "last-bracket", "epochs"):
        put(store, name)
    return store


def named(store: Store, name: str) -> Picture:
    (picture,) = [picture for picture in pictures(store)[0] if picture.name == name]
    return picture


def test_an_empty_store_gives_the_corpora_and_sentences(store: Store) -> None:
    possible, impossible = pictures(store)
    assert [picture.name for picture in possible] == ["shuffle-6-corpora"]
    assert [line.partition(":")[0] for line in impossible] == [
        n for n in PICTURES if n != "shuffle-6-corpora"
    ]
    for line in impossible:
        assert f"{store.path.parent} holds no runs" in line
        assert "`abacist reproduce --results" in line
        assert "\n" not in line
    (one_unit,) = [line for line in impossible if line.startswith("dyck-1-one-unit")]
    assert "dyck-1 by lstm with 1 hidden unit and 20 epochs" in one_unit
    assert one_unit.endswith("--only few-units` makes them")


def test_a_part_of_the_runs_gives_a_part_of_the_figures(store: Store) -> None:
    put(store, "table-1", "dyck-2")
    possible, impossible = pictures(store)
    assert [picture.name for picture in possible] == ["table-1-runs", "shuffle-6-corpora", "dyck-2-states"]
    assert len(impossible) == len(PICTURES) - 3
    assert "6 runs, 114 less than the experiment asks for" in possible[0].caption


def test_all_of_them(full: Store) -> None:
    possible, impossible = pictures(full)
    assert [picture.name for picture in possible] == list(PICTURES)
    assert impossible == []
    for picture in possible:
        assert picture.title
        assert picture.caption.endswith(".")
        assert picture.command == f"abacist figures --results {full.path.parent} --only {picture.name}"


def test_the_best_run_on_the_long_set_and_then_the_first() -> None:
    runs = [made_up(small(), seed, {"long": {"3": share}}) for seed, share in enumerate((0.2, 0.7, 0.7, 0.1))]
    assert best(runs).seed == 1
    assert best(runs[::-1]).seed == 1


def test_the_counters_are_the_best_run_s(full: Store) -> None:
    spec = experiment_named("table-1").tasks[8].spec
    (run,) = [run for run in full if run.spec == spec and run.seed == 1]
    corpus = draw(spec.recipe(1))["long"]
    language, word = spec.language, richest_word(corpus)
    matching = match_units(follow(run.networks, 0, language, corpus[n]) for n in range(200))
    reading = follow(run.networks, 0, language, word)
    figure = named(full, "shuffle-6-counters").make()
    for counter, axes in enumerate(figure.axes):
        depth, state = axes.lines[:2]
        assert depth.get_label() == f"depth of {language.counter_names[counter]}"
        np.testing.assert_array_equal(depth.get_ydata(), reading.depths[:, counter])
        unit = matching.units[counter]
        assert unit is not None
        np.testing.assert_array_equal(state.get_ydata(), reading.values("c")[:, unit])
    assert word in language
    assert (reading.depths.max(axis=0) >= 1).all()  # it shows every pair at work


def test_the_words_of_dyck_2(full: Store) -> None:
    spec = experiment_named("table-1").tasks[11].spec
    (run,) = [run for run in full if run.spec == spec and run.seed == 1]
    figure = named(full, "dyck-2-states").make()
    rows = [(word, name) for word in (REPETITIVE, NESTED) for name in ("h", "c")]
    for axes, (word, name) in zip(figure.axes, rows, strict=True):
        reading = read_by(run, word)
        drawn = [own.get_ydata() for own in axes.lines]
        np.testing.assert_array_equal(np.stack(drawn, axis=1), reading.values(name))
        if name == "c":  # the row that has the word below it
            ends = [label.get_text().endswith("'") for label in axes.get_xticklabels()]
            assert ends == reading.wrong.tolist()


@pytest.mark.parametrize("name", [n for n in PICTURES if n not in ("shuffle-6-counters", "dyck-2-states")])
def test_every_other_figure_is_made_and_written(full: Store, name: str, tmp_path: Path) -> None:
    picture = named(full, name)
    paths = save(picture, tmp_path / "figures", ("svg",))
    assert paths == [tmp_path / "figures" / f"{name}.svg"]
    text = paths[0].read_text()
    assert text.startswith("<?xml")
    assert "dc:date" not in text


def test_one_unit_and_the_last_bracket(full: Store) -> None:
    (axes,) = named(full, "dyck-1-one-unit").make().axes
    assert [own.get_label() for own in axes.lines] == ["depth of ( )", "cell state c"]
    (axes,) = named(full, "last-bracket-states").make().axes
    marked = [n for n, label in enumerate(axes.get_xticklabels()) if label.get_text().endswith("'")]
    assert set(marked) <= {len(axes.get_xticks()) - 2}  # only the last prediction counts


def test_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    picture = Picture("one", "One", "One.", "one", new_figure)
    with pytest.raises(BadFile, match=r"file/figures: cannot be made, not a directory"):
        save(picture, tmp_path / "file" / "figures")
    with pytest.raises(BadInput, match="a figure is written as svg, pdf, png, got 'gif'"):
        save(picture, tmp_path, ("png", "gif"))
    assert [path.name for path in save(picture, tmp_path)] == ["one.svg", "one.pdf", "one.png"]
