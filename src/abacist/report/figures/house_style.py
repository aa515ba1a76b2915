"""The style of all figures: legible in print, told apart in colour, in grey and by the colour-blind.

Colours are Okabe and Ito's; whatever has a colour also has a marker or a kind of line of its
own. DejaVu Sans comes with Matplotlib and has all the brackets. Figures are made without
pyplot, so nothing of the user's is touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any, cast

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from abacist.cells.names import is_outside

#: Okabe and Ito's colours that show on white, the darkest first, and a grey for an eighth line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#767676")
#: Kinds of line for the first eight lines of a figure, the next eight, and so on.
ROUNDS: tuple[Any, ...] = ("-", (0, (2, 1)), (0, (6, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

#: What belongs to a cell in every figure: colour, marker and kind of line.
CELL_LOOKS: dict[str, tuple[str, str, Any]] = {
    "rnn": ("#E69F00", "o", (0, (1, 1.2))),
    "gru": ("#009E73", "s", (0, (4, 1.5))),
    "lstm": ("#0072B2", "^", "-"),
    "rnn_relu": ("#CC79A7", "D", "-."),
}

#: The same for the sets of words.
SET_LOOKS: dict[str, tuple[str, Any]] = {
    "training": ("#000000", "-"),
    "short": ("#E69F00", (0, (3, 1.5))),
    "long": ("#0072B2", (0, (6, 1.5, 1, 1.5))),
}

DASHED: Any = (0, (4, 2))
TEXT_WIDTH = 7.2

#: Dots per inch in a notebook: small files, and sharp enough on most screens.
_NOTEBOOK_DPI = 130

_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "abacist",
    "pdf.fonttype": 42,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw in the project's style, and leave Matplotlib's settings as they were."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(cast(Any, _STYLE))
        yield


class HouseFigure(Figure):
    """A figure that a notebook shows without being asked to."""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        with style():
            self.savefig(buffer, format="png", dpi=_NOTEBOOK_DPI, metadata={"Software": None})
        return buffer.getvalue()


def new_figure(width: float = TEXT_WIDTH, height: float = 3.0) -> Figure:
    """An empty figure that lays itself out, in inches."""
    figure = HouseFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def rows_of_axes(height: float, count: int, ratios: Sequence[float] | None = None) -> tuple[Figure, Any]:
    """A figure as wide as the text, and so many axes below each other."""
    figure = new_figure(TEXT_WIDTH, height)
    return figure, figure.subplots(count, 1, height_ratios=ratios, squeeze=False)[:, 0]


def panels(
    count: int, columns: int, width: float, above: float, tall: float, *, sharex: bool = False
) -> tuple[Figure, Any]:
    """A figure of so many panels with one vertical axis, a row as `tall`; and its axes, (row, column)."""
    rows = -(-count // columns)
    figure = new_figure(width, above + tall * rows)
    grid = figure.subplots(rows, columns, sharex=sharex, sharey=True, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, grid


def set_percents(axes: Axes, margin: float = 3) -> None:
    """Give the vertical axis of axes the scale of all accuracies."""
    axes.set_ylim(-margin, 100 + margin)
    axes.set_yticks(range(0, 101, 25))


#: Names of words, small letters and numbers, unlike expressions.
_PLAIN = re.compile(r"[a-z][a-z0-9 _|-]*")


def title_of(name: str) -> str:
    """A language's or cell's name as the paper writes it: Dyck-1, Shuffle-6, LSTM; an expression as it is.

    >>> title_of("shuffle-6"), title_of("lstm"), title_of("outside:transformer (layers 2)")
    ('Shuffle-6', 'LSTM', 'Transformer (layers 2), outside')
    >>> title_of("a(b|C)*"), title_of("MyCell"), title_of("anbncn")
    ('a(b|C)*', 'MyCell', 'aⁿbⁿcⁿ')
    """
    if is_outside(name):
        title = name.partition(":")[2]
        return f"{title[:1].upper()}{title[1:]}, outside"
    if re.fullmatch(r"(?:[a-d]n){2,4}", name):
        return name.replace("n", "ⁿ")
    if name in CELL_LOOKS:
        return name.upper().replace("_", " ")
    return name.capitalize() if _PLAIN.fullmatch(name) else name
