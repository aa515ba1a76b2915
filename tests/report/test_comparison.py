"""Comparisons as tables, sentences and figures: what they say is what was computed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from abacist.experiments.comparison import Comparison, compare
from abacist.report import TABLE_FORMS
from abacist.report.comparison import comparison_figure, comparison_table, sentences
from tests.experiments.cases import view
from tests.experiments.test_comparison import BAD, GOOD, runs, with_horizon


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    proved = [with_horizon(run, 100, None) for run in runs("lstm", GOOD)]
    wrong = [with_horizon(run, 8, 10) for run in runs("rnn", BAD)]
    return compare(view([*proved, *wrong, *runs("lstm", GOOD, hidden=3), *runs("rnn", GOOD + 0.0, hidden=3)]))


def test_a_sentence_names_what_is_compared_and_by_how_much(comparison: Comparison) -> None:
    first, censored, equal, *notes = sentences(comparison)
    assert first == (
        "LSTM − RNN, 2 units, Dyck-1, long set: +70.0 points, 95 % +70.0 to +70.0, 10 seeds, "
        "p = 0.006 (Holm): LSTM larger."
    )
    assert equal.endswith("0.0 points, 95 % 0.0 to 0.0, 10 seeds, p = 1.00 (Holm): equal for every seed.")
    assert "shortest wrong word: at least +91 symbols, 95 % +91 to ∞" in censored
    assert notes == list(comparison.notes)


def test_an_open_question_says_how_many_seeds_would_close_it() -> None:
    few = compare(view([*runs("lstm", GOOD[:4]), *runs("rnn", BAD[:4])]))
    sentence, *_ = sentences(few)
    assert sentence.endswith("p = 0.12 (Holm): inconclusive.")  # too few to say more
    more = compare(view([*runs("lstm", GOOD[:5]), *runs("rnn", BAD[:5])]))
    assert next(sentences(more)).endswith("inconclusive. About 1 more seed would probably decide it.")


@pytest.mark.parametrize("form", TABLE_FORMS)
def test_every_form_of_the_table_has_every_difference(comparison: Comparison, form: str) -> None:
    table = comparison_table(comparison)
    assert [row["verdict"] for row in table.rows] == ["LSTM larger", "LSTM larger", "equal for every seed"]
    assert TABLE_FORMS[form](table).count("LSTM larger") == 2


def test_programs_read_numbers_and_no_infinity(comparison: Comparison) -> None:
    rows = json.loads(TABLE_FORMS["json"](comparison_table(comparison)))["rows"]
    assert (rows[0]["low"], rows[0]["high"], rows[0]["unit"]) == (
        pytest.approx(70),
        pytest.approx(70),
        "points",
    )
    assert (rows[1]["difference low"], rows[1]["difference high"], rows[1]["high"]) == (91, None, None)


def test_the_figure_has_a_panel_for_every_unit_and_a_row_for_every_difference(comparison: Comparison) -> None:
    figure = comparison_figure(comparison)
    assert [len(axes.get_yticks()) for axes in figure.axes] == [2, 1]
    arrows = [line for line in figure.axes[1].lines if line.get_marker() == ">"]
    assert len(arrows) == 1
    for axes in figure.axes:
        low, high = axes.get_xlim()
        ends = np.concatenate([np.asarray(line.get_xdata(), float) for line in axes.lines[:-1]])
        assert low <= ends.min() <= ends.max() <= high
