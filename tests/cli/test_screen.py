"""Tables and JSON on the screen."""

from __future__ import annotations

import json

import pytest

from abacist.cli import tables
from abacist.cli.screen import show_json
from abacist.cli.tables import show_rows


def test_json_on_the_screen_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Also that of a run that blew up."""
    show_json({"losses": [0.5, float("nan"), (float("inf"), {"deep": float("-inf")})], "seed": 3})
    read = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert read == {"losses": [0.5, "nan", ["inf", {"deep": "-inf"}]], "seed": 3}


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
