"""The catalogue: what a store is enough for is made, and what is missing is said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import follow, match_units
from abacist.corpora import draw
from abacist.errors import BadInput
from abacist.experiments import Results, Run, Store, experiment_named
from abacist.languages import Word
from abacist.report.figures import (
    FIGURE_FORMS,
    NETWORK_PICTURES,
    PICTURES,
    Picture,
    draw_picture,
    new_figure,
    pictures,
    save_drawn,
)
from abacist.report.figures.paper_pictures import (
    LAST_BRACKET,
    NESTED,
    REPETITIVE,
    UP_AND_DOWN,
    read_by,
    richest_word,
)
from abacist.report.figures.picture import best, described, figure_bytes
from abacist.untrusted import read_toml
from tests.experiments.cases import made_up, made_up_horizons, results_in, runs_of, small
from tests.report.report_cases import impossible, possible

SETS = ("training", "short", "long")


def put(store: Store, experiment: str, language: str | None = None) -> None:
    """Two made-up runs of an experiment's tasks, or of those on one language; the later is better."""
    for task in experiment_named(experiment).tasks:
        if language in (None, task.spec.language.name):
            for seed in range(2):
                at = dict.fromkeys(map(str, task.epochs), 0.5) | {str(task.spec.epochs): seed / 9}
                horizons = made_up_horizons(task.horizons, np.random.default_rng(seed))
                store.put([made_up(task.spec, seed, dict.fromkeys(SETS, at), horizons=horizons)])


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("full")) as store:
        for name in ("table-3", "few-units", "last-bracket", "epochs", "counting", "memories"):
            put(store, name)
        put(store, "zoo", "dyck-1")
        yield store


def named(store: Store, name: str) -> Picture:
    return possible(pictures(Results.of(store)))[name]


def later_run(store: Store, experiment: str, task: int) -> Run:
    """The second run of a task: the better one, as they are put here."""
    spec = experiment_named(experiment).tasks[task].spec
    (run,) = [run for run in runs_of(store) if run.spec == spec and run.seed == 1]
    return run


def test_an_empty_store_gives_the_corpora_and_sentences(store: Store) -> None:
    made = pictures(Results.of(store))
    assert list(possible(made)) == ["shuffle-6-corpora"]
    assert list(made) == list(PICTURES)
    for name, line in zip((n for n in PICTURES if n != "shuffle-6-corpora"), impossible(made), strict=True):
        assert line.startswith(f"{name}: ")
        kind = "horizons" if line.startswith(("horizons:", "saturation:", "zoo:")) else "runs"
        assert f"{store.path.parent} holds no {kind}" in line
        assert "`abacist run " in line
        assert "\n" not in line
    (one_unit,) = [line for line in impossible(made) if line.startswith("dyck-1-one-unit")]
    assert "dyck-1 by lstm with 1 hidden unit and 20 epochs" in one_unit
    assert f"`abacist run few-units --results {store.path.parent}` makes them" in one_unit


def test_a_part_of_the_runs_gives_a_part_of_the_figures(store: Store) -> None:
    put(store, "table-3", "dyck-2")
    made = possible(pictures(Results.of(store)))
    assert list(made) == ["table-3-runs", "shuffle-6-corpora", "dyck-2-states"]
    assert "6 runs, 114 fewer than the experiment asks for" in made["table-3-runs"].caption


def test_all_of_them(full: Store) -> None:
    made = possible(pictures(Results.of(full)))
    assert list(made) == list(PICTURES)
    for picture in made.values():
        assert picture.title
        assert picture.caption.endswith(".")
        assert picture.command == f"abacist figures --results {full.path.parent} --only {picture.name}"


def test_every_caption_is_that_of_a_figure() -> None:
    text = (files("abacist.report.figures") / "captions.toml").read_text(encoding="utf-8")
    assert set(read_toml(text)) == {*PICTURES, *NETWORK_PICTURES, "states-without-counters"}


def test_the_best_run_on_the_long_set_and_then_the_first() -> None:
    runs = [made_up(small(), seed, {"long": {"3": share}}) for seed, share in enumerate((0.2, 0.7, 0.7, 0.1))]
    assert best(runs).seed == 1
    assert best(runs[::-1]).seed == 1


def test_the_short_set_and_then_the_training_set_decide_between_equals() -> None:
    shares = ((0.9, 0.9, 0.1), (0.5, 0.4, 0.2), (0.1, 0.5, 0.2), (0.2, 0.5, 0.2))
    runs = [
        made_up(small(), seed, {name: {"3": share} for name, share in zip(SETS, own, strict=True)})
        for seed, own in enumerate(shares)
    ]
    assert best(runs).seed == 3


