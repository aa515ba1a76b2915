"""`make` with a Python that is too old, or none: one sentence, and nothing is made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.requirements import need

pytestmark = need("make")

ROOT = Path(__file__).parent.parent

#: Ends as an old Python does when it is asked whether it is a new one.
OLD = "#!/bin/sh\nexit 1\n"


@pytest.mark.parametrize("there", [True, False])
def test_make_says_so_where_python_is_too_old(tmp_path: Path, there: bool) -> None:
    python = tmp_path / "python3.10"
    if there:
        python.write_text(OLD)
        python.chmod(0o755)
    command = ["make", "--no-print-directory", "test", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    first, *rest = ended.stderr.splitlines()
    assert (
        first
        == f"Abacist needs Python 3.11 or later, {python} is not: name one, as in make PYTHON=python3.13"
    )
    assert all(line.startswith("make") for line in rest)
    assert (ended.returncode, ended.stdout, (tmp_path / "venv").exists()) == (2, "", False)
