"""Laws of the project itself: imports point one way, the README lists the folders, extras are ranges."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType

import pytest

import abacist
from abacist.cells import Layout, cell_named
from abacist.targets.llvm.forward import judging_program, tracing_program
from abacist.targets.llvm.machine import Program
from abacist.targets.llvm.training import training_program
from tests.requirements import INSTALL

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "abacist"

#: Every folder, each importing only from those before it.
ORDER = [
    "machine_code",
    "languages",
    "corpora",
    "algebra",
    "cells",
    "optimisers",
    "specs",
    "compiler",
    "targets",
    "engine",
    "analysis",
    "experiments",
    "bridge",
    "report",
    "bench",
    "cli",
]


def _folder(module: str) -> str | None:
    """The folder that a module of the package lies in, None for those at the top."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "abacist" and (SOURCE / parts[1]).is_dir() else None


@cache
def _nodes(path: Path) -> list[ast.AST]:
    """The nodes of a file that laws are about."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kinds)]


def _imports(path: Path) -> list[str]:
    modules = []
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            modules.append(node.module or "")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "on_demand":
            modules += [str(name.value) for name in node.args if isinstance(name, ast.Constant)]
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


def _needed() -> dict[str, set[str]]:
    """For every module those that it runs when it is imported, or later; a folder is its `__init__`."""
    names = {
        ".".join(("abacist", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in SOURCE.rglob("*.py")
    }
    needed: dict[str, set[str]] = {}
    for name, path in names.items():
        nodes = _nodes(path)
        from_folders = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        imported = {*_imports(path), *(f"{n.module}.{one.name}" for n in from_folders for one in n.names)}
        imported -= {n.module for n in from_folders if n.col_offset and "TYPE_CHECKING" in path.read_text()}
        needed[name] = (imported & names.keys()) - {name}
    return needed


def test_no_module_needs_itself() -> None:
    """Inside folders, too: `from abacist.algebra import arrays` needs all that `algebra/__init__` does."""
    TopologicalSorter(_needed()).prepare()


@pytest.mark.parametrize("program", [training_program, judging_program, tracing_program])
def test_programs_call_nothing_but_the_compiler_s_own_functions(program: Callable[..., Program]) -> None:
    text = program(Layout(cell_named("lstm"), 2, 3, 2), "float32").ir
    declared = re.findall(r'^declare .*@"?([\w.]+)"?\(', text, re.MULTILINE)
    assert declared
    assert len(declared) == text.count("declare ")
    assert all(name.startswith("llvm.") for name in declared)


def test_nothing_outside_a_target_knows_it() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name != "llvm":
            inside = [m for m in _imports(path) if m.startswith("abacist.targets.llvm")]
            assert inside == [], f"{path.name} imports {inside}"


#: The modules of the compilers that are documented for everybody.
PUBLIC = {"numba", "numba.extending", "llvmlite", "llvmlite.ir", "llvmlite.binding"}


def _private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _private_module(name: str) -> bool:
    """Whether a name of a compiler's is a module that is not for everybody."""
    try:
        return name not in PUBLIC and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _private_use(text: str, known: set[str]) -> list[str]:
    """The private names of others that a module uses; `known` are those that its own folder gives.

    Private are names with a leading underscore, also those of methods in classes derived from a compiler's,
    and modules of a compiler's that are not `PUBLIC`.
    """
    tree, found = ast.parse(text), list[str]()
    theirs: dict[str, str] = {}  # the compilers' modules, classes and functions by their names here
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = (node.module or "") + "." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                whole = module + alias.name
                if whole.split(".")[0] in ("numba", "llvmlite"):
                    theirs[alias.asname or alias.name.split(".")[0]] = whole
                    if (
                        _private(alias.name)
                        or _private_module(module[:-1] or whole)
                        or _private_module(whole)
                    ):
                        found.append(whole)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            first = node.value.id if isinstance(node.value, ast.Name) else ""
            if _private(node.attr) and (first in theirs or node.attr not in known):
                found.append(ast.unparse(node))
            if first in theirs and _private_module(f"{theirs[first]}.{node.attr}"):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ClassDef) and {ast.unparse(b).split(".")[0] for b in node.bases} & set(
            theirs
        ):
            names = [own.name for own in node.body if isinstance(own, ast.FunctionDef)]
            found += [f"{node.name}.{name}" for name in names if _private(name)]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "setattr"):
            name = node.args[1]
            if isinstance(name, ast.Constant) and _private(str(name.value)):
                found.append(str(name.value))
    return found


def _own_names(paths: Iterable[Path]) -> set[str]:
    """The private names that some modules give: to functions, to fields, and to what is at the top."""
    names: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names |= {node.attr} if ast.unparse(node.value) == "self" else set()
    return names


