"""The catalogue: the figures that can be made of a store, and what is missing for the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from abacist.experiments import Results
from abacist.report.figures.accuracy_pictures import curves_picture, epochs_picture, runs_picture
from abacist.report.figures.horizon_pictures import brackets_picture, saturation_picture, survey_picture
from abacist.report.figures.network_pictures import unit_verdicts_picture
from abacist.report.figures.paper_pictures import (
    corpora_picture,
    counters_picture,
    dyck_2_picture,
    last_bracket_picture,
    memories_picture,
    one_unit_picture,
)
from abacist.report.figures.picture import Content, Picture, picture_of, possible


def _named(name: str, content_of: Callable[[Results], Content]) -> Callable[[Results], Picture]:
    return lambda results: picture_of(results, name, partial(content_of, results))


#: All figures, by name: whether they count, our table, the paper's in its order, then what goes past it.
PICTURES: dict[str, Callable[[Results], Picture]] = {
    name: _named(name, content_of)
    for name, content_of in {
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
    }.items()
}

#: Former names of figures.
ALIASES = {"table-1-runs": "table-3-runs"}


def pictures(results: Results) -> tuple[list[Picture], list[str]]:
    """The figures that can be made of results, and a sentence for each that cannot."""
    made, impossible = possible(partial(make, results) for make in PICTURES.values())
    return made, [str(error) for error in impossible]
