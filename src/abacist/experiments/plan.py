"""A plan: the runs an experiment asks for, a run's key (`run_key`), and shards of a plan."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, Self

from abacist.analysis import Search
from abacist.cells.sharpening import without_gates
from abacist.corpora import EDITS, LONGEST_EDITED, Grammar, Recipe, Split, Uniform
from abacist.corpora.uniform import parts_of
from abacist.errors import BadInput, UnknownName
from abacist.fields import Field, Normalised, Range, check_fields, checked, expect, short_repr
from abacist.languages import (
    Language,
    Recogniser,
    language_asked_for,
    language_from_text,
    language_text,
    on_words_of,
    words_in,
)
from abacist.specs import Spec
from abacist.wording import unknown

#: The sets of words that the paper judges its networks on.
PAPER_SETS = ("training", "short", "long")

#: Sets of a shuffle language: words of the language proper, in which brackets cross, uniform among those of
#: their length, with the same lengths and numbers; and the same without any crossing, for comparison.
_CROSSING, _NESTED = "crossing", "nested"
_TESTS = tuple(name for name in PAPER_SETS if name != "training")

#: Sets on which networks are judged as recognisers: the words of a test set, each of which is to be taken,
#: and for every kind of edit strings near such words, each of which is to be rejected.
MEMBERS = "members"
RECOGNITION_SETS = tuple(f"{kind} {name}" for name in _TESTS for kind in (MEMBERS, *EDITS))

#: All sets that a network can be judged on.
_SHUFFLES = tuple(f"{kind} {name}" for kind in (_CROSSING, _NESTED) for name in _TESTS)
SETS = (*PAPER_SETS, *_SHUFFLES, *RECOGNITION_SETS)

#: Runs of a task at most.
MOST_RUNS = 100_000

#: Neighbouring seeds that stay together: as many runs as a core trains for the price of one. It says which
#: runs are in a shard, so it never changes, whatever targets have for blocks.
_GROUP = 16


#: The words that a horizon is about: all of the language, or those that training words are drawn from. Others
#: are those of a language, by its name.
ALL_WORDS, TRAINING_WORDS = "all", "training"


@dataclass(frozen=True)
class HorizonAim(Normalised):
    """A horizon to be known: of a network whose gates are sharpened by a factor, 1 for as it is.

    With `certify` also whether the network can be proved right on every word, whatever its length. `words`
    is the text of the language whose words it is about, empty for all.
    """

    search: Search
    factor: Annotated[float, Field(rule=Range(above=0))] = 1.0
    certify: bool = False
    words: str = ""

    @property
    def question(self) -> tuple[float, str]:
        """What it is about, however hard it is looked for."""
        return self.factor, self.words


@lru_cache(maxsize=10_000)
def training_words(spec: Spec) -> Language[Any]:
    """The language that training words are drawn from; where others are fed back, they may be any words."""
    fed = spec.lesson is not None and spec.lesson.feed != "nothing"
    return spec.language.word_language if fed else spec.recipe(0).support


@checked
def on_words(language: Language[Any], words: str | Language[Any], spec: Spec | None = None) -> Language[Any]:
    """A language on some of its words: all, those that runs of a spec are trained on, or those of another.

    >>> on_words(language_asked_for("shuffle-2"), "dyck-2").name
    'shuffle-2 within dyck-2'
    """
    if words in ("", ALL_WORDS):
        return language
    if words != TRAINING_WORDS:
        return on_words_of(language, language_asked_for(words))
    if spec is None:
        raise BadInput(
            "words training: only of a run of a store it is known which words it was trained on; "
            "name a language, such as dyck-2"
        )
    return on_words_of(language, training_words(spec))


@lru_cache(maxsize=1 << 10)
def on_stored_words(language: Language[Any], words: str) -> Language[Any]:
    """The language on words of which there is the text that `words_text` gives."""
    return on_words_of(language, language_from_text(words)) if words else language


def texts_of_words(words: Any, spec: Spec) -> tuple[str, ...]:
    """What `words_text` gives of one or several sets of words, each once."""
    asked, whole = words if isinstance(words, list | tuple) and words else [words], spec.language
    for one in asked:
        expect("horizon: words", one, str)
    return tuple(dict.fromkeys(words_text(on_words(whole, one, spec), whole) for one in asked))


def words_text(language: Language[Any], whole: Language[Any]) -> str:
    """The text of the words of a language that is another one on some of its words; empty for all of them."""
    words = words_in(language, whole)
    return "" if words is None else language_text(words)


@dataclass(frozen=True)
class Task:
    """One spec of an experiment: its seeds, the sets to judge on, and the epochs to judge at.

    `horizons` are those that are to be known of every network in the end. A `label` says in words what is
    special about the task, in place of its settings.
    """

    experiment: str
    spec: Spec
    seeds: tuple[int, ...]
    sets: tuple[str, ...] = PAPER_SETS
    at_epochs: tuple[int, ...] = ()
    horizons: tuple[HorizonAim, ...] = ()
    label: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        if fault := next(self._faults(), None):
            raise BadInput(fault)

    def _faults(self) -> Iterator[str]:
        """What is wrong with it, if anything."""
        spec, sets = self.spec, set(self.sets)
        if spec.outside:
            yield f"Task: {spec.cell.name} can only be judged, by judge_model, and not trained"
        for name in self.sets:
            if name not in SETS:
                yield unknown("set", name, SETS)
        if isinstance(spec.language, Recogniser) and sets - set(PAPER_SETS):
            yield f"sets of a recogniser, with both words and strings near them, are {', '.join(PAPER_SETS)}"
        if sets & set(_SHUFFLES) and len(parts_of(spec.language)) < 2:
            yield f"sets: no brackets cross in words of {spec.language.name}, only in shuffles"
        if sets & set(RECOGNITION_SETS):
            if spec.steps != "all":
                yield f"sets: recognition needs all steps, got steps = {spec.steps!r}"
            if (longest := max(spec.short.high, spec.long.high)) > LONGEST_EDITED:
                yield f"sets: words of at most {LONGEST_EDITED:,} symbols can be edited, got {longest:,}"
        if len(set(self.seeds)) < len(self.seeds) or min(self.seeds, default=0) < 0:
            yield f"Task: seeds must be different and at least 0, got {short_repr(self.seeds)}"
        factors, questions = ([getattr(a, of) for a in self.horizons] for of in ("factor", "question"))
        if len(set(questions)) < len(questions):
            yield f"Task: each factor has one horizon, got {short_repr(factors)}"
        if any(factor != 1 for factor in factors) and not spec.cell.sharpens:
            yield f"Task: {without_gates(spec.cell.name)}"
        for epoch in self.at_epochs:
            if not 0 <= epoch <= spec.epochs:
                yield f"{self.experiment}: at_epochs must lie within the {spec.epochs} epochs, got {epoch}"

    @property
    def epochs(self) -> tuple[int, ...]:
        """All epochs after which the networks are judged, the last included."""
        return tuple(sorted({*self.at_epochs, self.spec.epochs}))

    def only(self, keeps: Callable[[int], bool]) -> Task:
        """The task with some of its seeds alone."""
        return replace(self, seeds=tuple(filter(keeps, self.seeds)))

    def wanted(self) -> set[tuple[str, int]]:
        """The accuracies that are asked for: (set, epoch)."""
        return {(name, epoch) for name in self.sets for epoch in self.epochs}


@checked
def run_key(spec: Spec, seed: int) -> str:
    """The name of a run in a store: its content, so that another spec never reuses it.

    Which fields are hashed, now and once there are more, is said at `Field`.
    """
    return key_of_text(spec.key_text, seed)


def key_of_text(text: str, seed: int) -> str:
    """The name of a run whose spec is written down so; large stores ask a hundred thousand times."""
    return hashlib.sha256(f'{{"seed": {seed}, "spec": {text}}}'.encode()).hexdigest()[:24]


@checked
def set_recipe(spec: Spec, seed: int, name: str) -> tuple[Recipe, str]:
    """The recipe that a set of words comes from, and the name of its split there.

    Of strings outside the language it is the recipe of the words that they are near to.
    """
    if name not in SETS:
        raise UnknownName(unknown("set", name, SETS))
    recipe = spec.recipe(seed)
    kind, _, split = name.rpartition(" ")
    if kind in ("", MEMBERS):
        return recipe, split
    uniform = Uniform(recipe.source.derived_by or Grammar(), nested=kind == _NESTED)
    source = recipe.source if kind in EDITS else uniform
    splits = tuple(Split(s.name, s.window, s.count) for s in recipe.splits if s.name in _TESTS)
    return Recipe(recipe.language, source, splits, recipe.seed), split


@dataclass(frozen=True)
class Shard:
    """One of `count` parts of a plan, from 1 on; the parts are disjoint, and together they are all of it."""

    number: int
    count: int

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.number <= self.count:
            raise BadInput(f"Shard: its number must be from 1 to {self.count}, got {self.number}")

    @classmethod
    @checked
    def parse(cls, text: str) -> Self:
        """The inverse of `str`.

        >>> Shard.parse("2/8")
        Shard(number=2, count=8)
        """
        number, _, count = text.partition("/")
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in (number, count)):
            raise BadInput(f"a shard is written i/n, such as 2/8, got {text!r}")
        if not 1 <= int(number) <= int(count):
            raise BadInput(f"a shard i/n has i from 1 to n, got {text!r}")
        return cls(int(number), int(count))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @checked
    def of(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks with the seeds that are in this shard; those without any are left out."""
        return [part for part in map(self._part, tasks) if part.seeds]

    def _part(self, task: Task) -> Task:
        """A task with the seeds whose runs are in this shard.

        It depends on what a run's key is made of and on nothing else: neither on the machine, its blocks and
        its store, nor on the other runs of the plan. Groups of neighbouring seeds go round the shards, from
        one that the spec says; runs that differ in their epochs alone are trained at once, so they share one.
        """
        first = int.from_bytes(hashlib.sha256(task.spec.key_text_but_epochs.encode()).digest()[:8])
        return task.only(lambda seed: (first + seed // _GROUP) % self.count == self.number - 1)
