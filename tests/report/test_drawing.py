"""Drawing: an error is one picture's, and the others are drawn to the same bytes."""

from __future__ import annotations

from matplotlib.figure import Figure

from abacist.errors import BadInput
from abacist.report.figures import Picture, draw_pictures, new_figure, style
from abacist.report.figures.picture import figure_bytes


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


def _fails() -> Figure:
    raise BadInput("no such figure")


def test_an_error_stays_that_of_one_picture() -> None:
    makers = {"a": without_layout, "b": _fails, "c": columns}
    pictures = [Picture(name, "", "", "", make) for name, make in makers.items()]
    drawn = list(draw_pictures(pictures, ("svg",)))
    for number in (0, 2):
        with style():
            assert drawn[number] == [figure_bytes(pictures[number].make(), "svg")]
    assert isinstance(drawn[1], BadInput)
