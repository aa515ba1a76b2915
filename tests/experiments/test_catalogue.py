"""The experiments that come with Abacist say what the paper did, and what we add."""

from __future__ import annotations

from itertools import product

import pytest

from abacist.corpora import PAPER
from abacist.errors import UnknownName
from abacist.experiments import RECOGNITION_SETS, Task, catalogue, experiment_named
from abacist.languages import language_named
from abacist.specs import Spec

UNITS = {task.language: task.hidden for task in PAPER.tasks}
CELLS = ("rnn", "gru", "lstm")


def shapes(name: str) -> list[tuple[str, str, int]]:
    """The language, cell and units of every task."""
    tasks = experiment_named(name).tasks
    return [(t.spec.language.name, t.spec.cell.name, t.spec.hidden) for t in tasks]


def usual(task: Task, epochs: int, steps: str = "all") -> bool:
    """Whether all else is the paper's: sizes, windows, source, optimiser."""
    spec = task.spec
    return spec == Spec(spec.language, spec.cell, spec.hidden, epochs=epochs, steps=steps)


@pytest.mark.parametrize("name", catalogue())
def test_all_parse_and_ask_for_ten_runs(name: str) -> None:
    experiment = experiment_named(name)
    assert experiment.name == name
    assert experiment.title
    assert experiment.about.endswith(".")
    assert all(task.seeds == tuple(range(10)) and task.experiment == name for task in experiment.tasks)
    more = experiment_named(name, runs=100).tasks
    assert [task.spec for task in more] == [task.spec for task in experiment.tasks]
    assert {len(task.seeds) for task in more} == {100}


def test_table_3() -> None:
    assert shapes("table-3") == [(lang, c, h) for (lang, h), c in product(UNITS.items(), CELLS)]
    for task in experiment_named("table-3").tasks:
        assert usual(task, 20)
        assert task.wanted() == {("training", 20), ("short", 20), ("long", 20)}


def test_few_units() -> None:
    assert shapes("few-units") == [("dyck-1", "lstm", 1), ("shuffle-2", "lstm", 2)]
    assert all(usual(task, 20) for task in experiment_named("few-units").tasks)


def test_last_bracket() -> None:
    (task,) = experiment_named("last-bracket").tasks
    assert shapes("last-bracket") == [("dyck-2", "lstm", 4)]
    assert usual(task, 20, steps="last")
    assert task.sets == ("training", "short", "long")
    assert {1, 2, 3, 5, 20} <= set(task.epochs)


def test_epochs() -> None:
    assert shapes("epochs") == shapes("table-3")
    for task in experiment_named("epochs").tasks:
        assert usual(task, 50)
        assert task.epochs == (1, 2, 3, 5, 10, 20, 50)
        assert task.sets == ("training", "short", "long")


def test_crossing_judges_the_networks_of_table_3() -> None:
    tasks = experiment_named("crossing").tasks
    in_table = {task.spec for task in experiment_named("table-3").tasks}
    assert all(task.spec in in_table for task in tasks)
    assert {t.spec.language for t in tasks} == {language_named("shuffle-2"), language_named("shuffle-6")}
    assert all({"crossing short", "crossing long"} <= set(task.sets) for task in tasks)
    assert len(tasks) == 6


def test_recognition_judges_the_networks_of_table_3_on_all_sets_for_it() -> None:
    tasks = experiment_named("recognition").tasks
    assert [task.spec for task in tasks] == [task.spec for task in experiment_named("table-3").tasks]
    assert [task.seeds for task in tasks] == [task.seeds for task in experiment_named("table-3").tasks]
    assert all(set(task.sets) == {"short", "long", *RECOGNITION_SETS} for task in tasks)


def test_the_paper_s_table_of_results_goes_by_its_old_name_too() -> None:
    """It is the paper's table 3; its tables 1 and 2 are examples of words."""
    assert experiment_named("table-1", runs=3) == experiment_named("table-3", runs=3)
    assert experiment_named("table-1").title == "Table 3"
    assert "table-1" not in catalogue()


def test_another_name_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(UnknownName, match="unknown experiment 'no'; there are table-3, few-units"):
        experiment_named("no")
