"""PyTorch's Stack-RNN computes what it is compared with."""

from __future__ import annotations

from abacist.bench import torch_peer
from abacist.bench.memories import stack_layers, stack_scores
from abacist.cells import cell_named
from abacist.engine.reference import forward
from abacist.specs import Networks
from tests.engine.cases import any_words, each
from tests.requirements import need

pytestmark = need("torch")


def test_its_scores_are_those_of_the_reference_under_its_authors_names() -> None:
    torch = torch_peer.torch_or_none()
    torch.manual_seed(3)
    layers = stack_layers(torch, 4, 8).double()
    networks = Networks.from_tensors(cell_named("stack_rnn"), layers.state_dict())
    ((word, _, _),) = each(any_words("dyck-2", [30], seed=1))
    found = stack_scores(torch, layers, torch.eye(4, dtype=torch.float64)[list(word)])
    assert abs(found.detach().numpy() - forward(networks, 0, word)[1]).max() < 1e-14
