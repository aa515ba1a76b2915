"""A spec: everything that a run depends on but its seed; `experiments/plan.py` makes a run's key of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Annotated, Any, Self

from abacist.cells import (
    NEXT_SYMBOL,
    OBJECTIVES,
    Cell,
    Initialisation,
    Layout,
    OutsideModel,
    cell_named,
    cell_written,
    stacked,
    written_cell,
)
from abacist.cells.layers import MOST_LAYERS
from abacist.corpora import (
    PAPER,
    STEPS,
    Recipe,
    Source,
    Split,
    Window,
    default_source,
    paper_recipe,
    source_from_values,
    source_values,
)
from abacist.errors import BadField
from abacist.field_names import check_names, keywords_answered
from abacist.fields import Choice, Field, Range, check_type, checked, normalise_fields, records
from abacist.languages import (
    Language,
    Recogniser,
    language_asked_for,
    language_from_values,
    language_values,
    refuse_recogniser,
)
from abacist.optimisers import OPTIMISERS, Rule, Schedule
from abacist.specs.lesson import Lesson
from abacist.specs.networks import PRECISIONS
from abacist.specs.pretraining import Pretraining
from abacist.wording import one_of, plural

#: Orders of words: shuffled for all runs alike, by length; each run its own; as drawn, in every epoch.
ORDERS = ("shared", "own", "fixed")

_FRACTION, _WORDS = Range(0, below=1), Range(1, 100_000_000)

_LARGER = ", ".join(
    f"{task.training:,} for {task.language}" for task in PAPER.tasks if task.training != PAPER.training
)

#: A field that says how networks are made and trained.
_trains = partial(Field, trains=True)

#: How likely something must be to count as predicted, by how likely it is if all are alike.
_POSSIBLE = 0.1


#: The types that are written down in plain values: as what, how, and how they are read back.
PLAIN: dict[type, tuple[tuple[type, ...], Callable[[Any], Any], Callable[[Any], Any]]] = {
    Language: ((str, dict), language_values, language_from_values),
    Cell: ((str,), written_cell, cell_written),
    Source: ((dict,), source_values, source_from_values),
    Window: ((str,), str, Window.parse),
    Schedule: ((str,), str, Schedule.parse),
    Initialisation: ((str,), str, Initialisation.parse),
    Lesson: ((dict,), Lesson.as_dict, Lesson.from_dict),
    Pretraining: ((dict,), Pretraining.as_dict, Pretraining.from_dict),
}


def plain_value(value: Any) -> Any:
    """A value as it is written down."""
    return next((write(value) for kind, (_, write, _) in PLAIN.items() if isinstance(value, kind)), value)


def written_types(types: tuple[type, ...]) -> tuple[type, ...]:
    """The types that the values of a field have where they are written down."""
    return tuple(written for kind in types for written in (PLAIN[kind][0] if kind in PLAIN else (kind,)))


def read_values(cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a dataclass out of plain values, each checked by itself."""
    return {name: _read(cls, record, values[name]) for name, record in records(cls).items() if name in values}


def _read(cls: type, record: Field, value: Any) -> Any:
    check_type(cls.__name__, replace(record, types=written_types(record.types)), value)
    plain = next((PLAIN[kind] for kind in record.types if kind in PLAIN), None)
    if plain is None or value is None:
        record.check_rule(cls.__name__, value)
        return value
    written, _, read = plain
    try:
        return read(value)
    except BadField as error:
        if written != (str,):
            raise
        raise BadField(cls.__name__, record.name, error.rule, error.value) from None


#: What reads a text that stands for the value of a field.
_TEXTS: Mapping[str, Callable[[Any], Any]] = {
    "language": language_asked_for,
    "cell": cell_named,
    "short": Window.parse,
    "long": Window.parse,
    "schedule": Schedule.parse,
    "init": Initialisation.parse,
}


