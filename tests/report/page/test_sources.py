"""The page's own code: every file of it is bundled, in an order in which imports point back, and typed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import abacist.report.page
from abacist.report.page.content import LONGEST
from abacist.report.page.writing import MODULES, WORKER
from tests.requirements import program

SOURCES = Path(abacist.report.page.__file__).parent / "sources"

#: `allowUmdGlobalAccess`: the chart library is a script before the page's own.
OPTIONS = (
    "--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--noUnusedParameters",
    "--allowUmdGlobalAccess", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler",
    "--lib", "es2022,dom,dom.iterable",
)  # fmt: skip


def test_every_file_is_bundled() -> None:
    assert {path.name for path in SOURCES.glob("*.js")} == {*MODULES, *WORKER}


@pytest.mark.parametrize("bundle", [MODULES, WORKER], ids=["page", "worker"])
def test_a_file_imports_only_from_those_before_it(bundle: tuple[str, ...]) -> None:
    for place, name in enumerate(bundle):
        text = (SOURCES / name).read_text(encoding="utf-8")
        imported = re.findall(r'^import [^;]* from "([^"]+)";$', text, re.MULTILINE)
        own = {path.removeprefix("./") for path in imported if path.startswith("./")}
        assert own <= set(bundle[:place]), name
        assert all("/runtime/" in path for path in imported if not path.startswith("./")), name


@pytest.mark.parametrize("bundle", [MODULES, WORKER], ids=["page", "worker"])
def test_no_name_is_declared_twice_in_a_bundle(bundle: tuple[str, ...]) -> None:
    """All files of a bundle share one scope; TypeScript, which sees modules, would not mind."""
    texts = [(SOURCES / name).read_text(encoding="utf-8") for name in bundle]
    declared = [
        name
        for text in texts
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function\*? |class |const |let )(\w+)", text, re.MULTILINE
        )
    ]
    assert sorted(declared) == sorted(set(declared))
    assert len(declared) > 5


def test_python_and_javascript_agree_on_the_longest_word() -> None:
    assert f"export const LONGEST = {LONGEST};" in (SOURCES / "endings.js").read_text(encoding="utf-8")


def test_the_code_is_typed() -> None:
    files = [SOURCES / "main.js", SOURCES / "worker.js", SOURCES.parent / "vendor" / "uPlot.d.ts"]
    done = subprocess.run([program("tsc"), *OPTIONS, *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
