"""Conditions on runs, as `--where` takes them (`Conditions.parse`): `hidden>=2`, `cell=gru,lstm`.

Conditions must all hold, except that values of one field that are asked for with `=` are alternatives.
A percentage is compared to nine decimals, since 99.96 is no number that a computer has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from operator import ge, gt, le, lt
from typing import Any

from numpy.typing import NDArray

from abacist.errors import BadInput, UnknownName
from abacist.experiments.outcome import Run
from abacist.experiments.results import Results
from abacist.experiments.run_values import FORMER, KEY, NUMBER, PERCENT, TEXT, columns_of, fields_of, run_rows
from abacist.experiments.store import Store
from abacist.fields import Checked, checked
from abacist.wording import a_few, did_you_mean

_WRITTEN = re.compile(r"([^<>=!]++)(==|!=|<=|>=|=|<|>)(.*)", re.DOTALL)
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}

#: What people call fields that have another name here.
_MEANT = {
    "task": "language",
    "model": "cell",
    "units": "hidden",
    "size": "hidden",
    "lr": "rate",
    "learning_rate": "rate",
    "batch_size": "batch",
    "time": "seconds",
}

#: What stands for a value that is not known.
_NOTHING = ("none", "—")


@dataclass(frozen=True)
class Alternative:
    """One of the values, or ranges of values, that a condition asks for, as it is written."""

    text: str
    has: Callable[[Any], bool]


@dataclass(frozen=True)
class Condition(Checked):
    """A condition on one field: a value fits where it is one of the alternatives, or none of them for `!=`.

    `whole` is a text with commas that may be meant as one value.
    """

    field: str
    sign: str
    alternatives: tuple[Alternative, ...]
    whole: str | None = None

    def fits(self, value: Any) -> bool:
        """Whether a value, None where there is none, fits."""
        match = any(one.has(value) for one in self.alternatives) or self.is_whole(value)
        return match != (self.sign == "!=")

    def is_whole(self, value: Any) -> bool:
        """Whether a value is all of the text, with its commas."""
        return self.whole is not None and value is not None and value.lower() == self.whole.lower()


@dataclass(frozen=True)
class Conditions(Checked):
    """Conditions on rows of values by field: a row fits where all hold, those with `=` field by field."""

    listed: tuple[Condition, ...]

    @classmethod
    @checked
    def parse(cls, where: Sequence[str], fields: Mapping[str, str]) -> Conditions:
        """Conditions as they are written, on fields of given kinds."""
        return cls(tuple(_condition(text, fields) for text in where))

    def fit(self, row: Mapping[str, Any]) -> bool:
        """Whether a row fits."""
        for group in self._groups:
            value = row.get(group[0].field)
            if not any(one.fits(value) for one in group):
                return False
        return True

    @cached_property
    def _groups(self) -> tuple[list[Condition], ...]:
        """Conditions on one field, at least one of which must hold."""
        groups = dict[Any, list[Condition]]()
        for one in self.listed:
            groups.setdefault(one.field if one.sign == "=" else one, []).append(one)
        return tuple(groups.values())


def known_field(name: str, fields: Sequence[str] | Mapping[str, str]) -> str:
    """A field, if there is one of that name; its words may also stand apart, or be joined by hyphens."""
    joined = re.sub("[ -]", "_", name.strip().lower())
    for form in (name, joined, FORMER.get(joined, joined)):
        if form in fields:
            return form
    hint = did_you_mean(_MEANT.get(joined, joined), fields) or f"; fields are {a_few(fields)}"
    raise UnknownName(f"runs have no field {name!r}{hint}")


def _condition(text: str, fields: Mapping[str, str]) -> Condition:
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise BadInput(
            "a condition must be FIELD=VALUE, such as cell=gru,lstm or seed=0..9, or a comparison in "
            f"quotes, such as 'hidden>=2', got {text!r}"
        )
    field, sign, value = known_field(written[1].strip(), fields), written[2].replace("==", "="), written[3]
    if not (value := value.strip()):
        raise BadInput(f"a condition needs a value after {sign}, got {text!r}")
    kind, parts = fields[field], [part.strip() for part in value.split(",")]
    plain = kind in (TEXT, KEY)
    if sign in _ORDERS:
        alternatives = [Alternative(value, _ordered(field, kind, sign, value))]
    else:
        alternatives = [Alternative(part, _one_of(field, kind, part)) for part in parts if part or not plain]
    return Condition(field, sign, tuple(alternatives), value if plain and len(parts) > 1 else None)


def _one_of(field: str, kind: str, text: str) -> Callable[[Any], bool]:
    """A test of values: the beginning of a key, a text, `none`, a number, or a range of numbers.

    A cell of one's own, `name#digits`, has its name, too.
    """
    lower = text.lower()
    if kind == KEY:
        return lambda value: value.startswith(text)
    if lower in _NOTHING:
        return lambda value: value is None or (kind == TEXT and value.lower() == lower)
    if kind == TEXT:
        return lambda value: value is not None and lower in (value.lower(), value.lower().rpartition("#")[0])
    low, dots, high = text.partition("..")
    if not dots and isnan(_read(field, kind, text, text)):
        return lambda value: value is not None and isnan(value)
    high = high if dots else low
    least = _read(field, kind, low, text) if low.strip() else -inf
    most = _read(field, kind, high, text) if high.strip() else inf
    if not least <= most:
        raise BadInput(f"{field}: a range goes from the lower number to the higher, got {text!r}")
    return lambda value: value is not None and least <= _exact(kind, value) <= most


def _ordered(field: str, kind: str, sign: str, text: str) -> Callable[[Any], bool]:
    """A test of values that lie above or below a number."""
    if kind in (TEXT, KEY):
        raise BadInput(f"{field} is text, which is compared with = or !=, got {sign}")
    number, compare = _read(field, kind, text, text), _ORDERS[sign]
    if isnan(number):
        raise BadInput(f"{field}: nothing is more or less than {text}; {field}={text} finds it")
    return lambda value: value is not None and compare(_exact(kind, value), number)


def _exact(kind: str, value: Any) -> Any:
    return round(value, 9) if kind == PERCENT else value


def _read(field: str, kind: str, text: str, whole: str) -> float:
    """A number as it is written; a percentage has no other meaning than that of the tables."""
    bare = text.strip()
    percent = bare.endswith("%")
    bare = bare.removesuffix("%").strip()
    try:
        number = int(bare) if re.fullmatch(r"[+-]?[0-9]+", bare) else float(bare)
    except ValueError:
        what = {NUMBER: "a number", PERCENT: "in percent"}[kind]
        raise BadInput(f"{field} is {what}, or none where it is not known, got {whole!r}") from None
    if kind == NUMBER and percent:
        raise BadInput(f"{field} is not in percent, got {whole!r}")
    if kind == PERCENT and not 0 <= number <= 100:
        raise BadInput(f"{field} is in percent, from 0 to 100, got {whole!r}")
    if kind == PERCENT and 0 < number <= 1 and not percent:
        raise BadInput(
            f"{field} is in percent: write {100 * number:g}% for a share of {bare}, "
            f"or {bare}% for {bare} percent, got {whole!r}"
        )
    return round(number, 9) if kind == PERCENT else number


@checked
def frame(source: Store | Results, where: Sequence[str] = ()) -> dict[str, NDArray[Any] | list[str | None]]:
    """All runs of a store, or those that fit some conditions, as columns by field: one entry for each run.

    pandas and polars take them in one call: `pandas.DataFrame(frame(store))`.

    Columns have the names of `abacist runs`, such as `train_words`. Numbers are arrays, with NaN where one
    is not known, accuracies in percent; texts are lists, with None where one is not known.

    >>> from pathlib import Path
    >>> frame(Results(Path("nowhere"), ()))["hidden"]
    array([], dtype=float64)
    """
    runs = (Results.of(source) if isinstance(source, Store) else source).runs
    kinds = fields_of(runs)
    conditions = Conditions.parse(where, kinds)
    return columns_of([row for row in run_rows(runs) if conditions.fit(row)], kinds)


@checked
def fitting(runs: Sequence[Run], where: Sequence[str]) -> list[Run]:
    """The runs that fit conditions, such as `["hidden>=2", "cell=gru,lstm"]`."""
    conditions = Conditions.parse(where, fields_of(runs))
    return [run for run, row in zip(runs, run_rows(runs), strict=True) if conditions.fit(row)]
