"""Languages that are too large are refused at once."""

from __future__ import annotations

import pytest

from abacist.analysis import certify, constructed, horizon
from abacist.errors import BadInput
from abacist.languages import shuffle_k


def test_too_many_counters_are_refused_before_anything_is_tried() -> None:
    language = shuffle_k(50)
    networks = constructed(language)
    with pytest.raises(BadInput, match=r"^certify: shuffle-50 has 50 counters, and there may be 10: "):
        certify(networks, 0, language)
    with pytest.raises(BadInput, match=r"^horizon: shuffle-50 has 100 symbols, and there may be 32: "):
        horizon(networks, 0, language)
