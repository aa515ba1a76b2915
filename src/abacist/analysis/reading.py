"""A trace of a network read beside its language: what is predicted, what is right, how deep it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import pack_texts
from abacist.engine import Trace, trace
from abacist.errors import BadInput, BadWord
from abacist.fields import checked
from abacist.languages import END_GLYPH, Language
from abacist.specs import Networks


@dataclass(frozen=True, eq=False)
class TraceReading:
    """A network and its language on the same word.

    `targets` is (time, output), `depths` is (time, counter), and `counted`, (time), says which
    steps are judged: all of them, or only the last prediction.
    """

    language: Language[Any]
    trace: Trace
    targets: NDArray[np.bool_]
    depths: NDArray[np.int64]
    counted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.trace.word)

    @property
    def glyphs(self) -> list[str]:
        """The symbols of the word as they are written."""
        return [self.language.alphabet.glyphs[symbol] for symbol in self.trace.word]

    @property
    def predicted(self) -> NDArray[np.bool_]:
        """The outputs that the network predicts, (time, output)."""
        return self.trace.predicted

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Whether a step is judged and some output of it is not right, (time)."""
        return np.asarray(self.counted & (self.predicted != self.targets).any(axis=1))

    def values(self, name: str) -> NDArray[Any]:
        """The values of a name of the cell's formula, (time, unit)."""
        return self.trace[name]

    def value_names(self, name: str) -> list[str]:
        """What the columns of a value are called: a unit each, or for the outputs y a symbol each."""
        if name == "y":
            return [*self.language.alphabet.glyphs, END_GLYPH][: self.language.outputs]
        return [f"unit {unit + 1}" for unit in range(self.values(name).shape[1])]


@checked
def follow(
    networks: Networks,
    run: int,
    language: Language[Any],
    word: Sequence[Any] | NDArray[Any] | str,
    *,
    steps: str = "all",
) -> TraceReading:
    """Trace one network on a word of its language, text or numbers, and read the two side by side."""
    networks.check_language(language)
    networks.checked_run(run)
    word = language.alphabet.parse(word) if isinstance(word, str) else tuple(word)
    for symbol in word:
        if not isinstance(symbol, int | np.integer) or not 0 <= symbol < len(language.alphabet):
            raise BadInput(
                f"a word of {language.name} must consist of numbers below {len(language.alphabet)}, "
                f"got {symbol!r}"
            )
    if not word or word not in language:
        reading = language.read(word)
        where = "" if reading.left_at in (None, len(word)) else f"at symbol {(reading.left_at or 0) + 1}, "
        reason = reading.reason or "the empty word has no step to follow"
        raise BadWord(f"the word is not in {language.name}: {where}{reason}")
    labelled = pack_texts(language, [word], steps)
    depths = np.cumsum(np.array(language.updates, np.int64)[list(word)], axis=0)
    return TraceReading(
        language,
        trace(networks, run, word),
        labelled.targets.astype(bool),
        depths,
        labelled.counted.astype(bool),
    )
