"""A word and what a network makes of it, in the characters of a terminal: a column for every step.

The sets of next symbols are rows of signs, the states rows of blocks whose height is the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.text import Text

from abacist.analysis import TraceReading
from abacist.languages import END_GLYPH
from abacist.wording import plural

_BLOCKS = "▁▂▃▄▅▆▇█"

#: How a symbol of a set is shown, by whether it is predicted and whether it is right.
SIGNS = {(True, True): "●", (False, False): "·", (True, False): "+", (False, True): "−"}
#: The same where nothing is right any more.
_OUTSIDE = {True: "○", False: "·"}
SIGNS_MEAN = "● predicted  · not  + predicted wrongly  − missing  ○ outside the language"

_WRONG, _FAINT = "bold red", "dim"


@dataclass(frozen=True)
class Row:
    """A row: what it is called, a text for every step, and how each looks."""

    name: str
    cells: tuple[str, ...]
    looks: tuple[str, ...]


def live_word(reading: TraceReading, states: tuple[str, ...], width: int, height: int) -> list[Text]:
    """The rows of a word, as many of its last steps as a line has room for, and at most so many rows.

    Where there are too many, hidden states go before the last of the states, which for an LSTM is what it
    remembers, then the symbols that are always possible, then rows in which nothing happens, then what is
    lowest.
    """
    word, remembered = list(_word_rows(reading)), list(_state_rows(reading, states[-1]))
    rows = [*word, *_set_rows(reading, spare=False), *_depth_rows(reading), *remembered]
    always = list(_set_rows(reading, spare=True))
    hidden = [row for name in states[:-1] for row in _state_rows(reading, name)]
    if len(rows) + len(always) <= height:
        rows[len(word) : len(word)] = always
    if len(rows) + len(hidden) <= height:
        rows += hidden
    if len(rows) > height:
        rows = [row for row in rows if row in (*word, *remembered) or not set(row.cells) <= set("·0 ")]
    more = len(rows) - height
    if more > 0:
        rows = rows[: height - 1]
    lines = list(_lines(rows, width))
    if more > 0:
        lines.append(Text(f"… {plural(more + 1, 'row')} more in a taller window", style=_FAINT))
    return lines


def last_step(reading: TraceReading, recognises: bool) -> list[str]:
    """What there is to say after the last symbol: both sets, the language's verdict and the network's."""
    time = len(reading) - 1
    sets = f"predicted {reading.predicted_set(time) or '—'}   allowed {reading.right_set(time) or '—'}"
    told = [f"{sets}{'   wrong' if reading.wrong[time] else ''}", reading.membership()]
    if recognises:
        at = reading.rejected_at
        place = "its end" if at == len(reading) else None if at is None else at + 1
        verdict = "takes it" if at is None else f"rejects at {place}"
        told.append(f"{verdict}: {'right' if (at is None) == (reading.left_at is None) else 'wrong'}")
    return told


def _word_rows(reading: TraceReading) -> Iterator[Row]:
    inside = [time < reading.inside for time in range(len(reading))]
    looks = tuple("bold" if here else _FAINT for here in inside)
    yield Row("word", tuple(reading.glyphs), looks)
    marks = tuple(
        "'" if wrong else " " if here else "x" for wrong, here in zip(reading.wrong, inside, strict=True)
    )
    yield Row("wrong ' outside x", marks, (_WRONG,) * len(reading))


def _set_rows(reading: TraceReading, *, spare: bool) -> Iterator[Row]:
    """A row for every output: those that are always possible are spare."""
    language = reading.language
    glyphs = (*language.alphabet.glyphs, END_GLYPH)
    for output in range(language.outputs):
        if (output in language.always) != spare:
            continue
        cells, looks = [], []
        for time, predicted in enumerate(reading.predicted[:, output].tolist()):
            if time >= reading.inside:
                cells.append(_OUTSIDE[predicted])
                looks.append(_FAINT)
                continue
            right = bool(reading.targets[time, output])
            cells.append(SIGNS[predicted, right])
            looks.append(_WRONG if reading.counted[time] and predicted != right else "")
        yield Row(f"next {glyphs[output]}", tuple(cells), tuple(looks))


def _depth_rows(reading: TraceReading) -> Iterator[Row]:
    for counter, name in enumerate(reading.language.counter_names):
        known = [str(depth) for depth in reading.depths[: reading.inside, counter]]
        cells = (*known, *" " * (len(reading) - len(known)))
        yield Row(f"depth {name}", cells, ("cyan",) * len(cells))


def _state_rows(reading: TraceReading, name: str) -> Iterator[Row]:
    """A row for every unit: blocks from its least value to its greatest, or to zero."""
    values = np.asarray(reading.values(name), float)
    finite = np.where(np.isfinite(values), values, 0)
    low, high = np.minimum(finite.min(axis=0), 0), np.maximum(finite.max(axis=0), 0)
    heights = np.rint((finite - low) / np.where(high > low, high - low, 1) * (len(_BLOCKS) - 1)).astype(int)
    for unit, (own, last) in enumerate(zip(heights.T, values[-1], strict=True)):
        cells = tuple(_BLOCKS[height] for height in own)
        yield Row(f"{name} {unit + 1} {last:+8.3f}", cells, ("blue",) * len(cells))


def _lines(rows: list[Row], width: int) -> Iterator[Text]:
    names = max(len(row.name) for row in rows) + 2
    own = 1 + max(len(cell) for row in rows for cell in row.cells)
    shown = max(1, (width - names) // own)
    for row in rows:
        line = Text(row.name.ljust(names), no_wrap=True)
        for cell, look in list(zip(row.cells, row.looks, strict=True))[-shown:]:
            line.append(cell.ljust(own), style=look)
        yield line
