"""The paper's figures, made of our runs, and ours of the same kind: corpora, and networks along a word."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.analysis import TraceReading, follow, match_units
from abacist.corpora import Corpora, Corpus, Distribution, draw
from abacist.experiments import Results, Run
from abacist.languages import Word
from abacist.report.figures.along_words import counters_figure, memories_figure, values_figure
from abacist.report.figures.house_style import COLOURS, SET_LOOKS, TEXT_WIDTH, new_figure, style
from abacist.report.figures.picture import Content, best, described, runs_of_task, task_of
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
    return (
        "Lengths and maximum depths of the words of a Shuffle-6 experiment",
        "Training and short test set follow the same grammar, but no word is in both, so that the shortest "
        "words are used up by the training set. The long test set begins where they end, and its words are "
        "deeper. Lengths are even. The corpora are those of seed 0.",
        lambda: corpora_figure(draw(recipe)),
    )


def draw_lengths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every length, a line for each set."""
    for corpus in corpora:
        _draw_shares(axes, corpus, corpus.lengths)
    axes.set_xlabel("length")
    axes.set_ylabel("share of the words, %")
    return axes


def draw_depths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every maximum depth, a line for each set."""
    for corpus in corpora:
        _draw_shares(axes, corpus, corpus.maximum_depths())
    axes.set_xlabel("maximum depth")
    axes.set_ylabel("share of the words, %")
    return axes


def _draw_shares(axes: Axes, corpus: Corpus, values: NDArray[np.int64]) -> None:
    distribution, name = Distribution.of(values), corpus.split.name
    colour, line = SET_LOOKS.get(name, (COLOURS[3], "-"))
    shares = 100 * np.array(distribution.counts) / len(values)
    label = f"{name} set, {plural(len(corpus), 'word')}"
    axes.plot(distribution.values, shares, color=colour, linestyle=line, label=label)
    axes.set_ylim(bottom=0)


@style()
def corpora_figure(corpora: Corpora) -> Figure:
    """Lengths and maximum depths side by side."""
    figure = new_figure(TEXT_WIDTH, 2.9)
    left, right = figure.subplots(1, 2)
    draw_lengths(left, corpora)
    draw_depths(right, corpora)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


def counters_picture(results: Results) -> Content:
    runs = runs_of_task(results, "table-3", "shuffle-6", "lstm")
    run = best(runs)

    def make() -> Figure:
        corpus = draw(run.spec.recipe(run.seed))["long"]
        words = [corpus[number] for number in range(min(_MATCHED_OVER, len(corpus)))]
        matching = match_units(read_by(run, word) for word in words)
        return counters_figure(read_by(run, richest_word(corpus)), matching)

    return (
        "A Shuffle-6 LSTM counts six pairs of brackets at once",
        "Solid: the cell state of a unit. Dashed: the depth of the pair that the unit is matched to, by the "
        f"correlation of the two over {_MATCHED_OVER} words of the long set. Where the correlation is near "
        "+1 the unit goes up with every opening bracket of its pair and down with every closing one, near "
        "−1 the other way round, and stays where it is for the other pairs. The word is the one of its long "
        "set in which all six pairs go deepest; an apostrophe would mark a step that the network gets wrong. "
        f"{described(run, runs)}",
        make,
    )


def dyck_2_picture(results: Results) -> Content:
    runs = runs_of_task(results, "table-3", "dyck-2", "lstm")
    run = best(runs)
    titles = ("a long repetitive word", "a nested word")
    return (
        "A Dyck-2 LSTM on a long repetitive word and on a nested one",
        "Hidden and cell states of all four units. An apostrophe marks every step at which the network's "
        "set of next symbols is wrong. On the repetitive word, see the states settle into its period; on "
        "the nested one, look for a unit that follows the depth in and out again, and for apostrophes on "
        "the way out, where depth alone does not tell which bracket to close. Both words were chosen by "
        "hand to show mistakes; on other repetitive words there may be none. "
        f"{described(run, runs)}",
        lambda: values_figure([read_by(run, word) for word in (REPETITIVE, NESTED)], ("h", "c"), titles),
    )


def one_unit_picture(results: Results) -> Content:
    runs = runs_of_task(results, "few-units", "dyck-1", "lstm")
    run = best(runs)

    def make() -> Figure:
        reading = read_by(run, UP_AND_DOWN)
        return counters_figure(reading, match_units([reading]))

    return (
        "An LSTM with one unit counts brackets",
        "Solid: the cell state of the only unit. Dashed: the depth. See whether the state moves one way at "
        f"every ( and the other way at every ), by steps of nearly the same size. {described(run, runs)}",
        make,
    )


def last_bracket_picture(results: Results) -> Content:
    runs = runs_of_task(results, "last-bracket", "dyck-2", "lstm")
    run = best(runs)
    return (
        "An LSTM that predicts the last bracket",
        "Cell states of an LSTM that was trained to predict only the last closing bracket of Dyck-2 words. "
        "See whether a unit returns to its level when a bracket is closed: one that goes up and down counts "
        "some of the brackets, one that drifts along the whole word measures its length, and neither is a "
        f"stack. An apostrophe at the last symbol but one would mark a wrong answer. {described(run, runs)}",
        lambda: values_figure([read_by(run, LAST_BRACKET)], ("c",)),
    )


def memories_picture(results: Results) -> Content:
    runs = {cell: runs_of_task(results, "memories", "dyck-2", cell) for cell, _, _ in _WITH_MEMORY}
    chosen = {cell: best(of_cell) for cell, of_cell in runs.items()}
    networks = " ".join(f"{title}: {described(chosen[cell], runs[cell])}" for cell, title, _ in _WITH_MEMORY)
    return (
        "What a network with a stack keeps on it, along a word of Dyck-2",
        "Above, the brackets that are open after each symbol, the last one opened first. Below, the rows of "
        "three networks' memories, the top row first, a band for each number of a row. See that the "
        "brackets' kinds can be read off the rows, and that a row is one bracket behind: a memory holds what "
        "is below the last open bracket, which the hidden state remembers by itself. An apostrophe would "
        f"mark a wrong step. {networks}",
        lambda: memories_figure(
            [(title, read_by(chosen[c], _FOR_STACKS), memory) for c, title, memory in _WITH_MEMORY], "Dyck-2"
        ),
    )
