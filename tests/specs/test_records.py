"""A field is one record: its check, key, option and column follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from abacist.cells import CELLS
from abacist.cli.app import VERBS, command_of
from abacist.cli.parameters import OptionsOf
from abacist.errors import BadField
from abacist.experiments.run_values import OTHERS, settings_of
from abacist.fields import Choice, Field, Range, records
from abacist.languages import language_named
from abacist.specs import Spec
from abacist.specs.spec import NOT_OUTSIDE


@dataclass(frozen=True)
class Wider(Spec):
    """A spec of days to come."""

    dropout: Annotated[float, Field("How many units are left out.", Range(0, below=1), column="left out")] = (
        0.0
    )
    mode: Annotated[str, Field("How.", Choice(("soft", "hard")))] = "soft"


DYCK: dict[str, Any] = {"language": language_named("dyck-1"), "cell": CELLS["lstm"]}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1, got 1.0"),
        ({"dropout": "much"}, "dropout must be a number, got 'much'"),
        ({"mode": "firm"}, "mode must be soft or hard, got 'firm'"),
    ],
)
def test_a_new_field_is_checked_and_the_refusal_is_data(values: dict[str, Any], said: str) -> None:
    with pytest.raises(BadField) as refusal:
        Wider(**DYCK, **values)
    error = refusal.value
    assert str(error) == f"Wider: {said}"
    assert (error.owner, error.field) == ("Wider", said.split()[0])
    assert error.sentence("--it") == f"--it {said.partition(' ')[2]}"


def test_a_new_field_is_an_option_and_part_of_keys_where_it_differs() -> None:
    options = {one.name for one in OptionsOf(Wider).parameters()} - {
        one.name for one in OptionsOf(Spec).parameters()
    }
    assert options == {"dropout", "mode"}
    assert "dropout" not in Wider(**DYCK).key_values()
    assert Wider(**DYCK, dropout=0.5).key_values()["dropout"] == 0.5
    assert records(Wider)["dropout"].column == "left out"


def test_every_field_is_an_option_of_train_but_those_that_others_say() -> None:
    names = {parameter.name for parameter in command_of(VERBS["train"]).params}
    assert set(records(Spec)) - names == {"source", "lesson", "pretrain"}


def test_columns_are_those_of_the_records() -> None:
    columns = [own.column for own in records(Spec).values()]
    assert list(settings_of(Spec(**DYCK))) == columns
    assert set(OTHERS) < set(columns)
    assert {"hidden", "epochs", "lesson"} < set(NOT_OUTSIDE)
    assert not {"steps", "source", "training", "test", "short", "long", "pool"} & set(NOT_OUTSIDE)
