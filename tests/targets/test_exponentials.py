"""Exponential, logarithm and softplus of vectors of lanes of both kinds, against NumPy."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.targets.functions import exponential, logarithm, softplus
from abacist.targets.webassembly.assembler import module_bytes
from tests.requirements import need
from tests.targets.llvm.compiled import applied
from tests.targets.webassembly.node import in_node
from tests.targets.webassembly.vectors import over_vectors

Array = NDArray[Any]

targets = pytest.mark.parametrize(
    ("target", "precision"),
    [("llvm", "float32"), ("llvm", "float64"), pytest.param("webassembly", "float32", marks=need("node"))],
)

#: Numbers travel as bits, since JSON knows neither infinities nor NaN.
_SCRIPT = """
const memory = new WebAssembly.Memory({ initial: 64 }), bits = new Uint32Array(memory.buffer);
const bytes = Uint8Array.from(atob(given.code), (letter) => letter.charCodeAt(0));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { abacist: { memory } });
const count = given.bits.length;
bits.set(given.bits);
return given.names.map((name) => {
  exports[name](0, 4 * count, 8 * count);
  return bits.slice(count, 2 * count);
});
"""


def _computed(numbers: Array, target: str, folder: Path) -> list[Array]:
    """All three functions of numbers, in their precision."""
    if target == "llvm":
        return list(applied((exponential, logarithm, softplus), str(numbers.dtype), numbers))
    filled = np.resize(numbers, -(-len(numbers) // 4) * 4)
    codes = {name: over_vectors(name) for name in ("exp", "log", "softplus")}
    code = b64encode(module_bytes(codes)).decode()
    given = {"names": list(codes), "code": code, "bits": filled.view(np.uint32).tolist()}
    made = in_node(folder, [], _SCRIPT, given)
    return [np.array(own, np.uint32).view(np.float32)[: len(numbers)] for own in made]


@targets
def test_they_are_numpys_over_all_magnitudes(target: str, precision: str, tmp_path: Path) -> None:
    rng, kind, eps = np.random.default_rng(2), np.finfo(precision), float(np.finfo(precision).eps)
    largest = float(np.log(kind.max))
    widths = (1e-3, 1.0, 10.0, 0.98 * largest)
    x = np.concatenate([rng.uniform(-width, width, 20_000) for width in widths]).astype(precision)
    powers, _, softened = _computed(x, target, tmp_path)
    exact = x.astype(np.float64)
    np.testing.assert_allclose(powers, np.exp(exact), rtol=4 * eps, atol=0)
    np.testing.assert_allclose(softened, np.logaddexp(0, exact), rtol=4 * eps, atol=2 * eps)
    usual = np.exp(exact[np.abs(exact) < 0.9 * largest])
    sizes = np.concatenate([usual, [kind.smallest_subnormal]]).astype(precision)
    _, logs, _ = _computed(sizes, target, tmp_path)
    np.testing.assert_allclose(logs, np.log(sizes.astype(np.float64)), rtol=4 * eps, atol=2 * eps)


@targets
def test_ends_and_what_is_no_number(target: str, precision: str, tmp_path: Path) -> None:
    x = np.array([0.0, 1.0, np.inf, -np.inf, np.nan, 1e4, -1e4, -1.0], precision)
    powers, logs, softened = _computed(x, target, tmp_path)
    assert powers[[0, 2, 3, 5, 6]].tolist() == [1.0, np.inf, 0.0, np.inf, 0.0]
    assert logs[[0, 1, 2]].tolist() == [-np.inf, 0.0, np.inf]
    assert softened[[2, 5, 6]].tolist() == [np.inf, 1e4, 0.0]
    assert np.isnan([powers[4], logs[3], logs[4], logs[7], softened[4]]).all()
