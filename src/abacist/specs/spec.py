"""A spec: everything that a run depends on, besides its seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from typing import Any, Self

from abacist.cells import (
    NEXT_SYMBOL,
    OBJECTIVES,
    Cell,
    Layout,
    OutsideModel,
    cell_written,
    stacked,
    written_cell,
)
from abacist.cells.layers import MOST_LAYERS
from abacist.cells.sharpening import without_gates
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
from abacist.errors import BadInput
from abacist.fields import checked, declared, expect, normalise_fields
from abacist.languages import Language, language_from_values, language_values
from abacist.optimisers import OPTIMISERS, Rule
from abacist.specs.lesson import Lesson
from abacist.specs.networks import PRECISIONS
from abacist.wording import one_of, several

#: Orders of words: shuffled for all runs alike, by length; each run its own; as drawn, in every epoch.
ORDERS = ("shared", "own", "fixed")

#: The types that are written down in plain values: as what, how, and how they are read back.
PLAIN: dict[type, tuple[tuple[type, ...], Callable[[Any], Any], Callable[[Any], Any]]] = {
    Language: ((str, dict), language_values, language_from_values),
    Cell: ((str,), written_cell, cell_written),
    Source: ((dict,), source_values, source_from_values),
    Window: ((str,), str, Window.parse),
    Lesson: ((dict,), Lesson.as_dict, Lesson.from_dict),
}

#: The fields that a spec had when runs were first stored. All of them are part of a run's key, so
#: that another default never changes what an old key means. A field that is added later is part of it
#: only where it differs from its default, which must then never change; so the keys
#: of all runs before it stay as they are.
FIRST_FIELDS = (
    "language", "cell", "hidden", "epochs", "batch", "rate", "beta1", "beta2", "epsilon", "precision",
    "steps", "source", "training", "test", "short", "long",
)  # fmt: skip

#: How networks are made and trained, which says nothing of a model from outside, and what stands there then.
NOT_OUTSIDE: dict[str, Any] = {
    "hidden": 1, "epochs": 0, "batch": 1, "rate": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8,
    "precision": "float32", "decay": 0.0, "order": "shared", "lesson": None, "optimiser": "adam",
    "momentum": 0.0, "smoothing": 0.99, "clip_norm": 0.0, "clip_value": 0.0, "layers": 1,
    "objective": "squared", "threshold": 0.0,
}  # fmt: skip


#: How likely something must be to count as predicted, by how likely it is if all are alike.
_POSSIBLE = 0.1


@dataclass(frozen=True)
class Spec:
    """What to train, on what, and how.

    `steps` says which steps count, in the loss and in judging: all of them, or only the last
    prediction, that of a word's last symbol. Sizes, windows and `source` are those of
    `paper_recipe`; left out, they are the paper's. `decay` is the decoupled decay of weights of AdamW,
    `order` says in which order a run visits its words (`ORDERS`), and `lesson` how networks are
    taught in rounds, if they are. With a `pool`, there are only so many corpora, which runs share: a run
    has initial weights of its own, and the words of the run whose seed is the remainder of its own.
    `optimiser` is one of `OPTIMISERS`, each of which reads some of these
    numbers; `clip_norm` and `clip_value` limit a gradient's norm and each of its numbers, as PyTorch does,
    unless they are 0. `layers` is how many of the cell stand one above the other, all with `hidden` units;
    `objective` is what training makes small, the squared error or the cross-entropy of every output, or
    that of the next symbol: then the ends of the language's words are marked, and an output is predicted
    where its probability exceeds the `threshold`, or if that is 0, a tenth of what it is if all are alike.
    Words of all sets are `distinct`, or else each is drawn by itself, and likely ones come again and again.
    """

    language: Language[Any]
    cell: Cell
    hidden: int = PAPER.tasks[0].hidden
    epochs: int = 20
    batch: int = 1
    rate: float = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    precision: str = "float32"
    steps: str = "all"
    source: Source | None = None
    training: int | None = None
    test: int = PAPER.test
    short: Window = PAPER.short
    long: Window = PAPER.long
    decay: float = 0.0
    order: str = "shared"
    lesson: Lesson | None = None
    pool: int = 0
    optimiser: str = "adam"
    momentum: float = 0.0
    smoothing: float = 0.99
    clip_norm: float = 0.0
    clip_value: float = 0.0
    layers: int = 1
    objective: str = "squared"
    threshold: float = 0.0
    distinct: bool = True

    def __post_init__(self) -> None:
        normalise_fields(self)
        if self.cell.count > 1:  # said so or by its number of layers, it is the same spec
            object.__setattr__(self, "layers", self.layers * self.cell.count)
            object.__setattr__(self, "cell", self.cell.layer)
        for name, least in (("hidden", 1), ("epochs", 0), ("batch", 1), ("layers", 1), ("pool", 0)):
            if getattr(self, name) < least:
                raise BadInput(f"Spec: {name} must be at least {least}, got {getattr(self, name)}")
        for name, most in (("hidden", 256), ("epochs", 1_000_000), ("layers", MOST_LAYERS)):
            if getattr(self, name) > most:
                raise BadInput(f"Spec: {name} must be at most {most:,}, got {getattr(self, name):,}")
        for name in ("rate", "epsilon"):
            if not 0 < getattr(self, name) < float("inf"):
                raise BadInput(f"Spec: {name} must be positive, got {getattr(self, name)}")
        for name in ("beta1", "beta2", "momentum", "smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise BadInput(f"Spec: {name} must be at least 0 and below 1, got {getattr(self, name)}")
        for name in ("decay", "clip_norm", "clip_value"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise BadInput(f"Spec: {name} must be at least 0 and finite, got {getattr(self, name)}")
        self._check_optimiser()
        for name, known in (
            ("precision", PRECISIONS),
            ("steps", STEPS),
            ("order", ORDERS),
            ("objective", (*OBJECTIVES,)),
        ):
            if getattr(self, name) not in known:
                choices = " or ".join(known)
                raise BadInput(f"Spec: {name} must be {choices}, got {getattr(self, name)!r}")
        if self.objective == NEXT_SYMBOL:
            object.__setattr__(self, "language", self.language.marked())
        if not 0 <= self.threshold < 1 or (self.threshold and self.objective != NEXT_SYMBOL):
            usual = "at least 0 and below 1" if self.objective == NEXT_SYMBOL else f"0 but for {NEXT_SYMBOL}"
            raise BadInput(f"Spec: threshold must be {usual}, got {self.threshold}")
        if self.source is not None and self.source == default_source(self.language):
            object.__setattr__(self, "source", None)  # said or left out, it is the same spec
        if len(self.language.alphabet) > 254:
            raise BadInput(f"Spec: at most 254 symbols can be trained on, got {len(self.language.alphabet)}")
        if self.lesson is not None:
            self._check_lesson(self.lesson)
        for name, value in NOT_OUTSIDE.items() if self.outside else ():
            if getattr(self, name) != value:
                raise BadInput(
                    f"Spec: {self.cell.name} is a model from outside, which is not trained here, so {name} "
                    f"must be {value}, got {getattr(self, name)}"
                )

    @property
    def outside(self) -> bool:
        """Whether it is of a model from outside, which is judged here, but neither made nor trained."""
        return isinstance(self.cell, OutsideModel)

    def _check_optimiser(self) -> None:
        """Refuse an optimiser that there is not, and numbers that this one does not read."""
        if self.optimiser not in OPTIMISERS:
            raise BadInput(f"Spec: optimiser must be {one_of(OPTIMISERS)}, got {self.optimiser!r}")
        for name, usual in _not_read(self.optimiser):
            if getattr(self, name) != usual:
                raise BadInput(
                    f"Spec: {name} is not read by {self.optimiser}, so it must be {usual}, "
                    f"got {getattr(self, name)}"
                )

    @property
    def rule(self) -> Rule:
        """How its weights are updated."""
        return Rule(self.optimiser, self.decay != 0, self.clip_norm > 0, self.clip_value > 0)

    def _check_lesson(self, lesson: Lesson) -> None:
        if lesson.rounds > max(self.epochs, 1):
            raise BadInput(
                f"Spec: {several(self.epochs, 'epoch')} cannot be divided among {lesson.rounds} rounds"
            )
        if lesson.sharpens and not self.cell.sharpens:
            raise BadInput(f"Spec: {without_gates(self.cell.name)}; sharpen and finish must be 1")

    @property
    def units(self) -> str:
        """Its sizes in words: `3 hidden units`, or `2 layers of 3 hidden units`."""
        own = several(self.hidden, "hidden unit")
        return own if self.layers == 1 else f"{self.layers} layers of {own}"

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
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def key_values(self) -> dict[str, Any]:
        """The plain values that name a run of this spec: see `FIRST_FIELDS`."""
        later = {f.name: _plain(f.default) for f in fields(self) if f.name not in FIRST_FIELDS}
        values = self.as_dict()
        return {name: values[name] for name in values if name not in later or values[name] != later[name]}

    @cached_property
    def key_text(self) -> str:
        """The same as JSON, made once: thousands of runs share a spec."""
        return json.dumps(self.key_values(), sort_keys=True)

    @classmethod
    @checked
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `as_dict`; what is left out has its default."""
        types, given = declared(cls), {}
        for name, value in values.items():
            if name not in types:
                raise BadInput(f"Spec: there is no field {name!r}")
            kind = next((kind for kind in types[name] if kind in PLAIN), None)
            if kind is not None and value is not None:
                written, _, read = PLAIN[kind]
                expect(f"Spec: {name}", value, *written)
                value = read(value)
            given[name] = value
        for field in fields(cls):
            if field.default is MISSING and field.name not in given:
                raise BadInput(f"Spec: the field {field.name!r} is missing")
        return cls(**given)


@cache
def _not_read(optimiser: str) -> tuple[tuple[str, Any], ...]:
    """The settings of other optimisers that one does not read, and what they usually are."""
    every = dict.fromkeys(name for own in OPTIMISERS.values() for name in own.settings)
    return tuple((name, getattr(Spec, name)) for name in every if name not in OPTIMISERS[optimiser].settings)


def _plain(value: Any) -> Any:
    """A value as it is written down."""
    return next((write(value) for kind, (_, write, _) in PLAIN.items() if isinstance(value, kind)), value)
