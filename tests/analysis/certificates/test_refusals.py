"""Cells that forms do not know, and languages that are too large, are refused in one sentence."""

from __future__ import annotations

import pytest

from abacist.analysis import certify, constructed, horizon
from abacist.analysis.certificates.prover import certify_every_word
from abacist.cells import Layout, cell_named
from abacist.errors import BadInput
from abacist.languages import language_named, shuffle_k
from abacist.specs import Networks


@pytest.mark.parametrize(
    ("cell", "lacks"),
    [
        ("minlstm", "divide"),
        ("selective", "softplus"),
        pytest.param("slstm", "softplus", marks=pytest.mark.thorough),
        pytest.param("mlstm", "softplus", marks=pytest.mark.thorough),
        ("stack_rnn", "part"),
        pytest.param("stack_rnn_x2", "part", marks=pytest.mark.thorough),
        pytest.param("neural_queue", "part", marks=pytest.mark.thorough),
        pytest.param("nnpda", "part", marks=pytest.mark.thorough),
        pytest.param("russ", "part", marks=pytest.mark.thorough),
    ],
)
def test_they_say_so(cell: str, lacks: str) -> None:
    language = language_named("dyck-1")
    networks = Networks.initial(Layout(cell_named(cell), 2, 1, 2), range(1))
    message = (
        f"^{cell}: it cannot be certified at every depth, since certificates do not know {lacks}; .*--depth"
    )
    with pytest.raises(BadInput, match=message):
        certify(networks, 0, language)
    assert certify_every_word(networks, 0, language) is None


def test_too_many_counters_are_refused_before_anything_is_tried() -> None:
    language = shuffle_k(50)
    networks = constructed(language)
    with pytest.raises(BadInput, match=r"^certify: shuffle-50 has 50 counters, and there may be 10: "):
        certify(networks, 0, language)
    with pytest.raises(BadInput, match=r"^horizon: shuffle-50 has 100 symbols, and there may be 32: "):
        horizon(networks, 0, language)
