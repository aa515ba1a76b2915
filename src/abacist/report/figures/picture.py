"""A picture: a figure that can be made, with all that there is to say about it, and its files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backend_bases import get_registered_canvas_class
from matplotlib.figure import Figure

from abacist.errors import AbacistError, BadInput
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


#: The files of a picture in the order of the forms, or why it could not be drawn.
Drawn = list[bytes] | AbacistError

#: What draws pictures in some forms, all in their order.
Drawing = Callable[[Sequence[Picture], Sequence[str]], Iterable[Drawn]]


def draw_picture(picture: Picture, forms: Sequence[str] = FIGURE_FORMS) -> Drawn:
    """Make a picture and draw it in every form."""
    for form in forms:
        _check_form(form)
    try:
        with style():
            figure = picture.make()
        return [figure_bytes(figure, form) for form in forms]
    except AbacistError as error:
        return error


def draw_pictures(pictures: Sequence[Picture], forms: Sequence[str] = FIGURE_FORMS) -> Iterator[Drawn]:
    """Draw pictures one after the other."""
    return (draw_picture(picture, forms) for picture in pictures)


def save(picture: Picture, folder: Path, forms: Sequence[str] = FIGURE_FORMS) -> list[Path]:
    """Make a picture and write it in every form, each file whole or not at all."""
    for form in forms:
        _check_form(form)
    make_folder(folder)
    drawn = draw_picture(picture, forms)
    if isinstance(drawn, AbacistError):
        raise drawn
    return save_drawn(picture, drawn, folder, forms)


def save_drawn(picture: Picture, drawn: Sequence[bytes], folder: Path, forms: Sequence[str]) -> list[Path]:
    """Write what was drawn of a picture in some forms, each file whole or not at all."""
    paths = [folder / f"{picture.name}.{form}" for form in forms]
    for path, content in zip(paths, drawn, strict=True):
        write_whole(path, content)
    return paths


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure whole or not at all; the suffix says how."""
    write_whole(path, figure_bytes(figure, path.suffix.removeprefix(".")))


def figure_bytes(figure: Figure, form: str) -> bytes:
    """A figure as the bytes of a file, the same whenever it is made."""
    _check_form(form)
    buffer = io.BytesIO()
    with style(), _laid_out(figure, form):
        figure.savefig(buffer, format=form, metadata=_METADATA[form])
    return buffer.getvalue()


@contextmanager
def _laid_out(figure: Figure, form: str) -> Iterator[None]:
    """Lay a figure out for a form, and hold that layout: `savefig` would draw everything in vain for it.

    Text is not equally wide in every form, so that each has a layout of its own.
    """
    engine, canvas, dots = figure.get_layout_engine(), figure.canvas, figure.dpi
    if engine is None or not figure.axes:
        yield
        return
    try:
        own = get_registered_canvas_class(form)(figure)
        figure.dpi = own.fixed_dpi or mpl.rcParams["savefig.dpi"]
        engine.execute(figure)
        figure.set_layout_engine(None)
        yield
    finally:
        figure.dpi = dots
        figure.set_canvas(canvas)
        figure.set_layout_engine(engine)


def _check_form(form: str) -> None:
    if form not in FIGURE_FORMS:
        raise BadInput(f"a figure is written as {', '.join(FIGURE_FORMS)}, got {form!r}")
