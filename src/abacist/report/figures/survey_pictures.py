"""Our figure of the zoo: which of all cells counts, and how far."""

from __future__ import annotations

import numpy as np

from abacist.experiments import Results, experiment_named, percents
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import command, missing
from abacist.report.figures.survey_dots import Panel, Reached, survey_figure
from abacist.report.survey_table import wrong_at
from abacist.wording import plural

_EXPERIMENT = "zoo"


def survey_picture(results: Results) -> Picture:
    """How far every cell gets on every language."""
    found, count = dict[str, tuple[int, int, dict[str, Reached]]](), 0
    for task in experiment_named(_EXPERIMENT).tasks:
        runs = results.by_spec.get(task.spec, ())
        known = [own for run in runs if (own := run.outcome.horizon()) is not None]
        accuracy = percents(runs, "long")
        if known and len(accuracy):
            looked, trained_on = max(own.search.to for own in known), task.spec.short.high
            _, _, cells = found.setdefault(task.spec.language.name, (trained_on, looked, {}))
            cells[task.spec.cell.name] = Reached(tuple(wrong_at(known)), float(np.median(accuracy)))
            count += len(known)
    panels = {language: Panel(*own) for language, own in found.items()}
    if not panels:
        raise missing(results, _EXPERIMENT, _EXPERIMENT, "horizons")
    return Picture(
        _EXPERIMENT,
        "Which of them counts? Every cell on six languages",
        "Dots are medians of the length of the shortest word found that a network gets wrong, as dark as the "
        "networks are accurate on the long set; thick lines span half of the networks, thin ones nine in "
        "ten. ∞: no wrong word was found as far as one was looked for. The lengths that networks were "
        f"trained on are shaded. {plural(count, 'network')}.",
        command(results, _EXPERIMENT),
        lambda: survey_figure(panels),
    )
