"""Languages that an experiment's file defines itself: tables `[languages.NAME]`, called by name."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput
from abacist.fields import short_repr
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


def with_languages(values: dict[str, Any], own: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The values of a task, with the tables of languages in place of the names they have in the file."""
    asked = values.get("language")
    if asked is None:
        return values
    listed = [_found(one, own) for one in (asked if isinstance(asked, list) else [asked])]
    for one in listed:
        if isinstance(one, dict):
            own_language_from_values(one)  # which refuses what is no language
    return values | {"language": listed if isinstance(asked, list) else listed[0]}


def _found(asked: Any, own: dict[str, dict[str, Any]]) -> Any:
    """What a name stands for: a table, or that of a shuffle with such a part; else what was asked."""
    if not isinstance(asked, str) or asked in own:
        return own[asked] if isinstance(asked, str) else asked
    parts = [part.strip() for part in asked.split("||")]
    if not any(part in own for part in parts):
        return asked
    return {"kind": "shuffle", "name": " || ".join(parts), "parts": [own.get(part, part) for part in parts]}
