"""PyTorch's vectorised peer computes what it is compared with."""

from __future__ import annotations

import numpy as np

from abacist.bench import torch_peer
from abacist.cells import Layout, cell_named
from abacist.corpora import pack_texts
from abacist.languages import language_named
from abacist.specs import Networks
from tests.engine import reference
from tests.engine.cases import each
from tests.requirements import need

pytestmark = need("torch")


def test_the_loss_that_is_mapped_is_that_of_the_reference() -> None:
    torch = torch_peer.torch_or_none()
    language = language_named("dyck-2")
    layout = Layout(cell_named("lstm"), 4, 3, 4)
    networks = Networks.initial(layout, [5], "float64")
    ((word, targets, counted),) = each(pack_texts(language, [language.alphabet.parse("([])()")]))
    own = networks.tensors(0)
    names = ("rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0")
    tensors = [torch.from_numpy(np.array(own[name])) for name in (*names, "output.weight", "output.bias")]
    x, target = torch.eye(4, dtype=torch.float64)[list(word)], torch.from_numpy(targets)
    found = torch_peer.loss_of(torch, 3)(tensors, x, target, torch.ones(len(word), dtype=torch.float64))
    expected = reference.loss(networks, 0, word, targets, counted)
    assert abs(float(found) - expected) < 1e-14
