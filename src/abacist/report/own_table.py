"""The table of runs of one's own: a row for every group of equal settings, what all share said once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from abacist.cells import cell_named
from abacist.experiments import RECOGNITION_SETS, Run, percents
from abacist.experiments.paper_table import STATISTICS
from abacist.experiments.run_values import FIRST, lesson_settings, settings_of
from abacist.experiments.statistics import statistic
from abacist.fields import checked
from abacist.languages import language_named
from abacist.report.horizon_tables import SPAN, horizons_of, proved_to, spans_of, wrong_at
from abacist.report.own_runs import OwnRuns
from abacist.report.tables import Column, Table, headed
from abacist.specs import Lesson, Spec
from abacist.wording import listed, plural, spans

#: What horizons are of models that are not computed here.
OUTSIDE_TRIED = "Tried to: of models from outside nothing is proved; every word up to that length was tried."

#: Cells beyond which a caption has only their number.
_MOST_CELLS = 5


@checked
def own_table(runs: OwnRuns, statistics: Sequence[str] = STATISTICS) -> Table:
    """Accuracies by set, horizons and losses of every group; what is the same in all is in the title.

    `statistics` are those of the accuracies, as `abacist runs --group-by` has them.
    """
    sets = [name for name in runs.judged_on if name not in RECOGNITION_SETS] or list(runs.judged_on)
    known = bool(horizons_of(runs.runs))
    rows = [{**group.settings, **_row(group.runs, sets, statistics)} for group in runs.groups]
    diverged = sum(row["diverged"] for row in rows)
    with_loss = any(row["loss median"] is not None for row in rows)
    columns = (
        *headed(*runs.varying),
        *headed("runs", digits=0),
        *(c for name in sets for c in headed(*statistics, of=name, group=f"{name} set", digits=2)),
        *(c for end in _ends_of(runs) for c in headed(*SPAN, of=end, group=end, digits=0)),
        *(headed(*SPAN, of="wrong at", group="wrong at", digits=0) if known else ()),
        *([Column("loss median", "median", "loss", 6, significant=True)] if with_loss else []),
        *(headed("diverged", digits=0) if diverged else ()),
    )
    title = plural(len(runs.runs), "run")
    if runs.varying:
        title += f" by {listed(runs.varying)}" + "".join(f"; {what}: {s}" for what, s in same_in_words(runs))
    else:
        title += f": {in_words(runs.same)}"
    about = about_runs([group.runs for group in runs.groups])
    return Table("own", title, columns, tuple(rows), _note(runs, sets, known, diverged), about=about)


def _ends_of(runs: OwnRuns) -> list[str]:
    """How the lower ends of horizons were found out: networks are proved right, models from outside tried."""
    outside = {run.spec.outside for run in runs.runs if run.outcome.horizon() is not None}
    return [what for what, tried in (("proved to", False), ("tried to", True)) if tried in outside]


def _row(runs: Sequence[Run], sets: Iterable[str], statistics: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"runs": len(runs)}
    for name in sets:
        shares = percents(runs, name)
        if len(shares):
            row |= {f"{name} {s}": statistic(s, shares) for s in statistics}
    if horizons := horizons_of(runs):
        spec = runs[0].spec
        row |= spans_of("tried to" if spec.outside else "proved to", proved_to(horizons, spec.language))
        row |= spans_of("wrong at", wrong_at(horizons))
    finite = [loss for run in runs if run.outcome.losses and np.isfinite(loss := run.outcome.losses[-1])]
    row["loss median"] = float(np.median(finite)) if finite else None
    row["diverged"] = sum(run.outcome.diverged is not None for run in runs)
    return row


def about_runs(blocks: Sequence[Sequence[Run]]) -> str:
    """Which runs a table is about, by setting: `6 runs of gru and lstm on dyck-1, 3 seeds each (0–2)`."""
    runs = [run for block in blocks for run in block]
    cells = dict.fromkeys(run.spec.cell.name.partition("#")[0] for run in runs)
    languages = dict.fromkeys(run.spec.language.name for run in runs)
    counts = sorted({len(block) for block in blocks if block})
    if not counts:
        return ""
    of = listed(cells) if len(cells) <= _MOST_CELLS else f"{len(cells)} cells"
    fewest = f"{counts[0]} to " if len(counts) > 1 else ""
    seeds = f"{fewest}{plural(counts[-1], 'seed')}{' each' if len(blocks) > 1 else ''}"
    which = spans(run.seed for run in runs)
    return f"{plural(len(runs), 'run')} of {of} on {listed(languages)}, {seeds} ({which})"


def same_in_words(runs: OwnRuns) -> list[tuple[str, str]]:
    """What all runs share, and what all share that were trained here, each with the words before it."""
    parts: dict[str, dict[str, Any]] = {"the same in all": {}, "the same in all trained here": {}}
    for name, value in runs.same.items():
        trained = any(group.settings[name] is None for group in runs.groups)  # None of models from outside
        parts["the same in all" + " trained here" * trained][name] = value
    return [(what, text) for what, same in parts.items() if (text := in_words(same))]


def _note(runs: OwnRuns, sets: Sequence[str], known: bool, diverged: int) -> str:
    notes = ["Accuracies in percent."] if sets else ["No run was judged on any set."]
    if known:
        notes.append(
            "Proved to, wrong at: lengths in symbols up to which every word is proved right, and of the "
            "shortest word found that a network gets wrong; missing where there is none."
        )
        if "tried to" in _ends_of(runs):
            notes.append(OUTSIDE_TRIED)
    if diverged:
        notes.append(f"{diverged} of {plural(len(runs.runs), 'run')} diverged.")
    if set(runs.judged_on) - set(sets):
        left_out = sorted(set(runs.judged_on) - set(sets), key=runs.judged_on.index)
        by = ",".join(runs.varying) or "cell"
        notes.append(
            f"Left out: {', '.join(left_out)}; "
            f"abacist runs --group-by '{by}' --columns '{left_out[0]}' shows such a set."
        )
    return " ".join(notes)


def in_words(same: Mapping[str, Any]) -> str:
    """The settings that all runs share: those that always stand first, and what is not as usual."""
    plain = Spec(language_named("dyck-1"), cell_named("lstm"))
    usual = settings_of(plain) | lesson_settings(Lesson())
    shown = [n for n in same if n in FIRST or (same[n] != usual.get(n) and same[n] != "none")]
    return ", ".join(f"{name} {same[name]}" for name in shown)


def first_rows(table: Table, most: int, command: str = "") -> Table:
    """A table with so many rows at most; where there are more, its note says so, and what shows all."""
    if len(table.rows) <= most:
        return table
    all_of_them = f"; {command} shows all" if command else ""
    more = f"The first {most:,} of {len(table.rows):,} rows{all_of_them}."
    return replace(table, rows=table.rows[:most], note=f"{table.note} {more}".strip())
