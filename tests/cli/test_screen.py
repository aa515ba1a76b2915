"""Tables and JSON on the screen; a wide table is printed in parts that fit, and no column is lost."""

from __future__ import annotations

import json

import pytest

from abacist.cli import tables
from abacist.cli.screen import show_json
from abacist.cli.tables import narrowed, show_rows, show_table
from abacist.cli.trace import trace_table
from abacist.report import Column, Table
from tests.analysis.cases import read


def test_json_on_the_screen_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Also that of a run that blew up."""
    show_json({"losses": [0.5, float("nan"), (float("inf"), {"deep": float("-inf")})], "seed": 3})
    shown = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert shown == {"losses": [0.5, "nan", ["inf", {"deep": "-inf"}]], "seed": 3}


def test_columns_are_as_wide_as_their_longest_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where a letter takes two columns of the terminal."""
    rows = [["a", "5.00", "⟨( )⟩"], ["bcd", "—", "漢字"]]
    show_rows(["key", "training\nmin", "words"], rows, title="Runs", left=("key", "words"), footer="All.")
    assert capsys.readouterr().out.splitlines() == [
        "Runs",
        "     training       ",
        "key       min  words",
        "────────────────────",
        "a        5.00  ⟨( )⟩",
        "bcd         —  漢字 ",
        "All.",
    ]


def test_texts_are_folded_before_a_table_is_parted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: 28)
    show_rows(["name", "n"], [["words that are folded", 1_000_000]], left=("name",))
    assert capsys.readouterr().out.splitlines()[2:] == [
        "words that are       1000000",
        "folded                      ",
    ]
    show_rows(["name", "n", "m"], [["words that are folded", 10**6, 10**6]], left=("name",))
    parts = capsys.readouterr().out.split("\n\n")
    assert [part.split()[:2] for part in parts] == [["name", "n"], ["name", "m"]]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize(("language", "text", "hidden"), [("dyck-1", "(())", 1), ("shuffle-6", "([<)]{}", 8)])
def test_every_line_fits_and_every_column_is_there_once(
    language: str,
    text: str,
    hidden: int,
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: width)
    reading = read(language, text, hidden=hidden)
    table = trace_table(reading, list(reading.trace.values), "a title")
    parts = narrowed(table, width, 2)
    flowing = [column for part in parts for column in part.columns[2:]]
    assert flowing == list(table.columns[2:])
    assert all(part.columns[:2] == table.columns[:2] and part.rows == table.rows for part in parts)
    assert [part.title for part in parts] == ["a title"] + [""] * (len(parts) - 1)
    assert [part.note for part in parts] == [""] * (len(parts) - 1) + [table.note]
    show_table(table, kept=2)
    lines = capsys.readouterr().out.replace(table.note, "").splitlines()
    assert max(map(len, lines)) <= width


def test_a_column_that_is_too_wide_stands_alone() -> None:
    table = Table("t", "", tuple(Column(k, k) for k in ("s", "x" * 50, "y")), ())
    assert [[c.key for c in part.columns] for part in narrowed(table, 20, 1)] == [["s", "x" * 50], ["s", "y"]]
