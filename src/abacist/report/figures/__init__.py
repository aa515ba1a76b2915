"""Figures: every drawing function takes Axes and returns them, so that they can be composed.

`picture` has what a picture is and its files, `catalogue` lists those of the experiments, the files
`*_pictures` make and draw them, `captions.toml` says what to see in them, `own` has those of your runs.
"""

from abacist.report.figures.accuracy_pictures import draw_curves, draw_epochs, draw_runs
from abacist.report.figures.along_words import (
    counters_figure,
    draw_counter,
    draw_depth_path,
    draw_values,
    mark_outside,
    show_word,
    trace_figure,
    values_figure,
)
from abacist.report.figures.catalogue import ALIASES, PICTURES, pictures
from abacist.report.figures.house_style import new_figure, style
from abacist.report.figures.machines import draw_machine, machine_figure
from abacist.report.figures.network_pictures import (
    NETWORK_PICTURES,
    OwnNetwork,
    draw_stress,
    draw_unit_verdicts,
    stress_figure,
)
from abacist.report.figures.paper_pictures import draw_depths, draw_lengths
from abacist.report.figures.picture import (
    FIGURE_FORMS,
    Drawing,
    Drawn,
    Picture,
    draw_picture,
    draw_pictures,
    figure_bytes,
    save,
    save_drawn,
    write_figure,
)

__all__ = [
    "ALIASES",
    "FIGURE_FORMS",
    "NETWORK_PICTURES",
    "PICTURES",
    "Drawing",
    "Drawn",
    "OwnNetwork",
    "Picture",
    "counters_figure",
    "draw_counter",
    "draw_curves",
    "draw_depth_path",
    "draw_depths",
    "draw_epochs",
    "draw_lengths",
    "draw_machine",
    "draw_picture",
    "draw_pictures",
    "draw_runs",
    "draw_stress",
    "draw_unit_verdicts",
    "draw_values",
    "figure_bytes",
    "machine_figure",
    "mark_outside",
    "new_figure",
    "pictures",
    "save",
    "save_drawn",
    "show_word",
    "stress_figure",
    "style",
    "trace_figure",
    "values_figure",
    "write_figure",
]
