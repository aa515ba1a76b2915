"""Languages by name: dyck-N, shuffle-N, anbn, anbncn, anbncndn, those of the catalogue, `X || Y`, `X+end`."""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from typing import Any

from abacist.errors import BadInput, UnknownName
from abacist.fields import expect
from abacist.languages.blocks import Blocks
from abacist.languages.catalogue import CATALOGUE, FAMILIES, entry_named
from abacist.languages.dyck import Dyck
from abacist.languages.language import END_SUFFIX, Language
from abacist.languages.shuffles import shuffle, shuffle_k
from abacist.registry import Offered, Registry, written
from abacist.wording import did_you_mean

_BLOCKS = {Blocks(blocks).name: blocks for blocks in (2, 3, 4)}

#: The paper's four tasks, and the languages of the work that it answers.
PAPER_LANGUAGES = ("dyck-1", "shuffle-2", "shuffle-6", "dyck-2")
WELL_KNOWN = (*PAPER_LANGUAGES, *_BLOCKS)


def language_named(name: str) -> Language[Any]:
    """The language that goes by a name.

    >>> language_named("Shuffle-6").alphabet.glyphs[:4]
    ('(', ')', '[', ']')
    """
    expect("language_named: a name", name, str)
    return _named(name.strip(), OWN_LANGUAGES.changes)


@lru_cache(maxsize=64)  # languages are frozen, and building one with many parts takes a while
def _named(name: str, changes: int | None) -> Language[Any]:
    """The language of a name; `changes` of the registry make the cache ask again, None leaves it out."""
    if "||" in name:
        return reduce(shuffle, (_named(part.strip(), changes) for part in name.split("||")))
    plain = bare = name.lower()
    while bare.endswith(END_SUFFIX):
        bare = bare.removesuffix(END_SUFFIX).strip()
    if bare != plain:
        return _named(name[: len(bare)], changes).marked()
    if plain in _BLOCKS:
        return Blocks(_BLOCKS[plain])
    if family := re.fullmatch(r"(dyck|shuffle)-?([0-9]{1,3})", plain):
        return (Dyck if family[1] == "dyck" else shuffle_k)(int(family[2]))
    entry = entry_named(plain)
    if entry is not None:
        return entry.language()
    if changes is not None:
        match = OWN_LANGUAGES.find(name)
        if match is not None:
            return match
        if "#" in name:
            raise UnknownName(OWN_LANGUAGES.absence(name))
    families = ", ".join(family.name for family in FAMILIES)
    raise UnknownName(
        f"unknown language {name!r}{_suggestion(plain)}; languages are dyck-N, shuffle-N (N up to 999), "
        + (", ".join(_BLOCKS))
        + f", {families}, others that `abacist languages` lists, and those of --plugin FILE"
    )


def add_language(language: Language[Any], origin: str = "this program") -> None:
    """Let a language of one's own go by its name; `origin` says where it comes from."""
    expect("add_language: language", language, Language)
    OWN_LANGUAGES.add(language, origin)


def own_languages() -> list[Offered[Language[Any]]]:
    """The languages of one's own that go by their names, those of installed packages among them."""
    return OWN_LANGUAGES.all()


def builtin(name: str) -> Language[Any] | None:
    """The language that Abacist knows by itself under a name; None if there is none."""
    try:
        return _named(name.strip(), None)
    except BadInput:
        return None


OWN_LANGUAGES: Registry[Language[Any]] = Registry(Language, builtin)


def written_name(language: Language[Any]) -> str:
    """The name that gives a language back; a language with its own glyphs has none.

    A language of one's own has its content beside its name: another one of that name is another language.
    """
    expect("written_name: language", language, Language)
    if builtin(language.name) is None:
        if "||" in language.name and language_named(language.name) == language:
            parts = map(language_named, language.name.split("||"))
            return " || ".join(map(written_name, parts))
        match = OWN_LANGUAGES.find(language.name)
        if match is None or match != language:
            raise BadInput(f"{language.name}: a language of one's own is stored after add_language(language)")
        return written(match)
    if not OWN_LANGUAGES.is_builtin(language):
        raise BadInput(f"{language.name}: a language with its own glyphs cannot be stored")
    return language.name


def _suggestion(name: str) -> str:
    digits = "".join(c for c in name if c in "0123456789").lstrip("0")[:3] or "1"
    numbered = (f"dyck-{digits}", f"shuffle-{digits}", *_BLOCKS)
    listed = [entry.name for entry in CATALOGUE]
    return did_you_mean(name, numbered) or did_you_mean(name, listed)
