"""The README is true: its code runs, its output is what is printed, its numbers come from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

from abacist.bench import Row, markdown
from abacist.cells import Cell, cell_named
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cli.command import inside
from tests.readme_page import parts, place

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_its_python_runs() -> None:
    namespace: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        exec(block, namespace)
    minimal = namespace["minimal"]
    assert isinstance(minimal, Cell)
    small = {"training": 40, "test": 5, "short": Window(2, 12), "long": Window(14, 16)}
    spec = Spec(language_named("dyck-1"), minimal, epochs=3, **small)  # type: ignore[arg-type]
    losses = train(spec, [0]).losses[0]
    assert losses[-1] < losses[0]
    assert cell_named("lstm") is not minimal


def test_its_example_is_what_the_command_prints() -> None:
    match = re.search(r"\$ abacist label dyck-2 \"\(\[\)\]\"\n(.*?)```", README, re.DOTALL)
    assert match is not None
    _, printed, _ = inside("label", "dyck-2", "([)]")

    def lines(text: str) -> list[str]:
        return [line.strip() for line in text.splitlines() if line.strip()]

    assert lines(match[1]) == lines(printed)


def test_its_results_are_the_files() -> None:
    table = (ROOT / "docs" / "results" / "table-3.md").read_text().split("\n\n")[1].strip()
    assert table in README
    claims = json.loads((ROOT / "docs" / "results" / "claims.json").read_text())["rows"]
    assert len(claims) == 22
    for row in claims:
        assert f"- **{row['verdict']}**: {row['claim']}" in README


def test_what_is_made_of_files_is_up_to_date() -> None:
    """If it is not: `python -m tests.readme_page`."""
    for name, part in parts().items():
        assert place(name).findall(README) == [part]


def _medians(path: Path) -> dict[tuple[str, str, str], dict[str, float]]:
    """The rows of a table by language, cell and what they show."""
    rows = json.loads(path.read_text())["rows"]
    return {(row["language"], row["cell"], row["figures"].partition(",")[0]): row for row in rows}


def test_its_sentences_about_crossings_are_the_files() -> None:
    few, many = (_medians(ROOT / "docs" / name / "crossing.json") for name in ("results", "reference"))
    for language in ("shuffle-2", "shuffle-6"):
        ours = many[language, "lstm", "ours"]
        assert f"{ours['long median']:.1f} to {ours['crossing long median']:.1f} %" in README
        assert f"{ours['crossing long from']:.1f} to {ours['crossing long to']:.1f}" in README
    for found, cell in ((many, "gru"), (few, "lstm")):
        medians = [found[name, cell, "ours"]["crossing long median"] for name in ("shuffle-2", "shuffle-6")]
        assert "{:.1f} and {:.1f} %".format(*medians) in README


def test_its_speed_table_is_the_file_s() -> None:
    figures = json.loads((ROOT / "docs" / "bench.json").read_text())
    assert markdown(Row.from_dict(row) for row in figures["rows"]) in README
    assert figures["machine"] in README
