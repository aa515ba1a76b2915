"""Which figures a store of one's own has: made of what varies in it, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from abacist.experiments import Results, catalogue
from abacist.experiments.run_values import NUMBERS
from abacist.fields import checked
from abacist.report.figures.catalogue import PICTURES
from abacist.report.figures.own.accuracy_pictures import curve_picture, epochs_picture
from abacist.report.figures.own.arrangement import by_weight
from abacist.report.figures.own.glance import glance_picture
from abacist.report.figures.own.maps import map_picture
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns
from abacist.report.own_runs import OwnRuns, own_runs

#: How the names of these figures begin.
OWN = "own-"

#: Figures of runs of one's own that are drawn where none is named.
MOST_BY_DEFAULT = 6


@dataclass(frozen=True)
class Pictures:
    """The figures of a store: those that are drawn, further ones by name, and why there are no others."""

    shown: tuple[Picture, ...]
    further: tuple[Picture, ...] = ()
    impossible: tuple[str, ...] = ()


@checked
def own_pictures(results: Results, own: OwnRuns | None = None) -> Pictures:
    """The figures of runs of one's own, those of results if they are not given; none without any."""
    own = own_runs(results) if own is None else own
    possible: list[Picture] = []
    impossible: list[str] = []
    for make in _makers(results, own) if own.groups else ():
        try:
            possible.append(make())
        except MissingRuns as error:
            impossible.append(str(error))
    return Pictures(tuple(possible[:MOST_BY_DEFAULT]), tuple(possible[MOST_BY_DEFAULT:]), tuple(impossible))


def _makers(results: Results, own: OwnRuns) -> Iterator[Callable[[], Picture]]:
    """What makes each figure, the most telling first: what matters, then the two numbers that matter most."""
    swept = [name for name in by_weight(own) if name in NUMBERS]
    curves = [lambda field=field: curve_picture(results, own, field) for field in swept]
    maps = [lambda pair=pair: map_picture(results, own, *pair) for pair in combinations(swept, 2)]
    yield lambda: glance_picture(results, own)
    yield from curves[:1]
    yield from maps[:1]
    yield lambda: epochs_picture(results, own)
    yield from (*curves[1:], *maps[1:])


@checked
def store_pictures(results: Results) -> Pictures:
    """All figures of a store: those of runs of one's own, then those of the experiments that it has.

    In a store without runs of one's own the sentences are about all figures of the catalogue.
    """
    runs = own_runs(results)
    own = own_pictures(results, runs)
    if not runs.paper_is_there:
        nothing = () if own.shown else own.impossible
        return Pictures(own.shown, own.further, nothing)
    possible: list[Picture] = []
    impossible: list[str] = []
    for make in PICTURES.values():
        try:
            possible.append(make(results))
        except MissingRuns as error:
            asked = error.experiment in catalogue()  # the others are only run when they are asked for
            if (asked and not runs.groups) or error.experiment in runs.experiments:
                impossible.append(str(error))
    return Pictures((*own.shown, *possible), own.further, tuple(impossible))
