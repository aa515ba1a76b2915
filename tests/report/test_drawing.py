"""Drawing: laid out once, a figure is what Matplotlib would have written; an error is one picture's."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from abacist.errors import BadInput
from abacist.report.figures import (
    FIGURE_FORMS,
    Picture,
    draw_pictures,
    figure_bytes,
    new_figure,
    save,
    show_word,
    style,
)

#: What `savefig` is told so that files do not differ from day to day.
METADATA = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


def rows() -> Figure:
    """Axes below each other with many labels, a legend outside of them, and titles."""
    figure = new_figure(4, 3)
    for number, axes in enumerate(figure.subplots(2, 1)):
        axes.plot(np.arange(1, 13) ** number, label=f"power {number}")
        axes.set_title(f"row {number}")
        show_word(axes, "(([]))" * 2, np.arange(12) % 7 == 0)
    figure.legend(loc="outside upper center", ncols=3)
    return figure


def columns() -> Figure:
    """Axes beside each other that share one of theirs."""
    figure = new_figure(4, 2)
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot([1e6, 2e7, 3e5], marker="o")
    right.semilogx([1, 10, 100], [3, 200, 10_000])
    right.set_xlabel("lengths")
    left.set_ylabel("share")
    return figure


def without_layout() -> Figure:
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot([1, 2])
    return figure


def plainly(figure: Figure, form: str) -> bytes:
    """A figure as Matplotlib writes it by itself."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, metadata=METADATA[form])
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("make", "forms"),
    [(rows, FIGURE_FORMS), (columns, FIGURE_FORMS), (columns, ("png", "svg")), (without_layout, ("svg",))],
)
def test_files_are_those_that_matplotlib_writes(make: Callable[[], Figure], forms: tuple[str, ...]) -> None:
    """One form after the other, as each layout begins where the last one ended."""
    with style():
        ours, theirs = make(), make()
        for form in forms:
            assert figure_bytes(ours, form) == plainly(theirs, form)


def test_a_figure_is_left_as_it_was() -> None:
    with style():
        figure = rows()
    engine, canvas, dots = figure.get_layout_engine(), figure.canvas, figure.dpi
    for form in FIGURE_FORMS:
        figure_bytes(figure, form)
        assert (figure.get_layout_engine(), figure.canvas, figure.dpi) == (engine, canvas, dots)


def _fails() -> Figure:
    raise BadInput("no such figure")


def test_an_error_stays_that_of_one_picture(tmp_path: Path) -> None:
    makers = {"a": without_layout, "b": _fails, "c": columns}
    pictures = [Picture(name, "", "", "", make) for name, make in makers.items()]
    drawn = list(draw_pictures(pictures, ("svg",)))
    for number in (0, 2):
        with style():
            assert drawn[number] == [figure_bytes(pictures[number].make(), "svg")]
    assert isinstance(drawn[1], BadInput)
    with pytest.raises(BadInput, match="no such figure"):
        save(pictures[1], tmp_path)
    assert list(tmp_path.iterdir()) == []
