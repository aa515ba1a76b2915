"""Programs are translated straight from their text; Numba, given the same text, computes the same bits."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import CPUCodegen

from abacist.cells import cell_named
from abacist.engine import first_mistakes, judging, trace, train, training
from abacist.targets import chosen_target
from abacist.targets.numba import programs
from abacist.targets.numba.name_scopes import names_within
from abacist.targets.numba.translation import translated
from tests.engine.cases import any_words, in_precision, layout_of, random_networks, small


def translation(text: str, name: str = "f") -> Any:
    whole = f"import math\nimport numpy as np\nfrom numba import njit\nnumber = np.float32\n{text}"
    module = ModuleType("translation")
    module.__file__ = "translation.py"
    exec(whole, module.__dict__)
    return translated(module, whole, name)


@pytest.fixture
def each_way(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], list[Any]]:
    """What comes of something by programs that are translated, and by the same texts left to Numba."""

    def found(compute: Callable[[], Any]) -> list[Any]:
        programs._kernel.cache_clear()
        own = compute()
        programs._kernel.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(programs, "translated", lambda module, text, name: getattr(module, name))
            patched.setattr(programs, "keep", lambda function, *_: function)
            left = compute()
        programs._kernel.cache_clear()
        return [own, left]

    return found


def all_numbers(name: str, precision: str) -> list[bytes]:
    """What a network is trained to, where it goes wrong, its states, and its boxes."""
    spec = small(cell_named(name), 3, precision=precision, epochs=2)
    trained = train(spec, range(2)).networks
    layout = layout_of(spec.cell, 3, "dyck-2")
    networks = in_precision(random_networks(layout, 2, seed=1), precision)
    words = any_words("dyck-2", [0, 5, 8, 20], seed=2)
    stepper = chosen_target().stepping(networks, 1, True)
    before, after = stepper.rows(40, stepper.width), stepper.rows(40, stepper.results)
    before[:] = np.random.default_rng(0).uniform(-1, 1, before.shape)
    stepper(1, before, after, 40)
    values = trace(networks, 0, (0, 2, 3, 1)).values
    arrays = [trained.parameters, first_mistakes(networks, 0, words), after, *values.values()]
    return [np.asarray(array).tobytes() for array in arrays]


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        pytest.param("rnn", "float64", marks=pytest.mark.thorough),
        ("lstm", "float32"),
        pytest.param("stack_rnn", "float32", marks=pytest.mark.thorough),
        pytest.param("baby_ntm_1", "float64", marks=pytest.mark.thorough),
    ],
)
def test_numba_computes_the_same_bits(
    each_way: Callable[[Callable[[], Any]], list[Any]], name: str, precision: str
) -> None:
    own, left = each_way(lambda: all_numbers(name, precision))
    assert own == left


COUNTING = """
@njit
def f(n, m):
    'Sums of this and that.'
    for i in range(2, n):
        x, y = i // 3, -(-i // 3)
        for j in range(i, -1, -2):
            if j == 3 or j == m:
                break
            k = min(x, j) * y - (j & 1) % 2
            m += k
        m = m + x
        if i == 7:
            z = m
    m += z
    return m
