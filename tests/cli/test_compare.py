"""`abacist compare`: a table, sentences, a figure; one sentence for what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import inside
from tests.experiments.cases import keep
from tests.experiments.test_comparison import BAD, GOOD, runs


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    keep(folder, [*runs("lstm", GOOD), *runs("rnn", BAD), *runs("gru", BAD)])
    return folder


def compared(results: Path, *given: str) -> tuple[int, str, str]:
    return inside("compare", "--results", str(results), *given)


def test_every_pair_is_a_row(results: Path) -> None:
    code, output, _ = compared(results, "--format", "json")
    rows = json.loads(output)["rows"]
    assert code == 0
    assert [(r["first"], r["second"], r["verdict"]) for r in rows] == [
        ("rnn", "gru", "equal"),
        ("rnn", "lstm", "second larger"),
        ("gru", "lstm", "second larger"),
    ]


def test_against_leaves_the_pairs_with_one_value(results: Path) -> None:
    code, output, _ = compared(results, "--against", "RNN", "--sentences")
    assert code == 0
    assert [line.split(",")[0] for line in output.splitlines()] == ["GRU − RNN", "LSTM − RNN"]


def test_sentences_and_a_figure(results: Path, tmp_path: Path) -> None:
    figure = tmp_path / "differences.svg"
    code, output, said = compared(
        results, "--by", "cell", "--paired", "seed", "--where", "cell=lstm,rnn", "--sentences",
        "--figure", str(figure),
    )  # fmt: skip
    assert code == 0
    assert output.startswith("RNN − LSTM, 2 units, Dyck-1, long set: −70.0 points")
    assert "1 difference drawn" in said
    assert figure.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--by", "colour"), "colour"),
        (("--measure", "horizn"), "unknown measure 'horizn'"),
        (("--where", "cell=lstm"), "cell is lstm in all runs; two values of it are needed"),
        (("--against", "lstn"), "unknown cell 'lstn', did you mean lstm?"),
        (("--level", "2"), "--level must be above 0 and below 1, got 2.0"),
        (("--paired", "word"), "--paired"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(results: Path, given: tuple[str, ...], said: str) -> None:
    code, output, error = compared(results, *given)
    assert (code, output) == (2, "")
    assert said in error
    assert "Traceback" not in error
