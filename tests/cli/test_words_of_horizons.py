"""`--words`: the same answers as of the language on these words, kept with the run, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abacist.analysis import constructed
from abacist.languages import language_named
from abacist.specs.files import save_folder
from tests.analysis.certificates.test_certify import nudged
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import keep, runs_in
from tests.experiments.test_horizons_on_words import runs

FEW = ("--max-length", "8", "--boxes", "64")


@pytest.fixture
def results(tmp_path: Path) -> str:
    keep(tmp_path / "results", runs()[:3])
    return str(tmp_path / "results")


def horizons(results: str, *arguments: str) -> Any:
    code, output, errors = inside("horizon", "--results", results, *FEW, "--json", *arguments)
    assert code == 0, errors
    found = json.loads(output)
    return [{name: value for name, value in one.items() if name != "seconds"} for one in found]


def test_training_words_their_name_and_the_language_within_them_are_one(
    results: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested = horizons(results, "--words", "training")
    assert {one["language"] for one in nested} == {"shuffle-2 within dyck-2"}
    kept = {run.key: run.outcome.horizon(words="dyck-2") for run in runs_in(Path(results))}
    dyck = language_named("dyck-2")
    assert {one["run"]: one["proved"] for one in nested} == {
        key: None if one is None else one.proved_in(dyck) for key, one in kept.items()
    }
    assert all(run.outcome.horizon() is None for run in runs_in(Path(results)))
    monkeypatch.setattr("abacist.cli.horizon.measure", None)  # nothing is looked for again
    assert horizons(results, "--words", "dyck-2") == nested
    assert horizons(results, "--language", "shuffle-2 within dyck-2") == nested


def test_all_words_are_as_without_the_option(results: str) -> None:
    assert (
        horizons(results, "--words", "all") == horizons(results) == horizons(results, "--words", "shuffle-2")
    )


def test_runs_and_tables_say_which_words(results: str) -> None:
    horizons(results, "--words", "training")
    key = runs()[0].key
    assert "dyck-2" in shown("show", key, "--results", results)
    listed = json.loads(shown("runs", "--results", results, "--format", "json"))
    assert all("support_proved" in row and "proved" not in row for row in listed["rows"])
    title = shown("horizon", key, "--results", results, "--words", "training", *FEW)
    assert "on words of dyck-2" in title.splitlines()[0]


def test_words_outside_are_not_judged(results: str) -> None:
    key = runs()[0].key
    assert "in dyck-2" in shown("judge", key, "--results", results, "--words", "training", "([])")
    sentence = "'([)]' cannot be judged as a word of dyck-2: no word of dyck-2 goes on with )"
    assert sentence in refused("judge", key, "--results", results, "--words", "training", "([)]")


def test_failing_and_stress_words_are_of_them(results: str) -> None:
    key, nested = runs()[0].key, language_named("dyck-2")
    on = (key, "--results", results, "--words", "training")
    failing = json.loads(shown("judge", *on, "--failing", "3", "--max-length", "20", "--json"))
    assert failing[0]["words"]
    assert all(one["word"] in nested for one in failing[0]["words"])
    plain = shown("stress", key, "--results", results, "--lengths", "16")
    assert "shuffle-2 within dyck-2" in shown("stress", *on, "--lengths", "16")
    assert "blocks" in plain
    assert "  blocks" not in shown("stress", *on, "--lengths", "16")


def test_words_of_a_bounded_depth_are_all_covered(tmp_path: Path) -> None:
    """A counter that leaks is proved right on all shallow words, without naming their depth."""
    save_folder(nudged(5.0), tmp_path / "shallow", about={"language": "dyck-1"})
    network, file = str(tmp_path / "shallow"), str(tmp_path / "cover.json")
    proved = shown("certify", network, "--words", "dyck-1 to depth 1", "--out", file)
    assert proved == (
        "proved: on every word of dyck-1 within dyck-1 to depth 1 of any length with depths up to 1, "
        "every prediction of this lstm in float32 is right\n"
    )
    assert shown("check", file, network).startswith("yes: on every word of dyck-1 within dyck-1 to depth 1")
    assert "refuted" in shown("certify", network, "--words", "dyck-1 to depth 2")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("dyck-1", "both need the same symbols"),
        ("recognise:dyck-2", "only says whether a string is a word"),
        ("training", "only of a run of a store it is known which words it was trained on"),
        ("dyck-2 to depth 40", "may have at most 50,000 states"),
    ],
)
def test_other_words_are_refused(words: str, sentence: str, tmp_path: Path) -> None:
    save_folder(constructed(language_named("shuffle-2")), tmp_path / "exact", about={"language": "shuffle-2"})
    assert sentence in refused("horizon", str(tmp_path / "exact"), "--words", words)


def test_a_stack_needs_a_depth(results: str) -> None:
    sentence = "of others, only for words up to a depth, which --depth gives"
    assert sentence in refused("certify", runs()[0].key, "--results", results, "--words", "training")
