"""What came of a lesson for one run, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from abacist.errors import BadInput
from abacist.fields import check_fields


@dataclass(frozen=True)
class Round:
    """A round: how many epochs were done after it, how many different words were fed in it beside the
    run's own, and the shortest word then found that the network gets wrong, if any was found."""

    epochs: int
    fed: int
    word: str | None
    length: int | None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Taught:
    """The rounds of a run, and of the network that came of them: on all words of up to `proved` symbols
    it is proved right, its gates are multiplied by `sharpened` at the end."""

    rounds: tuple[Round, ...]
    proved: int
    sharpened: float

    def __post_init__(self) -> None:
        check_fields(self)

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values, for JSON."""
        return asdict(self) | {"rounds": [asdict(one) for one in self.rounds]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Taught:
        """The inverse of `as_dict`."""
        try:
            rounds = tuple(Round(**one) for one in values["rounds"])
            return cls(**{**values, "rounds": rounds})
        except (KeyError, TypeError) as error:
            raise BadInput(f"Taught: a value is missing or of the wrong kind ({error})") from None
