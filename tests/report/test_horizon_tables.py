"""The tables of horizons, against plain recomputation; and words as people read them."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import numpy as np
import pytest
from scipy import stats

from abacist.analysis import Search
from abacist.errors import BadInput
from abacist.experiments import Run, experiment_named, parse_experiment
from abacist.languages import Language, language_named
from abacist.report import table_of
from abacist.report.horizon_tables import bracket_row, named
from tests.experiments.cases import TINY, made_up, made_up_horizons, view

EXPERIMENT = parse_experiment(
    TINY + 'runs = 5\nhorizon = { to = 40 }\n[[task]]\nsaturate = [1, 4]\n[[task]]\ncell = "gru"', "own.toml"
)


def made(seed: int = 3) -> list[Run]:
    """All runs of the experiment but one, with horizons at random."""
    rng, runs = np.random.default_rng(seed), []
    for task in EXPERIMENT.tasks:
        for number in task.seeds:
            shares = {name: {"3": float(rng.random())} for name in task.sets}
            known = made_up_horizons(task.horizons, rng)
            runs.append(made_up(task.spec, number, shares, horizons=known))
    return runs[:-1]


def test_a_row_for_every_task_and_factor_says_what_its_runs_say() -> None:
    runs = made()
    table = table_of(EXPERIMENT, view(runs))
    assert (table.name, table.title) == ("own", "own")
    asked = [(task, aim.factor) for task in EXPERIMENT.tasks for aim in task.horizons]
    assert [(row["cell"], row["factor"]) for row in table.rows] == [
        ("rnn", "× 1"), ("rnn", "× 4"), ("gru", "× 1"),
    ]  # fmt: skip
    for row, (task, factor) in zip(table.rows, asked, strict=True):
        own = [run for run in runs if run.spec == task.spec]
        horizons = [known.horizon for run in own for known in run.outcome.horizons if known.factor == factor]
        assert row["runs"] == f"{len(own)} of 5"
        assert (row["gates"], row["runs there"], row["runs asked"]) == (factor, len(own), 5)
        proved = [horizon.proved_in(task.spec.language) for horizon in horizons]
        assert [row[f"proved {name}"] for name in ("min", "median", "max")] == [
            min(proved), median(proved), max(proved),
        ]  # fmt: skip
        wrong = [len(horizon.wrong) if horizon.wrong else None for horizon in horizons]
        ordered = sorted(float("inf") if length is None else length for length in wrong)
        for name, value in (("min", ordered[0]), ("median", median(ordered)), ("max", ordered[-1])):
            assert row[f"wrong {name}"] == (None if value == float("inf") else value)
        for share in (5, 25, 75, 95):
            value = ordered[round(share / 100 * (len(ordered) - 1))]
            assert row[f"wrong {share} %"] == (None if value == float("inf") else value)
        missing = wrong.count(None)
        assert row["none wrong"] == (f"{missing}, to 40" if missing else "0")
        assert (row["none wrong runs"], row["none wrong to"]) == (missing, 40 if missing else None)
        exact = (h.proved + 1 == w for h, w in zip(horizons, wrong, strict=True))
        assert row["closed"] == sum(exact)
        shares = [run.accuracy("long") for run in own]
        assert row.get("long") == (
            pytest.approx(100 * median(s for s in shares if s is not None)) if factor == 1 else None
        )


def test_rank_correlations_of_accuracy_and_horizon_are_scipy_s() -> None:
    """Of networks as they were trained, where five runs are there; a network without a wrong word is last."""
    runs = made()
    table = table_of(EXPERIMENT, view(runs))
    own = [run for run in runs if run.spec == EXPERIMENT.tasks[0].spec]
    horizons = [run.outcome.horizon() for run in own]
    wrong = [1e9 if one is None or one.wrong is None else len(one.wrong) for one in horizons]
    expected = stats.spearmanr([run.accuracy("long") for run in own], wrong).statistic
    assert len(set(wrong)) > 2
    assert [row.get("rank correlation") for row in table.rows] == [pytest.approx(expected), None, None]
    assert f"over the runs of a setting: {expected:.2f} in the median of 1 setting." in table.note
    assert "Rank correlation" not in table_of(EXPERIMENT, view(runs[:3])).note


def test_runs_whose_horizons_are_not_known_are_shown_as_missing() -> None:
    runs = made()
    task = EXPERIMENT.tasks[1]
    rest = [run for run in runs if run.spec != task.spec]
    bare = [made_up(task.spec, 0, {name: {"3": 0.5} for name in task.sets})]
    *_, row = table_of(EXPERIMENT, view([*rest, *bare])).rows
    assert (row["runs"], row.get("proved median"), row.get("closed")) == ("0 of 5", None, None)


def test_the_experiment_of_the_catalogue_is_such_a_table() -> None:
    experiment = experiment_named("counting")
    table = table_of(experiment, view([]))
    assert len(table.rows) == sum(len(task.horizons) for task in experiment.tasks)
    assert {row["runs"] for row in table.rows} == {"0 of 10"}


def expanded(language: Language[Any], text: str) -> tuple[int, ...]:
    """The word that a shortened one stands for."""
    word: list[int] = []
    for part in text.split():
        repeated = re.fullmatch(r"(\d+)×(.+)", part)
        times, block = (int(repeated[1]), repeated[2]) if repeated else (1, part)
        word += times * language.alphabet.parse(block)
    return tuple(word)


def some_word(symbols: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Symbols at random, with stretches that are repeated; it need not be in the language."""
    word: list[int] = []
    for _ in range(int(rng.integers(1, 7))):
        block = rng.integers(symbols, size=int(rng.integers(1, 15))).tolist()
        word += int(rng.choice([1, 1, 2, 3, 4, 25])) * block
    return tuple(word)


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "dyck-6", "anbncn", "dyck-8"])
def test_a_shortened_word_can_be_expanded_again(name: str) -> None:
    language, rng, saved = language_named(name), np.random.default_rng(4), 0
    for _ in range(400):
        word = some_word(len(language.alphabet), rng)
        text = language.alphabet.shortened(word, 10_000)
        assert expanded(language, text) == word
        saved += len("".join(language.alphabet.glyphs[s] for s in word)) - len(text)
    assert saved > 400 * 20


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "dyck-8"])
def test_one_that_is_cut_begins_and_ends_as_the_word_does(name: str) -> None:
    """No number is cut in two: what is shown of it is true."""
    language, rng, cut = language_named(name), np.random.default_rng(5), 0
    for _ in range(400):
        word = some_word(len(language.alphabet), rng)
        for most in (20, 60):
            text = language.alphabet.shortened(word, most)
            assert len(text) <= most
            if "…" in text:
                cut += 1
                first, last = (expanded(language, side) for side in text.split("…"))
                assert word[: len(first)] == first
                assert word[len(word) - len(last) :] == last
                assert len(first) + len(last) < len(word)
            else:
                assert expanded(language, text) == word
    assert cut > 100


