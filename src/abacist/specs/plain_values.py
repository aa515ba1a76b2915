"""Plain values of fields, for JSON and TOML: how they are written down and read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from abacist.cells import Cell, cell_written, written_cell
from abacist.corpora import Source, Window, source_from_values, source_values
from abacist.errors import BadField
from abacist.fields import check_type, records
from abacist.languages import Language, language_from_values, language_values
from abacist.records import Field
from abacist.specs.lesson import Lesson

#: The types that are written down in plain values: as what, how, and how they are read back.
PLAIN: dict[type, tuple[tuple[type, ...], Callable[[Any], Any], Callable[[Any], Any]]] = {
    Language: ((str, dict), language_values, language_from_values),
    Cell: ((str,), written_cell, cell_written),
    Source: ((dict,), source_values, source_from_values),
    Window: ((str,), str, Window.parse),
    Lesson: ((dict,), Lesson.as_dict, Lesson.from_dict),
}


def plain_value(value: Any) -> Any:
    """A value as it is written down."""
    return next((write(value) for kind, (_, write, _) in PLAIN.items() if isinstance(value, kind)), value)


def written_types(types: tuple[type, ...]) -> tuple[type, ...]:
    """The types that the values of a field have where they are written down."""
    return tuple(own for kind in types for own in (PLAIN[kind][0] if kind in PLAIN else (kind,)))


def read_values(cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a dataclass out of plain values, each checked by itself."""
    return {name: _read(cls, record, values[name]) for name, record in records(cls).items() if name in values}


def _read(cls: type, record: Field, value: Any) -> Any:
    check_type(cls.__name__, replace(record, types=written_types(record.types)), value)
    plain = next((PLAIN[kind] for kind in record.types if kind in PLAIN), None)
    if plain is None or value is None:
        record.check_rule(cls.__name__, value)
        return value
    written, _, read = plain
    try:
        return read(value)
    except BadField as error:
        if written != (str,):
            raise
        raise BadField(cls.__name__, record.name, error.rule, error.value) from None
