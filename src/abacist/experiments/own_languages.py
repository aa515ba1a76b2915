"""Languages that an experiment's file defines itself: tables `[languages.NAME]`, called by name."""

from __future__ import annotations

from typing import Any

from abacist.errors import BadInput


def own_languages(tables: Any) -> dict[str, dict[str, Any]]:
    """The tables of a file by name; the parts of a shuffle may be named like other tables."""
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise BadInput("languages of one's own are tables, written [languages.NAME]")
    return {name: _whole(name, tables, ()) for name in tables}


def _whole(name: str, tables: dict[str, dict[str, Any]], within: tuple[str, ...]) -> dict[str, Any]:
    """A table with the tables of its parts in place of their names."""
    if name in within:
        raise BadInput(f"languages.{name}: must not be a part of itself")
    table = {"name": name} | tables[name]
    if isinstance(parts := table.get("parts"), list):
        table["parts"] = [
            _whole(part, tables, (*within, name)) if isinstance(part, str) and part in tables else part
            for part in parts
        ]
    return table


def with_languages(values: dict[str, Any], own: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The values of a task, with the tables of languages in place of the names they have in the file."""
    asked = values.get("language")
    if isinstance(asked, list):
        return values | {"language": [own.get(one, one) if isinstance(one, str) else one for one in asked]}
    return values | {"language": own[asked]} if isinstance(asked, str) and asked in own else values
