"""A picture: a figure that can be made, with all that there is to say about it, and its files."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from abacist.errors import BadInput
from abacist.files import make_folder, write_whole
from abacist.report.figures.house_style import style

FIGURE_FORMS = ("svg", "pdf", "png")

#: What would differ from one day to the next is left out of the files.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Picture:
    """A figure that can be made: `caption` says what to see in it, `command` makes it again."""

    name: str
    title: str
    caption: str
    command: str
    make: Callable[[], Figure]


def save(picture: Picture, folder: Path, forms: Sequence[str] = FIGURE_FORMS) -> list[Path]:
    """Make a picture and write it in every form, each file whole or not at all."""
    for form in forms:
        _check_form(form)
    make_folder(folder)
    figure = picture.make()
    paths = [folder / f"{picture.name}.{form}" for form in forms]
    for path in paths:
        write_figure(figure, path)
    return paths


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure whole or not at all; the suffix says how."""
    write_whole(path, figure_bytes(figure, path.suffix.removeprefix(".")))


def figure_bytes(figure: Figure, form: str) -> bytes:
    """A figure as the bytes of a file, the same whenever it is made."""
    _check_form(form)
    buffer = io.BytesIO()
    with style():
        figure.savefig(buffer, format=form, metadata=_METADATA[form])
    return buffer.getvalue()


def _check_form(form: str) -> None:
    if form not in FIGURE_FORMS:
        raise BadInput(f"a figure is written as {', '.join(FIGURE_FORMS)}, got {form!r}")
