"""The name of a run is its content, today's names are for ever, and a new field does not change them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from abacist.cells import CELLS
from abacist.corpora import Grammar, Uniform, Window
from abacist.experiments import FILE_NAME, Results, Store, run_key
from abacist.experiments.plan import key_of_text
from abacist.experiments.rows import checksum_of
from abacist.fields import records
from abacist.languages import language_named
from abacist.specs import Spec
from tests.experiments.cases import made_up, small
from tests.experiments.interrupted import old_row


@dataclass(frozen=True)
class Wider(Spec):
    """A spec of days to come, with two fields more."""

    dropout: float = 0.0
    later: Window = Window(200, 300)


KEYS = [
    ("3b954faceca2613033ff7b60", Spec(language_named("dyck-1"), CELLS["lstm"]), 0),
    ("ce9ccb912575530ba226a953", Spec(language_named("shuffle-6"), CELLS["gru"], 8), 9),
    (
        "0d1c7460efaa5b50ad5a504a",
        Spec(
            language_named("dyck-2"), CELLS["rnn"], 4, steps="last", rate=0.01, beta1=0.5, precision="float64"
        ),
        3,
    ),
    (
        "f0fc61cd141263245f932fca",
        Spec(
            language_named("shuffle-2"), CELLS["rnn_relu"], 4,
            source=Uniform(Grammar.parse("2/5,1/3")), training=50, short=Window(2, 20),
        ),
        1,
    ),
    (
        "b5e163807def5ade402eee45",
        Spec(
            language_named("anbncn"), CELLS["lstm"], 2, epochs=5, batch=4, training=5, test=1,
            long=Window(3, 60), source=Uniform(Grammar()),
        ),
        0,
    ),
]  # fmt: skip


def widened(spec: Spec, **more: object) -> Wider:
    return Wider(**{field.name: getattr(spec, field.name) for field in fields(spec)} | more)


@pytest.mark.parametrize(("key", "spec", "seed"), KEYS)
def test_the_keys_of_the_first_stores_stay(key: str, spec: Spec, seed: int) -> None:
    assert run_key(spec, seed) == key


@pytest.mark.parametrize(("key", "spec", "seed"), KEYS)
def test_a_new_field_at_its_default_changes_no_key(key: str, spec: Spec, seed: int) -> None:
    assert run_key(widened(spec), seed) == key
    assert Wider.from_dict(spec.as_dict()) == widened(spec)


def test_another_value_of_a_new_field_gives_another_key() -> None:
    spec = small()
    keys = {
        run_key(spec, 0),
        run_key(widened(spec, dropout=0.5), 0),
        run_key(widened(spec, dropout=0.25), 0),
        run_key(widened(spec, later=Window(2, 3)), 0),
    }
    assert len(keys) == 4
    wide = widened(spec, dropout=0.5)
    assert Wider.from_dict(json.loads(json.dumps(wide.as_dict()))) == wide


def test_a_store_without_the_field_is_read_with_it(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for seed in range(3):
            store.put([made_up(small(rate=0.01 * (seed + 1)), seed, {"short": {"3": 0.5}})])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        rows = connection.execute("SELECT key, spec, seed FROM runs").fetchall()
    assert len(rows) == 3
    for key, text, seed in rows:
        assert run_key(Wider.from_dict(json.loads(text)), seed) == key


def test_the_default_of_an_old_field_is_part_of_the_key() -> None:
    """So that another default some day does not change what an old key means."""
    assert set(small().key_values()) == {name for name, own in records(Spec).items() if own.first}


def test_runs_that_were_stored_with_1_for_a_rate_are_read_and_counted_once(tmp_path: Path) -> None:
    """Versions before kept a number as it was written; they trained 1 and 1.0 twice."""
    spec = small(rate=1, beta1=0)
    runs = [made_up(spec, seed, {"short": {"3": 0.5}}) for seed in range(3)]
    with Store(tmp_path) as store:
        store.put(runs[:2])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        for run in runs:
            _, text, *rest, _ = old_row(run)
            text = text.replace('"rate": 1.0', '"rate": 1').replace('"beta1": 0.0', '"beta1": 0')
            content = (key_of_text(text, run.seed), text, *rest)
            row = (*content, checksum_of(*content))
            connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * 7)}, NULL)", row)
    with Store(tmp_path) as store:
        results = Results.of(store)
        old = store.get(content[0])
    assert not results.left_out
    assert [run.seed for run in results.runs] == [0, 1, 2]
    assert [run.seed for run in results.by_spec[spec]] == [0, 1, 2]
    assert results.by_spec[spec][2].weights.tobytes() == runs[2].weights.tobytes()
    assert old is not None
    assert (old.spec, old.seed) == (spec, 2)
