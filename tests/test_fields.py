"""A dataclass declares its types once, and what does not fit them is refused in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from typing_extensions import TypeAliasType

from abacist.errors import BadInput
from abacist.fields import check_fields, checked, expect, fits, in_words, records
from abacist.languages import Dyck, Language


@dataclass(frozen=True)
class Thing:
    count: int = 1
    share: float = 0.5
    name: str | None = None
    language: Language[Any] = Dyck(1)

    def __post_init__(self) -> None:
        check_fields(self)


def test_types_are_read_from_the_annotations() -> None:
    types = {"count": (int,), "share": (float,), "name": (str, type(None)), "language": (Language,)}
    assert {name: record.types for name, record in records(Thing).items()} == types


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"count": 1.0}, "Thing: count must be a whole number, got 1.0"),
        ({"count": True}, "Thing: count must be a whole number, got True"),
        ({"share": "half"}, "Thing: share must be a number, got 'half'"),
        ({"name": 3}, "Thing: name must be text, got 3"),
        (
            {"language": "dyck-1"},
            "Thing: language must be a language, such as language_named('dyck-1'), got 'dyck-1'",
        ),
    ],
)
def test_another_type_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Thing(**values)
    assert str(refusal.value) == sentence


def test_what_fits_is_taken() -> None:
    assert Thing(count=3, share=1, name="a", language=Dyck(2)).share == 1
    assert fits(1, (float,))
    assert fits(True, (bool,))
    assert not fits(None, (int,))


def test_a_sentence_names_all_that_is_right() -> None:
    assert in_words((int, str, type(None))) == "a whole number or text"
    with pytest.raises(BadInput, match=r"^it must be a Thing, got 3$"):
        expect("it", 3, Thing)


@checked
def _weigh(thing: Thing, weights: Sequence[float], times: int = 1) -> float:
    return sum(weights) * times * thing.count


def test_a_function_refuses_what_it_does_not_declare() -> None:
    wrong: Any = "2"
    with pytest.raises(BadInput, match=r"^_weigh: thing must be a Thing, got '2'$"):
        _weigh(wrong, [1.0])
    with pytest.raises(BadInput, match=r"^_weigh: weights must be a list or tuple, got '2'$"):
        _weigh(Thing(), wrong)
    with pytest.raises(BadInput, match=r"^_weigh: each of weights must be a number, got '2'$"):
        _weigh(Thing(), [1, wrong])
    with pytest.raises(BadInput, match=r"^_weigh: times must be a whole number, got '2'$"):
        _weigh(Thing(), [1], times=wrong)


def test_a_function_takes_what_it_declares() -> None:
    assert _weigh(Thing(), (1, 0.5), np.int64(2)) == 3  # type: ignore[arg-type]
    assert _weigh.__name__ == "_weigh"


Numbers = TypeAliasType("Numbers", np.ndarray | None)


@dataclass(frozen=True)
class Named:
    """A field whose type goes by another name, as arrays of NumPy 2.5 do."""

    numbers: Numbers = None

    def __post_init__(self) -> None:
        check_fields(self)


def test_a_type_under_another_name_is_that_type() -> None:
    assert records(Named)["numbers"].types == (np.ndarray, type(None))
    assert Named(np.zeros(3)).numbers is not None
    with pytest.raises(BadInput, match="numbers must be"):
        Named([0.0])  # type: ignore[arg-type]
