"""Tables and JSON on the screen: lines are no longer than it is wide, and no number is cut off."""

from __future__ import annotations

import io
import json
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import Search
from abacist.cells import cell_named
from abacist.cli import tables
from abacist.cli.app import run
from abacist.cli.screen import say, show_json
from abacist.cli.tables import as_records, narrowed, show_rows, show_table
from abacist.cli.trace import trace_table
from abacist.experiments import RECOGNITION_SETS, HorizonAim, check_claims, run_key
from abacist.report import Column, Table, claims_table
from tests.analysis.cases import read
from tests.experiments.cases import keep, made_up, made_up_horizons, small, view

WIDTHS = (40, pytest.param(60, marks=pytest.mark.thorough), 80, pytest.param(200, marks=pytest.mark.thorough))


class Terminal(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


def printed(
    width: int, monkeypatch: pytest.MonkeyPatch, *arguments: str, codes: tuple[int, ...] = (0,)
) -> tuple[str, str]:
    """What a command prints on a terminal, and what it says beside it."""
    for name, value in {"COLUMNS": str(width), "LINES": "50", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    with redirect_stdout(Terminal()) as output, redirect_stderr(io.StringIO()) as said:
        assert run(arguments) in codes
    return output.getvalue(), said.getvalue()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that differ in many settings and were judged on much."""
    folder, rng = tmp_path_factory.mktemp("results"), np.random.default_rng(2)
    sets = ("training", "short", "long", "crossing long", *RECOGNITION_SETS[:2])
    runs = []
    for seed in range(30):
        spec = small(hidden=1 + seed % 3, rate=(0.001, 0.00025)[seed % 2], beta1=(0.9, 0.8)[seed // 2 % 2])
        spec = replace(spec, cell=cell_named(("rnn", "lstm")[seed % 2]))
        shares = {name: {"3": float(rng.integers(1001)) / 1000} for name in sets}
        horizons = made_up_horizons((HorizonAim(Search(200), certify=True),), rng)
        runs.append(made_up(spec, seed, shares, horizons=horizons))
    keep(folder, runs)
    return folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("runs",),
        ("runs", "--where", "cell=lstm", "--sort=-long"),
        ("runs", "--columns", "key,language,cell,hidden,rate,source,training_words,long,short,loss,begun"),
        ("runs", "--group-by", "cell,hidden,rate", "--show", "count,mean,std,quantiles"),
        ("table", "table-3"),
        ("table", "claims"),
        ("table", "recognition"),
        ("table", "epochs"),
    ],
)
def test_no_line_is_wider_than_the_terminal(
    results: Path, width: int, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = printed(width, monkeypatch, *arguments, "--results", str(results))
    assert max(map(len, text.splitlines())) <= width


SHUFFLED = "([{<)(>]})"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("languages",),
        ("cells",),
        ("label", "shuffle-6", SHUFFLED),
        ("label", "shuffle-6", 70 * SHUFFLED),
        ("corpus", "shuffle-6", "--train-words", "50", "--test-words", "10"),
        ("train", "shuffle-6", "lstm", "--rate", "0.00025", "--dry-run"),
        ("reproduce", "--only", "table-3,counting", "--dry-run"),
        ("judge", "KEY", "()", "(())", "(()"),
        ("judge", "KEY", "--set", "short,long"),
        ("trace", "KEY", "(())()"),
        ("counters", "KEY"),
    ],
)
def test_no_table_of_a_command_is_wider_than_the_terminal(
    results: Path, width: int, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = run_key(replace(small(rate=0.00025), cell=cell_named("lstm")), 1)
    monkeypatch.chdir(results)
    store = ("--results", ".") if "KEY" in arguments or "--dry-run" in arguments else ()
    asked = (key if word == "KEY" else word for word in arguments)
    text, _ = printed(width, monkeypatch, *asked, *store, codes=(0, 1))
    assert text
    assert max(map(len, text.splitlines())) <= width


def test_a_table_in_parts_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("label", "shuffle-6", SHUFFLED)
    wide, narrow = (printed(width, monkeypatch, *asked)[0].splitlines() for width in (200, 60))
    wide_words = Counter(word for line in wide for word in line.split() if "─" not in word)
    narrow_words = Counter(word for line in narrow for word in line.split() if "─" not in word)
    assert narrow_words >= wide_words
    assert sum(line.split()[:2] == ["step", "symbol"] for line in narrow) > 1


@pytest.mark.parametrize("width", WIDTHS)
def test_no_column_that_was_asked_for_is_left_out(
    results: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--columns", "key,rate,hidden,beta1,long,short,training,proved,loss,seconds,epochs")
    text, said = printed(width, monkeypatch, "runs", *asked, "--results", str(results))
    wide, _ = printed(400, monkeypatch, "runs", *asked, "--results", str(results))
    assert said == ""
    assert set(text.split()) - {"Runs"} >= {word for word in wide.split() if "─" not in word} - {"Runs"}


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_list_leaves_out_is_named(results: Path, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text, said = printed(width, monkeypatch, "runs", "--results", str(results))
    _, *left_out = said.strip().replace(", ", ": ").split(": ") if said else ("",)
    wide, _ = printed(400, monkeypatch, "runs", "--results", str(results))
    headings, shown = (page.splitlines()[1].replace("  ", "\n") for page in (wide, text))
    named = {heading.strip() for heading in headings.splitlines()} - {""}
    assert {heading.strip() for heading in shown.splitlines()} - {""} == named - set(left_out)
    assert len(text.splitlines()) == 33
    assert bool(left_out) == (width < 200)


def test_a_table_of_texts_is_printed_row_by_row() -> None:
    table = claims_table(check_claims(view([])))
    for width in (40, 60, 100):
        lines = list(as_records(table, width))
        assert max(map(len, lines)) <= width
        words = " ".join(" ".join(lines).split())
        assert words.count("verdict ") == len(table.rows)
        assert set(words.split()) >= {word for row in table.cells() for cell in row for word in cell.split()}


def test_tables_on_the_screen_go_by_the_names_of_conditions(results: Path) -> None:
    with redirect_stdout(io.StringIO()) as output:
        assert run(("table", "table-3", "--results", str(results))) == 0
    heading = output.getvalue().splitlines()[2].split()
    assert heading[:3] == ["language", "cell", "hidden"]


def test_sentences_on_a_terminal_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    sentence = "a/path/that/is/longer/than/the/terminal/is/wide: cannot be read, it is not there"
    with redirect_stderr(Terminal()) as terminal, redirect_stderr(io.StringIO()) as file:
        say(sentence)
    assert file.getvalue() == f"{sentence}\n"
    with redirect_stderr(terminal):
        say(sentence)
    first, *rest = terminal.getvalue().splitlines()
    assert first == "a/path/that/is/longer/than/the/terminal/is/wide:"
    assert all(len(line) <= 30 for line in rest)
    assert " ".join((first, *rest)) == sentence


def test_json_on_the_screen_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Also that of a run that blew up."""
    show_json({"losses": [0.5, float("nan"), (float("inf"), {"deep": float("-inf")})], "seed": 3})
    shown = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert shown == {"losses": [0.5, "nan", ["inf", {"deep": "-inf"}]], "seed": 3}


def test_columns_are_as_wide_as_their_longest_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where a letter takes two columns of the terminal."""
    rows = [["a", "5.00", "⟨( )⟩"], ["bcd", "—", "漢字"]]
    show_rows(["key", "training\nmin", "words"], rows, title="Runs", left=("key", "words"), footer="All.")
    assert capsys.readouterr().out.splitlines() == [
        "Runs",
        "     training       ",
        "key       min  words",
        "────────────────────",
        "a        5.00  ⟨( )⟩",
        "bcd         —  漢字 ",
        "All.",
    ]


def test_texts_are_folded_before_a_table_is_parted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: 28)
    show_rows(["name", "n"], [["words that are folded", 1_000_000]], left=("name",))
    assert capsys.readouterr().out.splitlines()[2:] == [
        "words that are       1000000",
        "folded                      ",
    ]
    show_rows(["name", "n", "m"], [["words that are folded", 10**6, 10**6]], left=("name",))
    parts = capsys.readouterr().out.split("\n\n")
    assert [part.split()[:2] for part in parts] == [["name", "n"], ["name", "m"]]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize(("language", "text", "hidden"), [("dyck-1", "(())", 1), ("shuffle-6", "([<)]{}", 8)])
def test_every_line_fits_and_every_column_is_there_once(
    language: str,
    text: str,
    hidden: int,
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: width)
    reading = read(language, text, hidden=hidden)
    table = trace_table(reading, list(reading.trace.values), "a title")
    parts = narrowed(table, width, 2)
    flowing = [column for part in parts for column in part.columns[2:]]
    assert flowing == list(table.columns[2:])
    assert all(part.columns[:2] == table.columns[:2] and part.rows == table.rows for part in parts)
    assert [part.title for part in parts] == ["a title"] + [""] * (len(parts) - 1)
    assert [part.note for part in parts] == [""] * (len(parts) - 1) + [table.note]
    show_table(table, kept=2)
    lines = capsys.readouterr().out.replace(table.note, "").splitlines()
    assert max(map(len, lines)) <= width


def test_a_column_that_is_too_wide_stands_alone() -> None:
    table = Table("t", "", tuple(Column(k, k) for k in ("s", "x" * 50, "y")), ())
    assert [[c.key for c in part.columns] for part in narrowed(table, 20, 1)] == [["s", "x" * 50], ["s", "y"]]