def test_words_that_people_know() -> None:
    shown = {text: language_named("dyck-1").alphabet.shortened(language_named("dyck-1").alphabet.parse(text))
             for text in ("()", "((()))", "()()()()", "(()()())")}  # fmt: skip
    assert shown == {"()": "()", "((()))": "3×( 3×)", "()()()()": "4×()", "(()()())": "( 3×() )"}


def test_sets_of_next_symbols_are_written_as_everywhere() -> None:
    assert named(language_named("dyck-2"), (0, 3)) == "( ]"
    assert named(language_named("anbn"), (1, 2)) == "b ⊣"
    assert named(language_named("dyck-1"), ()) == "nothing"


def test_a_row_of_one_horizon() -> None:
    language, rng = language_named("dyck-1"), np.random.default_rng(6)
    aims = [task.horizons[0] for task in EXPERIMENT.tasks]
    for known in (k for _ in range(10) for k in made_up_horizons(aims, rng)):
        row, own = bracket_row(language, known.horizon), known.horizon
        assert row["proved"] == own.proved - own.proved % 2
        assert row.get("wrong") == (None if own.wrong is None else len(own.wrong))
        if own.wrong is not None:
            assert expanded(language, row["word"]) == own.wrong.word
            assert (row["step"], row["predicted"], row["right"]) == (own.wrong.step, "( )", "(")
    assert aims[0].search == Search(40)


def test_what_else_varies_tells_rows_apart() -> None:
    text = TINY + "runs = 2\nhorizon = { to = 40 }\nrate = [0.1, 0.2]"
    table = table_of(parse_experiment(text, "own.toml"), view(()))
    assert [row["rate"] for row in table.rows] == [0.1, 0.2]
    assert "rate" in [column.key for column in table.columns]


def test_a_label_does_not_hide_what_differs_below_it() -> None:
    text = TINY + 'runs = 2\nhorizon = { to = 40 }\nlabel = "both"\nrate = [0.1, 0.2]'
    table = table_of(parse_experiment(text, "own.toml"), view(()))
    assert [(row["label"], row["rate"]) for row in table.rows] == [("both", 0.1), ("both", 0.2)]
    assert {"label", "rate"} <= {column.key for column in table.columns}


def test_labels_stand_for_settings_where_all_tasks_have_one() -> None:
    text = TINY + 'horizon = { to = 40 }\n[[task]]\nlabel = "slow"\nrate = 0.1\n[[task]]\nrate = 0.2\n'
    some = parse_experiment(text, "own.toml")
    every = parse_experiment(text + 'label = "fast"\n', "own.toml")
    assert [task.spec for task in some.tasks] == [
        task.spec for task in every.tasks
    ]  # and so have the same keys
    heads = [[column.heading for column in table_of(own, view([])).columns] for own in (some, every)]
    assert ["rate" in head for head in heads] == [True, False]
    assert ["setting" in head for head in heads] == [True, True]
    assert [row["label"] for row in table_of(every, view([])).rows] == ["slow", "fast"]
    for wrong, message in (
        ("3", "label must be text in quotes, got 3"),
        ('["a", "b"]', r"label must be text in quotes, got \['a', 'b'\]"),
        ('" "', "label must be a few words in one line, got ' '"),
        (r'"a\nb"', "label must be a few words in one line"),
    ):
        with pytest.raises(BadInput, match=message):
            parse_experiment(f"{TINY}label = {wrong}", "own.toml")
