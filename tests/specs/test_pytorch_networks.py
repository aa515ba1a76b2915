"""Networks go to modules of PyTorch and come back; modules that are no such network are refused."""

from __future__ import annotations

import io

import pytest

from abacist.cells import CELLS, Cell, Layout, stacked
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


def test_bidirectional_modules_are_refused() -> None:
    import torch

    module = torch.nn.ModuleDict({"a": torch.nn.GRU(2, 3, bidirectional=True), "b": torch.nn.Linear(3, 2)})
    with pytest.raises(BadInput, match="only networks with 1 layer of one direction fit here"):
        Networks.from_tensors(GRU, module.state_dict())


@pytest.mark.parametrize("bias", [True, False])
def test_modules_with_layers_are_read_and_written(bias: bool) -> None:
    import torch

    module = torch.nn.ModuleDict(
        {"rnn": torch.nn.LSTM(2, 3, num_layers=2, bias=bias), "output": torch.nn.Linear(3, 2)}
    ).double()
    found = Networks.from_tensors(CELLS["lstm"], module.state_dict())
    assert found.layout == Layout(stacked(CELLS["lstm"], 2), 2, 3, 2)
    assert found == Networks.from_tensors(found.layout.cell, module.state_dict())
    again = {name: tensor for name, tensor in found.state_dict(0).items() if name in module.state_dict()}
    assert all(bool((tensor == module.state_dict()[name]).all()) for name, tensor in again.items())
    assert len(again) == len(module.state_dict())
    with pytest.raises(BadInput, match=r"rnn\.weight_ih_l2: it is missing, and lstm_x3 has it"):
        Networks.from_tensors(stacked(CELLS["lstm"], 3), module.state_dict())


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_half_precision_is_refused(kind: str) -> None:
    import torch

    module = pytorch.module_of(random_networks(layout_of(GRU, 2), 1, seed=0), 0).to(getattr(torch, kind))
    with pytest.raises(BadInput, match=f"must be float32 or float64, got.*{kind}"):
        Networks.from_tensors(GRU, module.state_dict())
