"""JSON that every reader takes: it has neither NaN nor infinity, so these are texts in it."""

from __future__ import annotations

import json
import math
from typing import Any

from abacist.errors import BadInput
from abacist.wording import UNSEEN


def json_text(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON.

    >>> json_text({"losses": [0.5, float("nan")]})
    '{"losses": [0.5, "nan"]}'
    """
    try:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=indent, allow_nan=False)
    except TypeError as error:
        raise BadInput(f"only plain values can be written as JSON ({error})") from None
    return UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
