"""`abacist sample` and `corpus` draw what their options say, or a TOML file; `bench` writes its figures."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

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
from abacist.corpora.files import load
from abacist.errors import BadInput
from abacist.experiments import parse_experiment
from abacist.languages import language_named
from tests.cli.command import inside, refused, shown

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
def small_corpora() -> tuple[Corpora, list[str]]:
    """Corpora in which some brackets cross, and the lines of their table."""
    code, output, _ = inside("corpus", "shuffle-2", *SMALL, "--uniform")
    assert code == 0
    return draw(small(Uniform(Grammar()), 0)), output.splitlines()


def test_the_table_of_a_corpus_has_its_ranges_and_shares(small_corpora: tuple[Corpora, list[str]]) -> None:
    corpora, lines = small_corpora
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


def test_corpus_summarises_what_it_draws() -> None:
    summary = json.loads(shown("corpus", "shuffle-6", "--seed", "3", "--json"))
    training = draw(paper_recipe(language_named("shuffle-6"), seed=3))["training"]
    assert summary["splits"]["training"]["words"] == 30_000
    assert summary["splits"]["training"]["symbols"] == len(training.symbols)
    assert summary["splits"]["long"]["lengths"]["max"] <= 100
    assert summary["splits"]["short"]["crossing"] == 0
    table = shown("corpus", "shuffle-6", "--seed", "3")
    assert "30,000" in table


@pytest.mark.parametrize("name", ["words.npz", "words.jsonl"])
def test_corpus_is_written_whole(tmp_path: Path, name: str) -> None:
    options = ("--train-words", "50", "--test-words", "20", "--seed", "4")
    shown("corpus", "dyck-2", *options, "--out", str(tmp_path / name))
    corpora = draw(paper_recipe(language_named("dyck-2"), seed=4, training=50, test=20))
    if name.endswith("npz"):
        assert load(tmp_path / name) == corpora
    else:
        rows = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert [row["word"] for row in rows] == [text for corpus in corpora for text in corpus.texts()]


def test_corpus_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    assert "do not exist" in refused("corpus", "dyck-1", "--train-lengths", "2:10")
    assert "membership\n" in shown("corpus", "dyck-1", "--train-lengths", "2:10", "--repeats")
    assert "written as .npz or .jsonl" in refused("corpus", "dyck-1", "--out", "x.csv")
    nowhere = tmp_path / "nowhere"
    said = refused("corpus", "dyck-1", "--out", str(nowhere / "x.npz"))  # before anything is drawn
    assert said == f"abacist: {nowhere / 'x.npz'}: cannot be written, there is no folder {nowhere}\n"


@pytest.mark.thorough
def test_bench_writes_its_figures(tmp_path: Path) -> None:
    shown("bench", "horizons", "--out", str(tmp_path / "bench.json"))
    figures = json.loads((tmp_path / "bench.json").read_text())
    assert {"what", "ours", "baseline", "ratio", "at_least", "verdict"} == set(figures["rows"][0])


FEW = ("--train-words", "3", "--test-words", "2", "--train-lengths", "2:20", "--long-lengths", "21:40")
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
    asked = ("corpus", language, *FEW, "--seed", "7", *options, "--json")
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
