"""Experiments that define their own languages: a file is complete in itself, and so is a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.cells import cell_named
from abacist.corpora import ByLength, Uniform
from abacist.errors import BadInput
from abacist.experiments import (
    Outcome,
    Results,
    Run,
    Store,
    fitting,
    load_experiment,
    parse_experiment,
    run,
    run_as_toml,
    run_key,
)
from abacist.experiments.run_values import settings_of
from abacist.languages import Dyck, Recogniser, Shuffle, language_label, regular, shuffle
from abacist.report.own_runs import all_runs
from abacist.specs import Spec
from tests.experiments.cases import made_up, view
from tests.languages.random_automata import more_than

COMMON = 'cell = "rnn"\nhidden = 2\nruns = 1\nepochs = 1\ntraining = 20\ntest = 5\n'

MORE = """
[languages.more]
name = "n>m"
kind = "counter"
accepting = ["A +", "B +"]
moves = ["A a * A +", "A b + B -", "B b + B -"]
"""


def test_a_table_is_a_language() -> None:
    (task,) = parse_experiment(COMMON + '[language]\nregex = "(ab|c)*"\n', "own.toml").tasks
    assert task.spec.language == regular("(ab|c)*")
    assert task.spec.source is None
    assert task.spec.recipe(0).source == ByLength()


def test_a_language_is_named_by_its_table() -> None:
    text = 'language = ["dyck-1", "more"]\nuniform = true\nby_count = true\n' + COMMON + MORE
    first, second = parse_experiment(text, "own.toml").tasks
    assert (first.spec.language, second.spec.language) == (Dyck(1), more_than())
    assert second.spec.source == Uniform()


def test_a_shuffle_names_its_parts() -> None:
    mixed = '[languages.mixed]\nkind = "shuffle"\nparts = ["more", "dyck-1"]\n'
    (task,) = parse_experiment('language = "mixed"\n' + COMMON + MORE + mixed, "own.toml").tasks
    assert task.spec.language == Shuffle((more_than(), Dyck(1)), "mixed")
    with pytest.raises(BadInput, match=r"languages.mixed: must not be a part of itself"):
        parse_experiment('language = "mixed"\n' + COMMON + mixed.replace("more", "mixed"), "own.toml")


def test_shuffles_of_a_file_s_languages_are_written_like_others() -> None:
    (task,) = parse_experiment('language = "more||dyck-1"\n' + COMMON + MORE, "own.toml").tasks
    assert task.spec.language == Shuffle((more_than(), Dyck(1)), "more || dyck-1")


def test_recognisers_of_a_file_s_languages_are_written_like_others() -> None:
    text = 'language = ["recognise:more", "recognise:dyck-1 || more", "recognise:dyck-1"]\n'
    tasks = parse_experiment(text + COMMON + MORE, "own.toml").tasks
    mixed = Shuffle((Dyck(1), more_than()), "dyck-1 || more")
    assert [task.spec.language for task in tasks] == [*map(Recogniser, (more_than(), mixed, Dyck(1)))]
    own = '[language]\nkind = "recogniser"\nof = "dyck-1"\n'
    assert parse_experiment(COMMON + own, "own.toml").tasks[0].spec.language == Recogniser(Dyck(1))


def test_languages_of_one_name_are_told_apart_by_their_content() -> None:
    specs = [Spec(regular(text, title="mine"), cell_named("rnn"), 2) for text in ("(aa|b)*", "(bb|a)*")]
    runs = [made_up(spec, 0, {}) for spec in specs]
    labels = tuple(sorted(language_label(spec.language) for spec in specs))
    assert all_runs(view(runs[:1])).values("language") == ("mine",)
    assert all_runs(view(runs)).values("language") == labels
    assert fitting(runs, ["language=mine"]) == runs
    assert fitting(runs, [f"language={language_label(specs[1].language)}"]) == runs[1:]


def test_lengths_are_said_in_files() -> None:
    text = 'language = "dyck-1"\nlength_weights = "10..20:2,60..62:1"\n' + COMMON
    (task,) = parse_experiment(text, "own.toml").tasks
    assert task.spec.source == ByLength.parse("60..62:1,10..20:2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('language = "mine"\n', "unknown language 'mine'"),
        ("language = 3\n", "language must be text in quotes or a table, got 3"),
        ("languages = 3\nlanguage = 'dyck-1'\n", r"are tables, written \[languages.NAME\]"),
        ("language = { regex = '(a' }\n", "ends before a bracket is closed"),
        ("language = { kind = 'finite' }\n", "the field 'accepting' is missing"),
        ("language = { regex = 'a*', name = 'Parity' }\n", "a language named Parity comes with Abacist"),
        ("language = { regex = 'a*', name = 2024-01-01 }\n", "must be made of texts, numbers, lists"),
    ],
)
def test_what_is_no_language_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"own.toml: .*{why}"):
        parse_experiment(text + COMMON, "own.toml")


@pytest.mark.parametrize(
    "language",
    [regular("(ab)*c", title="x"), more_than(), shuffle(regular("(ab)*"), Dyck(1))],
    ids=["finite", "counter", "shuffle"],
)
@pytest.mark.parametrize("source", [None, ByLength.parse("3..5:1,53:2,60:1")], ids=["usual", "weighted"])
def test_specs_survive_plain_values_and_files(language: object, source: ByLength | None) -> None:
    spec = Spec(language, cell_named("rnn"), 2, training=1, test=1, source=source)  # type: ignore[arg-type]
    assert Spec.from_dict(spec.as_dict()) == spec
    assert settings_of(spec)["language"] == language_label(spec.language)
    assert settings_of(spec)["language"].startswith(f"{spec.language.name}#")


def test_the_key_of_a_run_is_that_of_its_language_however_it_was_written() -> None:
    keys = {
        run_key(Spec(regular(text, title="x", glyphs=("a", "b")), cell_named("rnn"), 2), 0)
        for text in ("(a|b)*a", "b*a(b*a)*", "([ab]*a)+")
    }
    assert len(keys) == 1
    assert run_key(Spec(regular("(a|b)*b", title="x"), cell_named("rnn"), 2), 0) not in keys


def test_a_store_keeps_the_language(tmp_path: Path) -> None:
    experiment = parse_experiment('language = "more"\n' + COMMON + MORE, "own.toml")
    with Store(tmp_path) as store:
        run(experiment.tasks, store)
    with Store(tmp_path) as store:
        (stored,) = Results.of(store).runs
    assert isinstance(stored, Run)
    assert isinstance(stored.outcome, Outcome)
    assert stored.spec.language == more_than()
    (again,) = parse_experiment(run_as_toml(stored), "run.toml").tasks
    assert run_key(again.spec, stored.seed) == stored.key


def test_the_example_is_an_experiment() -> None:
    path = Path(__file__).parents[2] / "examples" / "own-language.toml"
    languages = [task.spec.language for task in load_experiment(path).tasks]
    assert [language.name for language in languages] == ["pairs", "more", "mirror"]
    assert "abcba" in languages[2]
    assert "abcab" not in languages[2]
