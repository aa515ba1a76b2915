"""The lane functions keep what `abacist.algebra.rounding` promises: for every float32, and by an argument."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import ROUNDING, SIGMOID_TIMES_TANH
from abacist.algebra.rounding import BOUND_TANH, rounding_margins
from abacist.targets.llvm.bounds import OPERATIONS
from tests.algebra.exact_activations import exactly
from tests.targets.llvm import bound_activations
from tests.targets.llvm.compiled import Operation, applied, on_generic_processor
from tests.targets.llvm.every_float32 import BLOCKS, Found, through, together
from tests.targets.llvm.rounding_argument import (
    Piece,
    bound_tanh_pieces,
    power_error,
    product_error,
    sigmoid_pieces,
    tanh_pieces,
)

Array = NDArray[Any]

_PIECES: dict[str, Callable[[str], list[Piece]]] = {"sigmoid": sigmoid_pieces, "tanh": tanh_pieces}

#: Of the functions that bounds are made of.
_BOUND_PIECES = {"sigmoid": sigmoid_pieces, "tanh": bound_tanh_pieces}

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])
functions = pytest.mark.parametrize("function", ["sigmoid", "tanh"])


_FUNCTIONS: dict[str, Operation] = {
    "sigmoid": OPERATIONS["sigmoid"],
    "tanh": OPERATIONS["tanh"],
    "sigmoid of bounds": bound_activations.sigmoid,
    "tanh of bounds": bound_activations.tanh,
    "sigmoid of bounds, plain": bound_activations.without_avx512(bound_activations.sigmoid),
    "tanh of bounds, plain": bound_activations.without_avx512(bound_activations.tanh),
    SIGMOID_TIMES_TANH: OPERATIONS[SIGMOID_TIMES_TANH],
    "moved tanh": bound_activations.moved_tanh,
}


def computed(function: str, precision: str, *arguments: Array) -> Array:
    """What the target's program makes of numbers."""
    (values,) = applied((_FUNCTIONS[function],), precision, *arguments)
    return np.asarray(values)


@cache
def trying(precision: str) -> Array:
    """Numbers of all sizes, and those where rests are largest, e passes a power of two, or a range ends."""
    random = np.random.default_rng(10)
    spread = [random.uniform(-width, width, 2_000) for width in (45, 20, 6, 1)]
    worst = {"float32": -8.32, "float64": -18.37}[precision]  # e passes 1 / unit: there tanh is worst
    spread.append(random.uniform(worst - 0.1, worst + 0.1, 1_000))
    sizes = random.choice([-1, 1], 1_000) * 10.0 ** random.uniform(-20, 3, 1_000)
    corners = np.arange(-120, 121) / 4 * np.log(2)
    promise = ROUNDING[precision]
    limits = np.array(
        [promise.sigmoid_one, promise.sigmoid_clamp, promise.tanh_one, 20.0, 1e30, promise.smallest]
    )
    with np.errstate(over="ignore", under="ignore"):
        special = np.concatenate((corners, limits, -limits)).astype(precision)
        near = [special, np.nextafter(special, np.inf), np.nextafter(special, -np.inf)]
        return np.concatenate([part.astype(precision) for part in (*spread, sizes, *near)])


@cache
def exact_values(function: str, precision: str) -> list[Decimal]:
    return [exactly(function, x) for x in trying(precision).tolist()]


@precisions
def test_the_argument_gives_what_is_promised(precision: str) -> None:
    promise = ROUNDING[precision]
    for function, pieces in _PIECES.items():
        assert max(piece.error for piece in pieces(precision)) <= Decimal(promise.activation[function])
    assert product_error(precision) <= promise.activation[SIGMOID_TIMES_TANH]
    assert max(piece.before for piece in bound_tanh_pieces(precision)) <= Decimal(BOUND_TANH[precision])
    for piece in sigmoid_pieces(precision):
        if -promise.sigmoid_clamp <= piece.low and piece.high <= 0:
            assert piece.error <= Decimal(promise.sigmoid_relative) * piece.least


