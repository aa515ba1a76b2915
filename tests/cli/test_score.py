"""`abacist score`, `abacist corpus --targets` and `abacist judge --set`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import constructed, saturated
from abacist.bridge import keep
from abacist.corpora import Words, draw, paper_recipe
from abacist.corpora.files import load
from abacist.engine import first_mistakes
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.bridge.cases import judged
from tests.cli.command import inside, refused, shown

WORDS = ("--train-words", "40", "--test-words", "20", "--seed", "4")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A corpus in both kinds of files, with targets."""
    for name in ("words.npz", "words.jsonl"):
        assert inside("corpus", "shuffle-2", *WORDS, "--targets", "--out", str(tmp_path / name))[0] == 0
    return tmp_path


def test_targets_are_written_in_every_form(written: Path) -> None:
    corpora = draw(paper_recipe(language_named("shuffle-2"), seed=4, training=40, test=20))
    assert load(written / "words.npz") == corpora
    with np.load(written / "words.npz") as arrays:
        for corpus in corpora:
            np.testing.assert_array_equal(arrays[f"{corpus.split.name}_targets"], corpus.targets())
    assert inside("corpus", "shuffle-2", *WORDS, "--out", str(written / "folder"))[0] == 0
    lines = (written / "folder" / "data" / "long.jsonl").read_text().splitlines()
    assert [json.loads(line)["word"] for line in lines] == list(corpora["long"].texts())
    assert "already exists" in refused(
        "corpus", "shuffle-2", *WORDS, "--out", str(written / "folder"), code=1
    )
    assert "--out must say where" in refused("corpus", "shuffle-2", "--targets")


def test_targets_as_predictions_are_all_right(written: Path) -> None:
    lines = written / "words.jsonl"
    printed = shown("score", str(lines), "--corpus", str(written / "words.npz"), "--json")
    found = json.loads(printed)
    assert found["language"] == "shuffle-2"
    for name, words in (("training", 40), ("short", 20), ("long", 20)):
        own = found["sets"][name]
        assert (own["words"], own["words_right"], own["steps_right"]) == (words, 1, 1)
        assert own["first_wrong"] == [None] * words
    _, printed, _ = inside(
        "score", str(lines), "--corpus", str(lines), "--language", "shuffle-2", "--set", "long"
    )
    assert printed.split()[-5:] == ["long", "20", "100.00", "100.00", "none"]


def test_a_wrong_step_is_found(written: Path) -> None:
    rows = [json.loads(line) for line in (written / "words.jsonl").read_text().splitlines()]
    rows[45]["targets"][3] = "( ) [ ]" if rows[45]["targets"][3] != "( ) [ ]" else "("
    wrong = written / "wrong.jsonl"
    wrong.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = (str(wrong), "--corpus", str(written / "words.npz"), "--set", "short")
    found = json.loads(inside("score", *options, "--json")[1])["sets"]["short"]
    assert found["words_right"] == 0.95
    assert [step for step in found["first_wrong"] if step] == [4]
    assert found["first_wrong"][5] == 4
    by_length = inside("score", *options, "--by", "length")[1]
    assert sum("100.00" not in line for line in by_length.splitlines()[2:]) == 1


def test_what_cannot_be_scored_is_refused(written: Path) -> None:
    lines, corpus = str(written / "words.jsonl"), ("--corpus", str(written / "words.npz"))
    assert "unknown set 'middle'" in refused("score", lines, *corpus, "--set", "middle")
    assert "--by must be length or depth" in refused("score", lines, *corpus, "--by", "word")
    assert "--steps must be all or last" in refused("score", lines, *corpus, "--steps", "some")
    assert "so name it with --language" in refused("score", lines, "--corpus", lines)
    assert "cannot be read" in refused("score", "nowhere.jsonl", *corpus)
    short = written / "few.jsonl"
    short.write_text("\n".join((written / "words.jsonl").read_text().splitlines()[:79]))
    assert "80 words need as many lines, got 79" in refused("score", str(short), *corpus, code=1)


def test_networks_in_a_folder_are_judged_on_the_sets_of_a_seed(tmp_path: Path) -> None:
    language = language_named("shuffle-2")
    sharp = constructed(language)
    rows = [saturated(sharp, by).parameters for by in (0.06, 0.1, 1.0)]
    networks = Networks(sharp.layout, np.concatenate(rows))
    save_folder(networks, tmp_path / "kept", about={"language": "shuffle-2"})
    printed = shown("judge", str(tmp_path / "kept"), "--set", "short,long", "--seed", "3", "--json")
    found = json.loads(printed)
    corpora = draw(paper_recipe(language, seed=3))
    for name in ("short", "long"):
        words = Words.of(language, corpora[name].symbols, corpora[name].offsets, "all")
        shares = [float((first_mistakes(networks, run, words) < 0).mean()) for run in range(3)]
        assert [own["sets"][name] for own in found["networks"]] == shares
        summary = found["summary"][name]
        assert (summary["min"], summary["max"], summary["median"]) == (shares[0], shares[2], shares[1])
        assert summary["mean"] == pytest.approx(np.mean(shares))
        assert summary["std"] == pytest.approx(np.std(shares, ddof=1))
        assert summary["q25"] == pytest.approx(np.quantile(shares, 0.25))
    table = inside("judge", str(tmp_path / "kept"), "--set", "short", "--run", "2")[1]
    assert table.split()[-3:] == ["2", "0", "100.00"]
    assert "unknown set 'middle'" in refused("judge", str(tmp_path / "kept"), "--set", "middle")
    assert "--set, such as --set short" in refused("judge", str(tmp_path / "kept"), "()", "--seed", "1")
    assert "only one of them" in refused("judge", str(tmp_path / "kept"), "()", "--set", "long")


def test_a_model_from_outside_is_shown_and_followed_nowhere(tmp_path: Path) -> None:
    run = keep(judged(sets=("short",)), tmp_path)
    store = ("--results", str(tmp_path))
    printed = shown("show", run.key, *store)
    assert f"run {run.key}: outside:leaky on shuffle-2, seed 0" in printed
    assert "hidden unit" not in printed
    assert "test_words: 60" in printed
    assert json.loads(inside("show", run.key, *store, "--json")[1])["spec"]["cell"] == "outside:leaky"
    for command in (("trace", run.key, "()"), ("judge", run.key, "()"), ("horizon", run.key)):
        assert "has no weights here, only results" in refused(*command, *store)
    assert "only results of models from outside" in refused("stress", *store)
    assert "no formula here" in refused("show", run.key, *store, "--repeat")
    assert "outside:leaky" in inside("runs", *store)[1]
    assert "outside:leaky" in inside("table", *store, "--show", "mean")[1]
