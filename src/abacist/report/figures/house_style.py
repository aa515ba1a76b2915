"""The style of all figures: legible in print, told apart in colour, in grey and by the colour-blind.

Colours are Okabe and Ito's; whatever has a colour also has a marker or a kind of line of its
own. DejaVu Sans comes with Matplotlib and has all the brackets. Figures are made without
pyplot, so nothing of the user's is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple, TypeVar, cast

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter
from numpy.typing import NDArray

from abacist.cells.names import is_outside

#: Okabe and Ito's colours that show on white, the darkest first, and a grey for an eighth line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#767676")
#: Kinds of line for the first eight lines of a figure, the next eight, and so on.
ROUNDS: tuple[Any, ...] = ("-", (0, (2, 1)), (0, (6, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


class Look(NamedTuple):
    """How a line looks: its colour, its marker, its kind."""

    colour: str
    marker: str
    line: Any

    def entry(self, **changes: Any) -> Line2D:
        """An entry of a legend that looks like this, but for some changes."""
        return Line2D([], [], **self._plain | changes)

    def plot(self, axes: Axes, across: Any, up: Any, **changes: Any) -> None:
        """Draw a line that looks like this, but for some changes."""
        axes.plot(across, up, **self._plain | changes)

    @property
    def _plain(self) -> dict[str, Any]:
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line}


def nth_look(number: int) -> Look:
    """How a line among many looks: other colours first, then other kinds of line."""
    round_, place = divmod(number, len(COLOURS))
    return Look(COLOURS[place], MARKERS[place], ROUNDS[round_ % len(ROUNDS)])


#: How a cell looks in every figure.
CELL_LOOKS = {
    "rnn": Look("#E69F00", "o", (0, (1, 1.2))),
    "gru": Look("#009E73", "s", (0, (4, 1.5))),
    "lstm": Look("#0072B2", "^", "-"),
    "rnn_relu": Look("#CC79A7", "D", "-."),
}

#: The same for the sets of words.
SET_LOOKS: dict[str, tuple[str, Any]] = {
    "training": ("#000000", "-"),
    "short": ("#E69F00", (0, (3, 1.5))),
    "long": ("#0072B2", (0, (6, 1.5, 1, 1.5))),
}

DASHED: Any = (0, (4, 2))
TEXT_WIDTH = 7.2

#: What a panel is drawn of.
_Content = TypeVar("_Content")

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
    contents: Sequence[tuple[str, _Content]],
    draw: Callable[[Axes, _Content], Any],
    columns: int,
    above: float,
    tall: float,
    labels: tuple[str, str] = ("", ""),
    *,
    width: float = TEXT_WIDTH,
    sharex: bool = False,
) -> Figure:
    """A figure with a panel for every title and what it is drawn of: one vertical axis, a row as `tall`.

    The lowest panels have the first label, the leftmost ones the second.
    """
    count = len(contents)
    rows = -(-count // columns)
    figure = new_figure(width, above + tall * rows)
    grid = figure.subplots(rows, columns, sharex=sharex, sharey=True, squeeze=False)
    for place, axes in enumerate(grid.flat):
        axes.set_visible(place < count)
        if place + columns >= count:
            axes.set_xlabel(labels[0])
            axes.tick_params(labelbottom=True)
        if place % columns == 0:
            axes.set_ylabel(labels[1])
    for axes, (title, content) in zip(grid.flat, contents, strict=False):
        axes.set_title(title)
        draw(axes, content)
    return figure


def legend_above(
    figure: Figure, entries: Sequence[Artist], texts: Sequence[str], columns: int = 0, **looks: Any
) -> None:
    """A legend above all panels, in one row or in so many columns."""
    figure.legend(entries, texts, loc="outside upper center", ncols=columns or len(texts), **looks)


def set_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Give the vertical axis a row for every label, the first one above."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def set_logarithmic(
    axis: Axis, ticks: Sequence[float], labels: Sequence[str] | None = None, base: float = 10
) -> None:
    """Give an axis a logarithmic scale, with labels at these ticks and no others."""
    (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log", base=base)
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks] if labels is None else labels)
    axis.set_minor_formatter(NullFormatter())


def set_percents(axes: Axes, margin: float = 3) -> None:
    """Give the vertical axis of axes the scale of all accuracies."""
    axes.set_ylim(-margin, 100 + margin)
    axes.set_yticks(range(0, 101, 25))


def draw_band(
    axes: Axes, across: Sequence[float] | NDArray[Any], ranges: Iterable[Any], look: Look, **line: Any
) -> None:
    """A line through the middles of ranges, each its low end, middle and high end, and a band over them."""
    low, middle, high = zip(*ranges, strict=True)
    axes.fill_between(across, low, high, color=look.colour, alpha=0.15, linewidth=0)
    look.plot(axes, across, middle, clip_on=False, **line)


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
