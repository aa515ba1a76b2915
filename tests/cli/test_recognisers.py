"""Recognisers from `abacist train` on, as a user has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.bridge import Examination, judge_model, model_of
from abacist.bridge.prediction_files import load_predictions
from abacist.experiments import parse_experiment
from abacist.languages import Dyck, Recogniser
from abacist.specs.files import NetworkFile, save_folder
from tests.cli.command import inside, refused, shown

SMALL = ("--hidden", "4", "--epochs", "4", "--train-words", "400", "--test-words", "60", "--rate", "0.02",
         "--train-lengths", "2:20", "--long-lengths", "22:30", "--runs", "2", "--quiet")  # fmt: skip

NAME = "recognise:dyck-1"
WHY = f"{NAME} only says whether a string is a word, and predicts no symbols"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("recognisers") / "kept")
    shown("train", NAME, "lstm", *SMALL, "--objective", "cross-entropy", "--out", folder)
    return folder


def test_judge_says_what_it_takes_and_what_it_rejects(kept: str) -> None:
    strings = ("(())", "())", "((", ")(")
    rows = json.loads(shown("judge", kept, "--run", "0", *strings, "--json"))
    assert [row["member"] for row in rows] == [True, False, False, False]
    assert [row["left_at"] for row in rows] == [None, 3, 3, 1]
    for row in rows:
        assert (row["accepted"], row["wrong_at"]) == (None, None)
        assert row["rejected_at"] == (None if row["taken"] else len(row["word"]) + 1)
        assert row["right"] == (row["taken"] == row["member"])
    code, table, errors = inside("judge", kept, "--run", "0", *strings)
    assert code == 0
    assert table.splitlines()[0].split() == ["run", "word", "in", "dyck-1", "recognition"]
    for line, row in zip(table.splitlines()[2:], rows, strict=True):
        verdict = "takes it: " if row["taken"] else "rejects at its end: "
        assert line.rstrip().endswith(verdict + ("right" if row["right"] else "wrong"))
    outside = [row for row in rows if not row["member"]]
    rejected = sum(not row["taken"] for row in outside)
    assert errors.splitlines() == [
        f"{rows[0]['taken']:d} of 1 accepted",
        f"{rejected} of 3 outside dyck-1 rejected",
    ]


def test_sets_settings_and_files_are_as_of_any_network(kept: str, tmp_path: Path) -> None:
    sets = json.loads(shown("judge", kept, "--set", "short,long", "--json"))
    stored = json.loads(shown("runs", "--results", kept, "--where", f"language={NAME}", "--format", "json"))[
        "rows"
    ]
    assert len(stored) == len(sets["networks"]) == 2
    text = shown("show", stored[0]["key"], "--results", kept, "--toml")
    (task,) = parse_experiment(text, "run.toml").tasks
    assert task.spec.language == Recogniser(Dyck(1))
    file = str(tmp_path / "one.safetensors")
    shown("export", kept, "--run", "1", "--out", file)
    alone = json.loads(shown("judge", file, "()", "(", "--json"))
    assert [row["member"] for row in alone] == [True, False]
    assert (
        json.loads(shown("judge", kept, "--run", "1", "()", "(", "--json"))[0]["taken"] == alone[0]["taken"]
    )


def test_trace_play_and_horizon_know_both_kinds_of_strings(kept: str) -> None:
    table = json.loads(shown("trace", kept, "())", "--run", "0", "--json"))
    assert [row["right"] for row in table["rows"]] == ["", "⊣", ""]
    assert "not in dyck-1, left at 3" in shown("trace", kept, "())", "--run", "0")
    assert "not in dyck-1, ends too early" in shown("trace", kept, "(()", "--run", "0")
    _, table, _ = inside("horizon", kept, "--max-length", "6")
    assert NAME in table


def test_a_corpus_of_both_kinds_is_written_with_one_target_a_step(tmp_path: Path) -> None:
    sizes = ("--train-words", "20", "--test-words", "6")
    path, folder = tmp_path / "both.jsonl", tmp_path / "both"
    assert "checked:" in shown("corpus", NAME, *sizes, "--out", str(path), "--targets")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["targets"][-1] == "⊣" for row in rows] == [row["word"] in Dyck(1) for row in rows]
    words = [Dyck(1).alphabet.parse(row["word"]) for row in rows]
    read = load_predictions(path, Recogniser(Dyck(1)), words)
    assert [int(one[-1, 0]) for one in read] == [row["codes"][-1] for row in rows]
    shown("corpus", NAME, *sizes, "--out", str(folder))
    assert "`targets`, ⊣ where what was read is a word of dyck-1" in (folder / "README.md").read_text()


def test_a_model_from_outside_is_judged_as_a_recogniser(kept: str, tmp_path: Path) -> None:
    """One output, and no word of its language beside the weights."""
    file, language = str(tmp_path / "one.safetensors"), Recogniser(Dyck(1))
    shown("export", kept, "--run", "0", "--out", file)
    networks = NetworkFile.load(Path(file)).networks
    save_folder(networks, tmp_path / "bare", about={})
    (row,) = json.loads(shown("judge", str(tmp_path / "bare"), "(((", "--language", NAME, "--json"))
    assert (row["member"], row["left_at"]) == (False, 4)
    exam = Examination(language, test=40, every=100, longest=12, stress=(20,))
    judgement = judge_model(model_of(networks), exam, name="mine")
    assert sorted(judgement.accuracy) == ["long", "short"]
    assert judgement.stress is None


@pytest.mark.parametrize("verb", ["certify", "stress", "page"])
def test_what_is_about_predicted_symbols_is_refused(kept: str, verb: str, tmp_path: Path) -> None:
    rest = ("--network", kept, "--out", str(tmp_path / "page.html")) if verb == "page" else (kept,)
    assert WHY in refused(verb, *rest)


def test_other_requests_without_sense_are_refused() -> None:
    assert WHY in refused("label", NAME, "()")
    assert WHY in refused("sample", NAME, "--non-members", "swapped")
    assert WHY in refused("train", NAME, "lstm", "--objective", "next-symbol")
    assert WHY in refused("teach", NAME, "lstm")
    assert "--steps must be all for a recogniser" in refused("train", NAME, "lstm", "--steps", "last")
