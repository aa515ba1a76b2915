"""What networks do, as tables: their units, one by one and by task, and how far they get on stress words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from abacist.analysis import ALL_FAMILIES, COUNTS, FOLLOWS, CountingUnits, StateUnits, Stress
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.report.tables import Column, Table, headed, known_number
from abacist.wording import plural


@dataclass(frozen=True, eq=False)
class LookedAt:
    """A network whose units were looked at.

    `settings` are the fields of its spec that tell its task from others; `seed` is None where unknown.
    """

    run: str
    settings: Mapping[str, Any]
    seed: int | None
    units: CountingUnits


@checked
def units_table(units: CountingUnits, title: str, threshold: float = COUNTS) -> Table:
    """A row for every unit of every state; moves are those with the counter that it goes with most."""
    language, moves = units.corpus.language, ("up", "down", "drift")
    correlations = headed(*language.counter_names, "length", of="correlation", group="with", digits=2)
    rows = []
    for state in units.states:
        for unit, verdict in enumerate(state.verdicts(threshold)):
            nearest = state.nearest[unit]
            values = (*state.matching.correlations[unit], state.with_length[unit])
            row: dict[str, Any] = {
                "state": state.name,
                "unit": unit + 1,
                "verdict": verdict.in_words(language),
            }
            row |= {c.key: float(value) for c, value in zip(correlations, values, strict=True)}
            row["nearest"] = language.counter_names[nearest]
            for name, figure in product(moves, ("mean", "spread")):
                values = getattr(getattr(state.moves, name), figure)
                row[f"{name} {figure}"] = known_number(values[unit, nearest])
            for gate, at in units.saturation.items():
                row[f"saturation {gate}"] = known_number(at[unit]) if len(at) == len(state) else None
            rows.append(row)
    columns = (
        *(Column("state", "state"), Column("unit", "unit", "", 0), Column("verdict", "verdict")),
        *correlations,
        Column("nearest", "nearest"),
        *(c for name in moves for c in headed("mean", "spread", of=name, group=name, digits=3)),
        *headed(*units.saturation, of="saturation", group="gate", digits=2),
    )
    note = (
        f"{_on_units([units], threshold)} With: correlations. Up, down: its change per symbol that raises or "
        "lowers the nearest counter; drift: over both, one right after the other. Gate: how near it is to 0 "
        "or 1, the mean of |2v − 1|."
    )
    return Table("units", title, columns, tuple(rows), note)


@checked
def networks_table(networks: Sequence[LookedAt], threshold: float = COUNTS) -> Table:
    """A row for every state of every network: how many of its units do what."""
    rows = []
    for network in networks:
        for state in network.units.states:
            tally, counters = state.tally(threshold), len(state.matching.units)
            matched = [abs(c) for k in range(counters) if (c := state.matching.correlation(k)) is not None]
            row: dict[str, Any] = {"run": network.run, "seed": network.seed, "state": state.name}
            row |= {name: getattr(tally, name) for name in ("counting", "following", "neither")}
            row["counted"] = f"{len(tally.counted)} of {counters}"
            row["weakest"] = min(matched) if len(matched) == counters else None
            rows.append({**network.settings, **row, "drift": _drift(state, threshold)})
    columns = (
        Column("run", "run"),
        *_task_columns(networks),
        *(Column("seed", "seed", "", 0), Column("state", "state")),
        Column("counting", "count", "units that", 0),
        Column("following", "follow the length", "units that", 0),
        Column("neither", "do neither", "units that", 0),
        Column("counted", "counters\ncounted"),
        Column("weakest", "weakest\nmatch", "", 2),
        Column("drift", "drift", "", 3),
    )
    note = _on_units([network.units for network in networks], threshold)
    note = note and f"{note} Drift: the mean size over the units that count."
    return Table("counters", "What the units do", columns, tuple(rows), note)


@checked
def tasks_table(networks: Sequence[LookedAt], threshold: float = COUNTS) -> Table:
    """A row for every state of every task: in how many of its runs how many units do what."""
    by_task: dict[tuple[Any, ...], list[StateUnits]] = {}
    settings = (*_task_columns(networks), Column("state", "state"))
    for network in networks:
        for state in network.units.states:
            values = {**network.settings, "state": state.name}
            by_task.setdefault(tuple(values.get(column.key) for column in settings), []).append(state)
    rows = []
    for task, states in by_task.items():
        tallies = [state.tally(threshold) for state in states]
        counted = [len(t.counted) == len(s.matching.units) for t, s in zip(tallies, states, strict=True)]
        row = {column.key: value for column, value in zip(settings, task, strict=True)}
        row |= {"runs": len(states), "every": sum(counted)}
        row |= {name: _how_often(getattr(t, name) for t in tallies) for name in ("counting", "following")}
        rows.append(row)
    columns = (
        *settings,
        Column("runs", "runs", "", 0),
        Column("counting", "units that count"),
        Column("following", "units that follow the length"),
        Column("every", "every counter\nhas a unit", "", 0),
    )
    note = _on_units([network.units for network in networks], threshold)
    return Table("counters", "What the units do, by task", columns, tuple(rows), note)


def _task_columns(networks: Sequence[LookedAt]) -> tuple[Column, ...]:
    fields = dict.fromkeys(name for network in networks for name in network.settings)
    return tuple(Column(name, name, "", 0 if name in ("hidden", "epochs") else None) for name in fields)


def _drift(state: StateUnits, threshold: float) -> float | None:
    """The mean size of the drift per () of the units that count, each with its counter."""
    drifts = [
        abs(state.moves.drift.mean[unit, verdict.counter])
        for unit, verdict in enumerate(state.verdicts(threshold))
        if verdict.counter is not None
    ]
    return known_number(np.mean(drifts)) if drifts else None


def _how_often(numbers: Iterable[int]) -> str:
    """How often each number comes.

    >>> _how_often([6, 5, 6])
    '5 in 1, 6 in 2'
    """
    return ", ".join(f"{number} in {times}" for number, times in sorted(Counter(numbers).items()))


def _on_units(units: Sequence[CountingUnits], threshold: float) -> str:
    """The words, and what the verdicts mean."""
    if not units:
        return ""
    split = units[0].corpus.split
    return (
        f"Over {split.count:,} uniform words of {split.window.low} to {split.window.high} symbols. A unit "
        f"counts if its absolute correlation with a counter is at least {threshold:g}; it follows the length "
        f"if that with the number of the step is higher than with every counter, and at least {FOLLOWS:g}."
    )


@dataclass(frozen=True, eq=False)
class StressedNetworks:
    """Networks of one language and shape, by name, and how far they get."""

    language: str
    cell: str
    hidden: int
    steps: str
    names: tuple[str, ...]
    stress: Stress

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.names) != len(self.stress):
            raise BadInput(f"StressedNetworks: {len(self.stress)} need as many names, got {len(self.names)}")

    @property
    def row(self) -> dict[str, Any]:
        """What all of them share."""
        return {"language": self.language, "cell": self.cell, "hidden": self.hidden, "steps": self.steps}


def _shared_columns(tried: Sequence[StressedNetworks]) -> tuple[Column, ...]:
    """Columns for what networks share, the steps that count only where they differ."""
    steps = headed("steps") if len({task.steps for task in tried}) > 1 else ()
    return (*headed("language", "cell"), Column("hidden", "hidden", "", 0), *steps)


@checked
def stress_table(tried: Sequence[StressedNetworks]) -> Table:
    """A row for every task: by family, the longest length up to which at least half of its runs are right."""
    families = dict.fromkeys(name for task in tried for name in task.stress.families)
    rows = []
    for task in tried:
        medians = np.quantile(task.stress.longest_right, 0.5, axis=0, method="lower").astype(int).tolist()
        by_family = dict(zip(task.stress.families, medians, strict=True))
        figures = {n: None if n in task.stress.left_out else by_family.get(n) for n in families}
        rows.append(task.row | {"runs": len(task.stress)} | figures)
    shown = (name for name in families if any(row[name] is not None for row in rows))
    columns = (*_shared_columns(tried), *headed("runs", *shown, digits=0))
    title = "The longest words up to which at least half of the runs are right, by family"
    return Table("stress", title, columns, tuple(rows), _on_words(tried))


@checked
def every_network_table(tried: Sequence[StressedNetworks]) -> Table:
    """A row for every network and family: at every length the first wrong step."""
    rows = []
    for task in tried:
        stress, longest = task.stress, task.stress.longest_right
        for run, name in enumerate(task.names):
            for number, family in enumerate(stress.families):
                if family not in stress.left_out:
                    cells = zip(
                        stress.lengths, stress.wrong_at[run, number], stress.words[number], strict=True
                    )
                    # by length the first wrong step, `right` where there is none, None where there is no word
                    steps = {str(n): (int(step) or "right") if words else None for n, step, words in cells}
                    row = {"run": name, "family": family, "right to": int(longest[run, number])}
                    rows.append(task.row | row | steps)
    lengths = dict.fromkeys(n for task in tried for n in task.stress.lengths)
    numbers = headed("right to", *map(str, lengths), digits=0)
    columns = (Column("run", "run"), *_shared_columns(tried), Column("family", "family"), *numbers)
    title = "The first wrong step on structured words, by length"
    return Table("stress", title, columns, tuple(rows), _on_words(tried))


def _on_words(tried: Sequence[StressedNetworks]) -> str:
    """Which lengths were tried, what has no words, and what the families are."""
    sentences = []
    for lengths in dict.fromkeys(task.stress.lengths for task in tried):
        listed = ", ".join(f"{length:,}" for length in lengths)
        sentences.append(f"{plural(len(lengths), 'length')} tried: {listed}; 0: wrong at the first")
    for language, left_out in dict.fromkeys((task.language, task.stress.left_out) for task in tried):
        if left_out:
            sentences.append(f"{language} has no words of {', '.join(left_out)}")
    others = dict.fromkeys(
        f"{task.language} has words of {real:,} symbols instead of {wanted:,}"
        for task in tried
        for actual in task.stress.actual.tolist()
        for real, wanted in zip(actual, task.stress.lengths, strict=True)
        if real not in (0, wanted)
    )
    shown = {f for task in tried for f in task.stress.families if f not in task.stress.left_out}
    meanings = [f"{name}: {ALL_FAMILIES[name].meaning}" for name in ALL_FAMILIES if name in shown]
    return ". ".join([*sentences, *others, *(["; ".join(meanings)] if meanings else [])]) + "."
