"""A lesson: how a network is taught beside its own words, in plain values."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Self

from abacist.errors import BadInput
from abacist.fields import checked, normalise_fields
from abacist.wording import one_of

#: What a network is fed beside its own words: nothing more, the words it was last found to get wrong,
#: or a fixed set of words that go back and forth at some depth.
FEEDS = ("nothing", "counterexamples", "stress")


@dataclass(frozen=True)
class Lesson:
    """Rounds of training; after each, words are looked for that the network gets wrong.

    The epochs of the spec are divided among the `rounds`. `kept` is how many words a network is fed
    beside its own in every epoch: those found last, repeated where there are fewer. `to` is the
    length of the words that are looked for, and of those that must all be proved right for a network
    to be taught no further. `sharpen` is what its gates are multiplied by before every round but the
    first; `finish` what they are multiplied by at the end, or half of it, or a quarter … so that `to` is
    proved; where it never is, as much of this as lets most be proved.
    `budget` is how many states, or boxes, each configuration of the language may have in the search.

    A default must never change: a key has only the fields that differ from theirs.
    """

    feed: str = "counterexamples"
    rounds: int = 10
    kept: int = 400
    to: int = 1000
    sharpen: float = 1.0
    finish: float = 1.0
    budget: int = 16

    def __post_init__(self) -> None:
        normalise_fields(self)
        if self.feed not in FEEDS:
            raise BadInput(f"Lesson: feed must be {one_of(FEEDS)}, got {self.feed!r}")
        for name, least, most in (
            ("rounds", 1, 1_000),
            ("kept", 1, 100_000),
            ("to", 1, 100_000),
            ("budget", 1, 1_000_000),
        ):
            if not least <= getattr(self, name) <= most:
                value = getattr(self, name)
                raise BadInput(f"Lesson: {name} must be from {least} to {most:,}, got {value:,}")
        if not (isfinite(self.sharpen) and self.sharpen > 0):
            raise BadInput(f"Lesson: sharpen must be positive and finite, got {self.sharpen}")
        if not (isfinite(self.finish) and self.finish >= 1):
            raise BadInput(f"Lesson: finish must be at least 1 and finite, got {self.finish}")

    def __str__(self) -> str:
        """As people read it: what is fed, and what is not as usual."""
        values = self.as_dict()
        return ", ".join((values.pop("feed"), *(f"{name} {value:g}" for name, value in values.items())))

    @property
    def sharpens(self) -> bool:
        """Whether it changes gates, which a cell must then have."""
        return self.sharpen != 1 or self.finish != 1

    def ends(self, epochs: int) -> tuple[int, ...]:
        """After how many epochs each round ends."""
        return tuple(epochs * number // self.rounds for number in range(1, self.rounds + 1))

    def as_dict(self) -> dict[str, Any]:
        """The lesson in plain values: what is fed, and what differs from its default."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        usual = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in own.items() if name == "feed" or value != usual[name]}

    @classmethod
    @checked
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse of `as_dict`; what is left out has its default."""
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise BadInput(f"Lesson: there is no field {name!r}; fields are {', '.join(known)}")
        return cls(**values)
