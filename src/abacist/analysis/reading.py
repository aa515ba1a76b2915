"""A trace of a network read beside its language: what is predicted, what is right, how deep it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import depths_of, pack_texts
from abacist.engine import Trace, trace
from abacist.errors import BadWord
from abacist.fields import checked
from abacist.languages import Language, Recogniser
from abacist.specs import Networks
from abacist.wording import html_table, plural, short_repr

#: Steps of a word that a notebook shows.
_SHOWN = 60


@dataclass(frozen=True, eq=False)
class TraceReading:
    """A network and its language on the same string, a word of the language or not.

    `targets` is (time, output), `depths` is (time, counter), and `counted`, (time), says which
    steps are judged: all of them, or only the last prediction. `left_at` and `reason` are those of
    `Language.read`: where the string leaves the language, None for a word of it. From there on nothing is
    right or wrong: no step counts, and rows of targets and depths are zero.
    """

    language: Language[Any]
    trace: Trace
    targets: NDArray[np.bool_]
    depths: NDArray[np.int64]
    counted: NDArray[np.bool_]
    left_at: int | None = None
    reason: str | None = None

    def __len__(self) -> int:
        return len(self.trace.word)

    def __repr__(self) -> str:
        word = short_repr(self.language.alphabet.render(self.trace.word))
        return f"<trace of {word}, {self.membership()}: {plural(int(self.wrong.sum()), 'wrong step')}>"

    @property
    def glyphs(self) -> list[str]:
        """The symbols of the word as they are written."""
        return [self.language.alphabet.glyphs[symbol] for symbol in self.trace.word]

    @property
    def inside(self) -> int:
        """How many symbols come before the language is left: all of them, if the string ends too early."""
        return len(self) if self.left_at is None else self.left_at

    @cached_property
    def predicted(self) -> NDArray[np.bool_]:
        """The outputs that the network predicts, (time, output)."""
        return self.trace.predicted

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """Whether a step is judged and some output of it is not right, (time)."""
        return np.asarray(self.counted & (self.predicted != self.targets).any(axis=1))

    @property
    def rejected_at(self) -> int | None:
        """The symbol, from 0, at which the network rejects the string; None if it takes it.

        The string's length stands for its end. Only networks for which all steps count recognise anything.
        """
        language, word = self.language, self.trace.word
        if isinstance(language, Recogniser):
            return None if self.predicted[-1, 0] else len(word)
        if language.step(language.start, word[0]) is None:
            return 0
        for time, symbol in enumerate(word[1:], 1):
            if not self.predicted[time - 1, symbol]:
                return time
        return None if language.allows_end(np.flatnonzero(self.predicted[-1]).tolist()) else len(word)

    @property
    def member(self) -> bool:
        """Whether the string is a word: of a recogniser's, of the language that it recognises."""
        return bool(self.targets[-1, 0]) if isinstance(self.language, Recogniser) else self.left_at is None

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.trace[name]

    def values(self, name: str) -> NDArray[Any]:
        """The values of a name of the cell's formula, (time, unit)."""
        return self.trace[name]

    def value_names(self, name: str) -> list[str]:
        """What the columns of a value are called: a unit each, or for the outputs y a symbol each."""
        if name == "y":
            return [self.language.render_set([output]) for output in range(self.language.outputs)]
        return [f"unit {unit + 1}" for unit in range(self.values(name).shape[1])]

    def predicted_set(self, time: int) -> str:
        """What the network predicts after a step, as it is written."""
        return self.language.render_set(np.flatnonzero(self.predicted[time]).tolist())

    def right_set(self, time: int) -> str | None:
        """What the language allows after a step, as it is written; None once the language is left."""
        if time >= self.inside:
            return None
        return self.language.render_set(np.flatnonzero(self.targets[time]).tolist())

    def membership(self) -> str:
        """Whether the string is in the language, and if not, where and why it leaves it."""
        language, left_at, reason = self.language.word_language, self.left_at, self.reason
        if not self.member and isinstance(self.language, Recogniser):
            reading = language.read(self.trace.word)
            left_at, reason = reading.left_at, reading.reason
        if left_at is None:
            return f"in {language.name}"
        where = "ends too early" if left_at == len(self) else f"left at {left_at + 1}"
        return f"not in {language.name}, {where}: {reason}"

    def _repr_html_(self) -> str:
        """A row for every step, for a notebook: the depths, both sets, and an apostrophe at a wrong step."""
        depth_heads = (f"depth {name}" for name in self.language.counter_names)
        rows: list[tuple[object, ...]] = []
        for time, glyph in enumerate(self.glyphs[:_SHOWN]):
            inside = time < self.inside
            depths = self.depths[time] if inside else "—" * self.depths.shape[1]
            mark = "'" if self.wrong[time] else "" if inside else "outside"
            rows.append(
                (time + 1, glyph, *depths, self.predicted_set(time), self.right_set(time) or "—", mark)
            )
        if len(self) > _SHOWN:
            rows.append(("…",))
        return html_table(rows, ("step", "symbol", *depth_heads, "predicted", "right", ""), self.membership())


@checked
def follow(
    networks: Networks,
    run: int,
    language: Language[Any],
    word: Sequence[Any] | NDArray[Any] | str,
    *,
    steps: str = "all",
) -> TraceReading:
    """Trace one network on a string over its alphabet, text or numbers, and read the two side by side.

    Any string may be followed, a beginning of a word or one that no word begins with, too. Where only the
    last steps count, a string that is no word has none.
    """
    networks.check_language(language)
    networks.checked_run(run)
    string: Any = word
    labelled = pack_texts(language, [string], steps)
    symbols = tuple(labelled.symbols.tolist())
    if not symbols:
        raise BadWord(f"the empty word of {language.name} has no step to follow")
    left_at, reason = None, None
    if symbols not in language:  # a word of it is not read twice, which would be slow
        leaving = language.read(symbols)
        left_at, reason = leaving.left_at, leaving.reason
    depths = depths_of(language, labelled.symbols, labelled.offsets).astype(np.int64)
    counted = labelled.counted.astype(bool)
    if left_at is not None:
        depths[left_at:] = 0
        counted[0 if steps == "last" else left_at :] = False
    traced, targets = trace(networks, run, symbols), labelled.targets.astype(bool)
    return TraceReading(language, traced, targets, depths, counted, left_at, reason)
