"""The catalogue: the figures that can be made of a store, and what is missing for the others."""

from __future__ import annotations

from collections.abc import Callable

from abacist.experiments import Store
from abacist.report.figures.our_pictures import curves_picture, epochs_picture, runs_picture
from abacist.report.figures.paper_pictures import (
    corpora_picture,
    counters_picture,
    dyck_2_picture,
    last_bracket_picture,
    one_unit_picture,
)
from abacist.report.figures.picture import Picture, save
from abacist.report.figures.shelf import MissingRuns, Shelf

__all__ = ["PICTURES", "Picture", "pictures", "save"]

#: All figures, by name: our table first, then the paper's in its order, then what goes past it.
PICTURES: dict[str, Callable[[Shelf], Picture]] = {
    "table-1-runs": runs_picture,
    "shuffle-6-corpora": corpora_picture,
    "shuffle-6-counters": counters_picture,
    "dyck-2-states": dyck_2_picture,
    "dyck-1-one-unit": one_unit_picture,
    "last-bracket-states": last_bracket_picture,
    "epochs": epochs_picture,
    "dyck-1-lengths": curves_picture,
}


def pictures(store: Store) -> tuple[list[Picture], list[str]]:
    """The figures that can be made of a store, and a sentence for each that cannot."""
    shelf = Shelf.of(store)
    possible: list[Picture] = []
    impossible: list[str] = []
    for make in PICTURES.values():
        try:
            possible.append(make(shelf))
        except MissingRuns as error:
            impossible.append(str(error))
    return possible, impossible
