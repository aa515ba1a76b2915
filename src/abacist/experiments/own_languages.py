"""Languages that an experiment's file defines itself: tables `[languages.NAME]`, called by name."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput
from abacist.fields import short_repr
from abacist.languages.recogniser import RECOGNISE
from abacist.languages.writing import own_language_from_values, with_name
from abacist.limits import NESTING, PARTS


def own_languages(tables: Any) -> dict[str, dict[str, Any]]:
    """The tables of a file by name; the parts of a shuffle may be named like other tables."""
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise BadInput("languages of one's own are tables, written [languages.NAME]")
    return {name: _whole(name, tables, (), [0]) for name in tables}


def _whole(
    name: str, tables: dict[str, dict[str, Any]], within: tuple[str, ...], count: list[int]
) -> dict[str, Any]:
    """A table with the tables of its parts in place of their names; `count` has the number of these."""
    if name in within:
        raise BadInput(f"languages.{name}: must not be a part of itself")
    NESTING.check(f"languages.{short_repr(name)}", len(within))
    table = dict(with_name(name, tables[name]))
    if isinstance(parts := table.get("parts"), list):
        count[0] += len(parts)  # parts of parts multiply
        PARTS.check(f"languages.{short_repr((*within, name)[0])}", count[0])
        table["parts"] = [
            _whole(part, tables, (*within, name), count) if isinstance(part, str) and part in tables else part
            for part in parts
        ]
    return table


def with_languages(values: dict[str, Any], languages: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The values of a task, with the tables of languages in place of the names they have in the file."""
    language = values.get("language")
    if language is None:
        return values
    many = isinstance(language, list)
    listed = [_with_tables(one, languages) for one in (language if many else [language])]
    for one in listed:
        if isinstance(one, dict):
            own_language_from_values(one)  # which refuses what is no language
    return values | {"language": listed if many else listed[0]}


def _with_tables(language: Any, languages: dict[str, dict[str, Any]]) -> Any:
    """The table that a name stands for, of a recogniser or a shuffle with such a part; else the language."""
    if not isinstance(language, str):
        return language
    if language in languages:
        return languages[language]
    if language.startswith(RECOGNISE):
        recognised = _with_tables(language.removeprefix(RECOGNISE).strip(), languages)
        return {"kind": "recogniser", "of": recognised} if isinstance(recognised, dict) else language
    names = [part.strip() for part in language.split("||")]
    if not any(name in languages for name in names):
        return language
    parts = [languages.get(name, name) for name in names]
    return {"kind": "shuffle", "name": " || ".join(names), "parts": parts}
