"""The notebook of the examples runs, and what is stored in it is what comes out."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.notebook import TOUR, code_cells, loaded, made_with, outputs

pytestmark = pytest.mark.thorough

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def notebook() -> dict[str, Any]:
    return loaded()


def kinds(made: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """What kinds of outputs a cell has."""
    return [tuple(one.get("data", {"stream": ""})) for one in made]


def test_it_runs_and_gives_what_is_stored(notebook: dict[str, Any]) -> None:
    """To the letter where it was made with the same; elsewhere last bits may differ, and kinds are equal.

    If it is not: `python -m tests.notebook`.
    """
    stored = [cell["outputs"] for cell in code_cells(notebook)]
    found = outputs(notebook)
    assert list(map(kinds, found)) == list(map(kinds, stored))
    if notebook["metadata"]["made_with"] == made_with():
        assert found == stored


def test_it_is_a_notebook(notebook: dict[str, Any]) -> None:
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in notebook["cells"]]
    assert len(set(names)) == len(names)
    cells = code_cells(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    steps = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    numbered = [text.split(".")[0] for text in steps if text.startswith("## ") and text[3].isdigit()]
    assert numbered == [f"## {number}" for number in range(1, 11)]


def test_its_pictures_are_in_it_and_it_is_small(notebook: dict[str, Any]) -> None:
    found = [one["data"] for cell in code_cells(notebook) for one in cell["outputs"] if "data" in one]
    pictures = [base64.b64decode(data["image/png"]) for data in found if "image/png" in data]
    assert len(pictures) >= 6
    assert all(picture.startswith(PNG) for picture in pictures)
    assert TOUR.stat().st_size < 1_000_000