"""


@pytest.mark.parametrize("n", [8, 9, 40])
def test_loops_branches_and_names_mean_what_they_mean_in_python(n: int) -> None:
    plain: dict[str, Any] = {"njit": lambda function: function}
    exec(COUNTING, plain)
    assert translation(COUNTING)(n, 5) == plain["f"](n, 5)


def test_only_names_that_are_used_where_they_have_their_value_need_no_place() -> None:
    definition = ast.parse(COUNTING).body[0]
    assert isinstance(definition, ast.FunctionDef)
    assert names_within(definition) == {"n", "i", "x", "y", "j", "k"}


def plainly(body: str, *values: int) -> Any:
    """What Python makes of the statements of a function of n and m."""
    plain: dict[str, Any] = {}
    exec(f"def f(n, m):\n{body}", plain)
    return plain["f"](*values)


@pytest.mark.parametrize(
    "body",
    [
        "    for a in (1, 2):\n        m += a\n    a = 7\n    m += a\n    return m",
        "    for i in range(n):\n        break\n    return m",
        "    for i in range(n):\n        m += 1\n        return m\n    return m",
        "    m += (10, 20)[1] + 3\n    return m",
        "    k = 1\n    for i in range(n):\n        m += k\n        k = i\n    return m",
        "    m = -n // 2 + -7 // 2 + n % -3 + -7 % 3\n    return m",
        "    return n == 3",
    ],
)
@pytest.mark.parametrize("n", [1, 3, 6])
def test_corners_mean_what_they_mean_in_python(body: str, n: int) -> None:
    assert translation(f"@njit\ndef f(n, m):\n{body}")(n, 4) == plainly(body, n, 4)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    m = 1\n    m = 1.5\n    return m", "m is of type int64 and float64"),
        ("    for i in range(n):\n        continue\n    return m", "no translation of continue"),
        ("    del m\n    return n", "no translation of del m"),
        ("    return n + m", "no translation of return n \\+ m at the end"),
        ("    return -1", "no translation of return -1 at the end"),
        (
            "    for i in range(n):\n        m += i\n    else:\n        m += 100\n    return m",
            "no translation of for",
        ),
        ("    for a in (1, 2):\n        break\n    return m", "no translation of break"),
        ("    t = (1, 2.5)\n    return m", "values are of several types"),
        ("    if n < 3:\n        m = 1\n    return m", "no translation of the sign Lt"),
        ("    x = (n, n)\n    if n == 3:\n        x = 5\n    m += x\n    return m", "x is of several types"),
    ],
)
def test_what_no_program_says_is_refused(body: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        translation(f"@njit\ndef f(n, m):\n{body}")(9, 5)


def test_what_would_keep_an_array_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no translation of a\.ctypes: it would keep an array"):
        translation("@njit\ndef f(a):\n    b = a.ctypes\n    return True")(np.zeros(3))


def references(arrays: list[Any]) -> list[int]:
    return [sys.getrefcount(array) for array in arrays]


@pytest.mark.parametrize("name", ["lstm", "stack_rnn_1"])
def test_programs_keep_no_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each array has as many references after a call as before it."""
    more: list[int] = []
    load = programs.Program.load

    def watched(own: programs.Program) -> Callable[..., Any]:
        function = load(own)

        def call(*values: Any) -> Any:
            arrays = [value for value in values if isinstance(value, np.ndarray)]
            before = references(arrays)
            result = function(*values)
            if references(arrays) != before:
                gc.collect()  # a first call, which compiles, leaves garbage behind
            after = references(arrays)
            more.extend(np.subtract(after, before).tolist())
            return result

        return call

    all_numbers(name, "float32")  # while it compiles, Numba has references of its own
    monkeypatch.setattr(programs.Program, "load", watched)
    for part in (training, judging):  # other threads would have references of their own
        monkeypatch.setattr(part, "workers", lambda *_: 1)
    programs._kernel.cache_clear()
    all_numbers(name, "float32")
    programs._kernel.cache_clear()
    assert len(more) > 20
    assert set(more) == {0}


def test_a_program_is_optimised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[dict[str, Any]] = []
    whole: Any = CPUCodegen._module_pass_manager
    single: Any = CPUCodegen._function_pass_manager

    def of_all(own: Any, **options: Any) -> Any:
        begun.append(options)
        return whole(own, **options)

    def of_one(own: Any, **options: Any) -> Any:
        begun.append({"function": True})
        return single(own, **options)

    translation(COUNTING)(9, 5)  # what all programs share has been compiled then
    function = translation(COUNTING)
    monkeypatch.setattr(CPUCodegen, "_module_pass_manager", of_all)
    monkeypatch.setattr(CPUCodegen, "_function_pass_manager", of_one)
    function(9, 5)
    assert begun == [{"loop_vectorize": False, "slp_vectorize": False}]
    assert (
        "alloca"
        not in function.inspect_llvm(function.signatures[0]).partition("define ")[2].partition("}")[0]
    )
