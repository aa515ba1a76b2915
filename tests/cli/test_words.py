"""The commands about words: languages, label, sample, reduce."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from abacist.languages import CATALOGUE, WELL_KNOWN, language_named
from tests.cli.command import inside, refused, shown


def test_languages_lists_all_with_members_as_examples() -> None:
    rows = json.loads(shown("languages", "--json"))
    assert [row["name"] for row in rows] == [*WELL_KNOWN, *(entry.name for entry in CATALOGUE)]
    for row in rows:
        language = language_named(row["name"])
        word = language.alphabet.parse(row["example"])
        assert word in language
        assert row["codes"] == [step.code for step in language.read(word).steps]
    machines = {row["name"]: row["automaton"] for row in rows}
    paper = {"dyck-1": "DCA1", "shuffle-2": "DCA2", "shuffle-6": "DCA6", "dyck-2": "DPA"}
    assert machines == machines | paper
    assert "shuffle-6" in shown("languages")


def test_label_of_the_paper_s_example() -> None:
    reading = json.loads(shown("label", "shuffle-2", "([])", "--json"))
    assert [step["code"] for step in reading["steps"]] == [1, 3, 1, 0]
    assert reading["steps"][1] == {"symbol": "[", "next": ["(", ")", "[", "]"], "code": 3, "depths": [1, 1]}
    assert (reading["maximum_depth"], reading["turns"]) == (2, {"( )": 1, "[ ]": 1})


@pytest.mark.parametrize(
    ("language", "word", "place", "reason"),
    [
        ("dyck-2", "([)]", 3, "the last one opened is ["),
        ("dyck-1", "())", 3, "closes nothing"),
        ("dyck-1", "(()", 4, "still open"),
        ("anbn", "aabbb", 5, "once too often"),
        ("anbncn", "abb", 3, "once too often"),
    ],
)
def test_label_says_where_and_why_a_word_leaves(language: str, word: str, place: int, reason: str) -> None:
    code, output, _ = inside("label", language, word, "--json")
    assert code == 1
    reading = json.loads(output)
    assert (reading["member"], reading["left_at"]) == (False, place)
    assert reason in reading["reason"]
    code, table, _ = inside("label", language, word)
    assert code == 1
    told = f"at symbol {place}, " if place <= len(word) else ""
    assert f"not in {language}: {told}{reading['reason']}" in table
    rows = [line.split() for line in table.splitlines()]
    shown = [(int(row[0]), row[1]) for row in rows if row and row[0].isdigit()]
    assert shown == [(step, symbol) for step, symbol in enumerate(word, 1) if step <= place]


@pytest.mark.parametrize("depth", [400, pytest.param(20_000, marks=pytest.mark.thorough)])
def test_label_of_a_long_word_has_a_row_for_every_symbol(depth: int) -> None:
    output = shown("label", "dyck-1", "(" * depth + ")" * depth)
    lines = [line.split() for line in output.splitlines()]
    rows = [line for line in lines if line and line[0].isdigit()]
    assert output.splitlines()[0].split() == ["step", "symbol", "next", "code", "depth", "(", ")"]
    assert [int(row[0]) for row in rows] == list(range(1, 2 * depth + 1))
    assert [int(row[-1]) for row in rows] == [*range(1, depth + 1), *reversed(range(depth))]
    assert rows[-2] == [str(2 * depth - 1), ")", "(", ")", "1", "1"]
    assert output.splitlines()[-1] == f"in dyck-1: {2 * depth:,} symbols"


def test_sample_writes_json_lines_with_targets() -> None:
    lines = shown("sample", "shuffle-2", "-n", "20", "--uniform", "--jsonl", "--targets", "--seed", "7")
    rows = [json.loads(line) for line in lines.splitlines()]
    assert len(rows) == 20
    language = language_named("shuffle-2")
    for row in rows:
        steps = language.read(language.alphabet.parse(row["word"])).steps
        assert row["codes"] == [step.code for step in steps]
        assert row["length"] == len(row["word"])
    text = shown("sample", "shuffle-2", "-n", "20", "--uniform", "--targets", "--seed", "7")
    assert [line.split("\t") for line in text.splitlines()] == [
        [row["word"], " ".join(map(str, row["codes"]))] for row in rows
    ]


def test_repeats_are_drawn_only_on_request() -> None:
    words = shown("sample", "dyck-1", "-n", "50", "--lengths", "2:6", "--repeats").split()
    assert len(words) == 50
    assert len(set(words)) <= 8


def test_reduce_and_back() -> None:
    image = shown("reduce", "5", "{⟨⟩}").strip()
    assert image == "([(([[]]))])"
    assert shown("reduce", "5", image, "--back").strip() == "{⟨⟩}"
    both = json.loads(shown("reduce", "5", "{⟨}", "--json"))
    assert both["dyck-5"]["member"] is both["image"]["member"] is False
    assert both["image"]["length"] == 3 * both["dyck-5"]["length"]


def test_the_reader_may_stop_reading() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "abacist", "sample", "dyck-1", "-n", "20000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


def test_a_full_standard_output_gets_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "abacist", "languages"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "abacist: standard output cannot be written to, no space left on device\n"


@pytest.mark.thorough
def test_control_c_ends_with_130() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "abacist", "sample", "dyck-2", "-n", "300000", "--lengths", "2:100"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "abacist: interrupted\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("label", "dick-2", "()"), "did you mean dyck-2?"),
        (("label", "dyck-0", "()"), "Dyck: pairs must be at least 1, got 0"),
        (("label", "dyck-1", "(x)"), "'x' at character 2 is not in the alphabet"),
        (("sample", "dyck-1", "--count", "10000", "--lengths", "2:8"), "there are 22"),
        (("sample", "dyck-1", "--count", "-3"), "at least 1, got -3"),
        (("sample", "dyck-1", "--count", "999999999999"), "at most 100,000,000 words"),
        (("sample", "dyck-1", "--lengths", "9000:9000"), "words of at most 4,000 symbols"),
        (("sample", "dyck-1", "--grammar", "1e999999999,0.1"), "such as 0.5 or 1/2"),
        (("reduce", "100000000000", "()"), "pairs must be from 1 to 100,000"),
        (("sample", "dyck-1", "--lengths", "50:2"), "50:2"),
        (("sample", "dyck-1", "--lengths", "two"), "such as 2:50, got 'two'"),
        (("sample", "dyck-1", "--lengths", "3:3"), "no word of dyck-1"),
        (("sample", "dyck-1", "--grammar", "0.5,0.5"), "p + q below 1"),
        (("sample", "dyck-1", "--seed", "-1"), "seed must be at least 0"),
        (("reduce", "0", "()"), "pairs must be from 1 to 100,000, got 0"),
        (("reduce", "5", "()(", "--back"), "is not the image of any bracket of Dyck-5"),
        (("reduce", "5", "()", "--back"), "divisible by 3, got 2"),
        (("bench", "nothing"), "unknown benchmark 'nothing'"),
    ],
)
def test_misuse_gets_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(*arguments)
