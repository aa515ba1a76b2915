"""How the specs of some tasks are told apart: by the fields in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from abacist.experiments import run_values
from abacist.specs import Spec


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as tables have them."""
    known = {spec: run_values.settings_of(spec) for spec in specs}
    layers = ["layers"] if any(spec.layers > 1 for spec in known) else []
    shown = dict.fromkeys((*run_values.FIRST, *layers, *run_values.differing(known.values())))
    return {spec: {name: values[name] for name in shown} for spec, values in known.items()}


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Seeds as people write them: 0–9, or 0, 3, 7 where some between them are missing."""
    whole = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]}–{seeds[-1]}" if whole else ", ".join(map(str, seeds))
