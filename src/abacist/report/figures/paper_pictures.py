"""The paper's figures, made of our runs."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from abacist.analysis import TraceReading, follow, match_units
from abacist.corpora import Corpus, draw
from abacist.experiments import Results, Run
from abacist.languages import Word
from abacist.report.figures.corpora import corpora_figure
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import best, command, described, runs_of_task, task_of
from abacist.report.figures.states import counters_figure, values_figure

#: Words for the figures of Dyck-2, as in the paper a repetitive one and a nested one. Of ten words tried,
#: the repetitive one is one on which the best of our networks makes mistakes; on most it makes none.
REPETITIVE = "([[()]])" * 10
NESTED = "([" * 12 + "])" * 12
LAST_BRACKET = "[([()][])()[[]]([()])((()))[]()]"
UP_AND_DOWN = "(((())))(()(()))()()((()()(())))"

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


def corpora_picture(results: Results) -> Picture:
    """Lengths and depths of the words of a Shuffle-6 experiment; it needs no runs."""
    name = "shuffle-6-corpora"
    recipe = task_of("table-3", "shuffle-6", "lstm").spec.recipe(0)
    return Picture(
        name,
        "Lengths and maximum depths of the words of a Shuffle-6 experiment",
        "Training and short test set follow the same grammar, but no word is in both, so that the shortest "
        "words are used up by the training set. The long test set begins where they end, and its words are "
        "deeper. Lengths are even. The corpora are those of seed 0.",
        command(results, name),
        lambda: corpora_figure(draw(recipe)),
    )


def counters_picture(results: Results) -> Picture:
    """A Shuffle-6 LSTM counts six pairs at once."""
    name = "shuffle-6-counters"
    runs = runs_of_task(results, name, "table-3", "shuffle-6", "lstm")
    run = best(runs)

    def make() -> Figure:
        corpus = draw(run.spec.recipe(run.seed))["long"]
        words = [corpus[number] for number in range(min(_MATCHED_OVER, len(corpus)))]
        matching = match_units(read_by(run, word) for word in words)
        return counters_figure(read_by(run, richest_word(corpus)), matching)

    return Picture(
        name,
        "A Shuffle-6 LSTM counts six pairs of brackets at once",
        "Solid: the cell state of a unit. Dashed: the depth of the pair that the unit is matched to, by the "
        f"correlation of the two over {_MATCHED_OVER} words of the long set. Where the correlation is near "
        "+1 the unit goes up with every opening bracket of its pair and down with every closing one, near "
        "−1 the other way round, and stays where it is for the other pairs. The word is the one of its long "
        "set in which all six pairs go deepest; an apostrophe would mark a step that the network gets wrong. "
        f"{described(run, runs)}",
        command(results, name),
        make,
    )


def dyck_2_picture(results: Results) -> Picture:
    """A Dyck-2 LSTM on a repetitive and on a nested word."""
    name = "dyck-2-states"
    runs = runs_of_task(results, name, "table-3", "dyck-2", "lstm")
    run = best(runs)
    titles = ("a long repetitive word", "a nested word")
    return Picture(
        name,
        "A Dyck-2 LSTM on a long repetitive word and on a nested one",
        "Hidden and cell states of all four units. An apostrophe marks every step at which the network's "
        "set of next symbols is wrong. On the repetitive word, see the states settle into its period; on "
        "the nested one, look for a unit that follows the depth in and out again, and for apostrophes on "
        "the way out, where depth alone does not tell which bracket to close. Both words were chosen by "
        "hand to show mistakes; on other repetitive words there may be none. "
        f"{described(run, runs)}",
        command(results, name),
        lambda: values_figure([read_by(run, word) for word in (REPETITIVE, NESTED)], ("h", "c"), titles),
    )


def one_unit_picture(results: Results) -> Picture:
    """One unit is enough for Dyck-1."""
    name = "dyck-1-one-unit"
    runs = runs_of_task(results, name, "few-units", "dyck-1", "lstm")
    run = best(runs)

    def make() -> Figure:
        reading = read_by(run, UP_AND_DOWN)
        return counters_figure(reading, match_units([reading]))

    return Picture(
        name,
        "An LSTM with one unit counts brackets",
        "Solid: the cell state of the only unit. Dashed: the depth. See whether the state moves one way at "
        f"every ( and the other way at every ), by steps of nearly the same size. {described(run, runs)}",
        command(results, name),
        make,
    )


def last_bracket_picture(results: Results) -> Picture:
    """The cell states of an LSTM that has to know the last bracket only."""
    name = "last-bracket-states"
    runs = runs_of_task(results, name, "last-bracket", "dyck-2", "lstm")
    run = best(runs)
    return Picture(
        name,
        "An LSTM that predicts the last bracket",
        "Cell states of an LSTM that was trained to predict only the last closing bracket of Dyck-2 words. "
        "See whether a unit returns to its level when a bracket is closed: one that goes up and down counts "
        "some of the brackets, one that drifts along the whole word measures its length, and neither is a "
        f"stack. An apostrophe at the last symbol but one would mark a wrong answer. {described(run, runs)}",
        command(results, name),
        lambda: values_figure([read_by(run, LAST_BRACKET)], ("c",)),
    )
