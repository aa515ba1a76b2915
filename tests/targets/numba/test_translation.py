"""Programs are translated straight from their text; Numba, given the same text, computes the same bits."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import CPUCodegen

from abacist.cells import cell_named
from abacist.engine import first_mistakes, trace, train
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
            patched.setattr(programs, "keep", lambda function, _texts: function)
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
        ("rnn", "float64"),
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


def test_what_no_program_says_is_refused() -> None:
    for old, new, message in (
        ("m = m + x", "m = 1.5", "m is of type int64 and float64"),
        ("break", "continue", "no translation of continue"),
        ("m += z", "del z", "no translation of del z"),
    ):
        with pytest.raises(TypeError, match=message):
            translation(COUNTING.replace(old, new))(9, 5)


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
