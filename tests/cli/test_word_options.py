"""`abacist sample` and `abacist corpus` draw what their options say, and the tables say what was drawn."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from abacist.corpora import (
    Corpora,
    Grammar,
    Recipe,
    Source,
    Split,
    Uniform,
    Window,
    draw,
    paper_recipe,
    summarise,
)
from abacist.languages import language_named
from tests.cli.command import inside, refused

SHUFFLE = language_named("shuffle-2")
SKEWED = Grammar(Fraction(1, 3), Fraction(1, 5))
SOURCES: list[tuple[tuple[str, ...], Source]] = [
    ((), Grammar()),
    (("--grammar", "1/3,1/5"), SKEWED),
    (("--uniform",), Uniform(Grammar())),
    (("--uniform", "--grammar", "1/3,1/5"), Uniform(SKEWED)),
    (("--uniform", "--by-count"), Uniform()),
]
SMALL = ("--train-words", "60", "--test-words", "20", "--train-lengths", "2:12", "--long-lengths", "14:20")


def small(source: Source, seed: int) -> Recipe:
    """What SMALL asks for."""
    return paper_recipe(
        SHUFFLE, seed=seed, source=source, training=60, test=20, short=Window(2, 12), long=Window(14, 20)
    )


@pytest.mark.parametrize(("options", "source"), SOURCES)
@pytest.mark.parametrize("seed", [0, 9])
def test_sample_draws_what_the_library_draws(options: tuple[str, ...], source: Source, seed: int) -> None:
    asked = ("sample", "shuffle-2", "-n", "30", "--lengths", "4:20", "--seed", str(seed), *options)
    code, output, _ = inside(*asked)
    drawn = draw(Recipe(SHUFFLE, source, (Split("sample", Window(4, 20), 30),), seed))
    assert (code, output.split()) == (0, list(drawn["sample"].texts()))


@pytest.mark.parametrize(("options", "source"), SOURCES)
def test_corpus_draws_what_the_library_draws(options: tuple[str, ...], source: Source) -> None:
    code, output, _ = inside("corpus", "shuffle-2", *SMALL, "--seed", "7", *options, "--json")
    recipe = small(source, 7)
    summaries = {s.name: s.as_dict() for s in map(summarise, draw(recipe))}
    expected = json.loads(json.dumps({"recipe": recipe.as_dict(), "splits": summaries}))
    assert (code, json.loads(output)) == (0, expected)


def test_former_names_work_and_say_the_new_ones() -> None:
    former = ("--training", "60", "--test", "20", "--lengths", "2:12", "--long", "14:20")
    old, new = (inside("corpus", "shuffle-2", *words, "--json") for words in (former, SMALL))
    assert old[:2] == new[:2]
    assert old[2].splitlines() == [
        "--training is now called --train-words",
        "--test is now called --test-words",
        "--lengths is now called --train-lengths",
        "--long is now called --long-lengths",
    ]


@pytest.mark.parametrize("verb", [("train", "dyck-1", "rnn"), ("corpus", "dyck-1")])
@pytest.mark.parametrize("name", ["--test", "--test-words"])
def test_a_refusal_names_the_option(verb: tuple[str, ...], name: str) -> None:
    code, output, said = inside(*verb, name, "0")
    assert (code, output) == (2, "")
    assert said.splitlines()[-1] == "abacist: --test-words must be from 1 to 100,000,000, got 0"


@pytest.fixture(scope="module")
def shown() -> tuple[Corpora, list[str]]:
    """Corpora in which some brackets cross, and the lines of their table."""
    code, output, _ = inside("corpus", "shuffle-2", *SMALL, "--uniform")
    assert code == 0
    return draw(small(Uniform(Grammar()), 0)), output.splitlines()


def test_the_table_of_a_corpus_has_its_ranges_and_shares(shown: tuple[Corpora, list[str]]) -> None:
    corpora, lines = shown
    for corpus in corpora:
        row = next(line for line in lines if line.strip().startswith(corpus.split.name)).split()
        assert row[1:3] == [f"{len(corpus):,}", f"{len(corpus.symbols):,}"]
        for text, data in zip(row[3:5], (corpus.lengths, corpus.maximum_depths()), strict=True):
            assert text == f"{data.min()}–{np.median(data):g}–{data.max()}"
        crossing = summarise(corpus).crossing
        assert crossing is not None
        assert row[6:] == [f"{100 * crossing:.1f}", "%"]


def test_an_option_and_its_former_name_together_are_refused() -> None:
    said = refused("train", "dyck-1", "rnn", "--train-words", "40", "--training", "50")
    assert said == "abacist: --train-words must be given once, got it as --training, too\n"
