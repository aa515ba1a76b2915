"""A source of words is one class: what it draws, weighs and writes follows, for one of one's own, too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from abacist.cells import CELLS
from abacist.corpora import (
    SOURCES,
    Grammar,
    Recipe,
    Source,
    SourceChoice,
    Split,
    Uniform,
    Window,
    default_source,
    draw,
    source_from_values,
    source_values,
)
from abacist.errors import BadInput
from abacist.languages import Dyck, Language, Word, language_named
from abacist.specs import Spec


@dataclass(frozen=True)
class Deepest(Source):
    """The deepest word of every length, ((…)): one that nobody has thought of."""

    words: ClassVar[str] = "deepest"

    def support(self, language: Language[Any]) -> Language[Any]:
        return language_named("anbn").renamed(language.alphabet.glyphs)

    def longest(self, language: Language[Any]) -> int:
        return 1_000

    def length_weights(self, language: Language[Any], window: Window) -> dict[int, Any]:
        return {n: 1 for n in window.lengths if n % 2 == 0}

    def word_weight(self, language: Language[Any], word: Word, window: Window, length_weight: Any) -> Any:
        return length_weight

    def filler(self, language: Language[Any], longest: int) -> Any:
        raise NotImplementedError("all its words are listed in these tests")

    def values(self) -> dict[str, str | None]:
        return {}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Deepest:
        return cls()


@pytest.fixture
def deepest(monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.setitem(SOURCES, "deepest", Deepest)
    return Deepest()


def test_a_source_of_ones_own_is_drawn_from_and_written_down(deepest: Source) -> None:
    recipe = Recipe(Dyck(1), deepest, (Split("all", Window(2, 8), 4),), 1)
    assert sorted(draw(recipe)["all"].texts(), key=len) == ["()", "(())", "((()))", "(((())))"]
    assert Recipe.from_dict(json.loads(json.dumps(recipe.as_dict()))) == recipe
    spec = Spec(Dyck(1), CELLS["lstm"], source=deepest)
    assert Spec.from_dict(json.loads(json.dumps(spec.as_dict()))) == spec


@pytest.mark.parametrize(
    ("source", "values"),
    [
        (Grammar(), {"words": "grammar", "grammar": "1/2,1/4"}),
        (Uniform(), {"words": "uniform", "grammar": None}),
        (Uniform(Grammar.parse("2/5,1/3")), {"words": "uniform", "grammar": "2/5,1/3"}),
    ],
)
def test_plain_values_are_as_they_always_were(source: Source, values: dict[str, Any]) -> None:
    assert source_values(source) == values
    assert source_from_values(values) == source


@pytest.mark.parametrize(
    "values",
    [{}, {"words": "grammar"}, {"words": "grammar", "grammar": None}, {"words": [], "grammar": None},
     {"words": "wishes", "grammar": None}, {"words": "uniform", "grammar": 3}],
    ids=str,
)  # fmt: skip
def test_other_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refusal:
        source_from_values(values)
    assert "\n" not in str(refusal.value)


BRACKETS, LETTERS = ("dyck-1", "dyck-2", "shuffle-2", "shuffle-6"), ("anbn", "anbncn", "anbn || dyck-1")


@pytest.mark.parametrize("name", BRACKETS)
def test_what_is_asked_for_brackets(name: str) -> None:
    language, other = language_named(name), Grammar.parse("2/5,1/3")
    assert SourceChoice().of(language) == default_source(language) == Grammar()
    assert SourceChoice(grammar="2/5,1/3").of(language) == other
    assert SourceChoice(uniform=True).of(language) == Uniform(Grammar())
    assert SourceChoice(uniform=True, grammar="2/5,1/3").of(language) == Uniform(other)
    assert SourceChoice(uniform=True, by_count=True).of(language) == Uniform()


@pytest.mark.parametrize("name", LETTERS)
def test_what_is_asked_for_letters_has_no_lengths_of_brackets(name: str) -> None:
    language = language_named(name)
    for by_count in (False, True):
        assert SourceChoice(uniform=True, by_count=by_count).of(language) == Uniform()
    assert SourceChoice().of(language) == Uniform()
    for uniform in (False, True):
        with pytest.raises(BadInput, match="the grammar draws only brackets"):
            SourceChoice(grammar="1/2,1/4", uniform=uniform).of(language)


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^by-count goes with uniform"):
        SourceChoice(by_count=True).of(Dyck(1))
    with pytest.raises(BadInput, match="both say how long words are"):
        SourceChoice(uniform=True, by_count=True, grammar="1/2,1/4").of(Dyck(1))


def test_a_source_says_what_it_can_draw() -> None:
    counts = Uniform(Grammar()).counts(language_named("anbncn"), 6)
    assert counts == [0, 0, 0, 0, 0, 0, 1]
    assert Uniform().counts(language_named("anbncn"), 6) == [0, 0, 0, 1, 0, 0, 1]
    assert Grammar().support(language_named("shuffle-2")).name == "dyck-2"
