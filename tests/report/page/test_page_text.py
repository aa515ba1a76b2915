"""The text of the page: it stands alone, depends on its networks alone, is valid, and its code is typed."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from abacist.report.page import PageNetwork, write_page
from tests.report.page.visits import Visit
from tests.requirements import need, program

#: How attributes are written, which is a browser's choice where it writes down what it shows, or the charts'.
_SPELLING = ("attribute-boolean-style", "attribute-empty-style", "no-inline-style")


def test_it_names_no_address_and_loads_nothing(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    licences = r"<details>.*?</details>|/\*!.*?\*/"
    assert re.findall(r"https?:[^\s\"'<]*", re.sub(licences, "", text, flags=re.DOTALL)) == []
    assert re.search(r"\b(?:src|srcset|action|poster)=|@import|url\(", text) is None
    assert all(link.startswith(("#", "data:")) for link in re.findall(r'href="([^"]*)"', text))
    assert "default-src 'none'" in text


def test_it_is_small_and_the_same_networks_give_the_same_bytes(
    page_file: Path, networks: list[PageNetwork], tmp_path: Path
) -> None:
    written = write_page(networks, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page_file.read_bytes()
    assert written.size == page_file.stat().st_size < 1_000_000


def _html_validate(path: Path, rules: dict[str, str]) -> str:
    """What html-validate complains of."""
    (path.parent / ".htmlvalidate.json").write_text(
        json.dumps({"root": True, "extends": ["html-validate:recommended"], "rules": rules})
    )
    validator = program("html-validate")
    assert validator is not None
    done = subprocess.run(
        [validator, path.name], cwd=path.parent, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (done.stdout == "")
    return done.stdout + done.stderr


def test_the_file_is_valid(page_file: Path, tmp_path: Path) -> None:
    need("html-validate")
    (tmp_path / "page.html").write_bytes(page_file.read_bytes())
    assert _html_validate(tmp_path / "page.html", {}) == ""


def test_what_it_becomes_in_a_browser_is_valid(open_page: Callable[..., Visit], tmp_path: Path) -> None:
    need("html-validate")
    visit = open_page()
    visit.page.click("#break-alternation")
    (tmp_path / "page.html").write_text(visit.page.content(), encoding="utf-8")
    assert _html_validate(tmp_path / "page.html", dict.fromkeys(_SPELLING, "off")) == ""


def test_its_code_is_typed() -> None:
    need("tsc")
    compiler = program("tsc")
    assert compiler is not None
    options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--noUnusedParameters"]
    kinds = ["--target", "es2023", "--module", "es2022", "--moduleResolution", "bundler"]
    browsers = ["--lib", "es2023,dom,dom.iterable", "--allowUmdGlobalAccess", "../vendor/uPlot.d.ts"]
    done = subprocess.run(
        [compiler, *options, *kinds, *browsers, "main.js", "worker.js"],
        cwd=str(files("abacist.report.page") / "sources"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
