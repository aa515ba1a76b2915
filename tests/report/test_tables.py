"""Tables in every form: each can be read back, and what is missing is shown as missing."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from typing import Any, NoReturn

import pytest

from abacist.report import TABLE_FORMS, Column, PValue, Table, as_json, comma_separated, markdown
from abacist.report.own_runs import own_runs
from abacist.report.own_table import own_table
from abacist.report.run_table import run_columns
from abacist.report.tables import latex
from tests.experiments.cases import made_up, small, view

COLUMNS = (
    Column("task", "task"),
    Column("cell", "model"),
    Column("short min", "min", "short set", 2),
    Column("short max", "max", "short set", 2),
    Column("long", "median", "long set", 0),
)
ROWS: tuple[dict[str, Any], ...] = (
    {"task": "dyck-1", "cell": "rnn_relu", "short min": 12.345678901234, "short max": 100, "long": 1 / 3},
    {"task": "a & b, 5 %", "cell": None, "short min": None, "long": 99.6},
    {"task": 'he said "no"', "cell": "c:\\x", "short min": 0.0, "short max": 0.005, "long": -0.4},
)
TABLE = Table("sweep", "A sweep & more", COLUMNS, ROWS, "In 100 % of cases.")


def split_markdown(text: str) -> list[list[str]]:
    """The cells of a Markdown table, its heading first and its rule left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [[cell.replace("\\|", "|") for cell in row] for row in cells[:1] + cells[2:]]


def test_cells_are_values_as_people_read_them() -> None:
    assert TABLE.cells() == [
        ["dyck-1", "rnn_relu", "12.35", "100.00", "0"],
        ["a & b, 5 %", "—", "—", "—", "100"],
        ['he said "no"', "c:\\x", "0.00", "0.01", "-0"],
    ]
    assert TABLE.headings() == ["task", "model", "short set min", "short set max", "long set median"]


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (1.35e-10, "1.35e-10"), (9.99e-7, "9.99e-07"), (1.234e-6, "0.00000123"), (0.25, "0.25000000"),
        (0.0, "0.00000000"), (-1.35e-10, "-1.35e-10"), (float("nan"), "nan"), (3, "3.00000000"),
    ],
)  # fmt: skip
def test_a_small_loss_is_not_shown_as_zero(loss: float, text: str) -> None:
    assert Column("loss", "loss", "", 8, significant=True).text(loss) == text
    runs = [made_up(small(), 0, {}, losses=(loss,))]
    (column,) = (column for column in run_columns(runs) if column.key == "loss")
    assert column.text(loss) == text
    if not math.isnan(loss):
        assert float(own_table(own_runs(view(runs))).cells()[0][-1]) == pytest.approx(loss, rel=0.01)


def test_markdown_parses_back_to_the_cells() -> None:
    text = markdown(TABLE)
    assert text.startswith("### A sweep & more\n\n|")
    assert split_markdown(text) == [TABLE.headings(), *TABLE.cells()]
    rule = next(line for line in text.splitlines() if line.startswith("|---"))
    assert rule == "|---|---|---:|---:|---:|"
    assert text.endswith("\n\nIn 100 % of cases.\n")


def test_what_only_programs_read_is_in_json_and_csv_alone() -> None:
    rows = ({"runs": "3 of 4", "there": 3}, {"runs": "none"})
    table = Table("runs", "Runs", (Column("runs", "runs"),), rows, further=("there",))
    assert json.loads(as_json(table))["rows"] == [rows[0], {"runs": "none", "there": None}]
    assert list(csv.reader(io.StringIO(comma_separated(table)))) == [
        ["runs", "there"], ["3 of 4", "3"], ["none", ""],
    ]  # fmt: skip
    assert "there" not in markdown(table) + latex(table)


def test_a_bar_in_a_cell_does_not_end_it_in_markdown() -> None:
    table = Table("bars", "Bars", (Column("a", "a"), Column("b", "b|c")), ({"a": "x|y", "b": "|"},))
    assert split_markdown(markdown(table)) == [["a", "b|c"], ["x|y", "|"]]


def rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.endswith(r" \\")]


