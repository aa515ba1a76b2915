"""Ways of training by name: what each says of words, their order and the precision, in place of the defaults.

`published` is the authors' later code for generalised Dyck languages, as far as it goes: it cuts the
grammar's recursion off at the longest length, visits the words in every epoch as they were drawn, and
computes in float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from abacist.corpora import SourceChoice
from abacist.errors import UnknownName
from abacist.fields import checked, records
from abacist.specs.spec import Spec

RECIPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "paper": MappingProxyType({}),
        "published": MappingProxyType({"cut_off": True, "order": "fixed", "precision": "float64"}),
    }
)


@checked
def recipe_values(name: str) -> dict[str, Any]:
    """What a recipe says, by the names that files and options have for it."""
    if name not in RECIPES:
        raise UnknownName(f"unknown recipe {name!r}; there are {', '.join(RECIPES)}")
    return dict(RECIPES[name])


def spec_asked_for(values: Mapping[str, Any]) -> Spec:
    """The spec that options and files ask for: fields of it and of a `SourceChoice`, and perhaps a recipe."""
    whole = {**recipe_values(values.get("recipe", "paper")), **values}
    own = {name: whole[name] for name in records(Spec) if name in whole}
    words = {name: whole[name] for name in records(SourceChoice) if name in whole}
    return Spec(**own | {"source": SourceChoice(**words).of(own["language"])})
