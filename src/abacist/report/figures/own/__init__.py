"""Figures of runs of one's own, made of what varies among them, the most telling first.

`arrangement` has what becomes a line and what a row of panels, and the scales; `curves` the curves and maps,
`overview` a store at a glance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from abacist.experiments import Results, catalogue
from abacist.experiments.run_values import NUMBERS
from abacist.fields import checked
from abacist.report.figures.catalogue import PICTURES
from abacist.report.figures.own.arrangement import by_weight
from abacist.report.figures.own.curves import accuracy_map, by_epoch, curve
from abacist.report.figures.own.overview import store_overview
from abacist.report.figures.picture import Content, Picture, picture_of, possible
from abacist.report.own_runs import OwnRuns, own_runs

__all__ = ["MOST_BY_DEFAULT", "OWN", "Pictures", "own_pictures", "store_pictures"]

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
    runs = own_runs(results) if own is None else own
    contents = _contents(runs) if runs.groups else ()
    pictures, impossible = possible(partial(picture_of, results, f"{OWN}{n}", make) for n, make in contents)
    shown, further = pictures[:MOST_BY_DEFAULT], pictures[MOST_BY_DEFAULT:]
    return Pictures(tuple(shown), tuple(further), tuple(map(str, impossible)))


def _contents(runs: OwnRuns) -> Iterator[tuple[str, Callable[[], Content]]]:
    """Names and contents, the most telling first: what matters, then the two numbers that matter most."""
    swept = [name for name in by_weight(runs) if name in NUMBERS]
    curves = [(f"curve-{field}".replace(" ", "-"), partial(curve, runs, field)) for field in swept]
    maps = [
        (f"map-{across}-{up}".replace(" ", "-"), partial(accuracy_map, runs, across, up))
        for across, up in combinations(swept, 2)
    ]
    yield "glance", partial(store_overview, runs)
    yield from (*curves[:1], *maps[:1])
    yield "by-epoch", partial(by_epoch, runs.trained)
    yield from (*curves[1:], *maps[1:])


@checked
def store_pictures(results: Results) -> Pictures:
    """All figures of a store: those of runs of one's own, then those of the experiments that it has.

    In a store without runs of one's own the sentences are about all figures of the catalogue.
    """
    runs = own_runs(results)
    own = own_pictures(results, runs)
    if not runs.paper_is_there:
        return Pictures(own.shown, own.further, () if own.shown else own.impossible)
    papers, missing = possible(partial(make, results) for make in PICTURES.values())
    wanted = (*runs.experiments, *(() if runs.groups else catalogue()))  # others are run only when asked for
    impossible = tuple(str(error) for error in missing if error.experiment in wanted)
    return Pictures((*own.shown, *papers), own.further, impossible)
