"""Languages of one's own from the command line: an expression or a file in place of a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.languages import language_asked_for
from tests.cli.command import inside, refused, shown, split

MORE = """
[language]
kind = "counter"
accepting = ["A +", "B +"]
moves = ["A a * A +", "A b + B -", "B b + B -"]
"""


@pytest.fixture
def more(tmp_path: Path) -> str:
    path = tmp_path / "more.toml"
    path.write_text(MORE)
    return str(path)


def test_words_are_labelled_and_drawn(more: str) -> None:
    output = shown("label", more, "aab", "--json")
    assert [step["next"] for step in json.loads(output)["steps"]] == [["a", "⊣"], ["a", "b", "⊣"], ["⊣"]]
    assert "b cannot come here, only a or the end" in inside("label", more, "ab")[1]
    output = shown("sample", "regex:(ab|c)*", "--count", "5", "--lengths", "3:9")
    language = language_asked_for("regex:(ab|c)*")
    assert len(words := output.split()) == 5
    assert all(word in language for word in words)


def test_lengths_are_weighted(more: str) -> None:
    output = shown("sample", more, "-n", "6", "--length-weights", "3:1,5:1", "--repeats")
    assert {len(word) for word in output.split()} <= {3, 5}
    assert inside("sample", "dyck-1", "-n", "3", "--by-length")[0] == 0


def test_networks_are_trained_looked_at_and_kept(more: str, tmp_path: Path) -> None:
    place = str(tmp_path / "kept")
    sizes = ("--hidden", "2", "--runs", "1", "--epochs", "1", "--train-words", "30", "--test-words", "5")
    assert inside("train", more, "rnn", *sizes, "--out", place)[0] == 0
    for command in (
        ("trace", place, "aab"),
        ("judge", place, "aab"),
        ("stress", place, "--lengths", "10,20"),
    ):
        output = shown(*command)
        assert output
    output = shown("horizon", place, "--max-length", "6", "--json")
    assert '"more"' in output
    assert "more" in inside("runs", "--results", place)[1]
    assert "so there are no certificates for it" in refused("certify", place)


def test_a_finite_automaton_has_a_horizon_and_no_counters(tmp_path: Path) -> None:
    place = str(tmp_path / "kept")
    sizes = ("--hidden", "2", "--runs", "1", "--epochs", "1", "--train-words", "30", "--test-words", "5")
    assert inside("train", "regex:(aa|bb)*", "rnn", *sizes, "--out", place)[0] == 0
    assert inside("horizon", place, "--max-length", "6")[0] == 0
    assert "has no counters that units could follow" in refused("counters", place)
    assert "has no counters; its horizon is what can be shown of it" in refused("certify", place)


def test_a_store_of_many_languages_is_asked_for_what_some_of_them_have(more: str, tmp_path: Path) -> None:
    small = split("--hidden 2 --runs 1 --epochs 1 --train-words 20 --test-words 5 --quiet")
    store = ("--results", str(tmp_path / "store"))
    for language in (more, "parity"):
        assert inside("train", language, "rnn", *small, *store)[0] == 0
    code, output, errors = inside("counters", *store, "--words", "50", "--json")
    assert (code, len(json.loads(output))) == (0, 1), errors
    assert "left out 1 network of languages without counters" in errors
    code, output, _ = inside("figures", *store, "--where", "language=parity", "--format", "png")
    assert (code, output.count("-states.png"), output.count("-units.png")) == (0, 1, 0)


def test_certificates_hold_their_language(tmp_path: Path) -> None:
    own, place, proof = tmp_path / "own.toml", str(tmp_path / "built"), str(tmp_path / "proof.json")
    own.write_text(
        '[language]\nkind = "counter"\nmarks_end = false\nglyphs = "()"\naccepting = ["S"]\n'
        'moves = ["S ( * S +", "S ) + S -"]\n'
    )
    assert inside("construct", "dyck-1", "--out", place)[0] == 0
    output = shown("certify", place, "--language", str(own), "--out", proof)
    assert "on every word of own of any length" in output
    output = shown("check", proof, place)
    assert "equal to the automaton of own" in inside("machine", place, "--language", str(own))[1]
