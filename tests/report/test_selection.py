"""Columns and rows of tables as they are asked for, and LaTeX that says which runs it is about."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from abacist.errors import UnknownName
from abacist.experiments import Results, Store, experiment_named
from abacist.experiments.conditions import fitting
from abacist.report import Column, Table, comma_separated, table_of
from abacist.report.own_runs import all_runs
from abacist.report.own_table import about_runs, own_table
from abacist.report.selection import chosen_columns, in_order_of, with_runs
from abacist.report.tables import headed, latex
from tests.experiments.cases import made_up, view
from tests.report.own_cases import runs_for, spec_of, swept
from tests.report.report_cases import fill

SWEPT = runs_for(swept(cell=["gru", "lstm"], hidden=[1, 2, 3], language=["dyck-1", "dyck-2"]), 2)


def own(where: tuple[str, ...] = ()) -> Table:
    return own_table(all_runs(view(fitting(SWEPT, where))))


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        (("cell=lstm",), lambda row: row.get("cell", "lstm") == "lstm"),
        (("hidden>=2",), lambda row: row["hidden"] >= 2),
        (("long>50",), lambda row: row["long min"] > 50),
        (("cell=gru", "hidden=1..2", "short<90"), lambda row: row["hidden"] < 3 and row["short max"] < 90),
    ],
)
def test_every_row_of_runs_that_fit_satisfies_the_conditions(
    where: tuple[str, ...], holds: Callable[[dict[str, object]], bool]
) -> None:
    table = own(where)
    assert table.rows
    assert all(map(holds, table.rows))
    assert sum(row["runs"] for row in table.rows) == len(fitting(SWEPT, where)) < len(SWEPT)


def _headings_in_latex(table: Table) -> list[str]:
    """The names of columns as its two lines of headings say them."""
    lines = [line.removesuffix(r" \\") for line in latex(table).splitlines() if line.endswith(r" \\")]
    cells = [re.split(r" & ", line) for line in lines[:2]]
    upper: list[str] = []
    for cell in cells[0]:
        spanned = re.fullmatch(r"\\multicolumn\{(\d+)\}\{c\}\{(.*)\}", cell.strip())
        upper += [spanned[2]] * int(spanned[1]) if spanned else [""]
    plain = (
        f"{group} {heading}".strip().replace("\\", "") for group, heading in zip(upper, cells[1], strict=True)
    )
    return list(plain)


def test_columns_have_one_name_on_screen_in_latex_and_in_csv() -> None:
    runs = runs_for(swept(cell=["gru", "lstm"], training=[50, 60]), 2, horizons=True, losses=(0.5,))
    table = own_table(all_runs(view(runs)))
    names = [column.name for column in table.columns]
    assert names == [column.key for column in table.columns] == _headings_in_latex(table)
    assert next(csv.reader(io.StringIO(comma_separated(table)))) == names
    assert {"cell", "train_words", "long median", "proved to min", "loss median"} <= set(names)


@pytest.mark.parametrize("cells", [["%_&#${}", "~^\\", "a\nb"], ["−1", "> 3", "a×b"]])
def test_latex_stays_balanced_whatever_stands_in_it(cells: list[str]) -> None:
    columns = (Column("a", cells[0], cells[1]), Column("b", cells[1], cells[1]), Column("c", "c", "", 2))
    rows = ({"a": cells[0], "b": cells[2], "c": -0.5}, {"a": None, "c": 1e-9})
    table = Table(cells[0], cells[1], columns, rows, cells[2], about=f"{cells[0]} runs")
    text = re.sub(
        r"\\[\\%_&#${}]", "", "\n".join(latex(table).splitlines()[1:])
    )  # the first line is a comment
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    assert "%" not in text
    assert "#" not in text
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    body = latex(table).split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert [len(re.findall(r"(?<!\\)&", line)) for line in body] == [2, 2]
    assert all(ord(sign) < 128 for sign in text)


@pytest.mark.parametrize(
    ("value", "text"), [(-0.5, "$-0.50$"), (2, "2.00"), (None, "---"), (float("nan"), "nan")]
)
def test_negative_numbers_have_a_minus(value: float | None, text: str) -> None:
    assert f"{text} \\\\" in latex(Table("t", "T", (Column("x", "x", "", 2),), ({"x": value},)))


@pytest.mark.parametrize(
    ("loss", "text"),
    [(0.0231239, "0.0231"), (0.25, "0.250"), (1.352e-10, r"$1.35 \times 10^{-10}$"), (-0.1239, "$-0.124$")],
)
def test_losses_have_three_digits_in_latex(loss: float, text: str) -> None:
    table = Table("t", "T", headed("x"), ({"x": loss},))
    column = replace(table.columns[0], digits=6, significant=True)
    assert f"{text} \\\\" in latex(replace(table, columns=(column,)))


def test_a_caption_is_one_sentence_on_these_runs() -> None:
    assert own().caption == (
        "Accuracy in percent on the training, short and long sets: 24 runs of gru and lstm on dyck-1 and "
        "dyck-2, 2 seeds each (0–1)."
    )
    assert chosen_columns(own(("cell=lstm",)), ["hidden", "long"]).caption == (
        "Accuracy in percent on the long set: 12 runs of lstm on dyck-1 and dyck-2, 2 seeds each (0–1)."
    )
    one, other = spec_of(hidden=1), spec_of(hidden=2)
    assert about_runs([[made_up(one, 3, {})]]) == "1 run of lstm on dyck-1, 1 seed (3)"
    uneven = [[made_up(one, n, {}) for n in (0, 1, 4)], [made_up(other, 0, {})]]
    assert about_runs(uneven) == "4 runs of lstm on dyck-1, 1 to 3 seeds each (0–1, 4)"


def test_columns_are_chosen_by_name_group_or_shared_setting() -> None:
    def keys(*names: str) -> list[str]:
        return [column.key for column in chosen_columns(own(), names).columns]

    assert keys("long", "cell") == ["long min", "long max", "long median", "cell"]
    assert keys("long-median", "Cell", "long median") == ["long median", "cell"]
    assert keys("rate", "training_words") == ["rate", "train_words"]
    assert chosen_columns(own(), ["rate"]).cells() == [["0.001"]] * 12
    with pytest.raises(UnknownName, match="unknown column 'colour'; there are language, cell, hidden"):
        keys("colour")
    with pytest.raises(UnknownName, match="did you mean hidden"):
        keys("hiden")
    with pytest.raises(UnknownName, match="did you mean long"):
        keys("lng")


def test_rows_are_sorted_stably_and_unknown_values_come_last() -> None:
    values = [2, None, 1, 2, 1, float("nan"), 3]
    table = Table("t", "T", headed("x", "n"), tuple({"x": x, "n": n} for n, x in enumerate(values)))
    assert [row["n"] for row in in_order_of(table, ["x"]).rows] == [2, 4, 0, 3, 6, 1, 5]
    assert [row["n"] for row in in_order_of(table, ["-x"]).rows] == [6, 0, 3, 2, 4, 1, 5]
    assert [row["n"] for row in in_order_of(table, ["x", "-n"]).rows] == [4, 2, 3, 0, 6, 5, 1]


def test_a_group_of_columns_sorts_by_its_median() -> None:
    medians = [row["long median"] for row in in_order_of(own(), ["-long"]).rows]
    assert medians == sorted(medians, reverse=True)


def test_what_stands_beside_our_figures_stays_beside_them(store: Store) -> None:
    fill(store, "table-3", runs=2)
    table = table_of(experiment_named("table-3"), Results.of(store))
    ordered = in_order_of(table, ["-long"])
    assert sorted(map(id, ordered.rows)) == sorted(map(id, table.rows))
    ours = [row["long median"] for row in ordered.rows if row["figures"].startswith("ours")]
    assert ours == sorted(ours, reverse=True)
    settings = [(row["language"], row["cell"]) for row in ordered.rows]
    assert len(list(dict.fromkeys(settings))) == sum(
        a != b for a, b in zip(settings, [None, *settings], strict=False)
    )


def test_an_experiment_with_runs_has_no_task_without(store: Store) -> None:
    few = experiment_named("few-units")
    store.put(runs_for([few.tasks[0].spec], 10))
    results = Results.of(store)
    assert with_runs(few, results).tasks == few.tasks[:1]
    assert with_runs(few, view([])).tasks == ()
    assert " 0 of" not in comma_separated(table_of(with_runs(few, results), results))