def test_targets_use_nothing_private_of_their_compilers() -> None:
    """Numba and llvmlite may change that in any release."""
    paths = sorted((SOURCE / "targets").rglob("*.py"))
    known = _own_names(paths)
    assert {path.name: use for path in paths if (use := _private_use(path.read_text(), known))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "import numba.core.types",
        "from numba.core import types",
        "from numba.core.codegen import CPUCodegen",
        "import numba\nnumba.core.types",
        "from llvmlite.binding import ffi",
        "from llvmlite.ir import _utils",
        "import llvmlite.binding as llvm\nllvm._lib",
        "import llvmlite.binding as llvm\nllvm.ffi.lib",
        "from llvmlite import ir\nir.Module()._sequence",
        "def f(module):\n    module._sequence = 1",
        "def f(module):\n    getattr(module, '_sequence')",
        "from llvmlite import ir\nclass A(ir.Type):\n    def _to_string(self): ...",
    ],
)
def test_private_use_is_noticed(text: str) -> None:
    assert _private_use(text, {"_to_string", "_lib"})


def test_the_files_at_the_top_import_no_folder() -> None:
    for name in (
        "__init__.py",
        "errors.py",
        "wording.py",
        "files.py",
        "fields.py",
        "field_names.py",
        "limits.py",
        "untrusted.py",
        "on_demand.py",
    ):
        assert [m for m in _imports(SOURCE / name) if _folder(m)] == []


def test_outside_text_is_parsed_in_one_place() -> None:
    """Whoever else parses JSON or TOML forgets its nesting, its size or its numbers."""
    parsers = {"load", "loads", "JSONDecoder", "scanner", "decoder"}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name == "untrusted.py":
            continue
        nodes = _nodes(path)
        used = {
            n.attr for n in nodes if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") == "json"
        }
        assert not used & parsers, f"{path.name} parses JSON"
        imported = [n for n in nodes if isinstance(n, ast.ImportFrom) and n.module == "json"]
        assert not imported, f"{path.name} imports parts of json"
        assert "tomllib" not in _imports(path), f"{path.name} parses TOML"


def test_the_readme_lists_the_folders_in_the_order_of_imports() -> None:
    block = re.search(r"```\n(src/abacist/\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    listed = [line.split()[0].rstrip("/") for line in block[1].splitlines()]
    assert listed == ["src/abacist", *ORDER, "tests", "docs", "examples"]
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(ORDER)


def test_the_first_line_of_a_file_says_what_it_is() -> None:
    for path in [*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        if text := path.read_text():
            assert ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} has no docstring"


def test_no_file_grows_past_its_seam() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}


def test_the_version_is_the_same_everywhere() -> None:
    from abacist import __version__

    assert f"version: {__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_what_npm_installs_is_the_same_everywhere() -> None:
    named = [
        set(re.findall(r"\b[a-z-]+@\d[\d.]*\d", text))
        for text in (
            INSTALL["axe"],
            (ROOT / "CONTRIBUTING.md").read_text(),
            (ROOT / ".ci" / "run").read_text(),
        )
    ]
    assert len(named[0]) == 3
    assert named[0] == named[1] == named[2]


def test_no_module_is_shadowed() -> None:
    """Where a package exports something under the name of one of its modules, the module is out of reach."""
    names = [found.name for found in pkgutil.walk_packages(abacist.__path__, "abacist.")]
    modules = [name for name in names if not name.endswith("__main__")]
    for name in modules:
        importlib.import_module(name)
    for name in modules:
        package, _, own = name.rpartition(".")
        assert isinstance(getattr(sys.modules[package], own), ModuleType), f"{name} is shadowed"


def test_extras_are_ranges_that_are_installed_from_the_folder() -> None:
    """One exact version would not fit into anyone's environment; the tested ones are in constraints.txt."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [one for extra in project["optional-dependencies"].values() for one in extra]
    tested = (ROOT / "constraints.txt").read_text().lower()
    for requirement in (*project["dependencies"], *wanted):
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        assert requirement.startswith(f"{name[0]}>="), requirement
        assert f"{name[0]}==" in tested
    texts = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.rglob("src/**/*.py"),
        *ROOT.glob("examples/*"),
    ]
    named = {
        path: path.read_text() for path in (*texts, ROOT / "tests" / "requirements.py") if path.is_file()
    }
    assert not [path for path, text in named.items() if re.search(r"abacist\[\w+\]|'abacist\[", text)]


def test_how_to_add_an_operation_names_every_target() -> None:
    (row,) = re.findall(r"^\| an operation \|.*$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    for target in (path.parent.name for path in SOURCE.glob("targets/*/__init__.py")):
        assert f"`targets/{target}/" in row
