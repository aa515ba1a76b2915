"""Tables on the screen: a long one is laid out as a short one is."""

from __future__ import annotations

import json

import pytest

from abacist.cli import screen
from abacist.cli.screen import show_json, show_table


def test_json_on_the_screen_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Also that of a run that blew up."""
    show_json({"losses": [0.5, float("nan"), (float("inf"), {"deep": float("-inf")})], "seed": 3})
    read = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert read == {"losses": [0.5, "nan", ["inf", {"deep": "-inf"}]], "seed": 3}


def test_many_rows_are_laid_out_as_a_few_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Long tables do without Rich, which takes seconds for thousands of rows."""
    columns = ["key", "training\nmin", "loss", "words"]
    rows = [[f"{n:x}", f"{100 / (n + 1):.2f}", "—" if n % 3 else str(n), "⟨( )⟩"] for n in range(300)]
    given = {"title": "Runs", "left": ("key", "words"), "footer": "All of them."}
    show_table(columns, rows, **given)  # type: ignore[arg-type]
    quick = capsys.readouterr().out
    monkeypatch.setattr(screen, "_MANY_ROWS", 1000)
    show_table(columns, rows, **given)  # type: ignore[arg-type]
    assert capsys.readouterr().out == quick
    assert len(quick.splitlines()) == 305
    monkeypatch.setattr(screen, "_MANY_ROWS", 0)
    wide = [*rows, ["x", "1", "2", "漢字"]]
    show_table(columns, wide, **given)  # type: ignore[arg-type]
    assert "漢字" in capsys.readouterr().out
