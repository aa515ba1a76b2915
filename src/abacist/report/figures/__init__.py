"""Figures: every drawing function takes Axes and returns them, so that they can be composed.

`picture` has what a picture is and its files, `catalogue` lists those of a store, the files `*_pictures` make
and draw them, `captions.toml` says what to see in them, `own` has those of your runs.
"""

from abacist.report.figures.along_words import trace_figure
from abacist.report.figures.catalogue import ALIASES, PICTURES, Pictures, pictures, store_pictures
from abacist.report.figures.house_style import new_figure, style
from abacist.report.figures.machines import machine_figure
from abacist.report.figures.network_pictures import (
    NETWORK_PICTURES,
    OwnNetwork,
    network_picture,
    stress_figure,
)
from abacist.report.figures.paper_pictures import draw_depths, draw_lengths
from abacist.report.figures.picture import (
    FIGURE_FORMS,
    Picture,
    draw_picture,
    save_drawn,
    write_figure,
)

__all__ = [
    "ALIASES", "FIGURE_FORMS", "NETWORK_PICTURES", "PICTURES", "OwnNetwork", "Picture", "Pictures",
    "draw_depths", "draw_lengths", "draw_picture", "machine_figure", "network_picture", "new_figure",
    "pictures", "save_drawn", "store_pictures", "stress_figure", "style", "trace_figure", "write_figure",
]  # fmt: skip
