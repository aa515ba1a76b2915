"""Texts of others: what a title or a name holds is shown, and does nothing to the terminal or the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.cli.tables import show_rows
from abacist.experiments import Store
from tests.cli.command import inside, refused
from tests.experiments.cases import TINY, made_up, small

HOSTILE = r"\u001b[31mred\u001b]0;owned\u0007 \u202eback <script>alert(1)</script> & | a\nb"
SIGNS = "\x1b\x07\u202e"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    store = Store(tmp_path / "results")
    store.put([made_up(small(), 0, {name: {"3": 0.5} for name in ("training", "short", "long")})])
    store.close()
    (tmp_path / "t.toml").write_text(f'title = "{HOSTILE}"\nruns = 1\n{TINY}', encoding="utf-8")
    return tmp_path / "results"


@pytest.mark.parametrize("form", ["text", "md", "tex", "json"])
def test_no_escape_sequence_of_a_title_reaches_the_terminal(results: Path, form: str) -> None:
    code, output, errors = inside(
        "table", str(results.parent / "t.toml"), "--results", str(results), "--format", form
    )
    assert (code, errors) == (0, "")
    assert not any(sign in output for sign in SIGNS)
    assert "[31mred" in output.replace(r"\textbackslash{}", "\\")


def test_markdown_has_no_html_of_a_title(results: Path) -> None:
    _, output, _ = inside(
        "table", str(results.parent / "t.toml"), "--results", str(results), "--format", "md"
    )
    assert "<script>" not in output
    heading = output.splitlines()[0]
    assert heading.startswith("### ")
    assert "&lt;script>alert(1)&lt;/script> & | a b" in heading


def test_no_escape_sequence_of_a_cell_or_a_footer_reaches_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for rows in (3, 300):
        show_rows(["a"], [["\x1b[2Jx"]] * rows, title="\x9b31m", footer="\x07")
        printed = capsys.readouterr().out
        assert not set("\x1b\x9b\x07") & set(printed)
        assert printed.count("\\x1b[2Jx") == rows


def test_no_escape_sequence_of_a_file_s_name_reaches_the_terminal(tmp_path: Path) -> None:
    assert "\\x1b[31m.toml: cannot be read" in refused("run", str(tmp_path / "\x1b[31m.toml"))
