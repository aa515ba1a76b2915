"""Horizons on a set of words: equal to brute force, to those of all words where it is all, and kept apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abacist as ab
from abacist.analysis import Horizon, Search, horizon
from abacist.cells import cell_named
from abacist.corpora import Grammar, Uniform, Words
from abacist.engine import first_mistakes
from abacist.errors import BadInput, UnknownName
from abacist.experiments import (
    PAPER_SETS,
    HorizonAim,
    KnownHorizon,
    Measurement,
    Outcome,
    Results,
    Run,
    compute,
    frame,
    parse_experiment,
)
from abacist.experiments.outcome import with_horizon
from abacist.experiments.plan import on_words, texts_of_words
from abacist.languages import language_asked_for, language_named
from abacist.report import table_of
from abacist.specs import Lesson
from tests.analysis.horizons.badly_trained import badly_trained
from tests.experiments.cases import keep, made_up, made_up_horizons, runs_in, small

LONGEST = 10
PAIRS = "regex:('(' ')' | '[' ']')*"
SETS = ("dyck-2", "shuffle-2 to depth 1", "dyck-2-2", PAIRS)
NESTED = KnownHorizon(1.0, Horizon(12, None, Search(12), 1_024, looked=12), None, "dyck-2")
SHUFFLE = language_named("shuffle-2")


@cache
def runs() -> tuple[Run, ...]:
    """Networks for Shuffle-2 that are wrong on words of different lengths."""
    rows = badly_trained("lstm", 2, "shuffle-2").parameters
    spec = small(language=SHUFFLE, cell=cell_named("lstm"))
    sets = {name: {"3": 0.5} for name in PAPER_SETS}
    return tuple(replace(made_up(spec, seed, sets), kept=rows[3 * seed]) for seed in range(8))


@cache
def words_of(words: str) -> tuple[Any, Any]:
    """All short words of a language, and their lengths, labelled as words of Shuffle-2."""
    listed = [w for n in range(1, LONGEST + 1) for w in language_asked_for(words).words(n)]
    lengths = np.array([len(word) for word in listed])
    symbols = np.concatenate([np.array(word, np.uint8) for word in listed])
    return Words.of(SHUFFLE, symbols, np.append(0, np.cumsum(lengths)), "all"), lengths


@pytest.mark.parametrize("words", SETS)
def test_they_equal_brute_force(words: str) -> None:
    (text,), found = texts_of_words(words, runs()[0].spec), Counter[int | None]()
    for run in runs():
        packed, lengths = words_of(words)
        wrong: Any = lengths[first_mistakes(run.networks, 0, packed) >= 0]
        truth = int(wrong.min()) if len(wrong) else None
        (measured,) = compute(Measurement(run, (HorizonAim(Search(LONGEST, 4_096), words=text),)))
        known = measured.outcome.horizon(words=text)
        assert known is not None
        assert (known.wrong and len(known.wrong)) == truth
        assert known.proved <= (LONGEST if truth is None else truth - 1)
        assert measured.outcome.horizon() is None
        found[truth] += 1
    assert len(found) > 1


def test_all_words_by_another_name_are_all_words() -> None:
    for run in runs()[:4]:
        aims = tuple(
            HorizonAim(Search(8), words=texts_of_words(one, run.spec)[0]) for one in ("all", "shuffle-2")
        )
        assert aims[0] == aims[1]
        (measured,) = compute(Measurement(run, aims[1:]))
        plain = horizon(run.networks, 0, SHUFFLE, Search(8))
        known = measured.outcome.horizon()
        assert known is not None
        assert known == replace(plain, seconds=known.seconds)


@pytest.mark.parametrize(
    ("language", "changes", "words"),
    [
        ("shuffle-2", {}, "dyck-2"),
        ("shuffle-6", {}, "dyck-6"),
        ("shuffle-2+end", {}, "dyck-2"),
        ("shuffle-2", {"source": Uniform(Grammar())}, ""),
        ("shuffle-2", {"source": Uniform(Grammar(), nested=True)}, "dyck-2"),
        ("shuffle-2", {"lesson": Lesson(rounds=2)}, ""),
        ("shuffle-2", {"lesson": Lesson("nothing", rounds=2, sharpen=2.0)}, "dyck-2"),
        ("dyck-1", {}, ""),
        ("dyck-2+end", {}, ""),
        ("shuffle-2 within dyck-2", {}, ""),
        ("anbn", {"training": 3, "test": 1}, ""),
    ],
)
def test_training_words_are_those_that_are_drawn(language: str, changes: dict[str, Any], words: str) -> None:
    spec = small(language=language_named(language), cell=cell_named("lstm"), **changes)
    assert texts_of_words("training", spec) == (words,)


@pytest.mark.parametrize("name", ["shuffle-2", "dyck-2", "anbn", "dyck-1 || anbn"])
def test_words_to_a_depth_are_those_words(name: str) -> None:
    language = language_named(name)
    for depth in (1, 2):
        limited = (
            language_named(f"{name} to depth {depth}")
            if "||" not in name
            else language_named(" || ".join(f"{part} to depth {depth}" for part in name.split(" || ")))
        )
        for length in range(7):
            deep = {word: language.depth_path(word).max(initial=0) for word in language.words(length)}
            assert set(limited.words(length)) == {word for word, most in deep.items() if most <= depth}


def test_each_set_of_words_has_its_own(tmp_path: Path) -> None:
    run, other = runs()[0], replace(NESTED, words="dyck-2-2")
    whole = made_up_horizons([HorizonAim(Search(4))])[0]
    known = with_horizon(with_horizon((whole,), NESTED), other)
    assert {one.words for one in known} == {"", "dyck-2", "dyck-2-2"}
    further = replace(NESTED, horizon=replace(NESTED.horizon, proved=14, search=Search(14)))
    assert set(with_horizon(known, further)) >= {whole, other, further}
    keep(tmp_path, [replace(run, outcome=replace(run.outcome, horizons=known))])
    (read,) = runs_in(tmp_path)
    assert read.outcome.horizons == known
    assert read.outcome.latest_horizons == (whole,)
    nested = read.outcome.horizon(words="dyck-2")
    assert nested is not None
    assert nested.language == language_named("shuffle-2 within dyck-2")
    assert not read.outcome.unanswered([HorizonAim(Search(12), words="dyck-2")])
    assert read.outcome.unanswered([HorizonAim(Search(12)), HorizonAim(Search(12), 2.0, words="dyck-2")])


def test_horizons_of_all_words_are_written_as_before() -> None:
    whole = made_up_horizons([HorizonAim(Search(4))])[0]
    assert "words" not in whole.as_dict()
    assert KnownHorizon.from_dict(whole.as_dict()) == whole
    assert KnownHorizon.from_dict(NESTED.as_dict(), SHUFFLE) == NESTED


def test_one_whose_words_are_not_at_hand_is_still_read() -> None:
    absent = replace(NESTED, words="mine#01234567")
    assert KnownHorizon.from_dict(absent.as_dict(), SHUFFLE) == absent


EXPERIMENT = """
language = ["dyck-1", "shuffle-2"]
cell = "lstm"
hidden = 2
runs = 8
training = 40
test = 10
short = "2:12"
long = "14:20"
epochs = 3
horizon = { max_length = 12, words = ["all", "training"] }
"""


def test_a_file_asks_for_several_each_once() -> None:
    plain, shuffled = parse_experiment(EXPERIMENT, "words.toml").tasks
    assert [aim.words for aim in plain.horizons] == [""]
    assert [aim.words for aim in shuffled.horizons] == ["", "dyck-2"]
    text = EXPERIMENT.replace('["all", "training"]', '"dyck-2-3"').replace('"dyck-1", ', "")
    one = parse_experiment(text, "words.toml")
    assert [aim.words for aim in one.tasks[0].horizons] == ["dyck-2-3"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("3", "horizon: words must be text, got 3"),
        ("[]", "horizon: words must be text"),
        ('"dyck-3"', "both need the same symbols"),
        ('"dyke-2"', "dyke-2"),
        ('"recognise:dyck-2"', "only says whether a string is a word"),
    ],
)
def test_a_file_with_other_words_is_refused(words: str, sentence: str) -> None:
    text = EXPERIMENT.replace('["all", "training"]', words).replace('"dyck-1", ', "")
    with pytest.raises((BadInput, UnknownName), match=sentence):
        parse_experiment(text, "words.toml")


def test_certificates_need_counters() -> None:
    with pytest.raises(BadInput, match="certificates are for languages that counters recognise"):
        parse_experiment(EXPERIMENT + "certify = true\n", "words.toml")


def test_tables_say_which_words() -> None:
    experiment = parse_experiment(EXPERIMENT.replace('"dyck-1", ', ""), "words.toml")
    whole = KnownHorizon(1.0, Horizon(4, None, Search(12), 1_024, looked=12))
    known = with_horizon((whole,), NESTED)
    done = [replace(run, outcome=replace(run.outcome, horizons=known)) for run in runs()]
    table = table_of(experiment, Results(Path("store"), tuple(done)))
    assert [(row["words"], row["proved median"], row["runs"]) for row in table.rows] == [
        ("all", 4.0, "8 of 8"),
        ("dyck-2", 12.0, "8 of 8"),
    ]
    assert "Words: all of the language" in table.note
    plain = parse_experiment(EXPERIMENT.replace(', words = ["all", "training"]', ""), "words.toml")
    assert "words" not in {column.key for column in table_of(plain, Results(Path("s"), ())).columns}


def test_a_frame_has_those_of_training_words() -> None:
    measured = replace(runs()[0], outcome=replace(runs()[0].outcome, horizons=(NESTED,)))
    results = Results(Path("store"), (measured, runs()[1]))
    columns = frame(results)
    assert np.array_equal(np.asarray(columns["support_proved"]), [12, np.nan], equal_nan=True)
    assert frame(results, ["support_proved>=12"])["key"] == [measured.key]
    with pytest.raises(UnknownName, match="--words training"):
        frame(Results(Path("store"), (runs()[1],)))["support_wrong"]


def test_training_words_need_a_run() -> None:
    with pytest.raises(BadInput, match="only of a run of a store"):
        on_words(SHUFFLE, "training")


def test_an_outcome_without_horizons_has_none_on_words() -> None:
    assert Outcome({}, (), None, 0.0, 0.0, {}).horizon(words="dyck-2") is None


def test_low_words_are_searched_where_all_are_too_many() -> None:
    """A wrong word is found beyond the lengths of which all words were looked at, and it is a nested one."""
    nested, beyond = language_named("shuffle-2 within dyck-2"), 0
    for run in runs():
        bracket = horizon(run.networks, 0, nested, Search(30, 16, 12))
        if bracket.wrong is not None:
            word = bracket.wrong.word
            assert word in language_named("dyck-2")
            packed = Words.of(SHUFFLE, np.array(word, np.uint8), np.array([0, len(word)]), "all")
            assert first_mistakes(run.networks, 0, packed)[0] == bracket.wrong.step - 1
            beyond += bracket.looked < len(word) - 1
    assert beyond


def test_python_has_them() -> None:
    settings: dict[str, Any] = {
        "hidden": 2,
        "epochs": 1,
        "train_words": 20,
        "test_words": 5,
        "progress": False,
    }
    effort = {"max_length": 6, "words": ["all", "training"]}
    results = ab.train("shuffle-2", "lstm", horizon=effort, **settings)
    assert {one.words for one in results[0].outcome.horizons} == {"", "dyck-2"}
    found = ab.horizon(results[0], max_length=6, words="training")
    known = results[0].outcome.horizon(words="dyck-2")
    assert known is not None
    assert replace(found, seconds=0) == replace(known, seconds=0)
    assert found == replace(ab.horizon(results[0], max_length=6, words="dyck-2"), seconds=found.seconds)
    failing = ab.failing_words(results[0], words="training", count=3, max_length=8)
    assert failing.words
    assert all(word in language_named("dyck-2") for word in failing.words)
    assert "shuffle-2 within dyck-2" in str(ab.certify(results[0], words="training", depth=1).asked)
