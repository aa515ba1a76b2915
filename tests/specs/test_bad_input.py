"""Networks and folders of another shape or type are refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import Layout, cell_named
from abacist.specs import Networks, Spec
from abacist.specs.files import NetworkFile, save_folder, save_network
from tests.wrong_input import is_refused

LAYOUT = Layout(cell_named("lstm"), 2, 3, 2)
NETWORKS = Networks.initial(LAYOUT, [0, 1])
ROW = [1.0] * LAYOUT.size


@pytest.mark.parametrize(
    ("layout", "parameters"),
    [
        (LAYOUT, [ROW]),
        (LAYOUT, np.zeros((2, 3))),
        (LAYOUT, np.zeros(LAYOUT.size)),
        (LAYOUT, np.zeros((1, LAYOUT.size), int)),
        (LAYOUT, np.zeros((1, LAYOUT.size), np.float16)),
        (None, NETWORKS.parameters),
    ],
)
def test_parameters(layout: Any, parameters: Any) -> None:
    is_refused(lambda: Networks(layout, parameters))


@pytest.mark.parametrize(
    ("layout", "seeds", "precision"),
    [
        (LAYOUT, [-1], "float32"),
        (LAYOUT, "12", "float32"),
        (LAYOUT, 3, "float32"),
        (LAYOUT, [1], "float16"),
        (LAYOUT, [1], "xx"),
        ("lstm", [1], "float32"),
    ],
)
def test_initial_networks(layout: Any, seeds: Any, precision: str) -> None:
    is_refused(lambda: Networks.initial(layout, seeds, precision))


@pytest.mark.parametrize("run", [-1, 2, "0", None])
def test_the_number_of_a_network(run: Any, tmp_path: Path) -> None:
    is_refused(lambda: NETWORKS.tensors(run))
    is_refused(lambda: save_network(NETWORKS, run, tmp_path / "network.safetensors"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("tensors", [None, [1], {"weight_ih": "x"}, {1: np.zeros((2, 2))}, {}])
def test_tensors(tensors: Any) -> None:
    is_refused(lambda: Networks.from_tensors(LAYOUT.cell, tensors))


def test_cells_that_are_only_names(tmp_path: Path) -> None:
    name: Any = "lstm"
    is_refused(lambda: Networks.from_tensors(name, NETWORKS.tensors(0)))
    is_refused(lambda: NetworkFile.load(tmp_path / "network.safetensors", name))


@pytest.mark.parametrize(
    ("networks", "about"), [(None, {}), (NETWORKS, 3), (Networks(LAYOUT, NETWORKS.parameters[:0]), {})]
)
def test_folders(networks: Any, about: Any, tmp_path: Path) -> None:
    is_refused(lambda: save_folder(networks, tmp_path / "networks", about=about))
    assert not (tmp_path / "networks").exists()


def test_a_place_that_is_a_text(tmp_path: Path) -> None:
    place: Any = str(tmp_path / "networks")
    is_refused(lambda: save_folder(NETWORKS, place))
    is_refused(lambda: NetworkFile.load_folder(place))


def test_values_of_a_spec() -> None:
    values: Any = None
    is_refused(lambda: Spec.from_dict(values))
