"""The catalogue: languages that the literature trains networks on, by name, each with its source."""

from __future__ import annotations

from abacist.languages.catalogue import memory, regular
from abacist.languages.catalogue.entry import Entry, Family, Publication

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Family", "Publication", "entry_named"]

FAMILIES: tuple[Family, ...] = (*regular.FAMILIES, *memory.FAMILIES)

_FIXED: dict[str, Entry] = {entry.name: entry for part in (regular, memory) for entry in part.ENTRIES}

#: Every language with a name of its own, and those of the families that are listed.
CATALOGUE: tuple[Entry, ...] = (
    *_FIXED.values(),
    *(family.entry(*numbers) for family in FAMILIES for numbers in family.listed),
)


def entry_named(name: str) -> Entry | None:
    """The entry that goes by a name in lower case, if there is one.

    >>> entry_named("d-7").example
    'aaaaaaabbbbbbbab'
    """
    if name in _FIXED:
        return _FIXED[name]
    for family in FAMILIES:
        entry = family.named(name)
        if entry is not None:
            return entry
    return None
