"""The command line and a TOML file that say the same ask for the same words."""

from __future__ import annotations

import json

import pytest

from abacist.errors import BadInput
from abacist.experiments import parse_experiment
from tests.cli.command import refused, shown

SMALL = ("--train-words", "3", "--test-words", "2", "--train-lengths", "2:20", "--long-lengths", "21:40")
FILE = 'cell = "rnn"\ntraining = 3\ntest = 2\nshort = "2:20"\nlong = "21:40"\n'
SAID = [
    ((), ""),
    (("--uniform",), "uniform = true"),
    (("--uniform", "--by-count"), "uniform = true\nby_count = true"),
    (("--grammar", "2/5,1/3"), 'grammar = "2/5,1/3"'),
    (("--uniform", "--grammar", "2/5,1/3"), 'uniform = true\ngrammar = "2/5,1/3"'),
    (("--cut-off",), "cut_off = true"),
    (("--cut-off", "--grammar", "2/5,1/3"), 'cut_off = true\ngrammar = "2/5,1/3"'),
]
LANGUAGES = ["dyck-1", "dyck-2", "shuffle-2", "shuffle-6", "anbn", "anbncn", "anbn || dyck-1"]


def by_file(language: str, text: str) -> dict[str, object]:
    """The recipe of seed 7 that a file asks for."""
    (task,) = parse_experiment(f'language = "{language}"\n{FILE}{text}', "a.toml").tasks
    return task.spec.recipe(7).as_dict()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("options", "text"), SAID)
def test_both_ask_for_the_same_words(language: str, options: tuple[str, ...], text: str) -> None:
    asked = ("corpus", language, *SMALL, "--seed", "7", *options, "--json")
    if {"--grammar", "--cut-off"} & {*options} and "anbn" in language:
        with pytest.raises(ValueError, match="the grammar draws only brackets"):
            by_file(language, text)
        assert "the grammar draws only brackets" in refused(*asked)
        return
    output = shown(*asked)
    assert json.loads(output)["recipe"] == json.loads(json.dumps(by_file(language, text)))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--by-count",), "by_count = true"),
        (("--uniform", "--by-count", "--grammar", "1/2,1/4"),
         'uniform = true\nby_count = true\ngrammar = "1/2,1/4"'),
        (("--uniform", "--cut-off"), "uniform = true\ncut_off = true"),
        (("--grammar", ""), 'grammar = ""'),
        (("--grammar", "half"), 'grammar = "half"'),
    ],
)  # fmt: skip
def test_both_refuse_the_same_with_the_same_sentence(options: tuple[str, ...], text: str) -> None:
    sentence = refused("sample", "dyck-1", *options).removeprefix("abacist: ").strip()
    with pytest.raises(BadInput) as refusal:
        by_file("dyck-1", text)
    assert str(refusal.value) == f"a.toml: {sentence}"
