"""Modules that are imported when they are first used."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from abacist.on_demand import on_demand


def test_looking_around_imports_nothing() -> None:
    """As doctest does with all that a module has."""
    missing: Any = on_demand("no_such_module")
    assert inspect.unwrap(missing) is missing
    assert not inspect.isroutine(missing)
    with pytest.raises(ModuleNotFoundError):
        _ = missing.name