def test_a_caption_says_which_run_it_is_and_how_good() -> None:
    runs = [made_up(small(), seed, {"short": {"3": 0.5}, "long": {"3": 0.25}}) for seed in (4, 7, 9)]
    assert described(runs[1], runs) == (
        f"Run {runs[1].key[:8]}, seed 7, the best of 3 on the long set; "
        "it accepts 50.00 % of the short set and 25.00 % of the long set."
    )
    unknown = made_up(small(), 4, {})
    assert described(unknown, [unknown]).endswith(", seed 4, the best of 1 on the long set.")


def test_the_runs_of_a_spec_are_in_the_order_of_their_seeds(store: Store) -> None:
    store.put([made_up(small(), seed, {}) for seed in (3, 0, 2, 1)])
    assert [run.seed for run in Results.of(store).by_spec[small()]] == [0, 1, 2, 3]


def test_commands_quote_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my results"
    made = pictures(results_in(folder))
    assert all(f"--results '{folder}' --only" in picture.command for picture in possible(made).values())
    assert all(f"--results '{folder}'" in line for line in impossible(made))


def test_the_richest_word_is_the_one_whose_shallowest_pair_is_deepest() -> None:
    spec = experiment_named("table-3").tasks[8].spec
    corpus = draw(replace(spec, training=50, test=50).recipe(0))["long"]
    words = list(corpus)

    def depths(word: Word) -> tuple[int, int]:
        deepest = spec.language.depth_path(word).max(axis=0)
        return int(deepest.min()), int(deepest.sum())

    assert richest_word(corpus) == max(words, key=depths)
    assert len({depths(word)[0] for word in words}) > 1


def test_the_counters_are_the_best_run_s(full: Store) -> None:
    run = later_run(full, "table-3", 8)
    spec = run.spec
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
    run = later_run(full, "table-3", 11)
    figure = named(full, "dyck-2-states").make()
    rows = [(word, name) for word in (REPETITIVE, NESTED) for name in ("h", "c")]
    for axes, (word, name) in zip(figure.axes, rows, strict=True):
        reading = read_by(run, word)
        drawn = [own.get_ydata() for own in axes.lines]
        np.testing.assert_array_equal(np.stack(drawn, axis=1), reading.values(name))
        if name == "c":  # the row that has the word below it
            ends = [label.get_text().endswith("'") for label in axes.get_xticklabels()]
            assert ends == reading.wrong.tolist()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if name == "dyck-2-memories" else ())
        for name in PICTURES
        if name not in ("shuffle-6-counters", "dyck-2-states")
    ],
)
def test_every_other_figure_is_drawn(full: Store, name: str) -> None:
    drawn = draw_picture(named(full, name), ("svg",))
    assert isinstance(drawn, list)
    text = drawn[0].decode()
    assert text.startswith("<?xml")
    assert "dc:date" not in text


def test_one_unit_and_the_last_bracket(full: Store) -> None:
    (axes,) = named(full, "dyck-1-one-unit").make().axes
    assert [own.get_label() for own in axes.lines] == ["depth of ( )", "cell state c"]
    state = read_by(later_run(full, "few-units", 0), UP_AND_DOWN).values("c")
    np.testing.assert_array_equal(axes.lines[1].get_ydata(), state[:, 0])
    (axes,) = named(full, "last-bracket-states").make().axes
    states = read_by(later_run(full, "last-bracket", 0), LAST_BRACKET).values("c")
    np.testing.assert_array_equal(np.stack([own.get_ydata() for own in axes.lines], axis=1), states)
    marked = [n for n, label in enumerate(axes.get_xticklabels()) if label.get_text().endswith("'")]
    assert set(marked) <= {len(axes.get_xticks()) - 2}  # only the last prediction counts


def test_far_past_the_training_window(full: Store) -> None:
    left, right = named(full, "dyck-1-lengths").make().axes
    longest, deepest = (axes.patches[0].get_width() for axes in (left, right))  # type: ignore[attr-defined]
    for axes, most in ((left, longest), (right, deepest)):
        assert [own.get_label() for own in axes.lines] == ["RNN, 2 runs", "GRU, 2 runs", "LSTM, 2 runs"]
        assert np.max(np.asarray(axes.lines[0].get_xdata())) >= 9 * most
    assert longest == 50


def test_a_picture_that_is_there_is_written_anew(tmp_path: Path) -> None:
    picture = Picture("one", "One", "One.", "one", new_figure)
    (tmp_path / "one.svg").write_text("an older one")
    drawn = draw_picture(picture)
    assert isinstance(drawn, list)
    paths = save_drawn(picture, drawn, tmp_path, FIGURE_FORMS)
    assert [path.name for path in paths] == ["one.svg", "one.pdf", "one.png"]
    assert (tmp_path / "one.svg").read_text().startswith("<?xml")
    with pytest.raises(BadInput, match="a figure is written as svg, pdf, png, got 'gif'"):
        figure_bytes(new_figure(), "gif")
