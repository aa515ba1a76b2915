"""`abacist bench`: how fast it is, as ratios measured side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.bench import DEVICE_PARTS, FURTHER_PARTS, PARTS, machine
from abacist.cli.options import picked
from abacist.cli.screen import say
from abacist.cli.tables import show_rows
from abacist.cli.work import DEVICES, target_of_device
from abacist.fields import Choice
from abacist.files import write_whole
from abacist.json_text import json_text
from abacist.targets import target_named


def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to measure: engine, horizons, reproduce, clusters, zoo.",
            show_default="everything but zoo",
        ),
    ] = None,
    out: Annotated[Path | None, "Write the figures to a JSON file."] = None,
    device: Annotated[str, "cpu, or cuda: what an NVIDIA device does.", Choice(DEVICES)] = "cpu",
) -> None:
    """Measure speed against plain baselines in the same run.

    Example: abacist bench engine
    """
    target = target_of_device(device)
    usual = DEVICE_PARTS if target == "cuda" else PARTS
    benchmarks = usual if target == "cuda" else {**PARTS, **FURTHER_PARTS}
    where = target_named(target).versions()["processor"] if target == "cuda" else machine()
    names = picked(parts or [*usual], benchmarks, "benchmark")
    rows = [row for name in names for row in benchmarks[name]()]
    headings = ["what", "ours", "baseline", "ratio", "at least", "verdict"]
    cells = [[r.what, r.ours, r.baseline, r.shown_ratio, r.shown_limit, r.verdict] for r in rows]
    show_rows(headings, cells, title=f"abacist bench, {where}", left=("what", "verdict"))
    if out is not None:
        figures = {"machine": where, "rows": [vars(row) for row in rows]}
        write_whole(out, (json_text(figures, indent=2) + "\n").encode())
        say(f"written to {out}")
