"""Our figures: every run against the paper's, by epoch, and far past the training window."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from abacist.analysis import (
    COUNTS,
    DEEPENING,
    FOLLOWS,
    Curve,
    accuracy_by_depth,
    accuracy_by_length,
    counting_units,
    counting_words,
    draw_by_length,
)
from abacist.corpora import draw
from abacist.experiments import Results, Run, experiment_named
from abacist.experiments.paper import CELLS
from abacist.report.figures.epoch_lines import epochs_figure
from abacist.report.figures.length_curves import curves_figure
from abacist.report.figures.picture import Picture
from abacist.report.figures.run_points import runs_figure
from abacist.report.figures.runs_for_figures import command, number, runs_of_experiment, runs_of_task
from abacist.report.figures.unit_verdicts import unit_verdicts_figure
from abacist.specs import Networks
from abacist.wording import plural

#: Networks of each cell and words of each length that are judged far past the training window.
_NETWORKS, _WORDS = 10, 200


def _how_many(found: int, experiment: str) -> str:
    wanted = sum(len(task.seeds) for task in experiment_named(experiment).tasks)
    missing = f", {wanted - found} fewer than the experiment asks for" if found < wanted else ""
    return f"{plural(found, 'run')}{missing}."


def runs_picture(results: Results) -> Picture:
    """All runs of table 3 beside the paper's figures."""
    name = "table-3-runs"
    runs = runs_of_experiment(results, name, "table-3")
    return Picture(
        name,
        "Every run of table 3 against the paper's minimum, median and maximum",
        "Each point is one of our runs; the bar to their left spans the paper's ten runs, the diamond is "
        "their median. The bands are ten thousand runs of the same network, where that is known: all of "
        "them, nine in ten, half, and their median. See how far apart RNN, GRU and LSTM are on the long set "
        "of the counting tasks, and where all of them are on that of Dyck-2. "
        f"{_how_many(number(runs.values()), 'table-3')}",
        command(results, name),
        lambda: runs_figure(runs),
    )


def epochs_picture(results: Results) -> Picture:
    """Accuracy as training goes on."""
    name = "epochs"
    runs = runs_of_experiment(results, name, "epochs")
    return Picture(
        name,
        "Accuracy by epoch, with the paper's medians",
        "The paper does not say how long it trained. Thick lines are the medians of our runs after each "
        "number of epochs, bands span all of them, and thin lines of the same kind are the paper's medians: "
        f"where the two meet, our median is the paper's. {_how_many(number(runs.values()), 'epochs')}",
        command(results, name),
        lambda: epochs_figure(runs),
    )


def curves_picture(results: Results) -> Picture:
    """Accuracy by length and depth, to ten times past the training window."""
    name = "dyck-1-lengths"
    runs = {cell: runs_of_task(results, name, "table-3", "dyck-1", cell)[:_NETWORKS] for cell in CELLS}
    return Picture(
        name,
        "Accuracy on Dyck-1 by length and by depth, to ten times past the training window",
        "Medians and spans of the table's networks on newly drawn words, the shortest of which they met "
        "in training; the lengths and depths of training words are shaded. "
        f"Left: {_WORDS} words of each length, drawn by the paper's grammar. Right: words of the same "
        "lengths gathered by maximum depth, drawn by grammars from the paper's (q = 1/4) to ones that "
        "hardly branch, so that they are up to ten times as deep as any training word. Deep "
        "words are long as well, so the two sides are not independent. Networks that count would stay at "
        "100 %.",
        command(results, name),
        lambda: _curves(runs),
    )


def unit_verdicts_picture(results: Results) -> Picture:
    """What every unit of the Shuffle-6 LSTMs does."""
    name = "counters"
    runs = runs_of_task(results, name, "table-3", "shuffle-6", "lstm")[:_NETWORKS]
    return Picture(
        name,
        "What every unit of the Shuffle-6 LSTMs does",
        "A row is a network, with its seed and its accuracy on the long set; a mark is one of its eight "
        "units, with its highest absolute correlation below it. A unit stands in the column of the pair that "
        f"it counts: its cell state and the pair's depth have an absolute correlation of at least {COUNTS}. "
        "It stands under “length” if it goes with the number of the step more than with any pair, at "
        f"{FOLLOWS} or above, and else under “neither”. A pair that no unit counts is shaded. The words are "
        "uniform ones of 2 to 50 symbols, in which brackets cross.",
        command(results, name),
        lambda: _unit_verdicts(runs),
    )


def _unit_verdicts(runs: tuple[Run, ...]) -> Figure:
    language = runs[0].spec.language
    words, states = counting_words(language), {}
    for run in runs:
        share = run.accuracy("long")
        accepted = "" if share is None else f", {100 * share:.1f} %"
        states[f"seed {run.seed}{accepted}"] = counting_units(run.networks, 0, words, states=("c",)).state(
            "c"
        )
    return unit_verdicts_figure(states, language.counter_names)


def _curves(runs: dict[str, tuple[Run, ...]]) -> Figure:
    spec = runs["lstm"][0].spec
    longest, language = spec.short.high, spec.language
    deepest = int(draw(spec.recipe(0))["training"].maximum_depths().max())
    tenth = max(1, longest // 10)
    spread = [*range(2 * tenth, longest, 2 * tenth), *range(longest, 10 * longest + 1, 5 * tenth)]
    lengths = sorted({n + n % 2 for n in spread})  # brackets come in pairs
    edges = [*range(1, 2 * deepest, max(1, deepest // 5)), *range(2 * deepest, 11 * deepest + 1, deepest)]
    drawn = draw_by_length(language, lengths, _WORDS, seed=1)
    deep = draw_by_length(language, lengths, _WORDS // 4, seed=1, sources=DEEPENING)
    by_length: dict[str, Curve] = {}
    by_depth: dict[str, Curve] = {}
    for cell, own in runs.items():
        networks = Networks(own[0].spec.layout, np.stack([run.weights for run in own]))
        by_length[cell] = accuracy_by_length(networks, drawn)
        by_depth[cell] = accuracy_by_depth(networks, deep, edges)
    return curves_figure(by_length, by_depth, longest, deepest)
