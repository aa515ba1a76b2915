"""Labelled words: what a network is trained and judged on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.labels import label
from abacist.corpora.packed import check_offsets, check_packed, pack
from abacist.errors import BadInput
from abacist.languages import Language

#: What a target says of an output that may be predicted or not.
EITHER = 2

#: Which steps of a word count: all of them, or only the last prediction, that of its last symbol.
STEPS = ("all", "last")


@dataclass(frozen=True, eq=False)
class Words:
    """Words end to end with their labels; word i is `symbols[offsets[i]:offsets[i + 1]]`.

    `targets` is (symbol, output), and `counted`, (symbol,), says which steps count. With `partial`, targets
    may be `EITHER`: such words can be judged, not trained on.
    """

    symbols: NDArray[Any]
    offsets: NDArray[np.int64]
    targets: NDArray[np.uint8]
    counted: NDArray[np.uint8]
    partial: bool = False

    def __post_init__(self) -> None:
        check_offsets(self.symbols, self.offsets)
        if not len(self.symbols) == len(self.targets) == len(self.counted):
            raise BadInput(
                f"Words: {len(self.symbols):,} symbols need as many targets and steps, "
                f"got {len(self.targets):,} and {len(self.counted):,}"
            )

    @classmethod
    def of(
        cls, language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64], steps: str
    ) -> Words:
        """Label words; `steps` says which of their steps count."""
        if steps not in STEPS:
            raise BadInput(f"Words: steps must be {' or '.join(STEPS)}, got {steps!r}")
        labels = label(language, symbols, offsets)
        counted = np.ones(len(symbols), np.uint8)
        if steps == "last":
            lengths = np.diff(offsets)
            counted[:] = 0
            counted[offsets[1:][lengths > 1] - 2] = 1
        return cls(symbols, offsets, labels.targets, counted)

    @classmethod
    def to_recognise(
        cls, language: Language[Any], symbols: NDArray[Any], offsets: NDArray[np.int64]
    ) -> Words:
        """Any strings over the alphabet, labelled with what they need in order to be taken.

        After every symbol the next one must be predicted, and after the last one what allows a word to end,
        as `Language.allows_end` has it. The first wrong step comes right before the place of rejection.
        """
        check_packed(language, symbols, offsets)
        targets = np.full((len(symbols), language.outputs), EITHER, np.uint8)
        targets[np.arange(len(symbols) - 1), symbols[1:]] = 1
        last = offsets[1:][np.diff(offsets) > 0] - 1
        targets[last] = EITHER
        if language.marks_end:
            targets[last, len(language.alphabet)] = 1
        else:
            targets[last[:, None], [s for s in range(language.outputs) if s not in language.always]] = 0
        return cls(symbols, offsets, targets, np.ones(len(symbols), np.uint8), partial=True)

    @classmethod
    def joined(cls, parts: Sequence[Words]) -> Words:
        """The words of all parts, one after the other."""
        if not parts:
            raise BadInput("Words: at least one part must be given to be joined, got none")
        ends = np.cumsum([len(part.symbols) for part in parts])
        offsets = [part.offsets[:-1] + end - len(part.symbols) for part, end in zip(parts, ends, strict=True)]
        return cls(
            np.concatenate([part.symbols for part in parts]),
            np.concatenate([*offsets, ends[-1:]]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.counted for part in parts]),
            any(part.partial for part in parts),
        )

    def following(self) -> Words:
        """The same words with one target for each step: what does come next, in place of all that may.

        After the last symbol it is the end, which is the last output. A beginning of a word does not say what
        comes after it, so its last step does not count.
        """
        ends, filled = self.offsets[1:] - 1, self.lengths > 0
        coming = np.roll(self.symbols.astype(np.int64), -1)
        coming[ends[filled]] = self.targets.shape[1] - 1
        one = np.zeros_like(self.targets)
        steps = np.arange(len(self.symbols))
        one[steps, coming] = self.targets[steps, coming]
        return replace(self, targets=one, counted=self.counted * one.any(axis=1).astype(np.uint8))

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


def pack_texts(language: Language[Any], words: Iterable[Sequence[int] | str], steps: str = "all") -> Words:
    """Label words that are given one by one, as text or as symbols.

    >>> from abacist.languages import Dyck
    >>> pack_texts(Dyck(1), ["(())", (0, 1)]).offsets
    array([0, 4, 6])
    """
    return Words.of(language, *pack(language, words), steps)
