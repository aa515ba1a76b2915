"""Networks go to modules of PyTorch and come back; modules that are no such network are refused."""

from __future__ import annotations

import io
from typing import Any

import pytest

from abacist.cells import CELLS, Cell
from abacist.errors import BadInput
from abacist.specs import Networks
from tests.engine import pytorch
from tests.engine.cases import cells, layout_of, random_networks
from tests.requirements import need

pytestmark = need("torch")

GRU = CELLS["gru"]


@pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)
def test_through_a_module_of_pytorch_and_its_file(cell: Cell) -> None:
    import torch

    networks = random_networks(layout_of(cell, 3), 2, seed=4)
    module = pytorch.module_of(networks, 1)
    expected = Networks(networks.layout, networks.parameters[1:].copy())
    assert Networks.from_tensors(cell, module.state_dict()) == expected
    file = io.BytesIO()
    torch.save({f"trunk.{name}": tensor for name, tensor in module.state_dict().items()}, file)
    file.seek(0)
    assert Networks.from_tensors(cell, torch.load(file, weights_only=True)) == expected


@pytest.mark.parametrize("options", [{"num_layers": 2}, {"bidirectional": True}])
def test_deeper_and_bidirectional_modules_are_refused(options: dict[str, Any]) -> None:
    import torch

    module = torch.nn.ModuleDict({"a": torch.nn.GRU(2, 3, **options), "b": torch.nn.Linear(3, 2)})
    with pytest.raises(BadInput, match="only networks with one layer and one direction can be read"):
        Networks.from_tensors(GRU, module.state_dict())


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_half_precision_is_refused(kind: str) -> None:
    import torch

    module = pytorch.module_of(random_networks(layout_of(GRU, 2), 1, seed=0), 0).to(getattr(torch, kind))
    with pytest.raises(BadInput, match=f"must be float32 or float64, got.*{kind}"):
        Networks.from_tensors(GRU, module.state_dict())
