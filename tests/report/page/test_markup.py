"""The page is valid HTML, as a file and as what it becomes in a browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.page.visits import Visit
from tests.requirements import need, program

pytestmark = pytest.mark.thorough

#: How attributes are written, which is a browser's choice where it writes down what it shows, or the charts'.
_SPELLING = ("attribute-boolean-style", "attribute-empty-style", "no-inline-style")


def _html_validate(path: Path, rules: dict[str, str]) -> str:
    """What html-validate complains of."""
    (path.parent / ".htmlvalidate.json").write_text(
        json.dumps({"root": True, "extends": ["html-validate:recommended"], "rules": rules})
    )
    done = subprocess.run(
        [program("html-validate"), path.name], cwd=path.parent, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (done.stdout == "")
    return done.stdout + done.stderr


def test_the_file_is_valid(page_file: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(page_file.read_bytes())
    assert _html_validate(tmp_path / "page.html", {}) == ""


@need("browser")
def test_what_it_becomes_in_a_browser_is_valid(open_page: Callable[..., Visit], tmp_path: Path) -> None:
    visit = open_page()
    visit.page.click("#break-alternation")
    (tmp_path / "page.html").write_text(visit.page.content(), encoding="utf-8")
    assert _html_validate(tmp_path / "page.html", dict.fromkeys(_SPELLING, "off")) == ""
