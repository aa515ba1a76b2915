"""README, findings and speed are true: code runs, output is what is printed, numbers come from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abacist.bench import Row
from abacist.cells import Cell, cell_named
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cli.command import inside
from tests.readme_page import parts, place, speed_table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
FINDINGS = (ROOT / "docs" / "findings.md").read_text()


def test_its_python_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    namespace: dict[str, object] = {}
    exec(block, namespace)
    minimal = namespace["minimal"]
    assert isinstance(minimal, Cell)
    small = {"training": 40, "test": 5, "short": Window(2, 12), "long": Window(14, 16)}
    spec = Spec(language_named("dyck-1"), minimal, epochs=3, **small)  # type: ignore[arg-type]
    losses = train(spec, [0]).losses[0]
    assert losses[-1] < losses[0]
    assert cell_named("lstm") is not minimal


def test_its_commands_print_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for numbers, whose last bits depend on the processor."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    shown = [
        part for block in blocks for part in re.split(r"^\$ abacist ", block, flags=re.MULTILINE) if part
    ]
    assert len(shown) == 4
    for command, _, output in (part.partition("\n") for part in shown):
        code, printed, _ = inside(*command.split())
        assert code == 0
        assert _without_numbers(output) <= _without_numbers(printed), command


def _without_numbers(text: str) -> set[str]:
    """The lines of a text, with 0 in the place of each number."""
    return {re.sub(r"[\d,.]*\d", "0", line).strip() for line in text.splitlines()} - {""}


def test_it_is_short() -> None:
    assert README.count("\n") <= 200


def test_claims_are_the_file_s() -> None:
    claims = json.loads((ROOT / "docs" / "results" / "claims.json").read_text())["rows"]
    assert len(claims) == 22
    for row in claims:
        (line,) = [line for line in FINDINGS.splitlines() if line.startswith(f"- {row['claim']} (")][:1]
        assert f". **{row['verdict'].capitalize()}**" in line
        assert row["figures"].split(" (paper: ")[0] in line


def test_what_is_made_of_files_is_up_to_date() -> None:
    """If it is not: `python -m tests.readme_page`."""
    for page, made in parts().items():
        for name, part in made.items():
            assert place(name).findall(page.read_text()) == [part]


def _medians(path: Path) -> dict[tuple[str, str, str], dict[str, float]]:
    """The rows of a table by language, cell and what they show."""
    rows = json.loads(path.read_text())["rows"]
    return {(row["language"], row["cell"], row["figures"].partition(",")[0]): row for row in rows}


def test_sentences_about_crossings_are_the_files() -> None:
    few, many = (_medians(ROOT / "docs" / name / "crossing.json") for name in ("results", "reference"))
    for language in ("shuffle-2", "shuffle-6"):
        ours = many[language, "lstm", "ours"]
        assert f"{ours['long median']:.1f} to {ours['crossing long median']:.1f} %" in FINDINGS
        assert f"{ours['crossing long from']:.1f} to {ours['crossing long to']:.1f}" in FINDINGS
    for found, cell in ((many, "gru"), (few, "lstm")):
        medians = [found[name, cell, "ours"]["crossing long median"] for name in ("shuffle-2", "shuffle-6")]
        assert "{:.1f} and {:.1f} %".format(*medians) in FINDINGS


def test_the_speed_table_is_the_file_s() -> None:
    figures = json.loads((ROOT / "docs" / "bench.json").read_text())
    page = (ROOT / "docs" / "speed.md").read_text()
    assert speed_table(Row(**row) for row in figures["rows"]) in page
    assert figures["machine"] in page
