"""The paper's figures, made of our runs, and ours of the same kind: corpora, and networks along a word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.analysis import TraceReading, follow, match_units
from abacist.corpora import Corpora, Corpus, Distribution, draw
from abacist.experiments import Results, Run
from abacist.languages import Word
from abacist.report.figures.along_words import counters_figure, memories_figure, values_figure
from abacist.report.figures.house_style import COLOURS, SET_LOOKS, TEXT_WIDTH, legend_above, new_figure
from abacist.report.figures.picture import Content, best, captioned, described, runs_of_task, task_of
from abacist.wording import plural

#: Words for the figures of Dyck-2, as in the paper a repetitive one and a nested one. Of ten words tried,
#: the repetitive one is one on which the best of our networks makes mistakes; on most it makes none.
REPETITIVE = "([[()]])" * 10
NESTED = "([" * 12 + "])" * 12
LAST_BRACKET = "[([()][])()[[]]([()])((()))[]()]"
UP_AND_DOWN = "(((())))(()(()))()()((()()(())))"

#: A word with both kinds of brackets, and with one kind several times in a row, at every depth.
_FOR_STACKS = "([[](()[])](([])[]))[([()])]"

#: Networks with a memory: the cell, what it is called here, its memory.
_WITH_MEMORY = (
    ("stack_rnn_1", "Stack-RNN, rows of one number", "stack"),
    ("stack_rnn", "Stack-RNN, rows of five numbers", "stack"),
    ("baby_ntm", "Baby-NTM, rows of five numbers", "memory"),
)

#: Words over which the units of a network are matched to pairs.
_MATCHED_OVER = 200


def read_by(run: Run, word: str | Word) -> TraceReading:
    """A run's network on a word of its language."""
    language = run.spec.language
    symbols = language.alphabet.parse(word) if isinstance(word, str) else word
    return follow(run.networks, 0, language, symbols, steps=run.spec.steps)


def richest_word(corpus: Corpus) -> Word:
    """The word whose shallowest pair is deepest, then the one with most depth in all, then the first.

    Where there is nothing to be deep, the first of the longest.
    """
    if not corpus.language.counter_names:
        return corpus[int(corpus.lengths.argmax())]
    deepest = np.maximum.reduceat(corpus.depths(), corpus.offsets[:-1], axis=0)
    rank = deepest.min(axis=1) * (int(deepest.sum(axis=1).max()) + 1) + deepest.sum(axis=1)
    return corpus[int(rank.argmax())]


def corpora_picture(results: Results) -> Content:
    """Lengths and depths of the words of a Shuffle-6 experiment; it needs no runs."""
    recipe = task_of("table-3", "shuffle-6", "lstm").spec.recipe(0)
    return captioned("shuffle-6-corpora", lambda: corpora_figure(draw(recipe)))


def draw_lengths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every length, a line for each set."""
    return _draw_shares(axes, corpora, "length", lambda corpus: corpus.lengths)


def draw_depths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every maximum depth, a line for each set."""
    return _draw_shares(axes, corpora, "maximum depth", Corpus.maximum_depths)


def _draw_shares(
    axes: Axes, corpora: Corpora, label: str, values_of: Callable[[Corpus], NDArray[np.int64]]
) -> Axes:
    for corpus in corpora:
        distribution, name = Distribution.of(values_of(corpus)), corpus.split.name
        colour, line = SET_LOOKS.get(name, (COLOURS[3], "-"))
        shares = 100 * np.array(distribution.counts) / len(corpus)
        text = f"{name} set, {plural(len(corpus), 'word')}"
        axes.plot(distribution.values, shares, color=colour, linestyle=line, label=text)
        axes.set_ylim(bottom=0)
    axes.set_xlabel(label)
    axes.set_ylabel("share of the words, %")
    return axes


def corpora_figure(corpora: Corpora) -> Figure:
    """Lengths and maximum depths side by side."""
    figure = new_figure(TEXT_WIDTH, 2.9)
    left, right = figure.subplots(1, 2)
    draw_lengths(left, corpora)
    draw_depths(right, corpora)
    legend_above(figure, *left.get_legend_handles_labels())
    return figure


def _counters(run: Run) -> Figure:
    corpus = draw(run.spec.recipe(run.seed))["long"]
    words = (corpus[number] for number in range(min(_MATCHED_OVER, len(corpus))))
    return counters_figure(read_by(run, richest_word(corpus)), match_units(read_by(run, w) for w in words))


def _two_words(run: Run) -> Figure:
    titles = ("a long repetitive word", "a nested word")
    return values_figure([read_by(run, word) for word in (REPETITIVE, NESTED)], ("h", "c"), titles)


def _one_unit(run: Run) -> Figure:
    reading = read_by(run, UP_AND_DOWN)
    return counters_figure(reading, match_units([reading]))


def _last_bracket(run: Run) -> Figure:
    return values_figure([read_by(run, LAST_BRACKET)], ("c",))


#: Pictures of the LSTM of a task that is best on the long set: its experiment, its language, what draws it.
LSTM_PICTURES: dict[str, tuple[str, str, Callable[[Run], Figure]]] = {
    "shuffle-6-counters": ("table-3", "shuffle-6", _counters),
    "dyck-2-states": ("table-3", "dyck-2", _two_words),
    "dyck-1-one-unit": ("few-units", "dyck-1", _one_unit),
    "last-bracket-states": ("last-bracket", "dyck-2", _last_bracket),
}


def best_lstm_picture(name: str, results: Results) -> Content:
    """One of these pictures."""
    experiment, language, draw_run = LSTM_PICTURES[name]
    runs = runs_of_task(results, experiment, language, "lstm")
    run = best(runs)
    return captioned(name, lambda: draw_run(run), run=described(run, runs), words=_MATCHED_OVER)


def memories_picture(results: Results) -> Content:
    runs = {cell: runs_of_task(results, "memories", "dyck-2", cell) for cell, _, _ in _WITH_MEMORY}
    chosen = {cell: best(of_cell) for cell, of_cell in runs.items()}
    networks = " ".join(f"{title}: {described(chosen[cell], runs[cell])}" for cell, title, _ in _WITH_MEMORY)
    memories = [(title, chosen[cell], memory) for cell, title, memory in _WITH_MEMORY]
    return captioned(
        "dyck-2-memories",
        lambda: memories_figure([(t, read_by(run, _FOR_STACKS), m) for t, run, m in memories], "Dyck-2"),
        networks=networks,
    )
