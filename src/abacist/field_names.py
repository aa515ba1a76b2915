"""Fields by the names of their options: in files, in checked names and as keywords of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING
from functools import wraps
from typing import Any, TypeVar

from abacist.calls import called_right
from abacist.errors import BadField
from abacist.fields import Field, records
from abacist.wording import a_few, did_you_mean

_Made = TypeVar("_Made")


def written_name(record: Field) -> str:
    """The name of a field in files: its option's."""
    return record.option.replace("-", "_")


def by_field(cls: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values from a file by the names of fields; a field's own name is taken, too."""
    names = {written_name(record): name for name, record in records(cls).items()}
    fields = {}
    for called, value in values.items():
        name = names.get(called, called)
        turned = name != called and records(cls)[name].default is True and isinstance(value, bool)
        fields[name] = not value if turned else value  # `repeats` is that words are not `distinct`
    for called, name in names.items():
        if called != name and called in values and name in values:
            raise BadField(cls.__name__, called, "must be given once", f"it as {name}, too")
    return fields


def keywords_answered(cls: type[_Made]) -> type[_Made]:
    """A dataclass that takes its fields under the names of their options, too, as files do.

    Its arguments are answered like those of `called_right`.
    """
    bare: Any = cls
    make = called_right(bare.__init__)

    @wraps(make)
    def begin(self: Any, *arguments: Any, **named: Any) -> None:
        make(self, *arguments, **by_field(cls, named))

    bare.__init__ = begin
    return cls


def check_names(cls: Any, names: Iterable[str]) -> None:
    """Refuse names that are not those of fields, and too few of them."""
    fields = records(cls)
    for name in names:
        if name not in fields:
            written = [written_name(record) for record in fields.values()]
            hint = did_you_mean(name, written) or f"; fields are {a_few(written)}"
            why = f"is unknown: there is no such field{hint}"
            raise BadField(cls.__name__, name, why)
    for name, record in fields.items():
        if record.default is MISSING and name not in names:
            raise BadField(cls.__name__, name, "is missing")
