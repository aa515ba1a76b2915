"""`abacist corpus` and `abacist bench`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.corpora import draw, paper_recipe
from abacist.corpora.files import load
from abacist.languages import language_named
from tests.cli.command import refused, shown


def test_corpus_summarises_what_it_draws() -> None:
    summary = json.loads(shown("corpus", "shuffle-6", "--seed", "3", "--json"))
    training = draw(paper_recipe(language_named("shuffle-6"), seed=3))["training"]
    assert summary["splits"]["training"]["words"] == 30_000
    assert summary["splits"]["training"]["symbols"] == len(training.symbols)
    assert summary["splits"]["long"]["lengths"]["max"] <= 100
    assert summary["splits"]["short"]["crossing"] == 0
    table = shown("corpus", "shuffle-6", "--seed", "3")
    assert "30,000" in table


def test_corpus_proper_has_crossing_brackets() -> None:
    summary = json.loads(shown("corpus", "shuffle-2", "--uniform", "--json"))
    assert summary["splits"]["long"]["crossing"] > 0.99


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
    assert "written as .npz or .jsonl" in refused("corpus", "dyck-1", "--out", "x.csv")
    nowhere = tmp_path / "nowhere"
    said = refused("corpus", "dyck-1", "--out", str(nowhere / "x.npz"))  # before anything is drawn
    assert said == f"abacist: {nowhere / 'x.npz'}: cannot be written, there is no folder {nowhere}\n"


@pytest.mark.thorough
def test_bench_writes_its_figures(tmp_path: Path) -> None:
    shown("bench", "horizons", "--out", str(tmp_path / "bench.json"))
    figures = json.loads((tmp_path / "bench.json").read_text())
    assert {"what", "ours", "baseline", "ratio", "at_least", "verdict"} == set(figures["rows"][0])
