"""`abacist bench`: how fast it is, as ratios measured side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.bench import DEVICE_PARTS, FURTHER_PARTS, PARTS, machine
from abacist.cli.devices import use_device
from abacist.cli.saying import say
from abacist.cli.screen import show_table
from abacist.errors import UnknownName
from abacist.files import write_whole
from abacist.json_text import json_text
from abacist.targets import target_named


def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to measure: corpora, automata, engine, memories, horizons, startup, reproduce, "
            "stores, page, clusters, zoo.",
            show_default="everything but zoo",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the figures to a JSON file.")] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda: what an NVIDIA device does.")] = "cpu",
) -> None:
    """Measure speed against plain baselines in the same run.

    Example: abacist bench corpora
    """
    use_device(device)
    usual = DEVICE_PARTS if device == "cuda" else PARTS
    known = usual if device == "cuda" else {**PARTS, **FURTHER_PARTS}
    for name in parts or ():
        if name not in known:
            raise UnknownName(f"unknown benchmark {name!r}; there are {', '.join(known)}")
    where = target_named("cuda").versions()["processor"] if device == "cuda" else machine()
    rows = [row for name in parts or usual for row in known[name]()]
    show_table(
        ["what", "ours", "baseline", "ratio", "at least", ""],
        [[r.what, r.ours, r.baseline, r.shown_ratio, r.shown_limit, r.verdict] for r in rows],
        title=f"abacist bench, {where}",
        left=("what",),
    )
    if out is not None:
        figures = {"machine": where, "rows": [row.as_dict() for row in rows]}
        write_whole(out, (json_text(figures, indent=2) + "\n").encode())
        say(f"written to {out}")
