"""Networks of PyTorch in a language's terms: their outputs and predictions are the module's."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search, certify, check, constructed, follow, horizon, machine_of
from abacist.bridge import Convention, network_of
from abacist.bridge.state_dicts import load_network, load_state_dict
from abacist.cells import cell_named
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.errors import AbacistError, BadInput
from abacist.languages import Language, language_asked_for, language_named
from abacist.specs import Networks
from abacist.specs.files import NetworkFile
from tests.cli.command import inside, shown
from tests.requirements import need

pytestmark = need("torch")

SHUFFLE, DYCK = language_named("shuffle-2"), language_named("dyck-1")


def recurrent(kind: str, inputs: int, outputs: int, layers: int = 1, **settings: Any) -> Any:
    """A module with random weights, large enough to say something."""
    import torch

    torch.manual_seed(3)
    module = torch.nn.Module()
    module.body = getattr(torch.nn, kind)(inputs, 4, num_layers=layers, **settings)
    module.head = torch.nn.Linear(4, outputs)
    with torch.no_grad():
        for weight in module.parameters():
            weight.mul_(3)
    return module


def logits(module: Any, text: str, symbols: str) -> Any:
    """What a module says after each symbol of a text, (time, output), in float64."""
    import torch

    hot = torch.nn.functional.one_hot(torch.tensor([symbols.index(glyph) for glyph in text]), len(symbols))
    module = module.double()
    with torch.no_grad():
        said = module.head(module.body(hot.double())[0]).numpy()
    module.float()
    return said


def texts(language: Language[Any], count: int = 20) -> list[str]:
    """Random strings, words or not."""
    rng = np.random.default_rng(1)
    glyphs = list(language.alphabet.glyphs)
    return ["".join(rng.choice(glyphs, size=rng.integers(1, 30))) for _ in range(count)]


def scores(networks: Networks, language: Language[Any], text: str) -> Any:
    return follow(networks, 0, language, text).trace["y"]


@pytest.mark.parametrize("outputs", [6, 5, 4])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize(("kind", "cell"), [("LSTM", "lstm"), ("GRU", "gru"), ("RNN", "rnn")])
def test_after_a_start_symbol_outputs_are_the_module_s(
    kind: str, cell: str, layers: int, outputs: int, tmp_path: Path
) -> None:
    """The module reads ^ before every word; padding is left out."""
    symbols = "^)](_["
    module, told = recurrent(kind, 6, outputs, layers), cell_named(cell) if kind == "RNN" else None
    networks = network_of(module, SHUFFLE, Convention(symbols, "^"), cell=told)
    shown_by = {6: symbols, 5: symbols[1:], 4: ")](["}[outputs]
    for text in texts(SHUFFLE):
        expected = logits(module, f"^{text}", symbols)[1:]
        rows = [shown_by.index(glyph) for glyph in SHUFFLE.alphabet.glyphs]
        sigmoids = 1 / (1 + np.exp(-expected[:, rows]))
        np.testing.assert_allclose(scores(networks, SHUFFLE, text), sigmoids, atol=1e-5)
        _, slowly = forward(networks, 0, SHUFFLE.alphabet.parse(text))
        np.testing.assert_allclose(slowly, sigmoids, atol=1e-5)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("head", "threshold"),
    [
        ("sigmoid", None),
        ("sigmoid", 0.3),
        ("linear", None),
        ("linear", -0.4),
        ("softmax", None),
        ("softmax", 0.2),
    ],
)
def test_what_is_predicted_is_what_the_module_says_above_the_threshold(
    head: str, threshold: float | None, bias: bool
) -> None:
    symbols = ")](["
    module = recurrent("GRU", 4, 4)
    module.head.bias = module.head.bias if bias else None
    networks = network_of(module, SHUFFLE, Convention(symbols, head=head, threshold=threshold))
    for text in texts(SHUFFLE):
        said = logits(module, text, symbols)[:, [symbols.index(glyph) for glyph in SHUFFLE.alphabet.glyphs]]
        values = {
            "sigmoid": 1 / (1 + np.exp(-said)),
            "linear": said,
            "softmax": np.exp(said) / np.exp(said).sum(axis=1, keepdims=True),
        }[head]
        usual = 0.1 / 4 if head == "softmax" else 0.5
        limit = usual if threshold is None else threshold
        clear = np.abs(values - limit) > 1e-5
        predicted = follow(networks, 0, SHUFFLE, text).predicted
        np.testing.assert_array_equal(predicted[clear], (values > limit)[clear])
        if head == "softmax":  # its scores are probabilities
            np.testing.assert_allclose(scores(networks, SHUFFLE, text), values, atol=1e-5)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("name", ["dyck-1", "dyck-1+end", "parity", "tomita-1"])
def test_a_recogniser_predicts_what_follows_from_membership(name: str, outputs: int) -> None:
    """Of states with the same answer whether the word may end, so are the next symbols."""
    language = language_asked_for(name)
    module = recurrent("LSTM", len(language.alphabet), outputs)
    networks = network_of(module, language, Convention(head="recogniser"))
    networks.check_language(language)
    sets: dict[bool, set[tuple[int, ...]]] = {}
    for text in texts(language):
        said = logits(module, text, "".join(language.alphabet.glyphs))
        member = said[:, -1] > (0 if outputs == 1 else said[:, 0])
        assert [
            language.allows_end(np.flatnonzero(row)) for row in follow(networks, 0, language, text).predicted
        ] == [*member]
    for word in [word for length in range(1, 8) for word in language.words(length)]:
        for step in range(1, len(word) + 1):
            hot = language.targets(word[:step])[-1]
            sets.setdefault(word[:step] in language, set()).add(tuple(hot.tolist()))
    assert all(len(alike) == 1 for alike in sets.values())


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("name", ["shuffle-2", "anbn", "dyck-1"])
def test_a_recogniser_of_any_language_says_of_every_string_what_the_module_says(
    name: str, outputs: int
) -> None:
    language = language_named(f"recognise:{name}")
    module, symbols = recurrent("GRU", len(language.alphabet), outputs), "".join(language.alphabet.glyphs)
    networks = network_of(module, language, Convention(symbols[::-1], head="recogniser"))
    networks.check_language(language)
    for text in [text for length in (1, 2, 4) for text in map("".join, product(symbols, repeat=length))]:
        said = logits(module, text, symbols[::-1])
        member = said[:, -1] > (0 if outputs == 1 else said[:, 0])
        np.testing.assert_array_equal(follow(networks, 0, language, text).predicted[:, 0], member)


def test_what_may_come_next_must_follow_from_membership() -> None:
    for name in ("shuffle-2", "dyck-2", "anbn"):
        language = language_named(name)
        with pytest.raises(BadInput, match=f"{name}: whether a string is a word does not say"):
            network_of(recurrent("GRU", len(language.alphabet), 1), language, Convention(head="recogniser"))
    with pytest.raises(BadInput, match="a recogniser has 1 output or 2 logits, got 3"):
        network_of(recurrent("GRU", 2, 3), DYCK, Convention(head="recogniser"))
    with pytest.raises(BadInput, match="must have 2 outputs, got 1; one output, or two logits"):
        network_of(recurrent("GRU", 2, 1), DYCK)


def counter(head: str) -> tuple[dict[str, Any], Convention]:
    """An exact counter of Dyck-1 that reads ^ first, which counts as (, and how it is read."""
    tensors = constructed(DYCK).tensors(0)
    opening, closing = tensors["rnn.weight_ih_l0"].T
    tensors["rnn.weight_ih_l0"] = np.stack([closing, opening, opening], axis=1)  # of ")", "^" and "("
    del tensors["output.weight"], tensors["output.bias"]
    slope = 200 / np.tanh(2)  # a bracket is open where h exceeds what lies between tanh 1 and tanh 2
    offset = slope * (np.tanh(1) + np.tanh(2)) / 2
    rows = {
        "sigmoid": ([[slope], [0]], [-offset, 5]),
        "recogniser": ([[-slope]], [offset]),
        "two": ([[slope / 2], [-slope / 2]], [-offset / 2, offset / 2]),
    }[head]
    said = Convention(")^(", "^", "sigmoid" if head == "sigmoid" else "recogniser")
    weight, bias = (np.array(row, np.float32) for row in rows)
    return tensors | {"decoder.weight": weight, "decoder.bias": bias}, said


@pytest.mark.parametrize("head", ["sigmoid", "recogniser", "two"])
def test_an_exact_counter_is_right_on_long_words_proved_and_certified(head: str, tmp_path: Path) -> None:
    import torch

    tensors, said = counter(head)
    torch.save(
        {name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}, tmp_path / "model.pt"
    )
    arguments = [
        "--language",
        "dyck-1",
        "--symbols",
        said.symbols,
        "--start-symbol",
        "^",
        "--head",
        said.head,
    ]
    out = str(tmp_path / "model")
    assert inside("import", str(tmp_path / "model.pt"), *arguments, "--out", out)[0] == 0
    networks = NetworkFile.load_folder(Path(out)).networks
    long = [(0,) * 5_000 + (1,) * 5_000, (0, 1) * 5_000]
    assert (first_mistakes(networks, 0, pack_texts(DYCK, long)) < 0).all()
    assert horizon(networks, 0, DYCK, Search(to=300)).proved == 300
    answer = certify(networks, 0, DYCK, depth=1_000_000)  # it counts to one less than from zero
    assert answer.proved
    assert answer.certificate is not None
    assert check(answer.certificate, networks, 0).holds
    with pytest.raises(BadInput, match="begins with zeros, not with a start symbol"):
        machine_of(answer.certificate, networks, 0)
    assert "0 of 6 judged steps are wrong" in shown("trace", out, "(()())")
    assert "takes it: right" in shown("judge", out, "(()())")
    assert json.loads(shown("judge", out, "--set", "long", "--json"))["networks"][0]["sets"] == {"long": 1.0}


MODULES: dict[str, tuple[Any, str]] = {
    "bidirectional": (
        lambda: recurrent("LSTM", 4, 4, bidirectional=True),
        "_reverse: a bidirectional network reads a word from its end, too",
    ),
    "projections": (lambda: recurrent("LSTM", 4, 4, proj_size=2), "projections cannot be taken"),
    "two modules": (lambda: _with("tail", "LSTM", 4, 4), "2 recurrent modules, body, tail"),
    "a layer of normalisation": (lambda: _with("norm", "LayerNorm", 4), "got head, norm"),
    "two linear layers": (lambda: _with("second", "Linear", 4, 4), "got head, second"),
    "a convolution": (lambda: _with("convolution", "Conv1d", 4, 4, 3), "got convolution, head"),
    "no head": (lambda: _without_head(), "got none"),
    "float16": (lambda: recurrent("GRU", 4, 4).half(), "is float16, not float32 or float64"),
    "bfloat16": (lambda: recurrent("GRU", 4, 4).bfloat16(), "is bfloat16, not float32 or float64"),
    "no recurrent layer": (lambda: _linear(), "no recurrent layer of PyTorch among bias, weight"),
}


def _with(name: str, kind: str, *sizes: int) -> Any:
    import torch

    module = recurrent("LSTM", 4, 4)
    setattr(module, name, getattr(torch.nn, kind)(*sizes))
    return module


def _without_head() -> Any:
    module = recurrent("LSTM", 4, 4)
    del module.head
    return module


def _linear() -> Any:
    import torch

    return torch.nn.Linear(2, 2)


@pytest.mark.parametrize("what", MODULES)
def test_what_cannot_be_taken_is_said_by_name_and_alike_for_both_kinds_of_files(
    what: str, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import save_file

    make, said = MODULES[what]
    tensors = make().state_dict()
    torch.save(tensors, tmp_path / "model.pt")
    save_file(tensors, tmp_path / "model.safetensors")
    sentences = []
    for ending in (".pt", ".safetensors"):
        with pytest.raises(AbacistError) as error:
            load_network(tmp_path / f"model{ending}", None, SHUFFLE, Convention())
        sentences.append(str(error.value).partition(": ")[2])
        assert "\n" not in sentences[-1]
    assert sentences[0] == sentences[1]
    assert said in sentences[0]


IH, HH, OUT = np.zeros((4, 2)), np.zeros((4, 1)), np.zeros((2, 1))


@pytest.mark.parametrize(
    ("tensors", "said"),
    [
        (3, "a state_dict must be a dictionary, got 3"),
        ({}, "no recurrent layer of PyTorch among no tensors"),
        ({"weight_ih": "no"}, "weight_ih: is no tensor, not float32"),
        ({"weight_ih": np.zeros(4), "weight_hh": HH, "h.weight": OUT}, "weight_ih: must be a matrix"),
        ({"weight_ih": IH, "weight_hh": np.zeros(0), "h.weight": OUT}, "weights do not tell its cell"),
        ({"weight_ih": IH, "h.weight": OUT}, "weights do not tell its cell"),
        ({"weight_ih": IH, "weight_hh": np.zeros((0, 0)), "h.weight": OUT}, "must be at least 1, got 0"),
        (
            {"weight_ih": IH, "weight_hh": HH, "h.weight": np.zeros((2, 2, 2))},
            "one linear layer can be taken",
        ),
        ({"weight_ih": IH, "weight_hh": HH, "h.weight": OUT, 3: OUT}, "got 3, h"),
    ],
)
def test_odd_tensors_are_refused_in_a_sentence(tensors: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        network_of(tensors)
    assert "\n" not in str(error.value)


def test_both_kinds_of_files_give_the_same_network(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    tensors = recurrent("GRU", 4, 4, 2, dropout=0.5).state_dict()
    torch.save(tensors, tmp_path / "model.pt")
    save_file(tensors, tmp_path / "model.safetensors")
    one, other = (
        load_network(tmp_path / f"model{ending}", None, SHUFFLE) for ending in (".pt", ".safetensors")
    )
    assert one == other
    assert set(load_state_dict(tmp_path / "model.pt")) == set(load_state_dict(tmp_path / "model.safetensors"))


def test_an_embedding_may_be_called_as_one_likes() -> None:
    """As in PyTorch's own example, where encoder and decoder are an embedding and the output layer.

    A square one must be called emb…, since a linear layer without a bias would look alike.
    """
    import torch

    module = recurrent("LSTM", 3, 4)
    module.encoder = torch.nn.Embedding(4, 3)
    networks = network_of(module, SHUFFLE)
    module.embedding = module.encoder
    del module.encoder
    assert network_of(module, SHUFFLE) == networks
    square = recurrent("LSTM", 4, 4)
    square.encoder = torch.nn.Linear(4, 4, bias=False)
    with pytest.raises(BadInput, match="one linear layer can be taken, got encoder, head"):
        network_of(square, SHUFFLE)


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("start symbol must be one of the symbols", ("()[]", "^")),
        ("threshold must be above 0 and below 1", ("", "", "sigmoid", 1.5)),
        ("head must be sigmoid, linear, softmax or recogniser", ("", "", "tanh")),
    ],
)
def test_a_wrong_convention_is_refused(said: str, values: tuple[Any, ...]) -> None:
    with pytest.raises(BadInput, match=said):
        Convention(*values)
    with pytest.raises(BadInput, match="are about a language, so give it, --language or language="):
        network_of(recurrent("GRU", 4, 4), None, Convention("()[]"))
    with pytest.raises(BadInput, match="a softmax is over all its outputs, so '_' cannot be left out"):
        network_of(recurrent("GRU", 5, 5), SHUFFLE, Convention("_()[]", head="softmax"))
    with pytest.raises(BadInput, match="the network has 5 inputs, and symbols name 4; name all of"):
        network_of(recurrent("GRU", 5, 5), SHUFFLE)
