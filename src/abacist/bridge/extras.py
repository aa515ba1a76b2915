"""What the bridge needs that not everybody has installed, imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from abacist.errors import NotInstalled


def needed(module: str, what: str, extra: str) -> None:
    """Refuse what needs a module that is not installed."""
    if find_spec(module) is None:
        raise NotInstalled(f"{what} needs {module}; pip install '.[{extra}]' in Abacist's folder")


def aalpy_learning() -> Any:
    """What AALpy needs in order to learn an automaton."""
    needed("aalpy", "extracting an automaton", "aalpy")
    return import_module("abacist.bridge.aalpy_learning")


def torch_data() -> Any:
    """Words for PyTorch."""
    needed("torch", "a tensor", "torch")
    return import_module("abacist.bridge.torch_data")
