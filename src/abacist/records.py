"""The record of a field: its rule, and what options, tables and files call it. `fields.py` reads it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import MISSING, dataclass, field
from math import inf
from typing import Any

from abacist.errors import BadField
from abacist.wording import one_of


@dataclass(frozen=True)
class Range:
    """A rule for numbers, which must be finite.

    >>> str(Range(least=1)), str(Range(above=0)), str(Range(least=0, below=1)), str(Range(1, 1000))
    ('at least 1', 'positive and finite', 'at least 0 and below 1', 'from 1 to 1,000')
    """

    least: float = -inf
    most: float = inf
    above: float = -inf
    below: float = inf

    def allows(self, value: Any) -> bool:
        return bool(self.least <= value <= self.most and self.above < value < self.below)

    def __str__(self) -> str:
        if self.most < inf:
            return f"from {self.least:,} to {self.most:,}"
        if self.above == 0:
            return "positive and finite"
        finite = " and finite" if isinstance(self.least, float) else ""
        return f"at least {self.least:g}" + (f" and below {self.below:g}" if self.below < inf else finite)


@dataclass(frozen=True)
class Choice:
    """A rule for names: one of those there are."""

    names: Collection[str]

    def allows(self, value: Any) -> bool:
        return value in self.names

    def __str__(self) -> str:
        return one_of(self.names)


@dataclass(frozen=True)
class Field:
    """What is known of a field of a dataclass; `records` adds its name, its types and its default.

    `help` is what its option says; a field without it has none. The option is called as the field is, or
    `option`; what it was `formerly` called works for a version. `metavar` and `usual` are its value and its
    default as help shows them. `column` is its name in tables, files of values and conditions, `heading` in
    the report, where they are not the field's.

    Of a spec's: all `first` fields are part of a run's key, others only where they differ from their
    default, which must then never change; so keys of older runs stay. A field that `trains` says how networks
    are made and trained, and nothing of a model from outside, where it has its default, or the value
    `outside`. `filled` gives what None stands for, out of a run's recipe.
    """

    help: str = ""
    rule: Range | Choice | None = None
    option: str = ""
    formerly: str = ""
    metavar: str | None = None
    usual: str = ""
    column: str = ""
    heading: str = ""
    first: bool = False
    trains: bool = False
    outside: Any = None
    filled: Callable[[Any], Any] | None = None
    name: str = ""
    types: tuple[type, ...] = ()
    default: Any = field(default_factory=lambda: MISSING)

    @property
    def is_number(self) -> bool:
        return bool({int, float} & {*self.types})

    def check_rule(self, owner: str, value: Any) -> None:
        """Refuse a value that the rule forbids."""
        if self.rule is not None and value is not None and not self.rule.allows(value):
            got = f"{value:,}" if isinstance(value, int) else repr(value)
            raise BadField(owner, self.name, f"must be {self.rule}", got)
