"""A spec: everything that a run depends on, besides its seed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from abacist.cells import CELLS, Cell, Layout, cell_named
from abacist.corpora import STEPS, Grammar, Recipe, Source, Uniform, Window, default_source, paper_recipe
from abacist.errors import BadInput
from abacist.languages import Language, language_named

PRECISIONS = ("float32", "float64")

_KINDS: tuple[tuple[str, Any, str], ...] = (
    ("language", Language, "a language, such as language_named('dyck-1')"),
    ("cell", Cell, "a cell, such as cell_named('lstm')"),
    ("source", Grammar | Uniform | None, "a Grammar or Uniform"),
    ("short", Window, "a Window"),
    ("long", Window, "a Window"),
    *((name, int | float, "a number") for name in ("rate", "beta1", "beta2", "epsilon")),
)


@dataclass(frozen=True)
class Spec:
    """What to train, on what, and how.

    `steps` says which steps count, in the loss and in judging: all of them, or only the last
    prediction, that of a word's last symbol. Sizes, windows and `source` are those of
    `paper_recipe`; left out, they are the paper's.
    """

    language: Language[Any]
    cell: Cell
    hidden: int = 3
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
    test: int = 5_000
    short: Window = Window(2, 50)
    long: Window = Window(52, 100)

    def __post_init__(self) -> None:
        for name, kind, hint in _KINDS:
            if not isinstance(getattr(self, name), kind):
                raise BadInput(f"Spec: {name} must be {hint}, got {getattr(self, name)!r}")
        for name in ("hidden", "epochs", "batch", "training", "test"):
            value = getattr(self, name)
            if not isinstance(value, int) and not (name == "training" and value is None):
                raise BadInput(f"Spec: {name} must be a whole number, got {value!r}")
        for name, least in (("hidden", 1), ("epochs", 0), ("batch", 1)):
            if getattr(self, name) < least:
                raise BadInput(f"Spec: {name} must be at least {least}, got {getattr(self, name)}")
        for name, most in (("hidden", 64), ("epochs", 1_000_000)):
            if getattr(self, name) > most:
                raise BadInput(f"Spec: {name} must be at most {most:,}, got {getattr(self, name):,}")
        for name in ("rate", "epsilon"):
            if not 0 < getattr(self, name) < float("inf"):
                raise BadInput(f"Spec: {name} must be positive, got {getattr(self, name)}")
        for name in ("beta1", "beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise BadInput(f"Spec: {name} must be at least 0 and below 1, got {getattr(self, name)}")
        for name, known in (("precision", PRECISIONS), ("steps", STEPS)):
            if getattr(self, name) not in known:
                choices = " or ".join(known)
                raise BadInput(f"Spec: {name} must be {choices}, got {getattr(self, name)!r}")
        if self.source == default_source(self.language):
            object.__setattr__(self, "source", None)  # said or left out, it is the same spec
        if len(self.language.alphabet) > 254:
            raise BadInput(f"Spec: at most 254 symbols can be trained on, got {len(self.language.alphabet)}")

    @property
    def layout(self) -> Layout:
        """The sizes of the network."""
        return Layout(self.cell, len(self.language.alphabet), self.hidden, self.language.outputs)

    def recipe(self, seed: int) -> Recipe:
        """The corpora of the run with a seed."""
        return paper_recipe(
            self.language,
            seed=seed,
            source=self.source,
            training=self.training,
            test=self.test,
            short=self.short,
            long=self.long,
        )

    def as_dict(self) -> dict[str, Any]:
        """The spec in plain values, for JSON."""
        if language_named(self.language.name) != self.language:
            raise BadInput(f"{self.language.name}: only languages with their usual glyphs can be stored")
        if CELLS.get(self.cell.name) != self.cell:
            raise BadInput(f"{self.cell.name}: only built-in cells can be stored")
        values: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Language | Cell):
                value = value.name
            elif isinstance(value, Grammar | Uniform):
                value = source_values(value)
            elif isinstance(value, Window):
                value = str(value)
            values[field.name] = value
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Spec:
        """The inverse of `as_dict`."""
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise BadInput(f"Spec: there is no field {unknown[0]!r}")
        given = dict(values)
        try:
            given["language"] = language_named(given["language"])
            given["cell"] = cell_named(given["cell"])
            for name in ("short", "long"):
                if name in given:
                    given[name] = Window.parse(given[name])
            if given.get("source") is not None:
                if given["source"]["words"] not in ("grammar", "uniform"):
                    raise BadInput(
                        f"Spec: words must be grammar or uniform, got {given['source']['words']!r}"
                    )
                text = given["source"]["grammar"]
                grammar = None if text is None else Grammar.parse(text)
                given["source"] = Uniform(grammar) if given["source"]["words"] == "uniform" else grammar
            return cls(**given)
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInput(f"Spec: a value is missing or of the wrong kind ({error})") from None


def source_values(source: Source) -> dict[str, str | None]:
    """Where words come from, in plain values."""
    grammar = source if isinstance(source, Grammar) else source.lengths
    return {
        "words": "grammar" if isinstance(source, Grammar) else "uniform",
        "grammar": None if grammar is None else f"{grammar.p},{grammar.q}",
    }
