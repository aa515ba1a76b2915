"""What commands about networks print fits the terminal: no line is wider, unless it is one word of data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abacist.bench import Row
from abacist.cli import housekeeping
from tests.cli.command import inside
from tests.cli.horizon_cases import runs
from tests.cli.test_widths import printed
from tests.experiments.cases import keep

WIDTHS = (40, pytest.param(60, marks=pytest.mark.thorough), 80)

#: Settings of tiny networks, whose shape nearly all tests share.
TINY = (*("--hidden", "2", "--train-words", "40", "--epochs", "3", "--runs", "2"), *("--results", "store"))
TRAIN = (
    "train",
    "dyck-1",
    "rnn",
    *TINY,
    "--test-words",
    "10",
    "--train-lengths",
    "2:12",
    "--long-lengths",
    "14:20",
)
TEACH = ("teach", "dyck-1", "rnn", *TINY, "--max-length", "9", "--rounds", "3", "--fed-words", "5")
SCORE = ("score", "words.jsonl", "--corpus", "words.npz")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Networks and words of all kinds, under short names; what is trained is trained once."""
    folder = tmp_path_factory.mktemp("widths")
    keep(folder / "runs", runs())
    assert inside("construct", "dyck-1", "--out", str(folder / "one"))[0] == 0
    assert inside("construct", "shuffle-6", "--out", str(folder / "six"))[0] == 0
    for name in ("words.npz", "words.jsonl"):
        words = ("--train-words", "40", "--test-words", "20", "--targets", "--out", str(folder / name))
        assert inside("corpus", "shuffle-2", *words)[0] == 0
    lines = [json.loads(line) for line in (folder / "words.jsonl").read_text().splitlines()]
    lines[45]["targets"][3] = ""  # one that is wrong
    (folder / "words.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for command in (TRAIN, TEACH):
        assert inside(*(str(folder / "store") if word == "store" else word for word in command))[0] == 0
    return folder


def wide_lines(text: str, width: int) -> list[str]:
    """Lines that are wider than the terminal, but for single words, which have no blank to break at."""
    return [line for line in text.splitlines() if len(line) > width and len(line.split()) > 1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [
        TRAIN,
        TEACH,
        SCORE,
        (*SCORE, "--by", "length"),
        ("machine", "one"),
        ("machine", "six"),
        ("horizon", "one", "--max-length", "4"),
        ("horizon", "KEY", "--results", "runs", "--max-length", "20", "--boxes", "16"),
        ("horizon", "--results", "runs", "--max-length", "20", "--boxes", "16"),
        ("horizon", "one", "six", "--max-length", "2"),
        ("stress", "one", "six", "--lengths", "10,100"),
        ("stress", "--results", "runs", "--lengths", "10,100"),
        ("stress", "--results", "runs", "--lengths", "10,100", "--every"),
        ("certify", "one"),
        ("certify", "one", "six"),
        ("certify", "--results", "runs", "--length", "20"),
        ("certify", "KEY", "--results", "runs", "--length", "20"),
    ],
    ids=" ".join,
)
def test_no_line_is_wider_than_the_terminal(
    folder: Path, width: int, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    text, _ = printed(width, monkeypatch, *(runs()[0].key if word == "KEY" else word for word in arguments))
    assert text
    assert wide_lines(text, width) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_bench_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = json.loads((Path(__file__).parents[2] / "docs" / "bench.json").read_text())
    rows = [Row(**values) for values in figures["rows"]]
    monkeypatch.setattr(housekeeping, "PARTS", {"made-up": lambda: rows})
    text, _ = printed(width, monkeypatch, "bench", "made-up")
    assert wide_lines(text, width) == []
    words = {word for row in rows for cell in (row.what, row.ours) for word in re.split(r"[\s-]+", cell)}
    assert all(word in text for word in words)  # lines may break at hyphens
