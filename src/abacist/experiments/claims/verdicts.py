"""Verdicts: what became of a claim, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from abacist.errors import BadInput
from abacist.fields import Checked, Choice, Field, check_fields

HOLDS, PARTLY, FAILS, OPEN = "holds", "holds in part", "fails", "inconclusive"


@dataclass(frozen=True)
class Part(Checked):
    """One of the things that a claim says.

    `about` is what it is said of, `ours` what we found and `paper` what the paper has, `runs` how many
    runs of ours decide. Its verdict is never that it holds in part.
    """

    about: str
    verdict: Annotated[str, Field(rule=Choice((HOLDS, FAILS, OPEN)))]
    ours: str
    paper: str
    runs: int


@dataclass(frozen=True)
class Verdict:
    """A claim in the paper's own words, the rule that decides each of its parts, and what became of them."""

    claim: str
    place: str
    rule: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.parts:
            raise BadInput(f"Verdict: a claim must have a part at least, got none for {self.claim!r}")

    @property
    def verdict(self) -> str:
        """It holds if all parts do, in part if some do, and fails if none does and one fails."""
        verdicts = {part.verdict for part in self.parts}
        if HOLDS in verdicts:
            return HOLDS if verdicts == {HOLDS} else PARTLY
        return FAILS if FAILS in verdicts else OPEN

    @property
    def which(self) -> str:
        """Where a claim holds in part, for what it does and for what not; else nothing.

        The verdict that most parts have is said of all else.
        """
        if self.verdict != PARTLY:
            return ""
        named = {
            verdict: [part.about for part in self.parts if part.verdict == verdict]
            for verdict in (HOLDS, FAILS, OPEN)
        }
        usual = max(named, key=lambda verdict: len(named[verdict]))
        rest = [f"{verdict}: {', '.join(a)}" for verdict, a in named.items() if a and verdict != usual]
        alone = len(named[usual]) == 1
        return "; ".join([*rest, f"{usual}: {named[usual][0] if alone else 'all else'}"])
