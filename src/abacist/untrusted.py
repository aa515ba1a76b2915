"""JSON and TOML from outside, read with care: the only place that parses either.

What is too large, nested too deeply, or ambiguous is refused in one sentence before it can do harm: duplicate
keys, numbers that are not finite, whole numbers of more than 64 bits, bytes that are no UTF-8. A byte order
mark at the beginning is skipped, since some editors write one.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, NoReturn

from abacist.errors import BadFile, BadInput
from abacist.files import refusal
from abacist.limits import JSON_BYTES, KEY_PARTS, NESTING, TOML_BYTES, Limit

#: Strings and comments of TOML, the longest quotes first; what has no end reaches to the end. JSON has only
#: strings in double quotes: anything else is an error there, and nothing behind it is read.
_STRINGS = re.compile(
    r'"""(?:[^\\"]++|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']++|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_KEY = re.compile(r"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)++")
_OUTSIDE_BRACKETS = re.compile(r"[^\[\]{}]++")
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}

_LARGEST_WHOLE = 1 << 64


def read_json(text: str | bytes, *, lax: bool = False) -> Any:
    """The value of a JSON text.

    A `lax` reader takes JSON as Python writes it, with NaN and infinity, and the last of duplicate keys: rows
    of stores are read by the hundred thousand.
    """
    text = _decoded(text, JSON_BYTES)
    if text.count("[") + text.count("{") > NESTING.most:
        _refuse_nesting(_STRINGS.sub("s", text))
    try:
        return (_LAX if lax else _STRICT).decode(text)
    except BadInput:
        raise
    except json.JSONDecodeError as error:
        raise BadInput(
            f"is not JSON, {error.msg.lower()} (line {error.lineno}, column {error.colno})"
        ) from None
    except ValueError as error:  # whole numbers of more than 4,300 digits
        raise BadInput(f"is not JSON, {error}") from None


def read_toml(text: str | bytes) -> dict[str, Any]:
    """The tables of a TOML text."""
    text = _decoded(text, TOML_BYTES)
    bare = _STRINGS.sub("s", text)
    _refuse_nesting(bare)
    for key in _KEY.finditer(bare):
        KEY_PARTS.check("a key", key[0].count(".") + 1)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not TOML, {error}") from None
    except ValueError:  # whole numbers of more than 4,300 digits, and days such as 2024-02-31
        raise BadInput("is not TOML, a number or a date is out of range") from None
    _refuse_large_numbers(values)
    return values


def load_json(path: Path) -> Any:
    """The value of a JSON file."""
    with naming(path):
        return read_json(load_text(path, JSON_BYTES))


def load_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    with naming(path):
        return read_toml(load_text(path, TOML_BYTES))


def load_text(path: Path, limit: Limit) -> str:
    """The text of a file, no more of which is read than there may be."""
    try:
        with naming(path), path.open("rb") as file:
            return _decoded(file.read(limit.most + 1), limit)
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Let what is wrong with a text name its place: a file, or a line of one."""
    try:
        yield
    except BadInput as error:
        raise BadFile(f"{place}: {error}") from None


def _decoded(text: str | bytes, limit: Limit) -> str:
    if len(text) > limit.most:
        raise BadInput(f"has more than {limit.most:,} {limit.what}")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            raise BadInput("is not a text file in UTF-8") from None
    return text.removeprefix("\ufeff")


def _refuse_nesting(bare: str) -> None:
    """Refuse a text whose brackets are nested too deeply; `bare` has no strings and comments."""
    deepest = max(accumulate(_DEEPER[sign] for sign in _OUTSIDE_BRACKETS.sub("", bare)), default=0)
    if deepest > NESTING.most:
        raise BadInput(f"is nested {deepest:,} levels deep, and {NESTING.most} are allowed")


def _refuse_large_numbers(values: Any) -> None:
    waiting = [values]
    for value in waiting:  # grows meanwhile
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, int) and not -_LARGEST_WHOLE < value < _LARGEST_WHOLE:
            raise BadInput(_TOO_LARGE)


_TOO_LARGE = "a whole number in it has more than 64 bits"


def _whole(digits: str) -> int:
    if len(digits) > 21 or not -_LARGEST_WHOLE < (value := int(digits)) < _LARGEST_WHOLE:
        raise BadInput(_TOO_LARGE)
    return value


def _finite(name: str) -> NoReturn:
    raise BadInput(f"is not JSON, which has no number {name}")


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name in times if times[name] > 1)
        raise BadInput(f"has the key {twice!r:.60} twice in one object")
    return table


_STRICT = json.JSONDecoder(object_pairs_hook=_single, parse_int=_whole, parse_constant=_finite)
_LAX = json.JSONDecoder()