@precisions
def test_the_argument_says_where_the_functions_are_one(precision: str) -> None:
    """1 + e is 1 if e is at most the unit, and 1 − e, too, if it is at most half; far left, 1 ± e are ±e."""
    promise = ROUNDING[precision]
    for rate, limit, most in ((1, promise.sigmoid_one, 1), (2, promise.tanh_one, 0.5)):
        with localcontext(prec=50):
            for x in (Decimal(limit), Decimal(40 // rate)):
                error = power_error(precision, rate, x, x)
                assert (-rate * x).exp() * (1 + error) < Decimal(promise.unit * most)
                assert (rate * x).exp() * (1 - error) > 2 / Decimal(promise.unit) or rate == 1


@precisions
@functions
@pytest.mark.parametrize("of", ["", " of bounds", " of bounds, plain"])
def test_numbers_of_all_sizes_keep_to_the_argument(function: str, of: str, precision: str) -> None:
    x, pieces = trying(precision), (_BOUND_PIECES if of else _PIECES)[function](precision)
    values, wanted = computed(function + of, precision, x), exact_values(function, precision)
    places = np.searchsorted([float(piece.high) for piece in pieces], x)
    for n, found in enumerate(values.tolist()):
        assert abs(Decimal(found) - wanted[n]) <= pieces[places[n]].error, x[n]


@precisions
def test_one_division_keeps_to_the_promise(precision: str) -> None:
    x, random = trying(precision), np.random.default_rng(11)
    sigmoids, tanhs = (exact_values(function, precision) for function in ("sigmoid", "tanh"))
    limit = Decimal(ROUNDING[precision].activation[SIGMOID_TIMES_TANH])
    for _ in range(5):
        other = random.permutation(len(x))
        values = computed(SIGMOID_TIMES_TANH, precision, x, x[other])
        for n, found in enumerate(values.tolist()):
            assert abs(Decimal(found) - sigmoids[n] * tanhs[other[n]]) <= limit, (x[n], x[other[n]])


def test_one_division_keeps_to_the_promise_for_millions_of_pairs() -> None:
    """Every pair of 4,096 numbers, against the float64 programs; some from where tanh is at its worst."""
    random, count = np.random.default_rng(12), 4_096
    ends = ((-20.0, 20.0), (-4.0, 4.0), (0.0, 8.0), (-8.4, -8.2))
    x = np.concatenate([random.uniform(*pair, count // 4) for pair in ends]).astype(np.float32)
    sigmoids, tanhs = (computed(f, "float64", x.astype(np.float64)) for f in ("sigmoid", "tanh"))
    worst = 0.0
    for n in range(count):
        found = computed(SIGMOID_TIMES_TANH, "float32", np.full(count, x[n]), x)
        worst = max(worst, float(np.abs(found - sigmoids[n] * tanhs).max()))
    assert 2e-7 < worst <= ROUNDING["float32"].activation[SIGMOID_TIMES_TANH]


def keeps_the_promise(function: str, parts: list[Found]) -> None:
    """Blocks of float32: errors, relative errors, signs and values at the ends."""
    promise, pieces = ROUNDING["float32"], _PIECES[function]("float32")
    low, high, errors = np.array([(piece.low, piece.high, piece.error) for piece in pieces], np.float64).T
    middle = 0.5 if function == "sigmoid" else 0.0
    one = promise.sigmoid_one if function == "sigmoid" else promise.tanh_one
    assert together(parts).error <= promise.activation[function]
    for part in parts:
        allowed = errors[(high >= part.start) & (low <= part.end)].max()
        assert part.error <= allowed + 1e-9
        assert part.fall <= 2 * allowed
        assert (part.low >= middle) if part.start >= 0 else (part.high <= middle)
        assert abs(part.low) <= 1
        assert abs(part.high) <= 1
        if part.start >= one:
            assert part.low == part.high == 1
        if part.end <= -one:
            assert function == "sigmoid" or part.low == part.high == -1
        if function == "sigmoid" and part.end <= 0:
            assert part.relative <= promise.sigmoid_relative


@pytest.mark.thorough
@functions
def test_every_float32_keeps_the_promise(function: str) -> None:
    parts = through(function)
    ends = [end for part in parts for end in (part.start, part.end)]
    largest = float(np.finfo(np.float32).max)
    assert (ends[0], ends[-1], len(parts)) == (-largest, largest, 2 * 255 * 8)
    keeps_the_promise(function, parts)


@functions
def test_of_bounds_every_seventh_block_keeps_to_the_argument(function: str) -> None:
    """Their errors are those of the argument, and no value is outside of the function's range."""
    pieces = _BOUND_PIECES[function]("float32")
    low, high, errors = np.array([(piece.low, piece.high, piece.error) for piece in pieces], np.float64).T
    for part in through(f"{function} of bounds", BLOCKS[::7]):
        if max(-part.start, part.end) > 1e38:  # an exponent that is no number makes none
            continue
        assert part.error <= errors[(high >= part.start) & (low <= part.end)].max() + 1e-9
        assert part.low >= (0 if function == "sigmoid" else -1)
        assert part.high <= 1


@precisions
def test_a_tanh_that_is_moved_outwards_lies_beyond_every_program(precision: str) -> None:
    """By the promise of the programs; the shift, and 1 with it, are numbers of the precision."""
    x, error = trying(precision), rounding_margins(precision, 2).tanh
    assert all(float(np.dtype(precision).type(own)) == own for own in (1 - error, 1 + error))
    promise = Decimal(ROUNDING[precision].activation["tanh"])
    wanted = exact_values("tanh", precision)
    for shift, side in ((error, 1), (-error, -1)):
        values = computed("moved tanh", precision, x, np.full(len(x), shift - 1, precision)).tolist()
        for n, found in enumerate(values):
            beyond = side * wanted[n] + promise
            assert side * Decimal(found) >= min(beyond, Decimal(1)), x[n]


@precisions
@functions
@pytest.mark.parametrize("of", ["of bounds", "of bounds, plain"])
def test_of_bounds_what_is_no_number_stays_none(function: str, of: str, precision: str) -> None:
    """What is infinite may become NaN: nobody asks, and NaN is never sure."""
    x = np.array([np.nan, np.inf, -np.inf], precision)
    values, ends = computed(f"{function} {of}", precision, x), (1, 0 if function == "sigmoid" else -1)
    assert np.isnan(values[0])
    for value, end in zip(values[1:], ends, strict=True):
        assert np.isnan(value) or abs(value - end) < 1e-17


_SLICE = """
from tests.targets.llvm.compiled import use_generic_processor
from tests.targets.llvm.every_float32 import BLOCKS, through
from tests.targets.llvm.test_rounding import keeps_the_promise

use_generic_processor()
for function in ("sigmoid", "tanh"):
    keeps_the_promise(function, through(function, BLOCKS[::11]))
"""


@pytest.mark.thorough
def test_a_processor_without_multiply_adds_keeps_the_promise(tmp_path: Path) -> None:
    on_generic_processor(_SLICE, tmp_path)


@precisions
def test_what_is_promised_to_be_exact_is_exact(precision: str) -> None:
    promise, largest = ROUNDING[precision], [1e5, float(np.finfo(precision).max)]
    right = np.concatenate((np.linspace(promise.sigmoid_one, 60, 100_001), largest)).astype(precision)
    assert (computed("sigmoid", precision, right) == 1).all()
    right = np.concatenate((np.linspace(promise.tanh_one, 60, 100_001), largest)).astype(precision)
    assert (computed("tanh", precision, right) == 1).all()
    assert (computed("tanh", precision, -right) == -1).all()
    assert computed("sigmoid", precision, np.zeros(2, precision)).tolist() == [0.5] * 2
    assert computed("tanh", precision, np.zeros(2, precision)).tolist() == [0.0] * 2
    x, y = np.array([[40, 40, -3, 5, 40], [20, -20, 0, -0.0, 0]], precision)
    assert computed(SIGMOID_TIMES_TANH, precision, x, y).tolist() == [1.0, -1.0, 0.0, 0.0, 0.0]


@precisions
def test_a_small_sigmoid_makes_the_product_small(precision: str) -> None:
    promise, x = ROUNDING[precision], np.linspace(-60, 0, 4_001).astype(precision)
    bounds = [(1 + promise.sigmoid_relative) * float(exactly("sigmoid", max(v, -40.0))) for v in x.tolist()]
    assert (computed("sigmoid", precision, x) <= bounds).all()
    for y in (-30.0, -1.0, 1.0, 9.0, 30.0):
        found = computed(SIGMOID_TIMES_TANH, precision, x, np.full(len(x), y, precision))
        assert (np.sign(found) == np.sign(y)).all()
        assert (np.abs(found) <= np.array(bounds) * (1 + 4 * promise.unit)).all()
