"""Figures of runs of one's own, made of what varies among them, the most telling first.

`arrangement` has what becomes a line and what a row of panels, and the scales; `curves` the curves and maps,
`overview` a store at a glance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

from abacist.experiments import Results
from abacist.experiments.run_values import NUMBERS
from abacist.fields import checked
from abacist.report.figures.own.arrangement import by_weight
from abacist.report.figures.own.curves import accuracy_map, curve
from abacist.report.figures.own.overview import store_overview
from abacist.report.figures.picture import Content, MissingRuns, Picture, picture_of
from abacist.report.own_runs import OwnRuns, own_runs

#: How the names of these figures begin.
OWN = "own-"


@checked
def own_pictures(results: Results, own: OwnRuns | None = None) -> dict[str, Picture | MissingRuns]:
    """The figures of runs of one's own by name, those of results if none are given, the most telling first.

    What matters most comes first, then the two numbers that matter most. Without runs there are none.
    """
    runs = own_runs(results) if own is None else own
    swept = [name for name in by_weight(runs) if name in NUMBERS]
    curves = [(f"curve-{field}", partial(curve, runs, field)) for field in swept]
    maps = [(f"map-{x}-{y}", partial(accuracy_map, runs, x, y)) for x, y in combinations(swept, 2)]
    contents: list[tuple[str, Callable[[], Content]]] = [("glance", partial(store_overview, runs))]
    contents += [*curves[:1], *maps[:1], *curves[1:], *maps[1:]]
    names = {f"{OWN}{name}".replace(" ", "-"): content for name, content in contents if runs.groups}
    return {name: picture_of(results, name, content) for name, content in names.items()}
