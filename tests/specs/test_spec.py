"""A spec goes through JSON unharmed; what cannot be is refused in one sentence."""

from __future__ import annotations

import json
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.cells import CELLS, cell_named
from abacist.corpora import Grammar, Uniform, Window
from abacist.errors import BadInput
from abacist.experiments import run_as_toml, run_key
from abacist.fields import records
from abacist.languages import Dyck, language_named
from abacist.specs import Lesson, Spec
from tests.experiments.cases import made_up

windows = st.tuples(st.integers(1, 500), st.integers(0, 500)).map(lambda pair: Window(pair[0], sum(pair)))
positive = st.floats(1e-300, 1e300)
below_one = st.floats(0, 1, exclude_max=True)
grammars = st.tuples(st.integers(1, 40), st.integers(1, 40)).map(
    lambda pq: Grammar(Fraction(pq[0], 99), Fraction(pq[1], 99))
)

specs = st.builds(
    Spec,
    st.sampled_from(["dyck-1", "shuffle-6", "dyck-2", "anbn", "anbncn"]).map(language_named),
    st.sampled_from(list(CELLS.values())),
    st.integers(1, 64), st.integers(0, 1000), st.integers(1, 1000),
    rate=positive, beta1=below_one, beta2=below_one, epsilon=positive,
    precision=st.sampled_from(["float32", "float64"]), steps=st.sampled_from(["all", "last"]),
    source=st.none() | grammars | st.just(Uniform()) | grammars.map(Uniform),
    training=st.none() | st.integers(1, 10**6), test=st.integers(1, 10**6), short=windows, long=windows,
)  # fmt: skip


@given(specs)
def test_a_spec_survives_json(spec: Spec) -> None:
    values = json.loads(json.dumps(spec.as_dict()))
    assert Spec.from_dict(values) == spec
    assert Spec.from_dict(values).as_dict() == values


def test_the_default_is_the_papers() -> None:
    spec = Spec.from_dict({"language": "shuffle-6", "cell": "lstm"})
    assert (spec.batch, spec.rate, spec.beta1, spec.beta2, spec.epsilon) == (1, 0.001, 0.9, 0.999, 1e-8)
    assert (spec.epochs, spec.precision, spec.steps) == (20, "float32", "all")
    assert (spec.layout.inputs, spec.layout.hidden, spec.layout.outputs) == (12, 3, 12)
    sizes = [(split.name, split.count, str(split.window)) for split in spec.recipe(5).splits]
    assert sizes == [("training", 30_000, "2:50"), ("short", 5_000, "2:50"), ("long", 5_000, "52:100")]
    assert spec.recipe(5).seed == 5


GOOD = Spec(language_named("dyck-1"), CELLS["lstm"]).as_dict()

BAD: list[tuple[str, Any, str]] = [
    ("hidden", 0, "hidden must be from 1 to 256, got 0"),
    ("hidden", 257, "hidden must be from 1 to 256, got 257"),
    ("hidden", 2.5, "hidden"),
    ("hidden", "3", "Spec"),
    ("epochs", -1, "epochs must be from 0 to 1,000,000, got -1"),
    ("epochs", 1.5, "epochs"),
    ("batch", 0, "batch must be at least 1, got 0"),
    ("rate", 0, "rate must be positive and finite, got 0"),
    ("rate", -0.1, "rate must be positive"),
    ("rate", float("nan"), "rate must be positive and finite, got nan"),
    ("rate", float("inf"), "rate must be positive and finite, got inf"),
    ("epsilon", 0, "epsilon must be positive"),
    ("beta1", 1, "beta1 must be at least 0 and below 1, got 1"),
    ("beta2", -0.1, "beta2 must be at least 0 and below 1"),
    ("beta2", None, "Spec"),
    ("precision", "float16", "precision must be float32 or float64, got 'float16'"),
    ("steps", "some", "steps must be all or last, got 'some'"),
    ("language", "dyke-1", "unknown language 'dyke-1'"),
    ("language", None, "Spec"),
    ("cell", "lstn", "unknown cell 'lstn', did you mean lstm"),
    ("cell", 3, "Spec"),
    ("short", "50:2", "low <= high"),
    ("short", [2, 50], "Spec"),
    ("source", "grammar", "Spec"),
    ("source", {"words": "grammar", "grammar": "1,1"}, "p"),
    ("source", {"words": "wishes", "grammar": None}, "wishes"),
    ("source", {}, "words must be text, got None"),
    ("training", "many", "Spec"),
    ("training", 0, "training"),
    ("learning_rate", 0.1, "learning_rate is unknown: there is no such field"),
]


