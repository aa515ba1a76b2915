"""Networks of PyTorch as they are: what comes out predicts what the module predicts."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.bridge import Convention, network_of
from abacist.bridge.state_dicts import load_network, load_state_dict
from abacist.cells import cell_named
from abacist.engine import trace
from abacist.errors import AbacistError
from abacist.languages import language_named
from abacist.specs.files import NetworkFile
from tests.cli.command import inside, refused
from tests.requirements import need

pytestmark = need("torch")

SHUFFLE = language_named("shuffle-2")
#: The symbols of a model: padding first, and the brackets in an order of its own.
SYMBOLS = "_)](["


def module(kind: str, width: int, layers: int, outputs: int, *, embedded: bool) -> Any:
    import torch

    torch.manual_seed(0)

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = torch.nn.Embedding(len(SYMBOLS), width) if embedded else None
            self.body = getattr(torch.nn, kind)(
                width if embedded else len(SYMBOLS), 4, num_layers=layers, batch_first=True
            )
            self.head = torch.nn.Linear(4, outputs)

        def forward(self, codes: Any) -> Any:
            hot = torch.nn.functional.one_hot(codes, len(SYMBOLS)).float()
            return self.head(self.body(hot if self.embed is None else self.embed(codes))[0])

    return Model()


@pytest.mark.parametrize("outputs", [5, 4])
@pytest.mark.parametrize(("width", "embedded"), [(3, True), (4, True), (0, False)])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(("kind", "cell"), [("LSTM", "lstm"), ("GRU", "gru"), ("RNN", "rnn")])
def test_predictions_are_the_module_s(
    kind: str, cell: str, layers: int, width: int, embedded: bool, outputs: int, tmp_path: Path
) -> None:
    import torch

    model, file = module(kind, width, layers, outputs, embedded=embedded), tmp_path / "model.pt"
    torch.save({"state_dict": model.state_dict(), "epoch": 3}, file)
    told = cell_named(cell) if kind == "RNN" else None
    networks = load_network(file, told, SHUFFLE, Convention(SYMBOLS))
    assert networks.layout.cell.layer.name == cell
    networks.check_language(SHUFFLE)
    word = "([)(]])"
    with torch.no_grad():
        logits = model(torch.tensor([[SYMBOLS.index(glyph) for glyph in word]]))[0].numpy()
    shown = SYMBOLS if outputs == 5 else SYMBOLS[1:]
    expected = logits[:, [shown.index(glyph) for glyph in SHUFFLE.alphabet.glyphs]]
    found = trace(networks, 0, SHUFFLE.alphabet.parse(word))["y"]
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-expected)), atol=2e-6)


def linear() -> Any:
    import torch

    return torch.nn.Linear(2, 2)


class Trap:
    def __reduce__(self) -> Any:
        return print, ("this must never be printed",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda: Trap(), 'save its weights alone: torch.save(model.state_dict(), "model.pt")'),
        (linear, 'save its weights alone: torch.save(model.state_dict(), "model.pt")'),
        (lambda: {"loss": 1.5}, "holds no state_dict"),
    ],
)
def test_code_in_a_file_is_never_run(content: Any, said: str, tmp_path: Path, capsys: Any) -> None:
    import torch

    torch.save(content(), tmp_path / "model.pt", pickle_module=pickle)
    with pytest.raises(AbacistError, match=re.escape(said)):
        load_state_dict(tmp_path / "model.pt")
    assert "never" not in capsys.readouterr().out


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AbacistError, match=r"none\.pt"):
        load_state_dict(tmp_path / "none.pt")


@pytest.mark.parametrize(
    ("symbols", "said"),
    [
        ("()[", "must name ']' once"),
        ("()[]x", "4 inputs, and symbols name 5"),
        ("()[[]", "must name '\\[' once"),
    ],
)
def test_wrong_symbols_are_named(symbols: str, said: str) -> None:
    tensors = {
        "weight_ih_l0": np.zeros((4, 4)),
        "weight_hh_l0": np.zeros((4, 4)),
        "o.weight": np.zeros((4, 4)),
    }
    with pytest.raises(AbacistError, match=said):
        network_of(tensors, SHUFFLE, Convention(symbols), cell=cell_named("rnn"))


@pytest.mark.parametrize("ending", [".pt", ".safetensors"])
def test_a_model_is_imported_as_it_is(ending: str, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    model, file = module("GRU", 3, 2, 5, embedded=True), tmp_path / f"model{ending}"
    (torch.save if ending == ".pt" else save_file)(model.state_dict(), file)
    out = str(tmp_path / "model")
    code, _, said = inside("import", str(file), "--language", "shuffle-2", "--symbols", SYMBOLS, "--out", out)
    assert (code, "gru" in said) == (0, True)
    expected = network_of(model, SHUFFLE, Convention(SYMBOLS))
    assert NetworkFile.load_folder(Path(out)).networks == expected
    assert "so give it, --language or language=" in refused("import", str(file), "--symbols", SYMBOLS)
    assert f"{file}: shuffle-2: symbols must name" in refused(
        "import", str(file), "--language", "shuffle-2", "--symbols", "_)](x", code=1
    )


@pytest.mark.parametrize(("symbols", "outputs"), [("ba", 3), ("_ba", 3), ("_ba", 4)])
def test_the_end_of_a_word_stays_the_last_output(symbols: str, outputs: int) -> None:
    """aⁿbⁿ predicts it after its symbols."""
    language, rng = language_named("anbn"), np.random.default_rng(0)
    head = rng.normal(size=(outputs, 2))
    tensors = {"weight_ih_l0": rng.normal(size=(8, len(symbols))), "weight_hh_l0": rng.normal(size=(8, 2))}
    tensors["head.weight"] = head
    result = network_of(tensors, language, Convention(symbols)).tensors(0)
    shown = symbols if outputs == len(symbols) + 1 else symbols.removeprefix("_")
    expected = head[[shown.index("a"), shown.index("b"), len(shown)]]
    np.testing.assert_array_equal(result["output.weight"], expected)
    with pytest.raises(AbacistError, match="must have 3 outputs, got 2"):
        network_of(tensors | {"head.weight": head[:2]}, language, Convention(symbols))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"head.bias": float("nan")}, "head.bias has values that are not finite"),
        ({"body.weight_hh_l0": "bfloat16"}, "float32 or float64|float32 and float64"),
        ({"norm.running_mean": 0.0}, "one linear layer"),
    ],
)
def test_odd_tensors_are_one_sentence(changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    import torch

    tensors, file = module("LSTM", 3, 1, 5, embedded=True).state_dict(), tmp_path / "model.pt"
    for name, value in changed.items():
        old = tensors.get(name, torch.zeros(()))
        tensors[name] = old.to(torch.bfloat16) if value == "bfloat16" else torch.full_like(old, value)
    torch.save(tensors, file)
    with pytest.raises(AbacistError, match=said):
        load_network(file, None, SHUFFLE, Convention(SYMBOLS))


def test_an_elman_network_does_not_say_whether_it_has_tanh(tmp_path: Path) -> None:
    import torch

    torch.save(module("RNN", 3, 1, 5, embedded=True).state_dict(), tmp_path / "model.pt")
    with pytest.raises(AbacistError, match="give it, --cell or cell=…, such as rnn"):
        load_network(tmp_path / "model.pt", None, SHUFFLE, Convention(SYMBOLS))
    load_network(tmp_path / "model.pt", cell_named("rnn_relu"), SHUFFLE, Convention(SYMBOLS))


@pytest.mark.parametrize(
    "data", [b"", b"bad\n", b"0", b"\x80\x02.", bytes(range(256)), b"(lp0\n.", b"PK\x03\x04"]
)
def test_whatever_is_no_file_of_pytorch_is_refused(data: bytes, tmp_path: Path) -> None:
    """Each of them leads PyTorch to another exception."""
    (tmp_path / "model.pt").write_bytes(data)
    with pytest.raises(AbacistError, match=r"model\.pt: "):
        load_state_dict(tmp_path / "model.pt")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_refused(share: float, tmp_path: Path) -> None:
    import torch

    file = tmp_path / "model.pt"
    torch.save({"weight": torch.zeros(40)}, file)
    file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    with pytest.raises(AbacistError, match=r"is not a file of torch\.save, or is damaged"):
        load_state_dict(file)
