"""The tables of horizons: of an experiment, by task, and of single networks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from abacist.analysis import Horizon
from abacist.experiments import Experiment, Results, percents
from abacist.fields import checked
from abacist.languages import Language
from abacist.report.survey_table import QUANTILES, quantile, wrong_at
from abacist.report.swept_settings import NAMED, setting_of, swept_columns
from abacist.report.tables import Column, Table

_SETTING = tuple(Column(name, name) for name in NAMED)
_SPAN = ("min", "median", "max")

#: For programs: what gates were multiplied by, the runs that there are and those asked for, how many have no
#: known wrong word, and the length to which each of these was looked at; quantiles of wrong lengths.
_FURTHER = (
    *("gates", "runs there", "runs asked", "none wrong runs", "none wrong to"),
    *(f"wrong {name}" for name in QUANTILES if name not in _SPAN),
)

_NOTE = (
    "Lengths in symbols. Proved to: on every word of at most so many, every prediction is right. Wrong at: "
    "the shortest word found that the network gets wrong; a median or maximum among networks without one is "
    "shown as missing, and a median of an even number of networks is the mean of two lengths, so that there "
    "may be no word of it. None wrong: networks of which no wrong word was found, and the length to which "
    "one was looked for. Closed: networks whose horizon is known exactly. Every word: networks that are "
    "proved right on every word of any length, up to the depth where float32 stops counting. Gates: what "
    "the inputs of all gates were multiplied by. Long set: median accuracy in percent of the networks as "
    "they are."
)


@checked
def horizons_table(experiment: Experiment, results: Results) -> Table:
    """A row for every task and every factor by which gates were sharpened."""
    rows: list[dict[str, Any]] = []
    swept = [column for column in swept_columns(experiment) if column.key != "long"]  # that is the accuracy
    told = {*NAMED, *(column.key for column in swept)}
    for task in experiment.tasks:
        setting = {name: value for name, value in setting_of(task).items() if name in told}
        runs = results.complete(task)
        accuracy = percents(runs, "long")
        for aim in task.horizons:
            known = [own for run in runs for own in run.outcome.latest_horizons if own.factor == aim.factor]
            row: dict[str, Any] = setting | {
                "factor": f"× {aim.factor:g}",
                "runs": f"{len(runs)} of {len(task.seeds)}",
                "gates": aim.factor,
                "runs there": len(runs),
                "runs asked": len(task.seeds),
            }
            if len(accuracy) and aim.factor == 1:
                row["long"] = float(np.median(accuracy))
            if known and aim.certify:
                row["every word"] = sum(bool(own.every_word) for own in known)
            rows.append(row | _summary([own.horizon for own in known], task.spec.language))
    columns = (
        *_SETTING,
        *swept,
        Column("factor", "gates"),
        Column("runs", "runs"),
        Column("long", "median", "long set", 2),
        *(Column(f"proved {name}", name, "proved to", 0) for name in _SPAN),
        *(Column(f"wrong {name}", name, "wrong at", 0) for name in _SPAN),
        Column("none wrong", "none wrong"),
        Column("closed", "closed", "", 0),
        Column("every word", "every word", "", 0),
    )
    return Table(experiment.name, experiment.title, columns, tuple(rows), _NOTE, _FURTHER)


def _summary(found: Sequence[Horizon], language: Language[Any]) -> dict[str, Any]:
    """The spans of both ends of the brackets."""
    if not found:
        return {}
    proved = [horizon.proved_in(language) for horizon in found]
    wrong = [np.inf if horizon.wrong is None else len(horizon.wrong) for horizon in found]
    summary: dict[str, Any] = {}
    for name, values in (("proved", proved), ("wrong", wrong)):
        for statistic in _SPAN:
            value = float(getattr(np, statistic)(values))
            summary[f"{name} {statistic}"] = value if np.isfinite(value) else None
    for name, share in QUANTILES.items():
        if name not in _SPAN:
            value = quantile(wrong_at(found), share)
            summary[f"wrong {name}"] = value if np.isfinite(value) else None
    looked = [horizon.looked for horizon in found if horizon.wrong is None]
    return summary | {
        "none wrong": f"{len(looked)}, to {min(looked)}" if looked else "0",
        "none wrong runs": len(looked),
        "none wrong to": min(looked, default=None),
        "closed": sum(h.closed for h in found),
    }


def shortened(language: Language[Any], word: Sequence[int], most: int = 60) -> str:
    """A word as people read it: blocks that are repeated thrice or more are written once, after their number.

    ()()()()(((( is `4×() 4×(`, without brackets of ours that could be taken for those of the word. A long one
    without such blocks is cut in the middle.
    """
    glyphs = [language.alphabet.glyphs[symbol] for symbol in word]
    parts: list[str] = []
    place = 0
    while place < len(glyphs):
        size, times = _repetition(glyphs, place)
        block = "".join(glyphs[place : place + size])
        parts.append(block if times == 1 else f"{times}×{block}")
        place += size * times
    text = _joined(parts)
    return text if len(text) <= most else _cut(parts, most)


def _repetition(glyphs: Sequence[str], place: int) -> tuple[int, int]:
    """The block that begins at a place and covers most when it is repeated, and how often it is."""
    best = (1, 1)
    for size in range(1, min(12, (len(glyphs) - place) // 3) + 1):
        block, times = glyphs[place : place + size], 1
        while glyphs[place + size * times : place + size * (times + 1)] == block:
            times += 1
        if times >= 3 and size * times > best[0] * best[1]:
            best = (size, times)
    return best


def _cut(parts: Sequence[str], most: int) -> str:
    """As many parts from both ends as there is room for; none is cut in two."""
    first = last = 0
    while first + last < len(parts):
        more = (first + 1, last) if first <= last else (first, last + 1)
        if len(_around(parts, *more)) > most:
            break
        first, last = more
    return _around(parts, first, last)


def _around(parts: Sequence[str], first: int, last: int) -> str:
    return f"{_joined(parts[:first])} … {_joined(parts[len(parts) - last :])}".strip()


def _joined(parts: Sequence[str]) -> str:
    """Parts side by side; a repeated one stands between spaces."""
    apart = (" " * ("×" in before + part) for before, part in pairwise(parts))
    return "".join(space + part for space, part in zip(("", *apart), parts, strict=False))


def bracket_columns() -> tuple[Column, ...]:
    """What a table says of every single horizon."""
    return (
        Column("proved", "to", "proved", 0),
        Column("wrong", "at", "wrong", 0),
        Column("word", "word"),
        Column("step", "step", "", 0),
        Column("predicted", "predicted"),
        Column("right", "right"),
    )


def bracket_row(language: Language[Any], horizon: Horizon) -> dict[str, Any]:
    """The values for these columns."""
    wrong, proved = horizon.wrong, horizon.proved_in(language)
    if wrong is None:
        return {"proved": proved}
    return {
        "proved": proved,
        "wrong": len(wrong),
        "word": shortened(language, wrong.word),
        "step": wrong.step,
        "predicted": named(language, wrong.predicted),
        "right": named(language, wrong.right),
    }


def named(language: Language[Any], outputs: Sequence[int]) -> str:
    """A set of next symbols as people read it."""
    return language.alphabet.render_set(outputs) or "nothing"
