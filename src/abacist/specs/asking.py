"""The spec that options and files ask for, and the recipes that they can name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abacist.corpora import SourceChoice
from abacist.errors import UnknownName
from abacist.fields import checked, records
from abacist.specs.spec import Spec
from abacist.wording import unknown

#: What recipes say, by the names that files and options have for it.
RECIPES: Mapping[str, Mapping[str, Any]] = {
    "paper": {},
    "published": {"cut_off": True, "order": "fixed", "precision": "float64"},
}


@checked
def recipe_values(name: str) -> dict[str, Any]:
    """What a recipe says, by the names that files and options have for it."""
    if name not in RECIPES:
        raise UnknownName(unknown("recipe", name, RECIPES))
    return dict(RECIPES[name])


def spec_asked_for(values: Mapping[str, Any]) -> Spec:
    """The spec that options and files ask for: fields of it and of a `SourceChoice`, and perhaps a recipe."""
    whole = {**recipe_values(values.get("recipe", "paper")), **values}
    settings = {name: whole[name] for name in records(Spec) if name in whole}
    words = {name: whole[name] for name in records(SourceChoice) if name in whole}
    if "source" not in settings:
        settings["source"] = SourceChoice(**words).of(settings["language"])
    return Spec(**settings)
