"""A target for tests: the processor's under another name, with small blocks and a record of its use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from abacist.cells import Layout
from abacist.specs import Spec
from abacist.targets import target, target_named

#: Runs of a block: fewer than the processor's.
BLOCK = 3


class FakeTarget:
    """Programs of the processor; `uses` are the methods that were asked for, in order."""

    def __init__(self, name: str, refusal: str | None) -> None:
        self.name, self.uses = name, list[str]()
        self._refusal = refusal

    def refusal(self, layout: Layout) -> str | None:
        return self._refusal

    def versions(self) -> dict[str, str]:
        return {"processor": self.name}

    def block(self, spec: Spec) -> int:
        return BLOCK

    def __getattr__(self, method: str) -> Any:
        self.uses.append(method)
        return getattr(target_named(), method)


def register(patch: pytest.MonkeyPatch, name: str = "fake", refusal: str | None = None) -> FakeTarget:
    """A new fake target under a name, until the patch is undone."""
    fake, module = FakeTarget(name, refusal), ModuleType(f"abacist.targets.{name}.target")
    patch.setattr(module, "TARGET", fake, raising=False)
    patch.setitem(sys.modules, module.__name__, module)
    patch.setattr(target, "TARGETS", tuple(dict.fromkeys((*target.TARGETS, name))))
    _forget()
    return fake


@contextmanager
def registered(name: str = "fake", refusal: str | None = None) -> Iterator[FakeTarget]:
    """A fake target under a name, for a while."""
    with pytest.MonkeyPatch.context() as patch:
        yield register(patch, name, refusal)
    _forget()


def register_in_process() -> None:
    """A fake target for the rest of this process: one that an executor starts."""
    register(pytest.MonkeyPatch())


def _forget() -> None:
    target_named.cache_clear()
    target._refusal.cache_clear()
