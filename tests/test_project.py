"""Laws of the project itself: imports point one way, the README's tree is the disk's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "abacist"

#: Every folder, each importing only from those before it.
ORDER = [
    "languages",
    "corpora",
    "algebra",
    "cells",
    "specs",
    "compiler",
    "targets",
    "engine",
    "experiments",
    "analysis",
    "report",
    "bench",
    "cli",
]


def _folder(module: str) -> str | None:
    """The folder that a module of the package lies in, None for those at the top."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "abacist" and (SOURCE / parts[1]).is_dir() else None


def _imports(path: Path) -> list[str]:
    modules = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            modules.append(node.module or "")
    return modules


def test_every_folder_has_its_place_in_the_order() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(ORDER)


@pytest.mark.parametrize("folder", ORDER)
def test_imports_point_one_way(folder: str) -> None:
    allowed = ORDER[: ORDER.index(folder) + 1]
    for path in sorted((SOURCE / folder).rglob("*.py")):
        for module in _imports(path):
            target = _folder(module)
            assert target is None or target in allowed, f"{path.name} of {folder} imports {module}"


def test_the_files_at_the_top_import_no_folder() -> None:
    for name in ("__init__.py", "errors.py", "wording.py", "files.py", "json_text.py"):
        assert [m for m in _imports(SOURCE / name) if _folder(m)] == []


def _tree_of_the_readme() -> set[str]:
    text = (ROOT / "README.md").read_text()
    block = re.search(r"```\n(src/abacist/\n.*?)```", text, re.DOTALL)
    assert block is not None
    paths: set[str] = set()
    stack: list[str] = []
    for line in block[1].splitlines():
        match = re.match(r"( *)(\S+)", line)
        assert match is not None
        del stack[len(match[1]) // 2 :]
        stack.append(match[2].rstrip("/"))
        paths.add("/".join(stack))
    return paths


def test_the_readme_s_tree_is_the_disk_s() -> None:
    on_disk = {"src/abacist", "tests"}
    on_disk |= {"src/abacist/experiments/catalogue", "src/abacist/report/html/templates"}
    for path in SOURCE.rglob("*"):
        if path.suffix == ".py" and path.name not in ("__init__.py", "__main__.py"):
            on_disk |= {str(path.relative_to(ROOT)), str(path.parent.relative_to(ROOT))}
    assert _tree_of_the_readme() == on_disk


def test_no_file_grows_past_its_seam() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: lines for name, lines in long.items() if lines > 300} == {}


def test_the_version_is_the_same_everywhere() -> None:
    from abacist import __version__

    assert f"version: {__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()
