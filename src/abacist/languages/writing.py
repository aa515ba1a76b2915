"""Languages by name and in plain values, as files and stores hold them, and back.

Names are dyck-N, shuffle-N, anbn, anbncn, anbncndn, those of the catalogue, `X || Y`, `X+end` and
`recognise:X`, the recogniser of what comes after the colon. A language
with a name is that name in plain values. One that an automaton gives is a table, with one text for each move:

    kind = "finite"        "STATE GLYPH STATE"
    kind = "counter"       "STATE GLYPH TESTS STATE UPDATES", for each counter a test 0, + or * and an update
                           +, -, 0 or = (back to zero)
    kind = "pushdown"      "STATE GLYPH TOP STATE", then perhaps "pop", then perhaps "push SYMBOL"

The start is `start`, or the state that comes first; states and stack symbols are called what you like. A top
of * is whatever is on the stack, one of - an empty stack. A finite automaton may be given as a `regex`
instead, and a shuffle, whose kind is that, by its `parts`. One of kind "renamed" has other `glyphs` than
that which it is `of`, and one of kind "recogniser" recognises what it is `of`. Equal languages have equal
values.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from abacist.errors import BadFile, BadInput, UnknownName
from abacist.fields import checked, expect, expect_each, short_repr
from abacist.labels import give_label
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.blocks import Blocks
from abacist.languages.catalogue import CATALOGUE, entry_named
from abacist.languages.dyck import Dyck
from abacist.languages.language import END_SUFFIX, Language
from abacist.languages.recogniser import RECOGNISE, Recogniser
from abacist.languages.regular_expressions import regular
from abacist.languages.shuffles import Shuffle, shuffle, shuffle_k
from abacist.languages.within import TO_DEPTH, WITHIN, Within, to_depth
from abacist.languages.written_automata import read_language, written_automaton
from abacist.registry import DIGITS, Offered, Registry, written
from abacist.untrusted import load_toml, read_json
from abacist.wording import did_you_mean

#: A language in plain values.
LanguageValues = str | dict[str, Any]

#: What the text of a table begins with; a name may begin with a brace, too.
_TABLE = '{"'

#: What a regular expression begins with where a command names a language.
_REGEX = "regex:"

#: A language whose words go to some depth.
_LIMITED = re.compile(rf"((?:(?!\|\|).)+?){TO_DEPTH}([0-9]{{1,3}})", re.IGNORECASE)

_Fields = dict[str, tuple[type, ...]]
_ALL: _Fields = {"name": (str,), "glyphs": (str, list), "marks_end": (bool,)}
_MOVING: _Fields = {"kind": (str,), "start": (str,), "accepting": (list,), "moves": (list,)} | _ALL

#: The fields of every kind of table, and what they hold.
_FIELDS: dict[str, _Fields] = {
    "regex": {"regex": (str,)} | _ALL,
    "finite": _MOVING,
    "counter": {"counters": (int,)} | _MOVING,
    "pushdown": _MOVING,
    "shuffle": {"kind": (str,), "name": (str,), "parts": (list,)},
    "renamed": {"kind": (str,), "of": (str, dict), "glyphs": (str, list)},
    "within": {"kind": (str,), "of": (str, dict), "words": (str, dict)},
    "recogniser": {"kind": (str,), "of": (str, dict)},
}


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
    if WITHIN in name:
        return Within(*(_named(one.strip(), changes) for one in name.split(WITHIN, 1)))
    if limited := _LIMITED.fullmatch(name):
        return to_depth(_named(limited[1], changes), int(limited[2]))
    if name.lower().startswith(RECOGNISE):
        return Recogniser(_named(name[len(RECOGNISE) :].strip(), changes))
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
    few = "; languages are dyck-N, shuffle-N (N up to 999), others are in `abacist languages`"
    hint = _suggestion(plain) or few
    raise UnknownName(OWN_LANGUAGES.unknown(name, hint, file="FILE.toml or ", table="[language] or "))


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


def _suggestion(name: str) -> str:
    digits = "".join(c for c in name if c in "0123456789").lstrip("0")[:3] or "1"
    numbered = (f"dyck-{digits}", f"shuffle-{digits}", *_BLOCKS)
    listed = [entry.name for entry in CATALOGUE]
    return did_you_mean(name, numbered) or did_you_mean(name, listed)


def written_name(language: Language[Any]) -> str:
    """The name that gives a language back; a language with its own glyphs has none.

    A language of one's own has its content beside its name: another one of that name is another language.
    """
    expect("written_name: language", language, Language)
    if OWN_LANGUAGES.is_builtin(language):
        return language.name
    if builtin(language.name) is not None:
        raise BadInput(f"{language.name}: a language with its own glyphs cannot be stored")
    if "||" in language.name and language_named(language.name) == language:
        return " || ".join(written_name(language_named(name)) for name in language.name.split("||"))
    match = OWN_LANGUAGES.find(language.name)
    if match is None or match != language:
        raise BadInput(f"{language.name}: a language of one's own is stored after add_language(language)")
    return written(match)


def language_values(language: Language[Any]) -> LanguageValues:
    """A language in plain values; refuses one that has neither a name nor an automaton of its own.

    >>> language_values(language_named("Dyck-1"))
    'dyck-1'
    >>> language_values(regular("(ab)*"))["moves"]
    ['0 a 1', '1 b 0']
    """
    expect("language_values: language", language, Language)
    if OWN_LANGUAGES.is_builtin(language):
        return language.name
    if isinstance(language, AutomatonLanguage):
        end = {} if language.marks_end else {"marks_end": False}
        return {"name": language.title, "glyphs": list(language.glyphs)} | end | written_automaton(language)
    if isinstance(language, Shuffle) and not _has_written_name(language):
        title = {"name": language.title} if language.title else {}
        return {"kind": "shuffle"} | title | {"parts": [language_values(part) for part in language.parts]}
    if isinstance(language, Within):
        of, words = language_values(language.outer), language_values(language.inner)
        return {"kind": "within", "of": of, "words": words}
    if isinstance(language, Recogniser):
        return {"kind": "recogniser", "of": language_values(language.recognised)}
    if type(language) in (Dyck, Blocks):  # a subclass is another language
        return {"kind": "renamed", "of": language.name, "glyphs": list(language.alphabet.glyphs)}
    return written_name(language)


def _has_written_name(language: Shuffle) -> bool:
    """Whether a shuffle is written by its name: no part has a table, and the name gives it back."""
    if any(isinstance(part, AutomatonLanguage) for part in language.parts):
        return False
    try:
        return bool(written_name(language))
    except BadInput:
        return False


def language_from_values(values: LanguageValues) -> Language[Any]:
    """The inverse of `language_values`; also reads what people write."""
    expect("a language", values, str, dict)
    if isinstance(values, str):
        return language_named(values)
    try:
        text = json.dumps(values)
    except (TypeError, ValueError, RecursionError):  # TOML has dates
        raise BadInput("a language must be made of texts, numbers, lists and tables") from None
    return _read(text, OWN_LANGUAGES.changes)


def with_name(name: str, table: dict[str, Any]) -> dict[str, Any]:
    """A table that has a name if it may have one: other kinds have the name of what they are of."""
    return table if table.get("kind") in ("renamed", "recogniser") else {"name": name} | table


def own_language_from_values(values: dict[str, Any]) -> Language[Any]:
    """The language of a table that someone wrote, which must not be called like another one of Abacist's."""
    language = language_from_values(values)
    taken = builtin(language.name) is not None and not OWN_LANGUAGES.is_builtin(language)
    if taken and values.get("kind") != "renamed":
        raise BadInput(f"a language named {language.name} comes with Abacist; give yours another name")
    return language


