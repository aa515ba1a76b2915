"""Experiments as TOML files: lists are multiplied out, tasks add to what is said at the top."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import abacist.experiments.files as files
from abacist.analysis import Search
from abacist.cells import cell_named
from abacist.corpora import Grammar, Uniform, Window
from abacist.errors import BadInput
from abacist.experiments import SETS, Experiment, HorizonAim, load_experiment, parse_experiment, run_key
from abacist.languages import language_named
from tests.experiments.cases import TINY, small


def parsed(text: str, **values: Any) -> Experiment:
    return parse_experiment(text, "sweep.toml", **values)


def replaced(**values: str) -> str:
    """The tiny experiment with some fields said otherwise."""
    lines = dict(line.split(" = ", 1) for line in TINY.split("\n") if line)
    return "\n".join(f"{field} = {value}" for field, value in (lines | values).items())


def test_a_file_without_lists_is_one_task() -> None:
    (task,) = parsed(TINY).tasks
    assert task.spec == small()
    assert task.seeds == tuple(range(10))
    assert task.sets == SETS[:3]
    assert task.at_epochs == ()
    assert task.wanted() == {(name, 3) for name in ("training", "short", "long")}


def test_the_name_is_the_files_and_the_title_is_said() -> None:
    plain, titled = parsed(TINY), parsed('title = "A sweep"\nabout = "Why."\n' + TINY)
    assert (plain.name, plain.title, plain.about) == ("sweep", "sweep", "")
    assert (titled.name, titled.title, titled.about) == ("sweep", "A sweep", "Why.")
    assert all(task.experiment == "sweep" for task in parsed(TINY).tasks)


def test_horizons_are_asked_for_with_how_far_to_look_and_how_sharp_gates_are() -> None:
    assert parsed(TINY).tasks[0].horizons == ()
    (task,) = parsed(TINY + "horizon = { max_length = 50, boxes = 8, max_boxes = 900 }").tasks
    assert task.horizons == (HorizonAim(Search(50, 8, 900), 1.0),)
    several = parsed(
        TINY + "saturate = [1, 0.5, 4]\nhorizon = { }\n[[task]]\n[[task]]\nrate = 0.5\nhorizon.to = 9"
    )
    first, second = several.tasks
    assert first.horizons == tuple(HorizonAim(Search(), factor) for factor in (1.0, 0.5, 4.0))
    assert [aim.search.to for aim in second.horizons] == [9] * 3
    assert run_key(task.spec, 0) == run_key(parsed(TINY).tasks[0].spec, 0)  # they are no part of a run's name


def test_lists_are_multiplied_out_in_their_order() -> None:
    text = replaced(cell='["rnn", "gru", "lstm"]', hidden="[1, 2]", rate="[0.1, 0.01]")
    specs = [task.spec for task in parsed(text).tasks]
    assert [(s.cell.name, s.hidden, s.rate) for s in specs] == list(
        product(("rnn", "gru", "lstm"), (1, 2), (0.1, 0.01))
    )


@pytest.mark.parametrize(
    ("field", "written", "values"),
    [
        ("language", '["dyck-1", "shuffle-2"]', [language_named(name) for name in ("dyck-1", "shuffle-2")]),
        ("cell", '["gru", "rnn_relu"]', [cell_named(name) for name in ("gru", "rnn_relu")]),
        ("hidden", "[1, 2, 64]", [1, 2, 64]),
        ("epochs", "[0, 3]", [0, 3]),
        ("batch", "[1, 7]", [1, 7]),
        ("rate", "[0.5, 1]", [0.5, 1]),
        ("beta1", "[0, 0.5]", [0, 0.5]),
        ("beta2", "[0.9, 0.99]", [0.9, 0.99]),
        ("epsilon", "[1e-8, 1e-4]", [1e-8, 1e-4]),
        ("precision", '["float32", "float64"]', ["float32", "float64"]),
        ("steps", '["all", "last"]', ["all", "last"]),
        ("training", "[30, 40]", [30, 40]),
        ("test", "[5, 10]", [5, 10]),
        ("short", '["2:12", "2:14"]', [Window(2, 12), Window(2, 14)]),
        ("long", '["14:20", "20:30"]', [Window(14, 20), Window(20, 30)]),
    ],
)
def test_every_field_can_be_swept(field: str, written: str, values: list[Any]) -> None:
    tasks = parsed(replaced(**{field: written})).tasks
    assert [task.spec for task in tasks] == [small(**{field: value}) for value in values]


def test_the_source_of_words_can_be_swept() -> None:
    tasks = parsed(replaced(grammar='["1/2,1/4", "2/5,1/3"]', uniform="[false, true]")).tasks
    first, second = Grammar.parse("1/2,1/4"), Grammar.parse("2/5,1/3")
    assert [task.spec.source for task in tasks] == [None, Uniform(first), second, Uniform(second)]
    assert parsed(TINY + "uniform = true\nby_count = true\n").tasks[0].spec.source == Uniform()


def test_the_papers_grammar_said_or_left_out_is_the_same_spec() -> None:
    (said,), (left_out,) = parsed(replaced(grammar='"1/2,1/4"')).tasks, parsed(TINY).tasks
    assert said.spec == left_out.spec
    assert run_key(said.spec, 0) == run_key(left_out.spec, 0)


def test_runs_and_seeds() -> None:
    assert [task.seeds for task in parsed(TINY + "runs = 3\nseed = 7\n").tasks] == [(7, 8, 9)]
    assert [task.seeds for task in parsed(TINY + "runs = 5\nseed = 2\n", runs=2).tasks] == [(2, 3)]
    assert [len(task.seeds) for task in parsed(TINY, runs=20).tasks] == [20]


def test_tasks_add_to_the_top_and_replace_it() -> None:
    text = TINY + "runs = 4\n[[task]]\nrate = 0.5\n[[task]]\nhidden = [1, 3]\nruns = 2\n"
    tasks = parsed(text).tasks
    assert [task.spec for task in tasks] == [small(rate=0.5), small(hidden=1), small(hidden=3)]
    assert [len(task.seeds) for task in tasks] == [4, 2, 2]
    assert [len(task.seeds) for task in parsed(text, runs=1).tasks] == [1, 1, 1]


def test_sets_and_epochs_are_lists_of_one_task() -> None:
    fields = {"language": '"shuffle-2"', "sets": '["crossing long", "short"]', "at_epochs": "[2, 0, 1]"}
    (task,) = parsed(replaced(**fields)).tasks
    assert task.sets == ("crossing long", "short")
    assert task.epochs == (0, 1, 2, 3)
    assert task.wanted() == set(product(("short", "crossing long"), (0, 1, 2, 3)))


def test_a_file_is_its_text(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(TINY + "runs = 3\n")
    assert load_experiment(path) == parsed(TINY + "runs = 3\n")
    assert load_experiment(path, runs=1) == parsed(TINY, runs=1)


def test_former_names_of_fields_work_and_say_the_new_ones(caplog: pytest.LogCaptureFixture) -> None:
    files._say_once.cache_clear()
    new = "horizon = { max_length = 50, boxes = 8 }\nteach = { rounds = 2, max_length = 9, fed_words = 5 }"
    old = "horizon = { to = 50, budget = 8 }\nteach = { rounds = 2, to = 9, kept = 5 }"
    assert parsed(TINY + new).tasks == parsed(TINY + old).tasks
    assert [record.getMessage() for record in caplog.records] == [
        "abacist: horizon: to is now called max_length",
        "abacist: horizon: budget is now called boxes",
        "abacist: teach: kept is now called fed_words",
        "abacist: teach: to is now called max_length",
    ]


def test_a_field_of_a_spec_may_have_the_name_of_its_option() -> None:
    named = TINY.replace("training =", "train_words =").replace("short =", "train_lengths =")
    assert parsed(named).tasks == parsed(TINY).tasks
    with pytest.raises(BadInput, match="train_words must be given once, got it as training, too"):
        parsed(TINY + "train_words = 50\n")
