"""The pages under docs/ are true: their Python runs, their commands and files exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from abacist.cli.verbs import VERBS, command_of
from abacist.experiments import parse_experiment
from tests.cli.command import inside
from tests.command_page import PAGE, PLACE, commands

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_python_runs(page: Path) -> None:
    namespace: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(block, namespace)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_experiments_parse_and_its_files_are_there(page: Path) -> None:
    text = page.read_text()
    for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL):
        assert parse_experiment(block, f"{page.stem}.toml").tasks
    for path in re.findall(r"`((?:docs|src|examples)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (page.parent / path).exists(), path


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_commands_are_there(page: Path) -> None:
    for verb in set(re.findall(r"`abacist ([a-z]+)", page.read_text())):
        assert inside(verb, "--help")[0] == 0, verb


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_its_commands_have_the_options_that_they_are_shown_with(page: Path) -> None:
    shown = re.findall(r"(?:^|\$ |`)abacist ([a-z]+)\b([^`\n]*)", page.read_text(), re.MULTILINE)
    for verb, rest in shown:
        known = {name for parameter in command_of(VERBS[verb]).params for name in parameter.opts}
        assert set(re.findall(r"(?<![\w-])--[a-z-]+", rest)) <= known, (verb, rest)


def test_every_command_is_there_with_all_its_options() -> None:
    """If it is not: `python -m tests.command_page`."""
    assert PLACE.findall(PAGE.read_text()) == [commands()]


def test_the_walk_through_the_paper_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "walkthrough.py"), "--quick"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "(())()() makes 5 turns of its counter" in done.stdout
    assert "([]) in shuffle-2: 1 3 1 0" in done.stdout
    assert "| shuffle-2 | lstm | 4 | ours, 2 runs |" in done.stdout
