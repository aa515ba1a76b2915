"""How the specs of some tasks are told apart: by the fields in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from abacist.specs import Spec

#: Fields that are shown always; the others where they differ from spec to spec.
_ALWAYS = ("language", "cell", "hidden", "epochs")


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as people read them."""
    plain = {spec: _plain(spec) for spec in specs}
    swept = [name for name in Spec.__dataclass_fields__ if len({one[name] for one in plain.values()}) > 1]
    fields = dict.fromkeys((*_ALWAYS, *swept))
    return {spec: {name: values[name] for name in fields} for spec, values in plain.items()}


def _plain(spec: Spec) -> dict[str, Any]:
    """All fields; what is left out in a spec is as its recipe has it."""
    recipe = spec.recipe(0)
    return spec.as_dict() | {"training": recipe.splits[0].count, "source": str(recipe.source)}


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Seeds as people write them: 0–9, or 0, 3, 7 where some between them are missing."""
    whole = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]}–{seeds[-1]}" if whole else ", ".join(map(str, seeds))
