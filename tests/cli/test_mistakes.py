"""Mistakes on the command line: each is answered in one sentence that says what was probably meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abacist.experiments import Store
from abacist.wording import a_few, closest, unknown
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, small

#: How cells and languages of one's own are given.
A_CELL = '--plugin FILE (TOML: plugins = ["FILE"]; Python: the cell itself)'
A_LANGUAGE = (
    'FILE.toml or --plugin FILE (TOML: [language] or plugins = ["FILE"]; Python: the language itself)'
)

#: What is typed after `abacist`, and what is answered.
MISTAKES = {
    # options under the names that they have elsewhere, or misspelt
    "train dyck-1 lstm --lr 0.1": "train has no option --lr, did you mean --rate?",
    "train dyck-1 lstm --learning-rate=0.1": "train has no option --learning-rate, did you mean --rate?",
    "train dyck-1 lstm --seeds 3": "train has no option --seeds, did you mean --runs?",
    "train dyck-1 lstm --epoch 3": "train has no option --epoch, did you mean --epochs?",
    "train dyck-1 lstm --units 3": "train has no option --units, did you mean --hidden?",
    "train dyck-1 lstm --hidden_size 3": "train has no option --hidden_size, did you mean --hidden?",
    "train dyck-1 lstm --Hidden 3": "train has no option --Hidden, did you mean --hidden?",
    "train dyck-1 lstm --batch-size 3": "train has no option --batch-size, did you mean --batch?",
    "train dyck-1 lstm --optimizer sgd": "train has no option --optimizer, did you mean --optimiser?",
    "train dyck-1 lstm --train_words 9": "train has no option --train_words, did you mean --train-words?",
    "train dyck-1 lstm --output x": "train has no option --output, did you mean --out?",
    "train dyck-1 lstm -hidden 3": "train has no option -hidden, did you mean --hidden?",
    "train dyck-1 lstm --xyzzy": "train has no option --xyzzy; `abacist train --help` lists them",
    "train --language dyck-1": "--language is no option, its value goes here: abacist train LANGUAGE CELL",
    "sample dyck-1 --words 5": "sample has no option --words, did you mean --count?",
    "runs --json": "runs has no option --json, did you mean --format?",
    "--verison": "abacist has no option --verison, did you mean --version?",
    # values
    "train dyck-1 lstm --hidden abc": "--hidden must be a whole number, got 'abc'",
    "train dyck-1 lstm --hidden 1.5": "--hidden must be a whole number, got '1.5'",
    "train dyck-1 lstm --rate fast": "--rate must be a number, got 'fast'",
    "train dyck-1 lstm --hidden": "--hidden needs a value",
    "train dyck-1 lstm --json=yes": "--json takes no value",
    "train dyck-1 lstm --optimiser adamm": "--optimiser must be adam, sgd or rmsprop, got 'adamm'",
    "reduce many ()": "pairs must be a whole number, got 'many'",
    # arguments
    "train dyck-1": "CELL is missing: abacist train LANGUAGE CELL",
    "train dyck-1 lstm 3": "'3' is one argument too many: abacist train LANGUAGE CELL",
    "train dyck-1 lstm hidden=3": "'hidden=3' is one argument too many, did you mean --hidden 3?",
    "score p.jsonl": "--corpus is missing: abacist score PREDICTIONS --corpus CORPUS",
    "merge results": "FROM … is missing: abacist merge INTO FROM …",
    # names of commands, experiments, presets and other things
    "trian": "there is no command 'trian', did you mean train?",
    "Train dyck-1 lstm": "there is no command 'Train', did you mean train?",
    "plot": "there is no command 'plot', did you mean figures?",
    "version": "there is no command 'version', did you mean --version?",
    "frobnicate": "there is no command 'frobnicate'; `abacist --help` lists them",
    "table table3": "unknown experiment 'table3', did you mean table-3?",
    "run Table_3": "unknown experiment 'Table_3', did you mean table-3?",
    "reproduce --only FewUnits": "unknown experiment 'FewUnits', did you mean few-units?",
    "train dyck-1 lstm --recipe Published": "unknown recipe 'Published', did you mean published?",
    "train dick-1 lstm": f"unknown language 'dick-1', did you mean dyck-1? Your own needs {A_LANGUAGE}",
    "train dyck-1 ran": f"unknown cell 'ran', did you mean rnn? Your own needs {A_CELL}",
    "train anb2n.tml lstm": f"'anb2n.tml' is no language's name; give {A_LANGUAGE}",
    "train dyck-1 mine/ran.py": f"'mine/ran.py' is no cell's name; give {A_CELL}",
    "bench engin": "unknown benchmark 'engin', did you mean engine?",
    "figures --only Table_3": "unknown figure 'Table_3', did you mean table-3-runs?",
    "compare --by cells": "runs have no field 'cells', did you mean cell?",
    "runs --where lr=0.1": "runs have no field 'lr', did you mean rate?",
    "stress --only nets": "unknown family 'nets', did you mean nest?",
}

#: What is like nothing that there is: a few names are listed.
NONSENSE = [
    "train nonsense lstm",
    "train dyck-1 transformer",
    "table nonsense",
    "compare --by colour",
    "runs --columns colour",
    "runs --group-by cell --show mode",
    "figures --only colour",
    "stress --only colour",
]


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in the folder `results`."""
    monkeypatch.chdir(tmp_path)
    with Store(tmp_path / "results") as store:
        store.put([made_up(small(), 0, {name: {"3": 0.5} for name in ("training", "short", "long")})])


@pytest.mark.parametrize(("typed", "answer"), MISTAKES.items(), ids=MISTAKES)
def test_a_mistake_is_answered_with_what_was_meant(typed: str, answer: str) -> None:
    assert refused(*typed.split()) == f"abacist: {answer}\n"


@pytest.mark.parametrize("typed", NONSENSE)
def test_at_most_five_names_are_listed(typed: str) -> None:
    sentence = refused(*typed.split())
    listed = re.search(r"(?:there|fields|languages) are (.*?)(?:;| and \d+ more|, others)", sentence)
    assert listed is not None, sentence
    assert len(listed[1].split(", ")) <= 5
    assert len(sentence) < 240


@pytest.mark.parametrize(
    "word", ["--a\nb", "a\nb", "hidden=a\nb", "-a\x1b[31m", "--" + "x" * 100_000, "--=", "-=3"]
)
def test_a_hostile_word_is_answered_in_one_line_too(word: str) -> None:
    assert len(refused("train", "dyck-1", "lstm", word)) < 2_500


def test_help_is_no_mistake() -> None:
    assert inside("train", "--help")[0] == 0


def test_a_name_is_known_by_its_letters_by_other_names_or_by_its_likeness() -> None:
    assert closest("TABLE 3", ["few-units", "table-3"]) == "table-3"
    assert closest("learning-rate", ["rate", "train-words"]) == "rate"
    assert closest("hiden", ["hidden"]) == "hidden"
    assert closest("W_x", ["b_z", "W_z"]) == "W_z"
    assert closest("", ["hidden"]) is None


def test_a_few_names_and_how_many_more() -> None:
    names = [f"n{number}" for number in range(1_005)]
    assert a_few(names) == "n0, n1, n2, n3, n4 and 1,000 more"
    assert unknown("thing", "x", names[:2], "more") == "unknown thing 'x'; there are n0, n1; more"