def language_text(language: Language[Any]) -> str:
    """A language as a single text: its name, or its table as JSON."""
    values = language_values(language)
    return values if isinstance(values, str) else json.dumps(values, sort_keys=True, ensure_ascii=False)


def language_label(language: Language[Any]) -> str:
    """A language as lists of runs call it: its name, and with a table `name#digits`, those of its content."""
    text = language_text(language)
    if not text.startswith(_TABLE):
        return text
    return f"{language.name}#{hashlib.sha256(text.encode()).hexdigest()[:DIGITS]}"


def language_from_text(text: str) -> Language[Any]:
    """The inverse of `language_text`."""
    expect("a language", text, str)
    if not text.startswith(_TABLE):
        return language_named(text)
    return _read(text, OWN_LANGUAGES.changes)


def name_in_text(text: str) -> str:
    """The name of the language that a text of `language_text` stands for."""
    return language_from_text(text).name if text.startswith(_TABLE) else text


@lru_cache(maxsize=256)  # a store of many runs asks for the same few again and again
def _read(text: str, _: int) -> Language[Any]:
    """The language of a table; it may name others, which may be other ones by now."""
    try:
        values = read_json(text, lax=True)
    except BadInput as error:
        raise BadInput(
            f"a language must be a name or a table, got {short_repr(text)}, which {error}"
        ) from None
    kind = "regex" if "regex" in values else values.get("kind", "finite")
    expect("language: kind", kind, str)
    if kind not in _FIELDS:
        kinds = ", ".join(name for name in _FIELDS if name != "regex")
        raise BadInput(f"language: kind must be one of {kinds}, got {kind!r}")
    called = values.get("name", values.get("regex", "own"))
    fields = _FIELDS[kind] | {"label": (str,)}
    for field, value in values.items():
        if field not in fields:
            raise BadInput(
                f"language {short_repr(called)}: has no field {field!r}; fields are {', '.join(fields)}"
            )
        expect(f"language {short_repr(called)}: {field}", value, *fields[field])
    label = values.pop("label", None)
    language = _made(kind, values, called)
    if label is not None:
        give_label(language.name, label)
    return language


