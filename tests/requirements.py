"""What some tests need and not every machine has: absent, they are skipped with a reason, or fail.

The environment variable ABACIST_REQUIRE names, separated by commas, what must not be absent.
"""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest

from tests.browser import chromium

#: How each thing is installed.
INSTALL = {
    "torch": "pip install 'abacist[torch]'",
    "numba_cuda": "pip install 'abacist[cuda]'",
    "distributed": "pip install 'abacist[cluster]'",
    "cloudpickle": "pip install 'abacist[cluster]'",
    "gcc": "apt-get install gcc",
    "make": "apt-get install make",
    "node": "apt-get install nodejs",
    "tsc": "npm install --global typescript",
    "browser": "pip install 'abacist[browser]' and apt-get install chromium, or name one in ABACIST_CHROMIUM",
}


def is_there(name: str) -> bool:
    """Whether a module can be imported; `browser` is Playwright and Chromium, others are programs."""
    if name == "browser":
        return chromium() is not None and is_there("playwright")
    if name in ("gcc", "make", "node", "tsc"):
        return shutil.which(name) is not None
    return importlib.util.find_spec(name) is not None


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
