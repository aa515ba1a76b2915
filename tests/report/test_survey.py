"""A survey's table and figure say what the runs say."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from statistics import median

import numpy as np
import pytest

from abacist.experiments import Results, Run, experiment_named, parse_experiment
from abacist.report import table_of
from abacist.report.figures import PICTURES, new_figure
from abacist.report.figures.horizon_pictures import Panel, draw_panel
from abacist.report.figures.picture import MissingRuns
from abacist.report.horizon_tables import is_survey, quantile
from tests.experiments.cases import made_up, made_up_horizons, view

TEXT = """
language = ["dyck-1", "parity"]
cell = ["rnn", "gru", "lstm", "mingru"]
hidden = 2
epochs = 3
training = 20
test = 10
short = "2:12"
long = "14:20"
runs = 9
horizon = { to = 40 }
"""
SURVEY = parse_experiment(TEXT, "survey.toml")


def made(seed: int = 1) -> list[Run]:
    rng, runs = np.random.default_rng(seed), []
    for task in SURVEY.tasks:
        for number in task.seeds:
            shares = {name: {"3": float(rng.random())} for name in task.sets}
            runs.append(
                made_up(task.spec, number, shares, horizons=made_up_horizons(task.horizons, rng)),
            )
    return runs


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_row_for_every_cell_says_what_its_runs_say_for_each_language(seed: int) -> None:
    runs = made(seed)
    table = table_of(SURVEY, view(runs))
    assert [row["cell"] for row in table.rows] == ["rnn", "gru", "lstm", "mingru"]
    for row in table.rows:
        for language in ("dyck-1", "parity"):
            own = [r for r in runs if (r.spec.cell.name, r.spec.language.name) == (row["cell"], language)]
            known = [run.outcome.horizons[0].horizon for run in own]
            shares = [100 * (run.accuracy("long") or 0) for run in own]
            assert row[f"{language} long"] == pytest.approx(median(shares))
            assert row[f"{language} proved"] == pytest.approx(100 * sum(h.proved >= 12 for h in known) / 9)
            short = sum(h.wrong is not None and len(h.wrong) <= 12 for h in known)
            assert row[f"{language} right"] == pytest.approx(100 * (9 - short) / 9)
            wrong = median(inf if h.wrong is None else len(h.wrong) for h in known)
            assert row[f"{language} wrong at"] == ("> 40" if wrong == inf else str(wrong))
            lengths = [h.proved_in(own[0].spec.language) for h in known]
            assert row[f"{language} proved to median"] == median(lengths)
            assert row[f"{language} runs"] == 9
    assert "12 for dyck-1, 12 for parity" in table.note


def test_right_is_said_only_of_lengths_that_were_looked_at() -> None:
    task, runs = SURVEY.tasks[0], made()
    short = [replace_looked(run, 11) if run.spec == task.spec else run for run in runs]
    assert any(run.outcome.horizons[0].horizon.wrong is None for run in short if run.spec == task.spec)
    row = table_of(SURVEY, view(short)).rows[0]
    assert row.get(f"{task.spec.language.name} right") is None


def replace_looked(run: Run, looked: int) -> Run:
    (known,) = run.outcome.horizons
    horizons = (replace(known, horizon=replace(known.horizon, looked=looked)),)
    return replace(run, outcome=replace(run.outcome, horizons=horizons))


def test_words_that_are_few_are_said_to_be_run_one_by_one() -> None:
    """Dyck-1 has 132 words of 12 symbols, parity 2,048."""
    few = parse_experiment("repeats = true" + TEXT.replace("parity", "anbn"), "few.toml")
    assert table_of(few, view(())).note.endswith(
        " Of dyck-1, anbn every word up to there was run, so that right is no matter of the search."
    )
    many = parse_experiment(TEXT.replace("to = 40", "to = 40, budget = 64"), "many.toml")
    assert "was run" not in table_of(many, view(())).note


def test_what_is_missing_is_shown_as_missing() -> None:
    (row, *_) = table_of(SURVEY, view(())).rows
    assert row["dyck-1 runs"] == 0
    assert row.get("dyck-1 long") is row.get("dyck-1 wrong at") is row.get("dyck-1 proved") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hidden = 2", "hidden = [1, 2]"),
        (
            'cell = ["rnn", "gru", "lstm", "mingru"]\nhidden = 2',
            '[[task]]\nhidden = 2\ncell = ["rnn", "gru"]\n[[task]]\nhidden = 3\ncell = ["lstm", "mingru"]',
        ),
        ('"dyck-1", "parity"', '"dyck-1"'),
        (', "mingru"', ""),
    ],
)
def test_other_experiments_are_no_surveys(old: str, new: str) -> None:
    assert is_survey(SURVEY)
    assert not is_survey(parse_experiment(TEXT.replace(old, new), "other.toml"))
    assert not is_survey(experiment_named("counting"))


def test_a_quantile_is_always_that_of_some_network() -> None:
    ordered = [2.0, 4.0, 8.0, inf, inf]
    assert [quantile(ordered, share) for share in (0, 0.25, 0.5, 0.75, 1)] == ordered


def test_dots_are_medians_and_those_without_a_wrong_word_stand_at_the_end() -> None:
    panel = Panel(12, 40, {"rnn": ((2.0, 4.0, 8.0), 10.0), "gru": ((4.0, inf, inf), 99.0)})
    axes = draw_panel(new_figure().subplots(), panel, ["rnn", "lstm", "gru"])
    dots = {
        str(line.get_label()): tuple(float(own[0]) for own in np.asarray(line.get_data()))
        for line in axes.lines
        if line.get_marker() == "o"
    }
    end = dict(zip((t.get_text() for t in axes.get_xticklabels()), axes.get_xticks(), strict=True))["∞"]
    assert dots == {"_rnn": (4.0, 0.0), "_gru": (end, 2.0)}
    assert end > 40


def test_the_zoo_is_a_survey_of_every_cell_and_its_figure_says_how_it_is_made() -> None:
    zoo = experiment_named("zoo")
    assert is_survey(zoo)
    with pytest.raises(MissingRuns, match="`abacist run zoo --results nowhere` makes them"):
        PICTURES["zoo"](view(()))
    runs = [
        made_up(
            task.spec, seed, {"long": {str(task.spec.epochs): 0.5}}, horizons=made_up_horizons(task.horizons)
        )
        for task in zoo.tasks[:2]
        for seed in range(3)
    ]
    results: Results = view(runs)
    _, caption, make = PICTURES["zoo"](results)
    assert "6 networks" in caption
    assert make().axes
