"""What is wrong with an experiment's file is said in one sentence: the file, the field, what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments import load_experiment, parse_experiment
from tests.experiments.cases import TINY


def refused(addition: str, *, without: str = "nothing") -> str:
    """The sentence with which a file is refused that says something else about the tiny experiment."""
    new = addition.partition(" =")[0] or "nothing"
    lines = (line for line in TINY.splitlines() if not line.startswith((f"{new} =", f"{without} =")))
    with pytest.raises(BadInput) as caught:
        parse_experiment("\n".join((*lines, addition)), "folder/sweep.toml")
    sentence = str(caught.value)
    assert sentence.startswith("folder/sweep.toml: ")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("text", ["language = ", "= 3", "hidden = 1\nhidden = 2", "[[task]", "cell = 'a"])
def test_what_is_not_toml(text: str) -> None:
    with pytest.raises(BadInput, match=r"^sweep.toml: is not TOML, .*\(at "):
        parse_experiment(text, "sweep.toml")


def test_at_least_one_set_is_judged() -> None:
    assert "sets must not be empty; there are training, short, long" in refused("sets = []")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("horizon = 200", "horizon must be a table, such as { max_length = 200 }, got 200"),
        ("horizon = [{ to = 3 }]", "horizon must be a table, such as { max_length = 200 }, got [{'to': 3}]"),
        (
            "horizon = { max_lenght = 3 }",
            "horizon: max_lenght is unknown: there is no such field, did you mean max_length? "
            "fields are max_length, boxes, max_boxes",
        ),
        ("horizon = { to = 3, max_length = 3 }", "horizon: max_length must be given once, got it as to, too"),
        ("horizon = { to = 2.5 }", "horizon: max_length must be a whole number, got 2.5"),
        (
            "horizon = { to = 1000000000000 }",
            "horizon: max_length must be from 1 to 10,000,000, got 1,000,000,000,000",
        ),
        (
            "horizon = { most = 10000000000 }",
            "horizon: max_boxes must be from 1 to 1,000,000,000, got 10,000,000,000",
        ),
        ("horizon = { budget = 0 }", "horizon: boxes must be from 1 to 1,000,000,000, got 0"),
        ("saturate = [2]", "saturate asks for horizons, so `horizon` must say how far to look"),
        ("certify = true", "certify asks for horizons, so `horizon` must say how far to look"),
        (
            'language = "dyck-2"\ncertify = true\nhorizon = {}',
            "certificates are for languages that counters recognise, and dyck-2 is not one; "
            "of others, only for words up to a depth, which --depth gives",
        ),
        ("teach = true", 'teach must be a table, such as { feed = "counterexamples" }, got true'),
        ("saturate = []\nhorizon = {}", "saturate must not be empty; [1] are the gates as they are"),
        ("saturate = 2\nhorizon = {}", "saturate must be a list, got 2"),
        ('saturate = ["2"]\nhorizon = {}', "saturate must be a list of numbers, got ['2']"),
        ("saturate = [1, 1.0]\nhorizon = {}", "saturate must not repeat a value, got 1.0 again"),
        ("saturate = [0]\nhorizon = {}", "saturate must be positive and finite, got 0.0"),
        ("saturate = [nan]\nhorizon = {}", "saturate must be positive and finite, got nan"),
    ],
)
def test_what_is_wrong_with_a_horizon_that_is_asked_for(line: str, said: str) -> None:
    assert refused(line) == f"folder/sweep.toml: {said}"


def test_recognition_needs_all_steps_and_words_that_can_be_edited() -> None:
    said = refused('sets = ["swapped long"]\nsteps = "last"')
    assert "recognition needs all steps, got steps = 'last'" in said
    said = refused('long = "52:2002"\nsets = ["swapped long"]')
    assert "words of at most 2,000 symbols can be edited, got 2,002" in said


def test_crossing_brackets_need_a_shuffle() -> None:
    assert "no brackets cross in words of dyck-1, only in shuffles" in refused('sets = ["crossing long"]')


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    sentence = refused("hiden = 3")
    assert "there is no field 'hiden'" in sentence
    assert all(name in sentence for name in ("hidden", "at_epochs", "grammar", "runs", "sets", "short"))
    assert "'source'" in refused('source = "grammar"')
    assert "'hiden'" in refused("[[task]]\nrate = 0.1\n[[task]]\nhiden = 1")


@pytest.mark.parametrize("field", ["language", "cell"])
def test_a_missing_field_is_named(field: str) -> None:
    assert f"the field {field!r} is missing" in refused("", without=field)


WRONG_KINDS = (
    'hidden = "three"', "hidden = 2.0", "hidden = true", "hidden = [[1, 2]]", "hidden = {a = 1}",
    'epochs = "many"', "epochs = 1979-05-27", "batch = 1.5", "runs = 2.5", "runs = true", 'seed = "0"',
    'rate = "fast"', "rate = false", "beta1 = [0.9, []]", 'epsilon = ""', "language = 1", "cell = true",
    "precision = 32", "steps = 1", "short = 12", "long = [14, 20]", "grammar = 0.5", 'uniform = "yes"',
    "uniform = 1", 'training = "all"', "test = [1.0]",
)  # fmt: skip


@pytest.mark.parametrize("addition", WRONG_KINDS)
def test_a_value_of_the_wrong_kind(addition: str) -> None:
    assert f" {addition.partition(' ')[0]} " in refused(addition)


def test_the_right_kind_is_said() -> None:
    for addition in WRONG_KINDS:
        assert " must be " in refused(addition)


@pytest.mark.parametrize("addition", ['sets = "short"', "sets = [1]", "at_epochs = 2", 'at_epochs = ["one"]'])
def test_sets_and_epochs_must_be_lists(addition: str) -> None:
    assert f"{addition.partition(' ')[0]} must be a list" in refused(addition)


@pytest.mark.parametrize(
    ("addition", "right"),
    [
        ("hidden = 0", "hidden must be from 1 to 256, got 0"),
        ("hidden = 257", "hidden must be from 1 to 256, got 257"),
        ("hidden = [1, 2, 0]", "hidden must be from 1 to 256, got 0"),
        ("epochs = -1", "epochs must be from 0 to 1,000,000, got -1"),
        ("batch = 0", "batch must be at least 1, got 0"),
        ("rate = 0", "rate must be positive and finite, got 0"),
        ("rate = inf", "rate must be positive and finite, got inf"),
        ("rate = nan", "rate must be positive and finite, got nan"),
        ("beta1 = 1", "beta1 must be at least 0 and below 1, got 1"),
        ("epsilon = -1", "epsilon must be positive"),
        ('precision = "half"', "precision must be float32 or float64, got 'half'"),
        ('steps = "some"', "steps must be all or last, got 'some'"),
        ('short = "many"', "LOW:HIGH, such as 2:50, got 'many'"),
        ('short = "12:2"', "low <= high"),
        ('cell = "lstmm"', "lstm"),
        ('language = "dick-1"', "dyck-1"),
        ("runs = 0", "runs must be from 1 to 100,000"),
        ("seed = -1", "seed at least 0"),
        (
            'sets = ["short", "tall"]',
            "sets are training, short, long, crossing short, crossing long, nested short, nested long, ",
        ),
        ("at_epochs = [1, 4]", "at_epochs must lie within the 3 epochs, got 4"),
        ("at_epochs = [-1]", "at_epochs must lie within the 3 epochs, got -1"),
        ("training = 400", "do not exist: there are"),
        ("test = 0", "sweep.toml: test must be from 1 to 100,000,000, got 0"),
        ('grammar = "2,3"', "must"),
        ("task = 3", "tasks are tables, written [[task]]"),
        ("task = [1]", "tasks are tables, written [[task]]"),
    ],
)
def test_an_impossible_value(addition: str, right: str) -> None:
    assert right in refused(addition)


@pytest.mark.parametrize("addition", ["cell = []", "task = []", "seed = [0, 1]\nruns = []"])
def test_a_file_that_asks_for_nothing_is_refused(addition: str) -> None:
    """An empty list multiplies out to no task at all, which nobody means."""
    refused(addition)


@pytest.mark.parametrize("addition", ["seed = [1, 2, 3]", "seed = [1]", "runs = [2, 3]", "runs = []"])
def test_rows_that_would_look_alike_are_refused_with_what_to_write(addition: str) -> None:
    field, _, value = addition.partition(" = ")
    told = f"{field} must be one number, got {value}; `runs` says how many seeds there are"
    assert refused(addition).endswith(told)


@pytest.mark.parametrize(
    ("addition", "value"),
    [
        ("hidden = [1, 2, 1]", "1"),
        ("rate = [1, 1.0]", "1.0"),
        ('cell = ["gru", "gru"]', "'gru'"),
        ('sets = ["short", "short"]', "'short'"),
        ("at_epochs = [1, 2, 1]", "1"),
        ("uniform = [true, true]", "True"),
    ],
)
def test_a_repeated_value_is_refused(addition: str, value: str) -> None:
    field = addition.partition(" ")[0]
    assert refused(addition).endswith(f": {field} must not repeat a value, got {value} again")


@pytest.mark.parametrize(
    "addition",
    [
        "[[task]]\nhidden = 3\n[[task]]\nhidden = [2, 3]",
        'grammar = ["1/2,1/4", "0.5,0.25"]',
        "[[task]]\nseed = 0\n[[task]]\nseed = 10",
    ],
)
def test_two_tasks_of_the_same_settings_are_refused(addition: str) -> None:
    assert "two tasks have the same settings: rnn with " in refused(addition)


@pytest.mark.parametrize("addition", ["title = 3", "about = 3", "about = ['a']"])
def test_a_title_is_a_text(addition: str) -> None:
    assert f" {addition.partition(' ')[0]} must be text in quotes, got " in refused(addition)


def test_every_seed_must_exist_not_only_the_first() -> None:
    assert "seed" in refused(f"seed = {2**63 - 2}\nruns = 4")


def test_lists_within_lists_without_end() -> None:
    refused("hidden = " + "[" * 5000 + "]" * 5000)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"title = \xff\xfe")
    for name, reason in (("bytes.toml", "is not a text file"), ("no.toml", "cannot be read, no such file")):
        with pytest.raises(BadFile, match=f"{name}: {reason}"):
            load_experiment(tmp_path / name)
    with pytest.raises(AbacistError, match=f"^{tmp_path}: cannot be read, is a directory$"):
        load_experiment(tmp_path)