@keywords_answered
@dataclass(frozen=True)
class Spec:
    """What to train, on what, and how.

    >>> Spec("dyck-1", "lstm", hidden=2, short="2:20").short
    Window(low=2, high=20)

    What is said of a field besides its type and default is its record (`Field`): its rule, its option's help,
    its names in tables and in the report. A new field is one such record, and nothing else.

    Left out, sizes, windows and `source` are those of `paper_recipe`. `decay` is the decoupled one of AdamW.
    `optimiser` is one of `OPTIMISERS`, which say what numbers they read; gradients are clipped as PyTorch
    does it. A `schedule` that is a cosine without a period gets the epochs as its period, and keeps it where
    another spec is made of this one. With the objective next-symbol the ends of words are marked, and an
    output is predicted where its probability exceeds the `threshold`.
    """

    # fmt: off
    language: Annotated[Language[Any], Field(first=True)]
    cell: Annotated[Cell, Field(first=True)]
    hidden: Annotated[int, _trains(
        "Hidden units.", Range(1, 256), first=True, outside=1)] = PAPER.tasks[0].hidden
    epochs: Annotated[int, _trains(
        "Passes over the training set.", Range(0, 1_000_000), first=True, outside=0)] = 20
    batch: Annotated[int, _trains("Words per update; the loss is their mean.", Range(1), first=True)] = 1
    rate: Annotated[float, _trains(
        "The optimiser's learning rate.", Range(above=0), heading="Adam’s rate", first=True)] = 0.001
    beta1: Annotated[float, _trains(
        "How much Adam keeps of its mean of gradients.", _FRACTION, heading="β₁", first=True)] = 0.9
    beta2: Annotated[float, _trains(
        "How much Adam keeps of its mean of squared gradients.", _FRACTION, heading="β₂", first=True)] = 0.999
    epsilon: Annotated[float, _trains(
        "What Adam adds to a denominator.", Range(above=0), heading="ε", first=True)] = 1e-8
    precision: Annotated[str, _trains(f"{one_of(PRECISIONS)}.", Choice(PRECISIONS), first=True)] = "float32"
    steps: Annotated[str, Field(
        "Which steps count: all, or last (only the last bracket).", Choice(STEPS),
        heading="steps that count", first=True)] = "all"
    source: Annotated[Source | None, Field(
        heading="words", first=True, filled=lambda recipe: recipe.source)] = None
    training: Annotated[int | None, Field(
        "Words for training.", _WORDS, "train-words", "training", usual=f"{PAPER.training:,}; {_LARGER}",
        heading="training words", first=True,
        filled=lambda recipe: recipe.splits[0].count)] = None
    test: Annotated[int, Field(
        "Words in each test set.", _WORDS, "test-words", "test",
        heading="words in each test set", first=True)] = PAPER.test
    short: Annotated[Window, Field(
        "Lengths of words in the training and short test sets.", None, "train-lengths", "lengths", "LOW:HIGH",
        heading="lengths of training and short set", first=True)] = PAPER.short
    long: Annotated[Window, Field(
        "Lengths of words in the long test set.", None, "long-lengths", "long", "LOW:HIGH",
        heading="lengths of long set", first=True)] = PAPER.long
    decay: Annotated[float, _trains("How weights decay, as those of AdamW.", Range(0.0))] = 0.0
    order: Annotated[str, _trains(
        "How a run visits its words: shared (all runs alike, by length), own (shuffled by its seed), "
        "fixed (as drawn, in every epoch).", Choice(ORDERS))] = "shared"
    lesson: Annotated[Lesson | None, _trains()] = None
    pool: Annotated[int, Field(
        "How many corpora there are, which runs share: run r has the words of run r modulo POOL. 0: each "
        "run has its own.", Range(0))] = 0
    optimiser: Annotated[str, _trains(
        f"How weights are updated: {one_of(OPTIMISERS)}.", Choice(OPTIMISERS))] = "adam"
    momentum: Annotated[float, _trains("The momentum of sgd and rmsprop.", _FRACTION)] = 0.0
    smoothing: Annotated[float, _trains(
        "How much rmsprop keeps of its mean of squared gradients.", _FRACTION)] = 0.99
    clip_norm: Annotated[float, _trains("The largest norm of a gradient; 0: not clipped.", Range(0.0))] = 0.0
    clip_value: Annotated[float, _trains(
        "The largest size of each number of a gradient; 0: not clipped.", Range(0.0))] = 0.0
    layers: Annotated[int, _trains(
        "Layers, each of which reads the hidden units of the one below.", Range(1, MOST_LAYERS))] = 1
    objective: Annotated[str, _trains(
        f"Training loss: {one_of(OBJECTIVES)}.", Choice(OBJECTIVES))] = "squared"
    threshold: Annotated[float, _trains(
        "With next-symbol: how likely something must be to count as predicted; 0: one tenth of the uniform "
        "probability.", _FRACTION)] = 0.0
    distinct: Annotated[bool, Field(
        "Draw each word by itself, so that likely ones come again and again; without it, all words of all "
        "sets are distinct.", option="repeats", column="distinct")] = True
    schedule: Annotated[Schedule, _trains(
        "How the learning rate changes: constant, cosine[:EPOCHS], falling to 0, or step:EPOCHS[:FACTOR].",
        metavar="SCHEDULE")] = Schedule()
    init: Annotated[Initialisation, _trains(
        "Initial weights: usual, orthogonal (recurrent matrices), forget:BIAS (added to the biases of forget "
        "gates), or orthogonal+forget:BIAS.", metavar="INIT", heading="initial weights")] = Initialisation()
    pretrain: Annotated[Pretraining | None, _trains()] = None
    carry_states: Annotated[bool, _trains(
        "In training, begin a word with the states at the end of the one before it.")] = False
    state_noise: Annotated[float, _trains(
        "In training, the standard deviation of noise on the states that a word begins with.",
        Range(0.0))] = 0.0
    # fmt: on

    def __post_init__(self) -> None:
        for name, read in _TEXTS.items():
            if isinstance(value := getattr(self, name), str | list | tuple if read is Window.parse else str):
                object.__setattr__(self, name, read(value))
        normalise_fields(self)
        if self.cell.count > 1:  # said so or by its number of layers, it is the same spec
            object.__setattr__(self, "layers", self.layers * self.cell.count)
            object.__setattr__(self, "cell", self.cell.layer)
            records(Spec)["layers"].check_rule("Spec", self.layers)
        if self.schedule == Schedule("cosine"):
            object.__setattr__(self, "schedule", Schedule("cosine", max(self.epochs, 1)))
        for name, usual in _not_read(self.optimiser):
            if getattr(self, name) != usual:
                why = f"is not read by {self.optimiser}, so it must be {usual}"
                raise BadField("Spec", name, why, str(getattr(self, name)))
        if fault := self.init.fault(self.cell):
            raise BadField("Spec", "init", fault, str(self.init))
        if self.objective == NEXT_SYMBOL:
            refuse_recogniser(self.language, f"objective {NEXT_SYMBOL}")
            object.__setattr__(self, "language", self.language.marked())
        elif self.threshold:
            raise BadField("Spec", "threshold", f"must be 0 but for {NEXT_SYMBOL}", str(self.threshold))
        if self.source is not None and self.source == default_source(self.language):
            object.__setattr__(self, "source", None)  # said or left out, it is the same spec
        if len(self.language.alphabet) > 254:
            symbols = str(len(self.language.alphabet))
            raise BadField("Spec", "language", "must have at most 254 symbols to be trained on", symbols)
        if isinstance(self.language, Recogniser) and self.steps != "all":
            why = "must be all for a recogniser, of which only the end of a string counts"
            raise BadField("Spec", "steps", why, self.steps)
        if self.lesson is not None:
            refuse_recogniser(self.language, "Lesson")
            self.lesson.check(self.epochs, self.cell, self.language)
        if self.pretrain is not None:
            self.pretrain.check(self.objective, self.cell, self.lesson)
        if self.states_begin and not self.cell.begins_anywhere:
            name = self.states_begin[0]
            why = f"cannot be set for {self.cell.name}, whose states are not all vectors of hidden units"
            raise BadField("Spec", name, why, str(getattr(self, name)))
        for name, value in NOT_OUTSIDE.items() if self.outside else ():
            if getattr(self, name) != value:
                why = f"must be {value} for {self.cell.name}, a model from outside, which is not trained here"
                raise BadField("Spec", name, why, str(getattr(self, name)))

    def __repr__(self) -> str:
        """What makes it again, without what is as usual."""
        settings = (
            f"{one.name}={plain_value(value)!r}"
            for one in list(records(Spec).values())[2:]
            if (value := getattr(self, one.name)) != one.default
        )
        return f"Spec({', '.join((repr(self.language.name), repr(self.cell.name), *settings))})"

    @property
    def outside(self) -> bool:
        """Whether it is of a model from outside, which is judged here, but neither made nor trained."""
        return isinstance(self.cell, OutsideModel)

    @property
    def rule(self) -> Rule:
        """How its weights are updated."""
        return Rule(self.optimiser, self.decay != 0, self.clip_norm > 0, self.clip_value > 0)

    @property
    def states_begin(self) -> tuple[str, ...]:
        """The fields by which words begin with other states than zero in training."""
        return tuple(name for name in ("carry_states", "state_noise") if getattr(self, name))

    @cached_property
    def pretraining(self) -> Spec | None:
        """The spec of its first phase, if it has one."""
        if self.pretrain is None:
            return None
        return replace(self, pretrain=None, **self.pretrain.settings())

    @property
    def units(self) -> str:
        """Its sizes in words: `3 hidden units`, or `2 layers of 3 hidden units`."""
        units = plural(self.hidden, "hidden unit")
        return units if self.layers == 1 else f"{self.layers} layers of {units}"

    @cached_property
    def layout(self) -> Layout:
        """The sizes of the network."""
        outputs = self.language.outputs
        likely = self.threshold or _POSSIBLE / outputs
        return Layout(
            stacked(self.cell, self.layers),
            len(self.language.alphabet),
            self.hidden,
            outputs,
            likely if self.objective == NEXT_SYMBOL else None,
        )

    def words_seed(self, seed: int) -> int:
        """The seed that the words of a run come from."""
        return seed % self.pool if self.pool else seed

    def recipe(self, seed: int) -> Recipe:
        """The corpora of the run with a seed."""
        return paper_recipe(
            self.language,
            seed=self.words_seed(seed),
            source=self.source,
            training=self.training,
            test=self.test,
            short=self.short,
            long=self.long,
            distinct=self.distinct,
        )

    @cached_property
    def splits(self) -> tuple[Split, ...]:
        """Sizes and lengths of a run's corpora, the same for every seed."""
        return self.recipe(0).splits

    def as_dict(self) -> dict[str, Any]:
        """The spec in plain values, for JSON."""
        return {name: plain_value(getattr(self, name)) for name in records(type(self))}

    def key_values(self) -> dict[str, Any]:
        """The plain values that name a run of this spec: its first fields, others where not as usual."""
        fields = records(type(self))
        return {
            name: value
            for name, value in self.as_dict().items()
            if fields[name].first or value != plain_value(fields[name].default)
        }

    @cached_property
    def key_text(self) -> str:
        """The same as JSON, made once: thousands of runs share a spec."""
        return json.dumps(self.key_values(), sort_keys=True)

    @cached_property
    def key_text_but_epochs(self) -> str:
        """What specs have in common whose networks are the same as long as they are trained."""
        return self.key_text if self.lesson is not None else replace(self, epochs=0).key_text

    @classmethod
    @checked
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `as_dict`; what is left out has its default."""
        check_names(cls, values)
        return cls(**read_values(cls, values))


#: How networks are made and trained, which says nothing of a model from outside, and what stands there then.
NOT_OUTSIDE: dict[str, Any] = {
    record.name: record.default if record.outside is None else record.outside
    for record in records(Spec).values()
    if record.trains
}


@cache
def _not_read(optimiser: str) -> tuple[tuple[str, Any], ...]:
    """The settings of other optimisers that one does not read, and what they usually are."""
    every = dict.fromkeys(name for rule in OPTIMISERS.values() for name in rule.settings)
    read, fields = OPTIMISERS[optimiser].settings, records(Spec)
    return tuple((name, fields[name].default) for name in every if name not in read)
