"""Cells as text: built-in ones by name, one's own by name and content, those not at hand as nothing more."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from abacist.algebra import tanh
from abacist.cells import CELLS, AbsentCell, Layout, cell, cell_named, cell_written, written_cell
from abacist.specs import Lesson, Spec
from tests.cells.toys import TOYS, minimal
from tests.wrong_input import is_refused

#: Run keys have these digits in them: where they change, runs in stores are of cells that nobody has.
CONTENTS = {
    "rnn": "acdf8fc6aa09",
    "gru": "6cf0d8032f20",
    "lstm": "df8045d9f66e",
    "rnn_relu": "2b367624943a",
    "minimal": "9b0c91ec2027",
    "shaped": "66a99f6b3412",
}


def test_contents_never_change() -> None:
    known = CELLS | TOYS
    assert {name: known[name].content[:12] for name in CONTENTS} == CONTENTS


def test_a_cell_comes_back_from_what_is_written() -> None:
    for name, own in CELLS.items():
        assert written_cell(own) == name
        assert cell_written(name) is own
    for name, own in TOYS.items():
        assert re.fullmatch(rf"{name}#[0-9a-f]{{12}}", written_cell(own))
        assert cell_written(written_cell(own)) == own


def test_a_built_in_formula_of_ones_own_is_the_built_in_cell() -> None:
    @cell(gates="h")
    def rnn(w: Any, x: Any, h: Any) -> Any:
        return tanh(w.h(x, h))

    assert written_cell(rnn) == "rnn"
    assert rnn == CELLS["rnn"]


def test_what_is_not_at_hand_is_known_by_name_and_content_alone() -> None:
    gone = cell_written("gone#0123456789ab")
    assert isinstance(gone, AbsentCell)
    assert (gone.name, gone.content, written_cell(gone)) == ("gone", "0123456789ab", "gone#0123456789ab")
    assert pickle.loads(pickle.dumps(gone)) == gone
    assert gone != cell_written("gone#0123456789ac")
    values = {"language": "dyck-1", "cell": "gone#0123456789ab", "lesson": {"feed": "nothing", "finish": 4.0}}
    spec = Spec.from_dict(values)
    assert spec.lesson == Lesson("nothing", finish=4.0)
    assert Spec.from_dict(spec.as_dict()) == spec
    sentence = (
        "cell gone#0123456789ab: its formula is not at hand; give the file that defines it: --plugin FILE, "
        "in Python load_plugins([FILE])"
    )
    layout = Layout(gone, 2, 3, 2)
    needs = (
        lambda: layout.size,
        lambda: layout.weights(lambda *_: None),
        lambda: gone.advance(None, None, ()),
    )
    for need in needs:
        assert is_refused(need) == sentence
    assert gone.absence == sentence


@pytest.mark.parametrize(
    "text",
    ["gone", "gone#", "gone#0123", "#0123456789ab", "gone#0123456789AB", "lstm#x", "gone#0123456789abc"],
)
def test_what_is_no_cell_is_refused(text: str) -> None:
    assert is_refused(lambda: cell_written(text)).startswith(f"unknown cell {text!r}")


def test_a_cell_is_found_by_its_content_only_under_its_name() -> None:
    written = written_cell(minimal)
    assert cell_named(written) == minimal
    assert is_refused(lambda: cell_named(written.replace("minimal", "other"))).startswith(
        "unknown cell 'other#"
    )
