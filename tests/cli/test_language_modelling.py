"""Networks that model a language, from `abacist train` to their cross-entropy, as a user has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.experiments import parse_experiment
from tests.cli.command import inside, refused, shown

SMALL = ("--hidden", "2", "--epochs", "2", "--train-words", "60", "--test-words", "10",
         "--train-lengths", "2:12", "--long-lengths", "14:16", "--runs", "2", "--quiet")  # fmt: skip


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("models") / "kept")
    options = ("--objective", "next-symbol", "--repeats", "--threshold", "0.05")
    shown("train", "dyck-1", "lstm", *SMALL, *options, "--out", folder)
    return folder


def test_cross_entropy_stands_beside_the_source_s(kept: str) -> None:
    output = shown("judge", kept, "--set", "short,long", "--cross-entropy", "--json")
    found = json.loads(output)
    assert (found["language"], found["unit"], len(found["networks"])) == ("dyck-1+end", "bits per step", 4)
    for row in found["networks"]:
        assert row["network"] == pytest.approx(row["source"] + row["excess"])
        assert 0 < row["source"] < row["network"] < 2
    output = shown("judge", kept, "--set", "short", "--cross-entropy")
    assert f"{found['networks'][0]['excess']:.4f}" in output


def test_its_settings_are_conditions_and_come_back_as_a_file(kept: str, tmp_path: Path) -> None:
    where = ("--where", "objective=next-symbol", "--where", "distinct=no", "--where", "language=dyck-1+end")
    rows = inside("runs", "--results", kept, *where)[1].splitlines()[3:]
    assert len(rows) == 2
    assert "dyck-1+end" not in inside("runs", "--results", kept, "--where", "distinct=yes")[1]
    text = shown("show", rows[0].split()[0], "--results", kept, "--toml")
    (task,) = parse_experiment(text, "run.toml").tasks
    assert (task.spec.objective, task.spec.threshold, task.spec.distinct) == ("next-symbol", 0.05, False)
    assert task.spec.language.name == "dyck-1+end"


def test_an_exported_network_is_judged_as_before(kept: str, tmp_path: Path) -> None:
    file, folder = str(tmp_path / "one.safetensors"), str(tmp_path / "imported")
    assert inside("export", kept, "--run", "1", "--out", file)[0] == 0
    assert inside("import", file, "--out", folder)[0] == 0
    words = ("()", "(())()", "(()")
    wanted = json.loads(inside("judge", kept, "--run", "1", *words, "--json")[1])
    for place in (file, folder):
        found = json.loads(inside("judge", place, *words, "--json")[1])
        assert [one | {"run": 1} for one in found] == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("judge", "KEPT", "()", "--cross-entropy"), "--cross-entropy is about sets of words"),
        (
            ("judge", "KEPT", "--set", "swapped long", "--cross-entropy"),
            "swapped long: strings outside the language have no source, only words do",
        ),
        (("certify", "KEPT", "--run", "0"), "certificates are of outputs that are decided each by itself"),
        (
            ("train", "dyck-1", "rnn", "--threshold", "0.2"),
            "--threshold must be 0 but for next-symbol, got 0.2",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(kept: str, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*(kept if one == "KEPT" else one for one in arguments))