def _made(kind: str, values: dict[str, Any], called: str) -> Language[Any]:
    """The language of a table with the right fields."""
    if kind == "shuffle":
        return _shuffled(values, called)
    if kind == "within":
        if not {"of", "words"} <= set(values):
            raise BadInput("language: one within another needs what it is `of`, and its `words`")
        return Within(language_from_values(values["of"]), language_from_values(values["words"]))
    if kind == "recogniser":
        if "of" not in values:
            raise BadInput("language: a recogniser needs what it is `of`")
        return Recogniser(language_from_values(values["of"]))
    glyphs, marks_end = _glyphs(values), values.get("marks_end", True)
    if kind == "renamed":
        if glyphs is None or "of" not in values:
            raise BadInput("language: a renamed one needs what it is `of`, and its glyphs")
        return language_from_values(values["of"]).renamed(glyphs)
    return read_language(values, glyphs, called, marks_end)


def _glyphs(values: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The alphabet that a table names, a text for glyphs of one character each."""
    glyphs = values.get("glyphs")
    expect_each("language: each of glyphs", glyphs, str)
    return None if glyphs is None else tuple(glyphs)


def _shuffled(values: Mapping[str, Any], called: str) -> Shuffle:
    parts = values.get("parts", [])
    expect_each(f"language {short_repr(called)}: each of parts", parts, str, dict)
    if len(parts) < 2:
        raise BadInput(f"language {short_repr(called)}: a shuffle needs at least two parts, got {len(parts)}")
    whole = reduce(shuffle, map(language_from_values, parts))
    assert isinstance(whole, Shuffle)
    return Shuffle(whole.parts, values.get("name", ""))


def language_asked_for(text: str | Language[Any]) -> Language[Any]:
    """The language that a text asks for: a name, `regex:` and an expression, a TOML file, or `X || Y`.

    After `recognise:` any of them is the language of a recogniser. A language is itself.

    >>> language_asked_for("regex:(ab)*").counts(4)
    [1, 0, 1, 0, 1]
    """
    if isinstance(text, Language):
        return text
    expect("a language", text, str)
    if WITHIN in text:
        return Within(*(language_asked_for(one.strip()) for one in text.split(WITHIN, 1)))
    if limited := _LIMITED.fullmatch(text.strip()):
        return to_depth(language_asked_for(limited[1]), int(limited[2]))
    if text.lower().startswith(RECOGNISE):
        return Recogniser(language_asked_for(text[len(RECOGNISE) :].strip()))
    if "||" in text:
        return reduce(shuffle, (language_asked_for(part.strip()) for part in text.split("||")))
    if text.startswith(_REGEX):
        return regular(text.removeprefix(_REGEX))
    return load_language(Path(text)) if text.endswith(".toml") else language_named(text)


@checked
def load_language(path: Path) -> Language[Any]:
    """The language of the table `[language]` in a file; a table without a name goes by the file's."""
    table = load_toml(path).get("language")
    if not isinstance(table, dict):
        raise BadFile(f"{path}: has no table [language]")
    try:
        return own_language_from_values(with_name(path.stem, table))
    except BadInput as error:
        raise BadFile(f"{path}: {error}") from None
