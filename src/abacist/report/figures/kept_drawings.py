"""Drawn pictures, kept in the user's cache, so that nothing is drawn twice of runs that did not change.

A file's name covers all that its content depends on: the picture and the form, the runs, all files of
this package, code and data, the versions of what draws and computes, and the machine. What is not there,
or not bit for bit as it was kept, is drawn again; where nothing can be kept, everything is.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import abacist
from abacist.errors import BadFile
from abacist.experiments import Results
from abacist.machine_code.code_cache import load_authentic, save_authentic
from abacist.report.figures.picture import Picture

_PART = "figures"


def kept_drawn(results: Results, picture: Picture, forms: Sequence[str]) -> list[bytes] | None:
    """A picture of results in some forms as it was kept; None if a form is missing."""
    found = []
    for name in _names(results, picture, forms):
        with suppress(BadFile):
            found.append(load_authentic(_PART, name))
    files = [content for content in found if content is not None]
    return files if files and len(files) == len(forms) else None


def keep_drawn(results: Results, picture: Picture, forms: Sequence[str], drawn: Sequence[bytes]) -> None:
    """Keep a picture of results in some forms, if that can be done."""
    with suppress(BadFile):
        for name, content in zip(_names(results, picture, forms), drawn, strict=False):
            save_authentic(_PART, name, content)


def _names(results: Results, picture: Picture, forms: Sequence[str]) -> list[str]:
    """The names of a picture's files; none where nobody knows whether runs have changed.

    A layout begins where that of the form before it ended: forms depend on those that come first.
    """
    if not results.checksum:
        return []
    depends_on = [results.checksum, *_surroundings(), picture.name]
    texts = [json.dumps([*depends_on, *forms[: last + 1]]) for last in range(len(forms))]
    return [f"{picture.name}_{hashlib.sha256(text.encode()).hexdigest()[:32]}" for text in texts]


@lru_cache(maxsize=1)
def _surroundings() -> tuple[str, ...]:
    """What shapes figures besides the runs."""
    source = source_checksum(Path(abacist.__file__).parent)
    versions = [version(name) for name in ("matplotlib", "numpy", "numba", "llvmlite")]
    return (source, platform.python_version(), *versions, platform.node(), platform.machine())


def source_checksum(folder: Path) -> str:
    """A checksum over all files of a package, code and data, but for what Python compiles."""
    checksum = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__":
            content = path.read_bytes()
            checksum.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode() + content)
    return checksum.hexdigest()
