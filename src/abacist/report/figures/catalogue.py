"""The catalogue: the figures that can be made of a store, and what is missing for the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from abacist.experiments import Results, catalogue
from abacist.fields import checked
from abacist.report.figures.accuracy_pictures import curves_picture, epochs_picture, runs_picture
from abacist.report.figures.horizon_pictures import brackets_picture, saturation_picture, survey_picture
from abacist.report.figures.network_pictures import unit_verdicts_picture
from abacist.report.figures.own import own_pictures
from abacist.report.figures.paper_pictures import (
    LSTM_PICTURES,
    best_lstm_picture,
    corpora_picture,
    memories_picture,
)
from abacist.report.figures.picture import Content, MissingRuns, Picture, picture_of
from abacist.report.own_runs import own_runs

#: All figures, by name: whether they count, our table, the paper's in its order, then what goes past it.
PICTURES: dict[str, Callable[[Results], Content]] = {
    "horizons": brackets_picture,
    "table-3-runs": runs_picture,
    "shuffle-6-corpora": corpora_picture,
    **{name: partial(best_lstm_picture, name) for name in LSTM_PICTURES},
    "epochs": epochs_picture,
    "dyck-1-lengths": curves_picture,
    "counters": unit_verdicts_picture,
    "saturation": saturation_picture,
    "dyck-2-memories": memories_picture,
    "zoo": survey_picture,
}

#: Former names of figures.
ALIASES = {"table-1-runs": "table-3-runs"}

#: Figures of runs of one's own that are drawn where none is named.
MOST_BY_DEFAULT = 6


def pictures(results: Results) -> dict[str, Picture | MissingRuns]:
    """The figures of the catalogue, by name, or why one cannot be made of results."""
    return {name: picture_of(results, name, partial(make, results)) for name, make in PICTURES.items()}


@dataclass(frozen=True)
class Pictures:
    """The figures of a store: those that are drawn, further ones by name, and why there are no others."""

    shown: tuple[Picture, ...]
    further: tuple[Picture, ...] = ()
    impossible: tuple[str, ...] = ()


@checked
def store_pictures(results: Results) -> Pictures:
    """All figures of a store: those of runs of one's own, then those of the experiments that it has.

    In a store without runs of one's own the sentences are about all figures of the catalogue.
    """
    runs = own_runs(results)
    own = own_pictures(results, runs).values()
    papers = pictures(results).values() if runs.paper_is_there else ()
    wanted = (*runs.experiments, *(() if runs.groups else catalogue()))  # others are run only when asked for
    missing = [why for why in papers if isinstance(why, MissingRuns) and why.experiment in wanted]
    drawn = [picture for picture in own if isinstance(picture, Picture)]
    if not papers and not drawn:
        missing = [why for why in own if isinstance(why, MissingRuns)]
    shown = (*drawn[:MOST_BY_DEFAULT], *(picture for picture in papers if isinstance(picture, Picture)))
    return Pictures(shown, tuple(drawn[MOST_BY_DEFAULT:]), tuple(map(str, missing)))
