"""Wrong input, and how it must be answered: in one sentence, not by an error from inside Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from abacist.errors import AbacistError


def is_refused(call: Callable[[], Any]) -> str:
    """One line that begins with the thing that is wrong and ends without a full stop."""
    with pytest.raises(AbacistError) as refusal:
        call()
    sentence = str(refusal.value)
    assert sentence
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    return sentence
