"""How the specs of some tasks are told apart: by the fields in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from abacist.experiments.run_values import FIRST
from abacist.specs import Spec


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as people read them."""
    plain = {spec: _plain(spec) for spec in specs}
    swept = [f.name for f in fields(Spec) if len({one[f.name] for one in plain.values()}) > 1]
    layers = ["layers"] if any(spec.layers > 1 for spec in plain) else []
    shown = dict.fromkeys((*FIRST, *layers, *swept))
    return {spec: {name: values[name] for name in shown} for spec, values in plain.items()}


def _plain(spec: Spec) -> dict[str, Any]:
    """All fields; what is left out in a spec is as its recipe has it."""
    recipe = spec.recipe(0)
    lesson = None if spec.lesson is None else str(spec.lesson)
    filled = {"training": recipe.splits[0].count, "source": str(recipe.source), "lesson": lesson}
    return spec.as_dict() | filled | {"language": spec.language.name}


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Seeds as people write them: 0–9, or 0, 3, 7 where some between them are missing."""
    whole = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]}–{seeds[-1]}" if whole else ", ".join(map(str, seeds))
