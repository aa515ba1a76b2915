"""The catalogue: the figures that can be made of a store, and what is missing for the others."""

from __future__ import annotations

from collections.abc import Callable

from abacist.experiments import Results
from abacist.report.figures.horizon_pictures import brackets_picture, saturation_picture
from abacist.report.figures.memory_pictures import memories_picture
from abacist.report.figures.our_pictures import (
    curves_picture,
    epochs_picture,
    runs_picture,
    unit_verdicts_picture,
)
from abacist.report.figures.paper_pictures import (
    corpora_picture,
    counters_picture,
    dyck_2_picture,
    last_bracket_picture,
    one_unit_picture,
)
from abacist.report.figures.picture import Picture, save
from abacist.report.figures.runs_for_figures import MissingRuns
from abacist.report.figures.survey_pictures import survey_picture

__all__ = ["PICTURES", "Picture", "pictures", "save"]

#: All figures, by name: whether they count, our table, the paper's in its order, then what goes past it.
PICTURES: dict[str, Callable[[Results], Picture]] = {
    "horizons": brackets_picture,
    "table-3-runs": runs_picture,
    "shuffle-6-corpora": corpora_picture,
    "shuffle-6-counters": counters_picture,
    "dyck-2-states": dyck_2_picture,
    "dyck-1-one-unit": one_unit_picture,
    "last-bracket-states": last_bracket_picture,
    "epochs": epochs_picture,
    "dyck-1-lengths": curves_picture,
    "counters": unit_verdicts_picture,
    "saturation": saturation_picture,
    "dyck-2-memories": memories_picture,
    "zoo": survey_picture,
}


#: Former names of figures.
ALIASES = {"table-1-runs": "table-3-runs"}


def pictures(results: Results) -> tuple[list[Picture], list[str]]:
    """The figures that can be made of results, and a sentence for each that cannot."""
    possible: list[Picture] = []
    impossible: list[str] = []
    for make in PICTURES.values():
        try:
            possible.append(make(results))
        except MissingRuns as error:
            impossible.append(str(error))
    return possible, impossible
