"""Our figures of horizons: do the networks count?"""

from __future__ import annotations

from abacist.corpora import PAPER
from abacist.experiments import KnownHorizon, Results, experiment_named
from abacist.report.figures.horizon_bars import Known, brackets_figure, saturation_figure
from abacist.report.figures.house_style import title_of
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import command, missing
from abacist.wording import plural

_EXPERIMENT = "counting"


def brackets_picture(results: Results) -> Picture:
    """Accuracy on the long set against the horizon's bracket."""
    name = "horizons"
    networks: dict[str, dict[tuple[str, int], list[Known]]] = {}
    for spec in (task.spec for task in experiment_named(_EXPERIMENT).tasks):
        known = [
            (100 * share, horizon)
            for run in results.by_spec.get(spec, ())
            if (share := run.accuracy("long")) is not None and (horizon := run.outcome.horizon()) is not None
        ]
        if known:
            networks.setdefault(spec.language.name, {})[spec.cell.name, spec.hidden] = known
    if not networks:
        raise missing(results, name, _EXPERIMENT, "horizons")
    count = sum(len(known) for own in networks.values() for known in own.values())
    window = (PAPER.long.low, PAPER.long.high)
    return Picture(
        name,
        "Do they count? Accuracy on the long set against the counting horizon",
        "Each bar is a network. It begins where the proof ends: on every word of at most so many symbols "
        "every prediction is right. It ends at the length of the shortest word found that the network gets "
        "wrong, or in an arrow where none was found up to there. Open marks: as many units as counters. The "
        f"lengths of the long set, {window[0]} to {window[1]} symbols, are shaded: a network at the upper "
        "edge that ends left of it has a perfect score and does not count. Networks of equal accuracy are "
        f"moved apart by up to 2.5 points. {plural(count, 'network')}.",
        command(results, name),
        lambda: brackets_figure(networks, window),
    )


def saturation_picture(results: Results) -> Picture:
    """How far LSTMs are proved as their gates are sharpened."""
    name = "saturation"
    networks: dict[str, list[tuple[KnownHorizon, ...]]] = {}
    for task in experiment_named(_EXPERIMENT).tasks:
        title = f"{title_of(task.spec.language.name)}, {plural(task.spec.hidden, 'unit')}"
        for run in results.by_spec.get(task.spec, ()) if len(task.horizons) > 1 else ():
            if run.outcome.horizons:
                networks.setdefault(title, []).append(run.outcome.latest_horizons)
    if not networks:
        raise missing(results, name, _EXPERIMENT, "horizons")
    return Picture(
        name,
        "Sharper gates: how far LSTMs are proved to count as the inputs of their gates are multiplied",
        "Each line is an LSTM; a mark is the length up to which every word is proved right; words of up to "
        "200 symbols were looked at. At the top, networks that are proved right on every word of any length, "
        "up to the depth where float32 stops counting. At the left the networks as they were trained.",
        command(results, name),
        lambda: saturation_figure(networks),
    )
