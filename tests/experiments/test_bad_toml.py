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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("horizon = 200", "horizon must be a table, such as { max_length = 200 }, got 200"),
        ("horizon = [{ to = 3 }]", "horizon must be a table, such as { max_length = 200 }, got [{'to': 3}]"),
        (
            "horizon = { max_lenght = 3 }",
            "horizon: max_lenght is unknown: there is no such field, did you mean max_length?",
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


def test_an_unknown_field_is_named_with_the_one_that_was_meant_or_a_few() -> None:
    assert refused("hiden = 3").endswith("there is no field 'hiden', did you mean hidden?")
    assert refused("colour = 3").count(", ") == 4
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
    assert f" {addition.partition(' ')[0]} must be " in refused(addition)


@pytest.mark.parametrize(
    ("addition", "right"),
    [
        ("hidden = 257", "hidden must be from 1 to 256, got 257"),
        ("hidden = [1, 2, 0]", "hidden must be from 1 to 256, got 0"),
        ("rate = nan", "rate must be positive and finite, got nan"),
        ('short = "many"', "LOW:HIGH, such as 2:50, got 'many'"),
        ('cell = "lstmm"', "lstm"),
        ('cell = "ran"', 'Your own needs --plugin FILE (TOML: plugins = ["FILE"];'),
        ('language = "dick-1"', "dyck-1"),
        ("runs = 0", "runs must be from 1 to 100,000"),
        ("seed = -1", "seed at least 0"),
        ('sets = ["short", "tall"]', "unknown set 'tall'"),
        ("at_epochs = [1, 4]", "at_epochs must lie within the 3 epochs, got 4"),
        ("at_epochs = [-1]", "at_epochs must lie within the 3 epochs, got -1"),
        ("training = 400", "do not exist: there are"),
        ("test = 0", "sweep.toml: test must be from 1 to 100,000,000, got 0"),
        ('grammar = "2,3"', "must"),
        ("task = 3", "tasks are tables, written [[task]]"),
        ("task = [1]", "tasks are tables, written [[task]]"),
        ("sets = []", "sets must not be empty; there are training, short, long"),
        ('sets = "short"', "sets must be a list"),
        ("sets = [1]", "sets must be a list"),
        ("at_epochs = 2", "at_epochs must be a list"),
        ('at_epochs = ["one"]', "at_epochs must be a list"),
        ('sets = ["swapped long"]\nsteps = "last"', "recognition needs all steps, got steps = 'last'"),
        (
            'long = "52:2002"\nsets = ["swapped long"]',
            "at most 2,000 symbols can be edited, got 2,002",
        ),
        ('sets = ["crossing long"]', "no brackets cross in words of dyck-1, only in shuffles"),
        ("cell = []", "asks for no runs at all"),
        ("task = []", "asks for no runs at all"),
        ("seed = [1]", "seed must be one number, got [1]; `runs` says how many seeds there are"),
        ("runs = []", "runs must be one number, got []; `runs` says how many seeds there are"),
        ("hidden = [1, 2, 1]", "hidden must not repeat a value, got 1 again"),
        ("rate = [1, 1.0]", "rate must not repeat a value, got 1.0 again"),
        ('sets = ["short", "short"]', "sets must not repeat a value, got 'short' again"),
        ("uniform = [true, true]", "uniform must not repeat a value, got True again"),
        ("[[task]]\nhidden = 3\n[[task]]\nhidden = [2, 3]", "two tasks have the same settings: rnn with "),
        ('grammar = ["1/2,1/4", "0.5,0.25"]', "two tasks have the same settings: rnn with "),
        ("[[task]]\nseed = 0\n[[task]]\nseed = 10", "two tasks have the same settings: rnn with "),
        ("title = 3", "title must be text in quotes, got "),
        ("about = ['a']", "about must be text in quotes, got "),
        (f"seed = {2**63 - 2}\nruns = 4", "seed"),  # every seed must exist, not only the first
        ("hidden = " + "[" * 5000 + "]" * 5000, "nested"),
    ],
)
def test_an_impossible_value(addition: str, right: str) -> None:
    assert right in refused(addition)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"title = \xff\xfe")
    for name, reason in (("bytes.toml", "is not a text file"), ("no.toml", "cannot be read, no such file")):
        with pytest.raises(BadFile, match=f"{name}: {reason}"):
            load_experiment(tmp_path / name)
    with pytest.raises(AbacistError, match=f"^{tmp_path}: cannot be read, is a directory$"):
        load_experiment(tmp_path)


def test_what_is_too_large_is_refused_before_anything_is_multiplied_out() -> None:
    """24 × 200 × 200 × 200 combinations would take for ever; all tables count together, and so do runs."""
    values = [round(0.001 * (n + 1), 6) for n in range(4_000)]
    sweep = "".join(f"{name} = {values[:200]}\n" for name in ("rate", "beta1", "beta2"))
    table = f"[[task]]\nrate = {values}\n"
    for text, said in (
        (
            f"batch = {list(range(1, 25))}\n{sweep}",
            "asks for 192,000,000 combinations of settings",
        ),
        ("".join(f"{table}batch = {batch}\n" for batch in (1, 2, 3)), "asks for 12,000 combinations"),
        (
            f"runs = 100_000\nrate = {values[:11]}",
            "asks for 1,100,000 runs in all",
        ),
    ):
        assert said in refused(text)
    assert len(parse_experiment(f"{TINY}runs = 2\nrate = {values[:2_000]}", "sweep.toml").tasks) == 2_000
