"""What some tests need and not every machine has: absent, they are skipped with a reason, or fail.

The environment variable ABACIST_REQUIRE names, separated by commas, what must not be absent.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from abacist.errors import AbacistError
from abacist.targets.cuda.driver import device
from abacist.targets.cuda.nvrtc import compiler_version
from tests.browser import chromium

#: Where npm puts what only tests need, and how.
NODE_MODULES = Path(__file__).parent.parent / ".node" / "node_modules"
_NPM = "npm install --prefix .node --no-save typescript@5.9.3 axe-core@4.14.0 html-validate@10.17.0"

#: How each thing is installed.
INSTALL = {
    "torch": "pip install '.[torch]'",
    "nvrtc": "pip install '.[cuda]'",
    "cuda": "a machine with an NVIDIA device and its driver has it",
    "distributed": "pip install '.[cluster]'",
    "cloudpickle": "pip install '.[cluster]'",
    "gcc": "apt-get install gcc",
    "g++": "apt-get install g++",
    "make": "apt-get install make",
    "node": "apt-get install nodejs",
    "tsc": _NPM,
    "axe": _NPM,
    "html-validate": _NPM,
    "browser": "pip install '.[browser]' and apt-get install chromium, or name one in ABACIST_CHROMIUM",
}


def _found(name: str) -> str | None:
    """Where a program is, first among what npm has installed for the project; None if nowhere."""
    return shutil.which(name, path=NODE_MODULES / ".bin") or shutil.which(name)


def is_there(name: str) -> bool:
    """Whether a module can be imported; `browser` is Playwright and Chromium, others are programs."""
    if name == "browser":
        return chromium() is not None and is_there("playwright")
    if name == "axe":
        return (NODE_MODULES / "axe-core" / "axe.min.js").is_file()
    if name in ("nvrtc", "cuda"):
        return _answers(name)
    if name in ("gcc", "g++", "make", "node", "tsc", "html-validate"):
        return _found(name) is not None
    return importlib.util.find_spec(name) is not None


def _answers(name: str) -> bool:
    """Whether NVIDIA's compiler, or a device of theirs, is here."""
    try:
        compiler_version() if name == "nvrtc" else device()
    except AbacistError:
        return False
    return True


def need(name: str) -> pytest.MarkDecorator:
    """Use as `pytestmark = need("torch")`, or call it inside a test."""
    if is_there(name):
        return pytest.mark.skipif(False, reason=f"{name} is installed")
    reason = f"{name} is not installed; {INSTALL.get(name, f'pip install {name}')}"
    if name in os.environ.get("ABACIST_REQUIRE", "").replace(" ", "").split(","):
        pytest.fail(f"{reason} (ABACIST_REQUIRE asks for it)", pytrace=False)
    if "PYTEST_CURRENT_TEST" in os.environ:
        pytest.skip(reason)
    return pytest.mark.skip(reason=reason)


def program(name: str) -> str:
    """Where a program is that a test needs: see `need`."""
    need(name)
    found = _found(name)
    assert found is not None
    return found
