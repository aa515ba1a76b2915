"""Languages of one's own that go by their names: those of plugins, of programs and of installed packages."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from abacist.entry_points import from_packages, warn
from abacist.errors import BadInput, UnknownName
from abacist.languages.language import Language

#: The group of entry points with which packages offer languages.
GROUP = "abacist.languages"

#: How many digits of a language's content tell it from others of its name, and how many states make it.
DIGITS, _LOOKED_AT = 12, 1_000


@dataclass(frozen=True)
class OfferedLanguage:
    """A language that goes by its name, and where it comes from: a file, a package, a program."""

    language: Language[Any]
    origin: str

    @cached_property
    def written(self) -> str:
        """How it is written in specs and run keys: its name and the first digits of its content."""
        return f"{self.language.name}#{_content(self.language)[:DIGITS]}"


_OFFERED: dict[str, OfferedLanguage] = {}

#: How often names were given or taken away: what was read by name before may be another language by now.
_CHANGES = [0]


def offer_language(language: Language[Any], origin: str) -> None:
    """Let a language go by its name from now on; another one from elsewhere must not have that name."""
    check_name(language, origin)
    other = _OFFERED.get(plain(language.name))
    if other is not None and other.origin != origin and other.language != language:
        raise BadInput(
            f"{origin}: a language named {language.name} is in {other.origin}, too; give one another name"
        )
    _OFFERED[plain(language.name)] = OfferedLanguage(language, origin)
    _CHANGES[0] += 1


def check_name(language: Language[Any], origin: str) -> None:
    """Refuse a name that could not be asked for."""
    name = language.name
    if not name.strip() or "||" in name or "#" in name:
        raise BadInput(f"{origin}: a language's name must have some text and neither || nor #, got {name!r}")


def withdraw_languages() -> None:
    """Forget the names of all languages of one's own."""
    _OFFERED.clear()
    _CHANGES[0] += 1


def names_changed() -> int:
    """How often names of languages of one's own have changed: a cache of what is read by name needs it."""
    return _CHANGES[0]


def own_language(name: str) -> OfferedLanguage | None:
    """The language of one's own that goes by a name; None if there is none.

    `name#digits` is that of its name only where its content begins with these digits.
    """
    bare, mark, _ = name.rpartition("#")
    asked = plain(bare if mark else name)
    found = _OFFERED.get(asked) or _packaged().get(asked)
    if not mark or (found is not None and found.written == name.strip()):
        return found
    there = f", and the {bare} in {found.origin} is another one" if found else ""
    line = " ".join(name.split())
    raise UnknownName(
        f"language {line}: it is not at hand{there}; give the file that defines it with --plugin FILE"
    )


def own_languages() -> list[OfferedLanguage]:
    """The languages of one's own that go by their names, those of installed packages among them."""
    return list((_packaged() | _OFFERED).values())


def plain(name: str) -> str:
    """A language's name in the form in which names are compared."""
    return name.strip().lower()


@cache
def _packaged() -> dict[str, OfferedLanguage]:
    """What installed packages offer; asked once, and only where a name is not known, or all are listed."""
    found: dict[str, OfferedLanguage] = {}
    for origin, language in from_packages(GROUP, Language):
        try:
            check_name(language, origin)
        except BadInput as error:
            warn(str(error))
            continue
        other = found.setdefault(plain(language.name), OfferedLanguage(language, origin))
        if other.language != language:
            warn(
                f"{origin}: its language {language.name} is not used, since {other.origin} has that name, too"
            )
    return found


def _content(language: Language[Any]) -> str:
    """A checksum over what a language is: its symbols, and its states as far as they are looked at.

    Run keys have it in them, so what it is made of must never change.
    """
    number: dict[Any, int] = {language.start: 0}
    waiting = [language.start]
    lines = [repr((language.name, language.alphabet.glyphs, language.marks_end, sorted(language.always)))]
    for state in waiting:  # which grows
        places = []
        for symbol in range(len(language.alphabet)):
            after = language.step(state, symbol)
            if after is not None and after not in number and len(number) < _LOOKED_AT:
                number[after] = len(number)
                waiting.append(after)
            places.append(-1 if after is None else number.get(after, _LOOKED_AT))
        lines.append(repr((places, language.accepts(state), tuple(language.depths(state)))))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
