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
from abacist.languages.register import offer_language, own_language
from abacist.languages.shuffles import shuffle, shuffle_k
from abacist.wording import meant

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
    try:
        return _named(name)
    except UnknownName:
        if "||" in name:
            return reduce(shuffle, map(language_named, name.split("||")))
        if name.strip().endswith(END_SUFFIX):
            return language_named(_without_end(name)).marked()
        own = own_language(name)
        if own is None:
            raise
        return own.language


@lru_cache(maxsize=64)  # languages are frozen, and building one with many parts takes a while
def _named(name: str) -> Language[Any]:
    if "||" in name:
        return reduce(shuffle, map(_named, name.split("||")))
    plain = name.strip().lower()
    if plain.endswith(END_SUFFIX):
        return _named(_without_end(plain)).marked()
    if plain in _BLOCKS:
        return Blocks(_BLOCKS[plain])
    if family := re.fullmatch(r"(dyck|shuffle)-?([0-9]{1,3})", plain):
        return (Dyck if family[1] == "dyck" else shuffle_k)(int(family[2]))
    entry = entry_named(plain)
    if entry is not None:
        return entry.language()
    families = ", ".join(family.name for family in FAMILIES)
    raise UnknownName(
        f"unknown language {name!r}{_suggestion(plain)}; languages are dyck-N, shuffle-N (N up to 999), "
        + (", ".join(_BLOCKS))
        + f", {families}, others that `abacist languages` lists, and those of --plugin FILE"
    )


def _without_end(name: str) -> str:
    """A name without the suffix that marks the end, however often it has that."""
    bare = name.strip()
    while bare.endswith(END_SUFFIX):
        bare = bare.removesuffix(END_SUFFIX).strip()
    return bare


def add_language(language: Language[Any], origin: str = "this program") -> None:
    """Let a language of one's own go by its name; `origin` says where it comes from."""
    expect("add_language: language", language, Language)
    if comes_with_abacist(language.name):
        raise BadInput(
            f"{origin}: a language named {language.name} comes with Abacist; give yours another name"
        )
    offer_language(language, origin)


def comes_with_abacist(name: str) -> bool:
    """Whether a name is that of a language that Abacist knows by itself."""
    try:
        _named(name)
    except BadInput:
        return False
    return True


def written_name(language: Language[Any]) -> str:
    """The name that gives a language back; a language with its own glyphs has none.

    A language of one's own has its content beside its name: another one of that name is another language.
    """
    expect("written_name: language", language, Language)
    if not comes_with_abacist(language.name):
        if "||" in language.name and language_named(language.name) == language:
            parts = map(language_named, language.name.split("||"))
            return " || ".join(map(written_name, parts))
        own = own_language(language.name)
        if own is None or own.language != language:
            raise BadInput(f"{language.name}: a language of one's own is stored after add_language(language)")
        return own.written
    if language_named(language.name) != language:
        raise BadInput(f"{language.name}: a language with its own glyphs cannot be stored")
    return language.name


def has_name(language: Language[Any]) -> bool:
    """Whether a language is the one that goes by its name wherever Abacist is installed."""
    return comes_with_abacist(language.name) and _named(language.name) == language


def _suggestion(name: str) -> str:
    digits = "".join(c for c in name if c in "0123456789").lstrip("0")[:3] or "1"
    known = (f"dyck-{digits}", f"shuffle-{digits}", *_BLOCKS)
    listed = [entry.name for entry in CATALOGUE]
    return meant(name, known) or meant(name, listed)
