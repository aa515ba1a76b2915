"""Answers: whether a statement about a network is proved, refuted or open, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from abacist.analysis.certificates.certificate import Certificate, Cover, Statement
from abacist.analysis.horizons.refuter import Refutation
from abacist.languages import Language, largest_length
from abacist.wording import html_table, plural

#: Symbols of a wrong word that are shown.
_SHOWN = 200


@dataclass(frozen=True, eq=False)
class Answer:
    """What came out: the statement asked for is proved, refuted or open.

    `certificate` is that of the statement or of a stronger one, or of the strongest weaker one that was
    proved; `cover` is for words of any length that are deeper than what a certificate proves of these.
    `refutation` is the shortest wrong word found, and `shallowest` the one that is the least deep.
    """

    language: Language[Any]
    asked: Statement
    verdict: str
    certificate: Certificate | Cover | None
    refutation: Refutation | None
    cover: Cover | None = None
    shallowest: Refutation | None = None

    @property
    def proved(self) -> bool:
        return self.verdict == "proved"

    def __repr__(self) -> str:
        return f"<Answer: {self.sentences[0]}>"

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """The verdict with what shows it, then what else came out."""
        return [f"{what}: {text}" for what, text in self._findings()]

    def _findings(self) -> Iterator[tuple[str, str]]:
        if self.refutation is not None:
            yield self.verdict, self._wrong(self.refutation)
        else:
            unsure = "neither proved nor refuted that " * (self.verdict == "open")
            yield self.verdict, f"{unsure}{self.shown(self.asked)}"
        if self.shallowest not in (None, self.refutation):
            yield "least deep", self._wrong(self.shallowest)
        for proof in (self.certificate if not self.proved else None, self.cover):
            if proof is not None:
                short = proof.statement.length is not None
                further = "; its horizon (`abacist horizon`, ab.horizon) may reach further" * short
                yield "proved", f"{self.shown(proof.statement)}{further}"

    def _repr_html_(self) -> str:
        """The same as a table, for a notebook."""
        return html_table(self._findings(), row_heads=1)

    def shown(self, statement: Statement) -> Statement:
        """A statement with the largest length that words of the language have: of Dyck-1, an even one."""
        if statement.length is None:
            return statement
        return replace(statement, length=largest_length(self.language, statement.length))

    def depth(self, word: Refutation) -> int:
        """The largest depth in a word."""
        return int(self.language.depth_path(word.word).max(initial=0))

    def _wrong(self, word: Refutation) -> str:
        show, text = self.language.alphabet.render_set, self.language.alphabet.render(word.word)
        return (
            f"wrong at step {word.step} of a word of {plural(len(word), 'symbol')} with depths up to "
            f"{self.depth(word):,}, predicted {show(word.predicted)}, right {show(word.right)}: "
            f"{text if len(text) <= _SHOWN else f'{text[:_SHOWN]}…'}"
        )