def test_latex_has_the_rules_of_booktabs_and_rows_of_one_length() -> None:
    text = latex(TABLE)
    lines = text.splitlines()
    places = [lines.index(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}")]
    assert places == sorted(places)
    assert r"\begin{tabular}{llrrr}" in lines
    groups, head, *body = rows_of(text)
    assert [len(re.findall(r"(?<!\\)&", row)) for row in (head, *body)] == [4] * 4
    assert re.findall(r"multicolumn\{(\d)\}\{c\}\{(.*?)\}", groups) == [("2", "short"), ("1", "long")]
    spans = [int(n) for n in re.findall(r"multicolumn\{(\d)\}", groups)]
    assert len(re.findall(r"(?<!\\)&", groups)) + sum(spans) - len(spans) == 4
    assert len(body) == len(ROWS)
    assert [line.strip() for line in lines if line.count("{table}")] == [r"\begin{table}", r"\end{table}"]
    assert lines[-2] == r"\label{tab:sweep}"
    assert r"\cmidrule(lr){3-4} \cmidrule(lr){5-5}" in lines


def test_neighbouring_superscripts_are_one_in_latex() -> None:
    table = Table("t", "aⁿb²ⁿ", (Column("a", "a⁻¹"),), ({"a": "aⁿbⁿcⁿ"}, {"a": "D₁₂||²"}))
    assert rows_of(latex(table)) == ["a$^{-1}$ \\\\", "a$^n$b$^n$c$^n$ \\\\", "D$_{12}$||$^2$ \\\\"]
    assert r"\caption{a$^n$b$^{2n}$.}" in latex(table)


def test_latex_escapes() -> None:
    text = latex(TABLE)
    assert r"a \& b, 5 \%" in text
    assert r"rnn\_relu" in text
    assert r"\caption{A sweep \& more. In 100 \% of cases.}" in text
    assert "---" in text
    assert "—" not in text
    assert r"c:\textbackslash{}x" in text


@pytest.mark.parametrize("sign", ["#", "$", "{", "}", "~", "^"])
def test_latex_escapes_all_that_means_something_there(sign: str) -> None:
    """A title from a TOML file may hold anything."""
    raw = f"a{sign}b"
    text = latex(Table("t", raw, (Column("a", raw, raw),), ({"a": raw},)))
    assert raw not in text
    assert len(re.findall(r"\ba\\[^&\n]*?b\b", text)) == 4  # the caption, the heading, its group and the cell


def test_tables_without_groups_have_one_line_of_headings() -> None:
    table = Table("t", "T", (Column("a", "a"), Column("b", "b")), ({"a": 1, "b": 2},))
    assert rows_of(latex(table)) == [r"a & b \\", r"1 & 2 \\"]


def test_csv_reads_back_with_all_digits() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(TABLE))))
    assert len(rows) == len(ROWS)
    for read, row in zip(rows, ROWS, strict=True):
        assert list(read) == [column.key for column in COLUMNS]
        for column in COLUMNS:
            value = row.get(column.key)
            if isinstance(value, int | float):
                assert float(read[column.key]) == value
            else:
                assert read[column.key] == (value or "")


def test_json_reads_back() -> None:
    read = json.loads(as_json(TABLE))
    assert (read["name"], read["title"], read["note"]) == ("sweep", "A sweep & more", "In 100 % of cases.")
    keys = [column.key for column in COLUMNS]
    assert read["rows"] == [{key: row.get(key) for key in keys} for row in ROWS]


def test_json_is_json_where_a_number_is_none() -> None:
    """NaN and infinity, such as the loss of a run that blew up, are no JSON."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is no JSON")

    rows = ({"a": float("nan")}, {"a": float("inf")})
    json.loads(as_json(Table("t", "T", (Column("a", "a", "", 2),), rows)), parse_constant=refuse)


def test_a_table_without_rows_has_its_headings_in_every_form() -> None:
    empty = Table("none", "None", COLUMNS, ())
    assert set(TABLE_FORMS) == {"md", "tex", "csv", "json"}
    assert split_markdown(markdown(empty)) == [empty.headings()]
    assert len(rows_of(latex(empty))) == 2
    assert comma_separated(empty) == "task,cell,short min,short max,long\n"
    assert json.loads(as_json(empty))["rows"] == []


def test_a_notebook_shows_a_table() -> None:
    table = Table("t", "A < B", (Column("x", "x>0", "", 1),), ({"x": 2.0}, {"x": None}, {"x": "a&b"}))
    rows = "<tr><th>x&gt;0</th></tr><tr><td>2.0</td></tr><tr><td>—</td></tr><tr><td>a&amp;b</td></tr>"
    assert table._repr_html_() == f"<table><caption>A &lt; B</caption>{rows}</table>"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.00"),
        (0.1, "0.10"),
        (0.0952, "0.095"),
        (0.001, "0.001"),
        (0.00099, "< 0.001"),
        (0.0, "< 0.001"),
    ],
)
def test_a_p_value_is_never_shown_as_zero_and_is_kept_as_a_number(value: float, text: str) -> None:
    table = Table("t", "T", (Column("p", "p", "", 2),), ({"p": PValue(value)},))
    assert table.cells() == [[text]]
    assert json.loads(as_json(table))["rows"] == [{"p": value}]
    assert comma_separated(table) == f"p\n{value}\n"
    assert text.replace("<", "&lt;") in markdown(table)
    assert text.replace("<", r"\textless{}") in latex(table)
