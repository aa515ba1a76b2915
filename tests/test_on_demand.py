"""What is slow to import waits until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from abacist.on_demand import on_demand


@pytest.mark.parametrize(
    "module",
    ["languages", "corpora", "corpora.files", "specs", "experiments.plan", "experiments.files", "cli.source"],
)
def test_numba_is_not_imported_with(module: str) -> None:
    script = f"import sys, abacist.{module}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_drawing_imports_it() -> None:
    script = (
        "import sys; from abacist.corpora import *; from abacist.languages import Dyck;"
        "sample(Dyck(1), Grammar(), Window(2, 8), 3, seed=0); sys.exit('numba' not in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_module_on_demand_has_its_names_and_no_others() -> None:
    module = on_demand("abacist.wording")
    assert module.several(2, "word") == "2 words"
    with pytest.raises(AttributeError, match="nothing"):
        _ = module.nothing
