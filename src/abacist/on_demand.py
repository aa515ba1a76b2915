"""Modules that are imported when they are first used: what they import in turn is slow."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from abacist.errors import NotInstalled


class on_demand:  # noqa: N801 - it is called as a function
    """The module of a name, imported at the first use of one of its names.

    >>> on_demand("json").dumps([1, 2])
    '[1, 2]'
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute != "__version__":  # whoever looks around uses nothing
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)


def needed(module: str, what: str, install: str = "") -> None:
    """Refuse what needs a module that is not installed; `install`, or the extra of its name, installs it."""
    if find_spec(module) is None:
        install = install or f"pip install '.[{module}]' in Abacist's folder"
        raise NotInstalled(f"{what} needs {module}; {install}")
