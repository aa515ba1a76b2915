"""The tables of what units do: of one network, of many networks, and of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.analysis import COUNTS, FOLLOWS, CountingUnits, StateUnits
from abacist.fields import checked
from abacist.report.tables import Column, Table


@dataclass(frozen=True, eq=False)
class LookedAt:
    """A network whose units were looked at.

    `settings` are the fields of its spec that tell its task from others; `seed` is None where unknown.
    """

    run: str
    settings: Mapping[str, Any]
    seed: int | None
    found: CountingUnits


@checked
def units_table(found: CountingUnits, title: str, threshold: float = COUNTS) -> Table:
    """A row for every unit of every state; moves are those with the counter that it goes with most."""
    language = found.corpus.language
    correlations = [*language.counter_names, "length"]
    columns = (
        Column("state", "state"),
        Column("unit", "unit", "", 0),
        Column("verdict", "verdict"),
        *(Column(f"correlation {name}", name, "with", 2) for name in correlations),
        Column("nearest", "nearest"),
        *(Column(f"{m} {f}", f, m, 3) for m in ("up", "down", "drift") for f in ("mean", "spread")),
        *(Column(f"saturation {gate}", gate, "gate", 2) for gate in found.saturation),
    )
    rows = []
    for state in found.states:
        for unit, verdict in enumerate(state.verdicts(threshold)):
            nearest = state.nearest[unit]
            own = (*state.matching.correlations[unit], state.with_length[unit])
            row = {
                "state": state.name,
                "unit": unit + 1,
                "verdict": verdict.in_words(language),
                "nearest": language.counter_names[nearest],
                **{f"correlation {n}": float(value) for n, value in zip(correlations, own, strict=True)},
            }
            for name in ("up", "down", "drift"):
                moves = getattr(state.moves, name)
                row[f"{name} mean"] = known_number(moves.mean[unit, nearest])
                row[f"{name} spread"] = known_number(moves.spread[unit, nearest])
            for gate, values in found.saturation.items():
                row[f"saturation {gate}"] = known_number(values[unit]) if len(values) == len(state) else None
            rows.append(row)
    note = (
        f"{_note([found], threshold)} With: correlations. Up, down: its change per symbol that raises or "
        "lowers the nearest counter; drift: over both, one right after the other. Gate: how near it is to 0 "
        "or 1, the mean of |2v − 1|."
    )
    return Table("units", title, columns, tuple(rows), note)


@checked
def networks_table(networks: Sequence[LookedAt], threshold: float = COUNTS) -> Table:
    """A row for every state of every network: how many of its units do what."""
    columns = (
        Column("run", "run"),
        *_task_columns(networks),
        Column("seed", "seed", "", 0),
        Column("state", "state"),
        Column("counting", "count", "units that", 0),
        Column("following", "follow the length", "units that", 0),
        Column("neither", "do neither", "units that", 0),
        Column("counted", "counters\ncounted"),
        Column("weakest", "weakest\nmatch", "", 2),
        Column("drift", "drift", "", 3),
    )
    rows = []
    for network in networks:
        for state in network.found.states:
            tally, counters = state.tally(threshold), len(state.matching.units)
            matched = [abs(c) for k in range(counters) if (c := state.matching.correlation(k)) is not None]
            row = dict(network.settings) | {
                "run": network.run,
                "seed": network.seed,
                "state": state.name,
                "counting": tally.counting,
                "following": tally.following,
                "neither": tally.neither,
                "counted": f"{len(tally.counted)} of {counters}",
                "weakest": min(matched) if len(matched) == counters else None,
                "drift": _drift(state, threshold),
            }
            rows.append(row)
    note = _note([network.found for network in networks], threshold)
    note = note and f"{note} Drift: the mean size over the units that count."
    return Table("counters", "What the units do", columns, tuple(rows), note)


@checked
def tasks_table(networks: Sequence[LookedAt], threshold: float = COUNTS) -> Table:
    """A row for every state of every task: in how many of its runs how many units do what."""
    columns = (
        *_task_columns(networks),
        Column("state", "state"),
        Column("runs", "runs", "", 0),
        Column("counting", "units that count"),
        Column("following", "units that follow the length"),
        Column("every", "every counter\nhas a unit", "", 0),
    )
    by_task: dict[tuple[tuple[str, Any], ...], list[StateUnits]] = {}
    for network in networks:
        for state in network.found.states:
            task = (*network.settings.items(), ("state", state.name))
            by_task.setdefault(task, []).append(state)
    rows = []
    for task, states in by_task.items():
        tallies = [state.tally(threshold) for state in states]
        counted = [len(t.counted) == len(s.matching.units) for t, s in zip(tallies, states, strict=True)]
        row = {
            "runs": len(states),
            "counting": _distribution(tally.counting for tally in tallies),
            "following": _distribution(tally.following for tally in tallies),
            "every": sum(counted),
        }
        rows.append(dict(task) | row)
    note = _note([network.found for network in networks], threshold)
    return Table("counters", "What the units do, by task", columns, tuple(rows), note)


def _task_columns(networks: Sequence[LookedAt]) -> tuple[Column, ...]:
    """A column for every field that tells tasks apart."""
    fields = dict.fromkeys(name for network in networks for name in network.settings)
    numbers = ("hidden", "epochs")
    return tuple(Column(name, name, "", 0 if name in numbers else None) for name in fields)


def known_number(value: Any) -> float | None:
    """A number, None where it is not finite."""
    return float(value) if np.isfinite(value) else None


def _drift(state: StateUnits, threshold: float) -> float | None:
    """The mean size of the drift per () of the units that count, each with its counter."""
    drifts = [
        abs(state.moves.drift.mean[unit, verdict.counter])
        for unit, verdict in enumerate(state.verdicts(threshold))
        if verdict.counter is not None
    ]
    return known_number(np.mean(drifts)) if drifts else None


def _distribution(numbers: Iterable[int]) -> str:
    """How often each number comes.

    >>> _distribution([6, 5, 6])
    '5 in 1, 6 in 2'
    """
    return ", ".join(f"{number} in {times}" for number, times in sorted(Counter(numbers).items()))


def _note(found: Sequence[CountingUnits], threshold: float) -> str:
    """The words, and what the verdicts mean."""
    if not found:
        return ""
    split = found[0].corpus.split
    return (
        f"Over {split.count:,} uniform words of {split.window.low} to {split.window.high} symbols. A unit "
        f"counts if its absolute correlation with a counter is at least {threshold:g}; it follows the length "
        f"if that with the number of the step is higher than with every counter, and at least {FOLLOWS:g}."
    )