@pytest.mark.parametrize(("field", "value", "why"), BAD, ids=[f"{f}={v!r}" for f, v, _ in BAD])
def test_bad_values_are_refused_in_one_sentence(field: str, value: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why) as refusal:
        Spec.from_dict(GOOD | {field: value}).recipe(0)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("field", ["language", "cell"])
def test_what_has_no_default_must_be_there(field: str) -> None:
    with pytest.raises(BadInput, match=f"Spec: {field} is missing"):
        Spec.from_dict({name: value for name, value in GOOD.items() if name != field})


def test_what_cannot_come_back_is_not_written_down() -> None:
    """As a recipe refuses a language with glyphs of its own."""
    spec = Spec(language_named("dyck-1").renamed("ab"), CELLS["lstm"])
    try:
        values = spec.as_dict()
    except BadInput:
        return
    assert Spec.from_dict(values) == spec


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("language", 1, "a language, such as language_named"),
        ("cell", None, "a cell, such as cell_named"),
        ("source", "grammar", "a source of words, such as Grammar"),
        ("short", 50, "a Window"),
        ("long", None, "a Window"),
        ("rate", "0.1", "a number"),
        ("epsilon", None, "a number"),
        ("rate", 10**400, "a number"),
        ("rate", True, "a number"),
        ("hidden", np.bool_(True), "a whole number"),
    ],
)
def test_what_has_another_type_is_refused_too(field: str, value: Any, why: str) -> None:
    given: dict[str, Any] = {"language": language_named("dyck-1"), "cell": CELLS["lstm"], field: value}
    with pytest.raises(BadInput, match=f"^Spec: {field} must be {why}.*, got "):
        Spec(**given)


class _Text(str):
    """Text of another type."""


class _Whole(IntEnum):
    """A whole number of another type."""

    three = 3


_two: Any = np.int64(2)

#: What the fields of a spec may be, each in several spellings; those in one list are equal.
SPELLINGS: dict[str, list[list[Any]]] = {
    "language": [[language_named("dyck-1"), Dyck(1)], [language_named("shuffle-2")]],
    "cell": [[CELLS["lstm"], cell_named("LSTM")], [CELLS["gru"]]],
    "hidden": [[3, np.int64(3), np.uint8(3), _Whole.three], [4]],
    "epochs": [[0, -0, np.int32(0)], [20]],
    "batch": [[1, np.int16(1)], [2]],
    "rate": [[1, 1.0, np.float64(1), np.float32(1), np.int64(1), np.array(1.0)], [0.001, np.float64(0.001)]],
    "beta1": [[0, 0.0, -0.0, np.float64(-0.0)], [0.9]],
    "beta2": [[0, 0.0, -0.0, np.float16(0)], [0.999]],
    "epsilon": [[1, 1.0], [10**18, 1e18], [1e-8]],
    "precision": [["float32", _Text("float32"), np.str_("float32")], ["float64"]],
    "steps": [["all", _Text("all")], ["last"]],
    "source": [[None, Grammar(), Grammar.parse("0.5,0.25")], [Uniform()]],
    "training": [[None], [100, np.int64(100)]],
    "test": [[10, np.int64(10)], [20]],
    "short": [[Window(2, 50), Window(_two, 50)], [Window(2, 20)]],
    "decay": [[0, 0.0, -0.0], [1, 1.0]],
    "momentum": [[0, 0.0, -0.0]],
    "clip_norm": [[0, -0.0, 0.0], [1, 1.0, np.int64(1)]],
    "pool": [[0, np.int64(0)], [3]],
    "layers": [[1, np.int64(1)], [2]],
    "threshold": [[0, 0.0, -0.0]],
    "distinct": [[True, np.bool_(True)], [False]],
    "lesson": [[None], [Lesson(rounds=2), Lesson(rounds=_two, sharpen=1)], [Lesson("stress", 2)]],
}  # fmt: skip


@given(st.data())
def test_equal_specs_have_equal_keys_hashes_and_files(data: st.DataObject) -> None:
    chosen = {name: data.draw(st.sampled_from(spellings)) for name, spellings in SPELLINGS.items()}
    if chosen["epochs"][0] == 0:
        chosen["lesson"] = [None]
    first, second = (
        Spec(**{name: data.draw(st.sampled_from(equal)) for name, equal in chosen.items()}) for _ in range(2)
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first.key_text == second.key_text
    assert run_key(first, 3) == run_key(second, 3)
    texts = [run_as_toml(made_up(spec, 3, {})) for spec in (first, second)]
    assert texts[0] == texts[1]
    for spec in (first, second):
        for name, record in records(Spec).items():
            assert type(getattr(spec, name)) in record.types or not isinstance(
                getattr(spec, name), int | float | str
            )
        assert run_key(Spec.from_dict(json.loads(json.dumps(spec.as_dict()))), 3) == run_key(first, 3)
