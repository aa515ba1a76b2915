"""The tables of horizons: by task, by cell for a survey of many cells, and of single networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from abacist.analysis import Horizon
from abacist.experiments import Experiment, Results, Run, Task, percents, rank_correlation
from abacist.experiments.paired import FEWEST
from abacist.experiments.plan import ALL_WORDS, on_stored_words
from abacist.languages import Language
from abacist.report.run_table import NAMED, setting_of, swept_columns
from abacist.report.tables import Column, Table, headed, known_number
from abacist.wording import plural

SPAN = ("min", "median", "max")

#: What is said of lengths only to programs.
_QUANTILES = {"5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95}

#: For programs: what gates were multiplied by, the runs that there are and those asked for, how many have no
#: known wrong word, and the length to which each of these was looked at; quantiles of wrong lengths.
_FURTHER = (
    *("gates", "runs there", "runs asked", "none wrong runs", "none wrong to", "rank correlation"),
    *(f"wrong {name}" for name in _QUANTILES if name not in SPAN),
)

#: Fewer cells than this are told apart more easily row by row.
_FEWEST_CELLS = 4

_NOTE = (
    "Lengths in symbols. Proved to: on every word of at most so many, every prediction is right. Wrong at: "
    "the shortest word found that the network gets wrong; a median or maximum among networks without one is "
    "shown as missing, and a median of an even number of networks is the mean of two lengths, so that there "
    "may be no word of it. None wrong: networks of which no wrong word was found, and the length to which "
    "one was looked for. Closed: networks whose horizon is known exactly. Every word: networks that are "
    "proved right on every word of any length, to depth 2²⁴, where float32 stops counting. Gates: what the "
    "inputs of all gates were multiplied by. Long set: median accuracy in percent of the networks as they "
    "are."
)

_WORDS_NOTE = (
    "Words: all of the language, or those of another one alone, on which the predictions are still held "
    "against the first."
)

_SURVEY_NOTE = (
    "Long: the median accuracy on the long set in percent. Wrong at: the median length of the shortest word "
    "found that a network gets wrong; > and a length, where most networks have none up to there. Right and "
    "proved: the share of networks in percent without a wrong word found, and of those proved right on every "
    "word, up to the length of the words that they were trained on"
)


def spans_of(name: str, lengths: Sequence[float]) -> dict[str, float | None]:
    """The least, the median and the greatest of lengths, as `NAME min` and so on; None where infinite."""
    return {f"{name} {statistic}": known_number(getattr(np, statistic)(lengths)) for statistic in SPAN}


def horizons_of(runs: Iterable[Run]) -> list[Horizon]:
    """The horizons that are known of some networks as they were trained."""
    return [horizon for run in runs if (horizon := run.outcome.horizon()) is not None]


def proved_to(known: Iterable[Horizon], language: Language[Any]) -> list[float]:
    """How far each network is proved, in order."""
    return sorted(float(horizon.proved_in(language)) for horizon in known)


def wrong_at(known: Iterable[Horizon]) -> list[float]:
    """The length of each network's wrong word in order, infinite where none is known."""
    return sorted(float("inf") if one.wrong is None else float(len(one.wrong)) for one in known)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that a share of all is not above: always that of some network."""
    return ordered[round(share * (len(ordered) - 1))]


def quartiles(lengths: Sequence[float], to: int) -> list[str]:
    """Minimum, first quartile, median and third quartile; what is longer than was searched as `>to`."""
    if not lengths:
        return []
    values = np.quantile(lengths, [0, 0.25, 0.5, 0.75], method="lower")
    return [f"{length:.0f}" if np.isfinite(length) else f">{to}" for length in values]


def _quantiles(name: str, ordered: Sequence[float]) -> dict[str, float | None]:
    """Quantiles of lengths in order, for programs, as `NAME 5 %` and so on; None where infinite."""
    return {f"{name} {text}": known_number(quantile(ordered, share)) for text, share in _QUANTILES.items()}


def accuracy_and_horizon(runs: Iterable[Run]) -> float | None:
    """The rank correlation, over some runs, of the accuracy on the long set and the length of the shortest
    wrong word; None where there are too few, or one of them is the same for all."""
    known = [(run.share("long"), horizon) for run in runs if (horizon := run.outcome.horizon()) is not None]
    pairs = [(share, wrong_at([horizon])[0]) for share, horizon in known if share is not None]
    return rank_correlation(*zip(*pairs, strict=True)) if len(pairs) >= FEWEST else None


def correlation_note(values: Sequence[tuple[str, float | None]]) -> str:
    """What rank correlations come to over settings, (cell, value)."""
    every = [value for _, value in values if value is not None]
    lstms = [value for cell, value in values if value is not None and cell == "lstm"]
    if not every:
        return ""
    note = (
        " Rank correlation (Spearman's) of accuracy on the long set and the length of the shortest wrong "
        f"word, over the runs of a setting: {np.median(every):.2f} in the median of "
        f"{plural(len(every), 'setting')}"
    )
    return note + (f", {np.median(lstms):.2f} of {len(lstms)} with LSTMs." if lstms else ".")


def horizons_table(experiment: Experiment, results: Results) -> Table:
    """A row for every task and every factor by which gates were sharpened."""
    rows: list[dict[str, Any]] = []
    settings = (*headed(*NAMED), *(c for c in swept_columns(experiment) if c.key != "long"))  # the accuracy
    for task in experiment.tasks:
        setting, runs = setting_of(task), results.complete(task)
        accuracy = percents(runs, "long")
        for aim in task.horizons:
            known = (run.outcome.known_horizon(*aim.question) for run in runs)
            of_aim = [one for one in known if one is not None]
            language = on_stored_words(task.spec.language, aim.words)
            row: dict[str, Any] = {column.key: setting[column.key] for column in settings} | {
                "words": language.word_language.name if aim.words else ALL_WORDS,
                "factor": f"× {aim.factor:g}",
                "runs": f"{len(runs)} of {len(task.seeds)}",
                "gates": aim.factor,
                "runs there": len(runs),
                "runs asked": len(task.seeds),
            }
            if len(accuracy) and aim.factor == 1:
                row["long"] = float(np.median(accuracy))
            if aim.factor == 1 and not aim.words:
                row["rank correlation"] = accuracy_and_horizon(runs)
            if of_aim and aim.certify:
                row["every word"] = sum(bool(one.every_word) for one in of_aim)
            rows.append(row | _summary([one.horizon for one in of_aim], language))
    within = any(aim.words for task in experiment.tasks for aim in task.horizons)
    columns = (
        *settings,
        *(headed("words") if within else ()),
        Column("factor", "gates"),
        Column("runs", "runs"),
        Column("long", "median", "long set", 2),
        *headed(*SPAN, of="proved", group="proved to", digits=0),
        *headed(*SPAN, of="wrong", group="wrong at", digits=0),
        Column("none wrong", "none wrong"),
        *headed("closed", "every word", digits=0),
    )
    note = f"{_NOTE} {_WORDS_NOTE}" if within else _NOTE
    note += correlation_note([(row["cell"], row.get("rank correlation")) for row in rows])
    return Table(experiment.name, experiment.title, columns, tuple(rows), note, _FURTHER)


def _summary(known: Sequence[Horizon], language: Language[Any]) -> dict[str, Any]:
    if not known:
        return {}
    wrong = wrong_at(known)
    looked = [horizon.looked for horizon in known if horizon.wrong is None]
    ends = (
        _quantiles("wrong", wrong) | spans_of("proved", proved_to(known, language)) | spans_of("wrong", wrong)
    )
    return ends | {
        "none wrong": f"{len(looked)}, to {min(looked)}" if looked else "0",
        "none wrong runs": len(looked),
        "none wrong to": min(looked, default=None),
        "closed": sum(horizon.closed for horizon in known),
    }


def is_survey(experiment: Experiment) -> bool:
    """Whether it looks for the horizons of several cells on several languages, as they are, or of some."""
    tasks = experiment.tasks
    cells, languages = ({getattr(task.spec, of) for task in tasks} for of in ("cell", "language"))
    one_each = len(tasks) == len(cells) * len(languages)
    asked, plain = {tuple(aim.question for aim in task.horizons) for task in tasks}, ((1.0, ""),)
    alike = len(languages) > 1 and len({task.spec.hidden for task in tasks}) == 1
    return one_each and plain in asked <= {(), plain} and alike and len(cells) >= _FEWEST_CELLS


def survey_table(experiment: Experiment, results: Results) -> Table:
    """A row for every cell, in the order of the experiment, and four columns for every language."""
    by_language = {task.spec.language.name: task for task in experiment.tasks}  # the last one of each
    rows: dict[str, dict[str, Any]] = {}
    for task in experiment.tasks:
        cell, language = task.spec.cell.name, task.spec.language.name
        values = _reached(task, results.complete(task))
        rows.setdefault(cell, {"cell": cell}).update({f"{language} {n}": v for n, v in values.items()})
    columns = [Column("cell", "cell")]
    for language in by_language:
        for heading, digits in (("long", 1), ("wrong at", None), ("right", 0), ("proved", 0)):
            columns.append(Column(f"{language} {heading}", heading, language, digits))
    lengths = ", ".join(f"{task.spec.short.high} for {language}" for language, task in by_language.items())
    some = " or ".join(map(str, sorted({len(task.seeds) for task in experiment.tasks}, reverse=True)))
    note = f"{_SURVEY_NOTE}: {lengths} symbols. {some} networks of each cell on each language."
    few = (name for name, task in by_language.items() if _runs_every_word(task))
    if decided := ", ".join(few):
        note += f" Of {decided} every word up to there was run, so that right is no matter of the search."
    note += correlation_note(
        [(cell, row.get(f"{name} rank correlation")) for cell, row in rows.items() for name in by_language]
    )
    further = (
        "runs",
        "rank correlation",
        *(f"{what} {name}" for what in ("proved to", "wrong at") for name in _QUANTILES),
    )
    keys = tuple(f"{language} {name}" for language in by_language for name in further)
    return Table(experiment.name, experiment.title, tuple(columns), tuple(rows.values()), note, keys)


def _reached(task: Task, runs: Sequence[Run]) -> dict[str, Any]:
    horizons = horizons_of(runs)
    accuracy = percents(runs, "long")
    values: dict[str, Any] = {"runs": len(runs), "rank correlation": accuracy_and_horizon(runs)}
    if len(accuracy):
        values["long"] = float(np.median(accuracy))
    if not horizons:
        return values
    trained_on, wrong = task.spec.short.high, wrong_at(horizons)
    looked = [horizon.looked for horizon in horizons if horizon.wrong is None]
    if min(looked, default=trained_on) >= trained_on:
        values["right"] = 100 * sum(length > trained_on for length in wrong) / len(horizons)
    values["proved"] = 100 * sum(horizon.proved >= trained_on for horizon in horizons) / len(horizons)
    values |= _quantiles("proved to", proved_to(horizons, task.spec.language)) | _quantiles("wrong at", wrong)
    median = known_number(quantile(wrong, 0.5))
    values["wrong at"] = f"> {min(looked)}" if median is None else f"{median:.0f}"
    return values


def _runs_every_word(task: Task) -> bool:
    """Whether all words up to the length of the training words are run in every search of a task."""
    return all(aim.search.runs_every_word(task.spec.language, task.spec.short.high) for aim in task.horizons)


def bracket_columns() -> tuple[Column, ...]:
    """What a table says of every single horizon."""
    lengths = (Column("proved", "to", "proved", 0), Column("wrong", "at", "wrong", 0))
    return (*lengths, *headed("word"), *headed("step", digits=0), *headed("predicted", "right"))


def bracket_row(language: Language[Any], horizon: Horizon) -> dict[str, Any]:
    """The values for these columns."""
    wrong, proved = horizon.wrong, horizon.proved_in(language)
    row: dict[str, Any] = {"proved": proved}
    if wrong is not None:
        row |= {"wrong": len(wrong), "word": language.alphabet.shortened(wrong.word), "step": wrong.step}
        row |= {"predicted": named(language, wrong.predicted), "right": named(language, wrong.right)}
    return row


def named(language: Language[Any], outputs: Sequence[int]) -> str:
    """A set of next symbols as people read it."""
    return language.render_set(outputs) or "nothing"
