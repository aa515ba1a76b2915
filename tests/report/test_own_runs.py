"""Runs of one's own: what varies among them is what a comparison of all pairs finds."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from abacist.experiments import experiment_named, parse_experiment, percents
from abacist.experiments.run_values import NUMBERS, settings_of
from abacist.fields import records
from abacist.report import TABLE_FORMS
from abacist.report.own_runs import all_runs, explained, in_order, own_runs
from abacist.report.own_table import in_words, own_table
from abacist.specs import Lesson, Spec
from tests.experiments.cases import made_up, view, with_shares
from tests.report.own_cases import SETS, runs_for, spec_of, sweep, swept

SWEEPS: list[dict[str, list[Any]]] = [
    {"rate": [0.1, 0.2]},
    {"cell": ["lstm", "gru"], "hidden": [8, 1, 2]},
    {"language": ["dyck-2", "dyck-1", "shuffle-6"], "batch": [1, 2]},
    {"training": [100, 200], "decay": [0.0, 0.5], "steps": ["all", "last"]},
    {"precision": ["float32", "float64"], "order": ["own", "fixed"], "epochs": [4, 5]},
]


def differing(specs: list[Spec]) -> set[str]:
    """The fields in which some two specs differ, found by comparing all pairs."""
    names = [field.name for field in fields(Spec)]
    return {n for one, other in combinations(specs, 2) for n in names if getattr(one, n) != getattr(other, n)}


COLUMNS = {"training": "train_words", "test": "test_words"}


@pytest.mark.parametrize("lists", SWEEPS, ids=lambda lists: "-".join(lists))
def test_what_varies_is_what_differs_between_any_two_specs(lists: dict[str, list[Any]]) -> None:
    specs = swept(**lists)
    own = own_runs(view(runs_for(specs)))
    assert set(own.varying) == {COLUMNS.get(name, name) for name in differing(specs)}
    assert not set(own.varying) & set(own.same)
    for name, value in own.same.items():
        assert {settings_of(spec)[name] for spec in specs} == {value}
    assert [group.settings for group in own.groups] == sorted(
        (group.settings for group in own.groups),
        key=lambda s: [in_order(n, own.values(n)).index(s[n]) for n in own.varying],
    )
    assert sorted(run.key for run in own.runs) == sorted(run.key for run in runs_for(specs))
    for group in own.groups:
        assert {run.spec for run in group.runs} == {group.runs[0].spec}


def test_what_is_left_to_the_paper_does_not_vary_with_the_language() -> None:
    specs = [spec_of(language=name, training=None, hidden=5) for name in ("dyck-1", "shuffle-6")]
    assert own_runs(view(runs_for(specs))).varying == ("language",)
    assert len({settings_of(spec)["train_words"] for spec in specs}) == 2


def test_lessons_vary_in_their_parts_where_all_runs_have_one() -> None:
    taught = [spec_of(lesson=Lesson(rounds=2, sharpen=factor)) for factor in (1.5, 3.0)]
    assert own_runs(view(runs_for(taught))).varying == ("lesson_sharpen",)
    assert own_runs(view(runs_for([*taught, spec_of()]))).varying == ("lesson",)


def test_values_stand_in_the_order_in_which_people_list_them() -> None:
    assert in_order("cell", ["lstm", "mine", "rnn", "gru"]) == ("rnn", "gru", "lstm", "mine")
    assert in_order("language", ["dyck-10", "shuffle-2", "dyck-2"]) == ("dyck-2", "dyck-10", "shuffle-2")
    assert in_order("rate", [0.1, 1e-4, 0.01]) == (1e-4, 0.01, 0.1)
    assert in_order("source", ["²", "b", "a"]) == ("a", "b", "²")


def test_the_catalogue_s_runs_are_not_one_s_own() -> None:
    task = experiment_named("table-3").tasks[0]
    runs = with_shares(task.spec, [0.5] * 3, SETS)
    alone = own_runs(view(runs))
    assert (alone.groups, alone.experiments, alone.paper_is_there) == ((), ("table-3",), True)
    beside = own_runs(view([*runs, *runs_for([spec_of()])]))
    assert {run.spec for run in beside.runs} == {spec_of()}
    assert beside.experiments == ("table-3",)
    assert len(all_runs(view(runs)).runs) == 3
    nothing = own_runs(view([]))
    assert (nothing.groups, nothing.paper_is_there) == ((), True)


def test_a_sweep_keeps_the_networks_of_the_catalogue_that_lie_on_its_way() -> None:
    text = 'language = "dyck-1"\ncell = ["gru", "lstm"]\nhidden = [1, 2, 3, 4]\nruns = 2'
    specs = [task.spec for task in parse_experiment(text, "units.toml").tasks]
    own = own_runs(view(runs_for(specs, 2)))
    assert (len(own.groups), own.near, own.varying) == (8, 3, ("cell", "hidden"))
    assert own.experiments == ()  # nobody meant to have table 3
    others = [task.spec for task in experiment_named("table-3").tasks if task.spec not in specs]
    whole = own_runs(view(runs_for([*specs, *others], 2)))
    assert whole.experiments == ("table-3",)
    near = {
        spec for spec in others if any(_distance(spec, one) == 1 for one in specs if one.hidden in (2, 4))
    }
    assert {run.spec for run in whole.runs} == {*specs, *near}


def _distance(one: Spec, other: Spec) -> int:
    mine, others = settings_of(one), settings_of(other)
    return sum(mine[name] != others[name] for name in mine)


def test_an_experiment_that_is_whole_is_shown_even_where_a_sweep_has_all_of_it() -> None:
    few = [task.spec for task in experiment_named("few-units").tasks]
    swept_over = [replace(spec, rate=0.5) for spec in few]
    assert own_runs(view(runs_for([*few, *swept_over]))).experiments == ("few-units",)
    assert own_runs(view(runs_for([few[0], swept_over[0]]))).experiments == ()


def test_the_set_that_tells_most_is_one_on_which_most_runs_were_judged_and_differ() -> None:
    def telling(*accuracies: dict[str, float]) -> str | None:
        known = [{name: {"4": share} for name, share in own.items()} for own in accuracies]
        return own_runs(view([made_up(spec_of(), n, own) for n, own in enumerate(known)])).headline_set

    assert telling({"long": 0.1, "short": 0.2}, {"long": 0.3, "short": 0.2}) == "long"
    assert telling({"long": 0.0, "short": 0.2}, {"long": 0.0, "short": 0.4}) == "short"
    assert telling({"long": 0.0, "short": 0.2}, {"long": 0.0, "short": 0.2}) == "long"
    assert telling({"short": 0.1, "long": 0.5}, {"short": 0.2}, {"short": 0.3}) == "short"
    assert telling({}) is None


def test_the_explained_share_of_the_variance_by_its_definition() -> None:
    results = sweep(runs=4, rate=[0.1, 0.2, 0.3], hidden=[2, 5])
    own = own_runs(results)
    for name in own.varying:
        everything = np.array([run.accuracy("long") for run in own.runs])
        means = {
            value: np.mean([run.accuracy("long") for run in own.runs if settings_of(run.spec)[name] == value])
            for value in own.values(name)
        }
        predicted = np.array([means[settings_of(run.spec)[name]] for run in own.runs])
        assert explained(own, name, "long") == pytest.approx(predicted.var() / everything.var())
    assert own.weights == {name: explained(own, name, "long") for name in own.varying}


def test_a_setting_that_decides_everything_explains_everything_and_one_that_decides_nothing_nothing() -> None:
    specs = swept(rate=[0.1, 0.2], hidden=[2, 5])
    runs = [run for spec in specs for run in with_shares(spec, [spec.rate] * 3, SETS)]
    own = own_runs(view(runs))
    assert own.weights == pytest.approx({"rate": 1, "hidden": 0})
    same = own_runs(view([run for spec in specs for run in with_shares(spec, [0.5], SETS)]))
    assert set(same.weights.values()) == {0}


def test_numbers_drawn_at_random_do_not_explain_themselves() -> None:
    rng = np.random.default_rng(3)
    own = own_runs(view(runs_for([spec_of(rate=float(rate)) for rate in rng.random(150)], 1)))
    assert own.weights["rate"] < 0.2


def test_every_row_has_the_plain_statistics_of_its_runs() -> None:
    results = view(runs_for(swept(cell=["gru", "lstm"], rate=[0.1, 0.2]), 5, horizons=True))
    own, table = own_runs(results), own_table(own_runs(results))
    assert len(table.rows) == len(own.groups) == 4
    for row, group in zip(table.rows, own.groups, strict=True):
        assert {name: row[name] for name in own.varying} == {n: group.settings[n] for n in own.varying}
        assert row["runs"] == 5
        for name in SETS:
            shares = percents(group.runs, name)
            assert row[f"{name} median"] == pytest.approx(np.median(shares))
            assert (row[f"{name} min"], row[f"{name} max"]) == (shares.min(), shares.max())
        horizons = [run.outcome.horizon() for run in group.runs]
        assert row["proved to min"] == min(known.proved for known in horizons if known is not None)
    keys = [column.key for column in table.columns]
    assert keys[:3] == ["cell", "rate", "runs"]
    assert "language" not in keys
    assert "diverged" not in keys
    assert table.title == (
        "20 runs by cell and rate; the same in all: language dyck-1, hidden 3, epochs 4, train_words 123"
    )
    for form in TABLE_FORMS.values():
        assert "20 runs by cell and rate" in form(table) or form is TABLE_FORMS["csv"]


def test_what_is_as_usual_is_not_said() -> None:
    own = own_runs(view(runs_for([spec_of(training=None)])))
    assert in_words(own.same) == "language dyck-1, cell lstm, hidden 3, epochs 4"
    assert own_table(own).title.startswith("3 runs: language dyck-1")


def test_runs_without_accuracy_with_diverged_ones_and_losses_that_are_no_numbers() -> None:
    runs = [made_up(spec_of(), seed, {}, losses=(1.0, float("nan")), diverged=2) for seed in range(2)]
    table = own_table(own_runs(view(runs)))
    (row,) = table.rows
    assert (row["runs"], row["loss median"], row["diverged"]) == (2, None, 2)
    assert table.note == "No run was judged on any set. 2 of 2 runs diverged."
    assert [column.key for column in table.columns] == ["runs", "diverged"]


def test_numbers_are_fields_of_a_spec_or_of_a_lesson() -> None:
    columns = set(settings_of(spec_of()))
    lesson = {f"lesson_{record.column}" for record in records(Lesson).values()}
    assert set(NUMBERS) <= columns | lesson
    for name in set(NUMBERS) & columns:
        assert isinstance(settings_of(spec_of())[name], int | float), name
