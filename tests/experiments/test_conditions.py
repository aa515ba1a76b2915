"""Conditions answer as a plain filter does that reads them in its own way, on rows of any values."""

from __future__ import annotations

import math
import random
from contextlib import suppress
from typing import Any

import pytest

from abacist.errors import BadInput, UnknownName
from abacist.experiments import Conditions
from abacist.experiments.run_values import KEY, NUMBER, PERCENT, TEXT

FIELDS = {"key": KEY, "cell": TEXT, "source": TEXT, "hidden": NUMBER, "loss": NUMBER, "long": PERCENT}
SIGNS = ("=", "!=", "<", "<=", ">", ">=")
POOLS: dict[str, list[Any]] = {
    "key": ["a0b1", "a0b2", "a1b1", "ffff"],
    "cell": ["rnn", "gru", "lstm", None],
    "source": ["uniform", "grammar 1/2,1/4", "none"],
    "hidden": [1, 2, 3, 4, 8, 2**60, 2**60 + 1],
    "loss": [0.5, 1e-8, math.nan, math.inf, None],
    "long": [100 * share for share in (0.9996, 0.5757, 0.29, 1.0, 0.0, 0.011)] + [None],
}


def rows(chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Rows in which a value that is not known is None, or left out."""
    made = [{name: chance.choice(pool) for name, pool in POOLS.items()} for _ in range(count)]
    return [
        {name: value for name, value in row.items() if value is not None or chance.random() < 0.5}
        for row in made
    ]


def asked(chance: random.Random) -> tuple[str, str, list[tuple[Any, Any]]]:
    """A field, a sign, and the values or ranges that are asked for, both ends included."""
    field = chance.choice(list(FIELDS))
    orders = FIELDS[field] in (NUMBER, PERCENT)
    sign = chance.choice(SIGNS if orders else SIGNS[:2])
    if sign not in SIGNS[:2]:
        value = chance.choice([v for v in POOLS[field] if v is not None and not math.isnan(v)])
        return field, sign, [(value, value)]
    chosen: list[tuple[Any, Any]] = []
    for _ in range(chance.randint(1, 3)):
        one, other = chance.choice(POOLS[field]), chance.choice(POOLS[field])
        ends = (one, other) if None not in (one, other) and one != other else (one, one)
        if not orders or any(isinstance(v, float) and math.isnan(v) for v in ends):
            ends = (one, one)
        chosen.append(ends if ends[0] is None or ends[0] <= ends[-1] else ends[::-1])
    if field == "source":
        chosen = chosen[:1]  # one of them has a comma
    return field, sign, chosen


def written(field: str, sign: str, chosen: list[tuple[Any, Any]], chance: random.Random) -> str:
    """The condition as someone may write it."""

    def text(value: Any) -> str:
        if value is None:
            return chance.choice(["none", "None", "—"])
        if field == "long":
            return f"{round(value, 6):g}" + chance.choice(["%", " %"])
        if field == "key":
            return str(value)[: chance.randint(2, 4)]
        return str(value) if isinstance(value, int) else chance.choice([str(value), str(value).upper()])

    parts = [text(a) if a is b or a == b else f"{text(a)}..{text(b)}" for a, b in chosen]
    gap = chance.choice(["", " "])
    return f"{field}{gap}{sign}{gap}{','.join(parts)}"


def plainly(value: Any, low: Any, high: Any, text: str, field: str) -> bool:
    """Whether a value is what one alternative asks for, said once more and slowly."""
    if field == "key":
        return any(str(value).startswith(part.strip()) for part in text.split(","))
    if low is None:
        return value is None or value == "none"
    if value is None:
        return str(low) == "none"
    if isinstance(low, str):
        return str(value) == low
    if math.isnan(low):
        return math.isnan(value)
    if field == "long":
        return float(f"{low:.6f}") <= float(f"{value:.6f}") <= float(f"{high:.6f}")
    return bool(low <= value <= high)


def compared(value: Any, sign: str, bound: Any, field: str) -> bool:
    if value is None or math.isnan(value):
        return False
    if field == "long":
        value, bound = float(f"{value:.6f}"), float(f"{bound:.6f}")
    return bool({"<": value < bound, "<=": value <= bound, ">": value > bound, ">=": value >= bound}[sign])


def test_conditions_are_a_plain_filter() -> None:
    chance = random.Random(13)
    for _ in range(600):
        own = rows(chance, 12)
        conditions = [asked(chance) for _ in range(chance.randint(0, 3))]
        texts = [written(*condition, chance) for condition in conditions]
        found = Conditions.parse(texts, FIELDS)
        for row in own:
            verdicts: dict[Any, bool] = {}
            for number, ((field, sign, chosen), text) in enumerate(zip(conditions, texts, strict=True)):
                value, after = row.get(field), text.partition(sign)[2].strip()
                if sign in SIGNS[:2]:
                    is_one = any(plainly(value, low, high, after, field) for low, high in chosen)
                    fits = is_one if sign == "=" else not is_one
                else:
                    fits = compared(value, sign, chosen[0][0], field)
                place = field if sign == "=" else number  # values of one field are alternatives
                verdicts[place] = (verdicts.get(place, False) or fits) if sign == "=" else fits
            assert found.fit(row) == all(verdicts.values()), (texts, row)


def fitting(values: list[Any], *where: str, field: str = "hidden") -> list[Any]:
    conditions = Conditions.parse(where, FIELDS)
    return [value for value in values if conditions.fit({field: value})]


def test_comparisons_of_one_field_must_all_hold_and_values_are_alternatives() -> None:
    assert fitting([1, 2, 3, 4], "hidden>=2", "hidden<4") == [2, 3]
    assert fitting([1, 2, 3, 4], "hidden=2", "hidden=4", "hidden!=4") == [2]
    assert fitting([1, 2, 3, 4, 8], "hidden=1,3..4") == [1, 3, 4]
    assert fitting([1, 2, 3, 4, 8], "hidden=3..") == [3, 4, 8]
    assert fitting([1, 2, 3, 4, 8], "hidden=..2") == [1, 2]
    assert fitting([1, 2, None], "hidden!=1") == [2, None]
    assert fitting([1, 2, None], "hidden!=none") == [1, 2]


def test_a_percentage_is_what_the_table_shows() -> None:
    shown = [100 * 0.9996, 100 * 0.5757, 90.0, None]
    assert fitting(shown, "long>=57.57", field="long") == shown[:3]
    assert fitting(shown, "long=99.96%", field="long") == shown[:1]
    assert fitting(shown, "long>90", field="long") == fitting(shown, "long > 90 %", field="long") == shown[:1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("long>0.9", "long is in percent: write 90% for a share of 0.9, or 0.9% for 0.9 percent, got '0.9'"),
        ("long=1", "long is in percent: write 100% for a share of 1, or 1% for 1 percent, got '1'"),
        ("long<101", "long is in percent, from 0 to 100, got '101'"),
        ("long=nan", "long is in percent, from 0 to 100, got 'nan'"),
        ("hidden>=2%", "hidden is not in percent, got '2%'"),
        ("hidden=two", "hidden is a number, or none where it is not known, got 'two'"),
        ("hidden=2,", "hidden is a number, or none where it is not known, got ''"),
        ("hidden=4..2", "hidden: a range goes from the lower number to the higher, got '4..2'"),
        ("hidden>1,2", "hidden is a number, or none where it is not known, got '1,2'"),
        ("loss>nan", "loss: nothing is more or less than nan; loss=nan finds it"),
        ("cell>gru", "cell is text, which is compared with = or !=, got >"),
        ("cell=", "a condition needs a value after =, got 'cell='"),
        ("hidden", "a condition must be FIELD=VALUE, such as cell=gru,lstm or seed=0..9, or a comparison in "
                   "quotes, such as 'hidden>=2', got 'hidden'"),
        ("=2", "a condition must be FIELD=VALUE, such as cell=gru,lstm or seed=0..9, or a comparison in "
               "quotes, such as 'hidden>=2', got '=2'"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Conditions.parse([text], FIELDS)
    assert str(refusal.value) == said


@pytest.mark.parametrize(
    ("name", "meant"),
    [("units", "hidden"), ("model", "cell"), ("hiden", "hidden"), ("Lnog", "long"), ("los", "loss")],
)
def test_a_field_that_is_not_there_is_guessed(name: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=f"no field '{name}', did you mean {meant}\\?$"):
        Conditions.parse([f"{name}=1"], FIELDS)


def test_words_of_a_field_may_be_joined() -> None:
    kinds = {"train_words": NUMBER}
    for name in ("train words", "train_words", "train-words", "Train Words", "training words"):
        assert Conditions.parse([f"{name}>=40"], kinds).fit({"train_words": 40})


def test_a_long_condition_takes_no_time() -> None:
    """A pattern that tries every way to divide up spaces would take hours."""
    for text in (" " * 20_000, f"cell{' ' * 20_000}", f"cell ={' ' * 20_000}x", f"cell =x{' ' * 20_000}="):
        with suppress(BadInput):
            Conditions.parse([text], {"cell": "text"})
