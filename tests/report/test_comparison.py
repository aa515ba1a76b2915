"""Comparisons as tables, sentences and figures: what they say is what was computed."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import cell_written
from abacist.errors import BadInput, UnknownName
from abacist.experiments.comparison import Comparison, compare
from abacist.experiments.paired import MOST_TIMES
from abacist.labels import give_label
from abacist.report import TABLE_FORMS
from abacist.report.comparison import chosen, comparison_figure, comparison_table, sentences
from tests.experiments.cases import small, view
from tests.experiments.test_comparison import BAD, GOOD, runs, with_horizon


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    proved = [with_horizon(run, 100, None) for run in runs("gru", GOOD)]
    wrong = [with_horizon(run, 8, 10) for run in runs("lstm", BAD)]
    return compare(view([*proved, *wrong, *runs("gru", GOOD, hidden=3), *runs("lstm", GOOD + 0.0, hidden=3)]))


def test_a_sentence_names_what_is_compared_and_by_how_much(comparison: Comparison) -> None:
    first, censored, equal, *notes = sentences(comparison)
    assert first == (
        "GRU − LSTM, 2 units, Dyck-1, long set: +70.0 points, 95 % +70.0 to +70.0, 10 seeds, "
        "p = 0.006 (Holm): GRU larger."
    )
    assert equal.endswith("0.0 points, 95 % 0.0 to 0.0, 10 seeds, p = 1.00 (Holm): equal for every seed.")
    assert "shortest wrong word: at least +91 symbols, 95 % +91 to ∞" in censored
    assert notes == list(comparison.notes)


def test_an_open_question_says_how_many_seeds_would_close_it() -> None:
    few = compare(view([*runs("gru", GOOD[:4]), *runs("lstm", BAD[:4])]))
    sentence, *_ = sentences(few)
    assert sentence.endswith("p = 0.12 (Holm): inconclusive.")  # too few to say more
    more = compare(view([*runs("gru", GOOD[:5]), *runs("lstm", BAD[:5])]))
    assert next(sentences(more)).endswith(
        "Resampling these seeds: about 1 more would decide it in 4 of 5 simulated experiments."
    )


def test_both_sides_of_the_limit_of_more_seeds_name_the_same_number() -> None:
    one = np.random.default_rng(1).normal(0.5, 0.1, 20)
    other = one + np.where(np.arange(20) % 2, 0.01, -0.01)  # ten wins, ten losses of one size
    open_ = compare(view([*runs("gru", one), *runs("lstm", other)]))
    assert open_.differences[0].more_seeds is None
    end = "more would decide it in fewer than 4 of 5 simulated experiments."
    assert next(sentences(open_)).endswith(f"Resampling these seeds: even 380 {end}")
    assert open_.differences[0].most_seeds == (MOST_TIMES - 1) * 20


@pytest.mark.parametrize("form", TABLE_FORMS)
def test_every_form_of_the_table_has_every_difference(comparison: Comparison, form: str) -> None:
    table = comparison_table(comparison)
    verdict = "first larger" if form in ("csv", "json") else "GRU larger"
    assert [row["verdict"] for row in table.rows] == ["first larger", "first larger", "equal"]
    assert TABLE_FORMS[form](table).count(verdict) == 2


def test_programs_read_numbers_and_no_infinity(comparison: Comparison) -> None:
    rows = json.loads(TABLE_FORMS["json"](comparison_table(comparison)))["rows"]
    assert rows[0]["unit"] == "points"
    assert rows[0]["difference"] == rows[0]["difference_high"] == pytest.approx(70)
    assert rows[0]["interval_low"] == rows[0]["interval_high"] == pytest.approx(70)
    assert (rows[1]["difference"], rows[1]["difference_low"], rows[1]["difference_high"]) == (None, 91, None)
    assert (rows[1]["interval_low"], rows[1]["interval_high"]) == (91, None)
    assert (rows[0]["probability"], rows[0]["probability_interval_high"]) == (1, 1)
    assert rows[0]["p_value"] == pytest.approx(2 / 2**10)
    assert rows[0]["p_holm"] == pytest.approx(3 * 2 / 2**10)


def test_csv_and_json_have_the_same_columns_and_csv_numbers_alone(comparison: Comparison) -> None:
    table = comparison_table(comparison)
    rows = json.loads(TABLE_FORMS["json"](table))["rows"]
    header, *lines = csv.reader(TABLE_FORMS["csv"](table).splitlines())
    assert [*rows[0]] == header
    for line, row in zip(lines, rows, strict=True):
        for text, value in zip(line, row.values(), strict=True):
            assert (float(text or "nan") if not isinstance(value, str) else text) == (
                value if value is not None else pytest.approx(np.nan, nan_ok=True)
            )


def test_a_value_has_one_name_in_tables_sentences_and_figures() -> None:
    give_label("gru", "RAN")
    every = view([*runs("gru", GOOD), *runs("lstm", BAD), *runs("rnn", BAD)])
    shown = compare(every, against="lstm")
    assert [(one.first, one.second) for one in compare(every, against="ran").differences] == [
        ("rnn", "gru"),
        ("lstm", "gru"),
    ]
    table = comparison_table(shown)
    assert [row[:2] for row in table.cells()] == [["RNN", "LSTM"], ["RAN", "LSTM"]]
    assert [sentence.split(",")[0] for sentence in sentences(shown)] == ["RNN − LSTM", "RAN − LSTM"]
    axes, *_ = comparison_figure(shown).axes
    assert [label.get_text().split(",")[0] for label in axes.get_yticklabels()] == [
        "RNN − LSTM",
        "RAN − LSTM",
    ]
    for form in ("md", "tex"):
        assert "lstm" not in TABLE_FORMS[form](table)
    assert [(row["first"], row["second"]) for row in table.rows] == [("rnn", "lstm"), ("gru", "lstm")]


def test_two_versions_of_a_cell_have_two_names() -> None:
    known = [replace(small(), cell=cell_written(f"ran#{digit * 12}")) for digit in "ab"]
    rows = [replace(run, spec=spec) for spec in known for run in runs("gru", GOOD)]
    sentence, *_ = sentences(compare(view(rows)))
    assert sentence.startswith("ran #aaaa − ran #bbbb, ")


def test_rows_are_chosen_and_stay_adjusted_for_all(comparison: Comparison) -> None:
    kept = chosen(comparison, {"measure": "long", "hidden": 2, "first": "GRU"})
    assert kept.differences == comparison.differences[:1]
    assert "adjusted for 3 differences" in comparison_table(kept).note
    with pytest.raises(BadInput, match="no difference has hidden=7"):
        chosen(comparison, {"hidden": 7})
    with pytest.raises(UnknownName, match="unknown column 'mesure', did you mean measure"):
        chosen(comparison, {"mesure": "long"})


def test_the_figure_has_a_panel_for_every_unit_and_a_row_for_every_difference(comparison: Comparison) -> None:
    figure = comparison_figure(comparison)
    assert [len(axes.get_yticks()) for axes in figure.axes] == [2, 1]
    arrows = [line for line in figure.axes[1].lines if line.get_marker() == ">"]
    assert len(arrows) == 1
    for axes in figure.axes:
        low, high = axes.get_xlim()
        ends = np.concatenate([np.asarray(line.get_xdata(), float) for line in axes.lines[:-1]])
        assert low <= ends.min() <= ends.max() <= high
