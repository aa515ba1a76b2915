"""A transformer beside the LSTM: trained in PyTorch, judged here by the same sets and the same measure.

A few minutes on two cores; `--small` takes ten seconds, with shorter words and smaller networks, which learn
them. Needs PyTorch: pip install '.[torch]'
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from abacist.analysis import Search
from abacist.bridge import Examination, dataset, judge_model, keep
from abacist.cells import cell_named
from abacist.corpora import Corpus, Window, draw
from abacist.experiments import HorizonAim, Results, Store, Task, run
from abacist.languages import language_named
from abacist.report import markdown
from abacist.report.own_runs import all_runs
from abacist.report.own_table import own_table
from abacist.specs import Spec

LANGUAGE = language_named("shuffle-2")
SYMBOLS = len(LANGUAGE.alphabet)
START, PADDING = (
    SYMBOLS + 1,
    SYMBOLS,
)  # a word begins with a sign of its own, so that something can be attended to
SETS = ("training", "short", "long", "crossing short", "crossing long")


class Transformer(nn.Module):
    """Causal attention without positions: whoever attends to all brackets alike can compare their numbers."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS + 2, width, padding_idx=PADDING)
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.output = nn.Linear(width, LANGUAGE.outputs)

    def forward(self, symbols: Any) -> Any:
        """The logits of what may come next, (word, time, output), of padded symbols, (word, time)."""
        begun = torch.cat([torch.full_like(symbols[:, :1], START), symbols], dim=1)
        mask = nn.Transformer.generate_square_subsequent_mask(begun.shape[1])
        return self.output(self.layers(self.embedding(begun), mask=mask, is_causal=True))[:, 1:]


def train(model: Transformer, corpus: Corpus, epochs: int, seed: int) -> None:
    """Adam on padded batches, which `dataset` and its `collate` make, with a falling rate."""
    words = dataset(corpus)
    order = torch.Generator().manual_seed(seed)
    batches = torch.utils.data.DataLoader(words, 64, shuffle=True, generator=order, collate_fn=words.collate)
    adam = torch.optim.Adam(model.parameters())
    falling = torch.optim.lr_scheduler.OneCycleLR(adam, 0.003, epochs=epochs, steps_per_epoch=len(batches))
    for epoch in range(epochs):
        total = 0.0
        for symbols, mask, targets in batches:
            loss = nn.functional.binary_cross_entropy_with_logits(model(symbols)[mask], targets[mask])
            adam.zero_grad()
            loss.backward()
            adam.step()
            falling.step()
            total += float(loss.detach())
        print(f"  epoch {epoch + 1}: loss {total / len(batches):.5f}", flush=True)


def scores(model: Transformer, words: list[np.ndarray[Any, Any]]) -> Any:
    """What `judge_model` asks for: scores from 0 to 1 of a batch of words, (word, time, output), padded."""
    tensors = [torch.from_numpy(word) for word in words]
    padded = nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=PADDING)
    with torch.inference_mode():
        return torch.sigmoid(model(padded))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="tiny sizes, for a look")
    parser.add_argument("--runs", type=int, default=1, help="runs of either, with seeds 0, 1, …")
    parser.add_argument(
        "--results", type=Path, default=Path("results-transformer"), help="the store's folder"
    )
    given = parser.parse_args()
    sizes: dict[str, Any] = {}
    harder: dict[str, Any] = {}
    width, layers, epochs, lstm_epochs, rate = 32, 2, 10, 20, 0.001
    if given.small:
        sizes = {"training": 1_000, "test": 100, "short": Window(2, 16), "long": Window(18, 24)}
        harder = {"stress": (20,), "every": 50, "longest": 40}
        width, layers, epochs, lstm_epochs, rate = 16, 1, 20, 20, 0.01
        torch.set_num_threads(1)  # more would mostly wait for each other
    spec = Spec(LANGUAGE, cell_named("lstm"), hidden=4, epochs=lstm_epochs, rate=rate, **sizes)
    examination = Examination(LANGUAGE, sets=SETS, **sizes, **harder)
    with Store(given.results) as store:
        print("LSTM")
        horizon = HorizonAim(Search(to=30, budget=64))
        run([Task("lstm", spec, tuple(range(given.runs)), SETS, horizons=(horizon,))], store)
        for seed in range(given.runs):
            print(f"transformer, seed {seed}")
            torch.manual_seed(seed)
            model = Transformer(width, layers)
            train(model, draw(spec.recipe(seed))["training"], epochs, seed)
            model.eval()
            judgement = judge_model(
                lambda words, own=model: scores(own, words),
                examination,
                name="transformer",
                settings={"width": width, "layers": layers, "epochs": epochs},
                seed=seed,
                batch=128,
            )
            wrong = judgement.horizon.wrong
            word = "none found" if wrong is None else LANGUAGE.alphabet.render(wrong.word)
            print(f"  shortest wrong word: {word}")
            keep(judgement, store, replace=True)
        print(markdown(own_table(all_runs(Results.of(store)), ["median"])))
    print(f"abacist table --results {given.results} shows it again, and abacist report draws it")


if __name__ == "__main__":
    main()
