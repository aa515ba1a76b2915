"""Proofs hold for PyTorch's float32 kernels on a CPU: their states lie in the boxes, however they compute."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from abacist.analysis import Search, constructed, horizon
from abacist.analysis.certificates.certificate import Certificate, Cover
from abacist.analysis.certificates.floats import Bounds
from abacist.analysis.certificates.steps import Steps
from abacist.bridge import Convention, network_of
from abacist.bridge.folding import as_arrays
from abacist.bridge.pytorch_promise import FOLDED, folded_parts, may_saturate, said_of_pytorch
from abacist.cells import CELLS, ZOO, Layout, cell_named, stacked
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.specs.files import save_network
from tests.analysis.certificates.program_values import random_network
from tests.analysis.horizons.badly_trained import badly_trained
from tests.bridge.pytorch_kernels import KERNELS, SUMS, in_kernels
from tests.bridge.pytorch_states import HIDDEN, Case, states_in
from tests.cli.command import inside
from tests.compiler.interval_reading import step_boxes
from tests.compiler.made_boxes import boxes_of_all_kinds, missed, scaled_networks, states_within
from tests.requirements import need

pytestmark = need("torch")

Array = NDArray[Any]

#: What `make test` tries; all others are thorough.
_OFTEN = ("ATen, AVX2", "oneDNN, as it comes")


def _often(names: Any) -> list[Any]:
    return [n if n in _OFTEN else pytest.param(n, marks=pytest.mark.thorough) for n in names]


every_kernel = pytest.mark.parametrize("kernels", _often({**KERNELS, **SUMS}))

#: Cells, units and layers of networks with random weights, and of those whose sums cancel.
_RANDOM = [
    ("lstm", 1, 1), ("lstm", 3, 1), ("lstm", 40, 1), ("lstm", 2, 2), ("gru", 2, 1), ("gru", 20, 1),
    ("gru", 2, 3), ("rnn", 4, 1), ("rnn", 2, 2), ("rnn_relu", 4, 1),
]  # fmt: skip
_CANCELLING = [("lstm", 4, 1), ("gru", 4, 1), ("rnn", 4, 1), ("rnn_relu", 4, 1)]
_TRAINED = [("lstm", 1, "dyck-1"), ("gru", 2, "dyck-1"), ("rnn", 4, "dyck-1"), ("rnn_relu", 2, "dyck-1")]

#: How many states of each box are computed.
_WITHIN = 3

#: Cells whose certificates for words of any length hold for PyTorch, too.
_CERTIFIED = ("lstm", "rnn", "rnn_relu")


def _cancelling(layout: Layout, count: int, rng: np.random.Generator) -> Networks:
    """Weights of units and biases that cancel in pairs, but for a little, of all sizes."""
    networks = Networks.initial(layout, range(count))
    rows = []
    for run in range(count):
        tensors = networks.tensors(run)
        for name, tensor in tensors.items():
            tensor *= 10.0 ** rng.uniform(-1, 1)
            if name == "rnn.weight_hh_l0":
                tensor *= 10.0 ** rng.uniform(0, 2)
                tensor[:, 1::2] = -tensor[:, ::2] * (1 + 1e-6 * rng.normal(size=tensor[:, ::2].shape))
        tensors["rnn.bias_hh_l0"][:] = -tensors["rnn.bias_ih_l0"] * (1 + 1e-6 * rng.normal())
        rows.append(Networks.from_tensors(layout.cell, tensors).parameters)
    return Networks(layout, np.concatenate(rows))


def nearly_shut(bias: float, count: int = 20) -> tuple[Networks, Array, Array, Array]:
    """GRUs, states of them, and boxes of these: unit 0 keeps a small h, with z near 1.

    Its candidate n is anywhere from −1 to 0, which unit 1 decides.
    """
    layout, rng = Layout(CELLS["gru"], 2, 2, 2), np.random.default_rng(5)
    rows, states = [], rng.uniform(-1, 1, (count, 32 * _WITHIN, 2)).astype(np.float32)
    for _ in range(count):
        tensors = Networks.initial(layout, [0]).tensors(0)
        for tensor in tensors.values():
            tensor *= 0.1
        weights, biases = tensors["rnn.weight_hh_l0"], tensors["rnn.bias_ih_l0"]
        for row, value in ((0, 40), (2, bias), (4, -3)):  # r is 1
            tensors["rnn.weight_ih_l0"][row], weights[row], tensors["rnn.bias_hh_l0"][row] = 0, 0, 0
            biases[row] = value
        weights[4, 1] = 3
        rows.append(Networks.from_tensors(layout.cell, tensors).parameters)
    states[:, :, 0] = (10.0 ** rng.uniform(-4, 0, (count, 32)))[:, np.arange(32 * _WITHIN) % 32]
    lower = np.stack([states[:, :32, 0], np.full((count, 32), -1, np.float32)], axis=2)
    upper = np.stack([states[:, :32, 0], np.ones((count, 32), np.float32)], axis=2)
    return Networks(layout, np.concatenate(rows)), states, lower, upper


@cache
def boxed() -> list[tuple[Case, Array, Array]]:
    """Cases with the boxes that their states lie in, (network, place, number)."""
    made, rng = [], np.random.default_rng(3)
    for draw, shapes in ((scaled_networks, _RANDOM), (_cancelling, _CANCELLING)):
        for cell, hidden, layers in shapes:
            layout, count = Layout(stacked(CELLS[cell], layers), 2, hidden, 2), 30 if hidden < 20 else 6
            shape = (count, 32, sum(layout.state_sizes))
            if draw is scaled_networks:
                networks = scaled_networks(layout, count, "float32", rng)
            else:
                networks = _cancelling(layout, count, rng)
            lower, upper = boxes_of_all_kinds(shape, "float32", rng)
            if draw is _cancelling:  # pairs of units are equal
                lower[..., 1::2], upper[..., 1::2] = lower[..., ::2], upper[..., ::2]
            states = states_within(lower, upper, _WITHIN, rng).swapaxes(0, 1)
            made.append((networks, rng.integers(0, 2, 5), states.reshape(count, -1, shape[2]), lower, upper))
    shut, states, lower, upper = nearly_shut(15.0)
    assert not may_saturate(shut)
    made.append((shut, np.ones(1, int), states, lower, upper))
    for cell, hidden, language in _TRAINED:
        networks = badly_trained(cell, hidden, language)
        start = np.zeros((len(networks), 1, sum(networks.layout.state_sizes)), np.float32)
        made.append((networks, rng.integers(0, 2, 24), np.repeat(start, _WITHIN, axis=1), start, start))
    return [
        (Case(networks, np.tile(word[:, None], (1, states.shape[1])), states), lower, upper)
        for networks, word, states, lower, upper in made
    ]


@cache
def all_words() -> list[tuple[Case, list[Any]]]:
    """Trained networks on all words of Dyck-1 of at most 12 symbols, behind which zeros stand."""
    language = language_named("dyck-1")
    words = [word for length in range(1, 13) for word in language.words(length)]
    padded = np.array([[*word, *[0] * (12 - len(word))] for word in words]).T
    cases = []
    for cell, hidden, name in _TRAINED:
        networks = badly_trained(cell, hidden, name)
        states = np.zeros((len(networks), len(words), sum(networks.layout.state_sizes)), np.float32)
        cases.append((Case(networks, padded, states), words))
    return cases


@cache
def certified() -> list[tuple[Case, Array, Array]]:
    """Cases of one symbol, as those above, with random networks for certificates."""
    made, rng = [], np.random.default_rng(7)
    for cell in _CERTIFIED:
        networks = [random_network(rng, CELLS[cell], "float32") for _ in range(30)]
        together = Networks(networks[0].layout, np.concatenate([one.parameters for one in networks]))
        shape = (30, 16, sum(together.layout.state_sizes))
        lower = (rng.normal(size=shape) * 10.0 ** rng.uniform(-12, 3, (*shape[:2], 1))).astype(np.float32)
        width = rng.choice([0, 1], (*shape[:2], 1)) * 10.0 ** rng.uniform(-9, 1, (*shape[:2], 1))
        upper = (lower + width).astype(np.float32)
        states = states_within(lower, upper, _WITHIN, rng).swapaxes(0, 1).reshape(30, -1, shape[2])
        made.append((Case(together, np.ones((1, 16 * _WITHIN), int), states), lower, upper))
    return made


@cache
def counting() -> Case:
    """A constructed counter that goes 300 deep and back."""
    networks = constructed(language_named("dyck-1"))
    word = np.repeat([0, 1], 300)
    return Case(networks, np.tile(word[:, None], (1, _WITHIN)), np.zeros((1, _WITHIN, 2), np.float32))


@cache
def found(kernels: str) -> list[dict[str, Array]]:
    """What some kernels compute in all cases, in their order."""
    groups: list[Any] = [*boxed(), *all_words(), *certified()]
    with TemporaryDirectory() as folder:
        return states_in(kernels, [*(group[0] for group in groups), counting()], Path(folder))


def _of(kernels: str, groups: Any) -> Any:
    """Each group of some with what is computed of it."""
    ends = np.cumsum([0, len(boxed()), len(all_words()), len(certified())])
    place = [boxed, all_words, certified].index(groups)
    return zip(groups(), found(kernels)[slice(*[*pairwise(ends)][place])], strict=True)


@every_kernel
def test_sigmoid_and_tanh_keep_the_promise(kernels: str) -> None:
    """In an LSTM and by themselves; `every_float32_in_pytorch` takes many more floats."""
    if kernels in SUMS:
        pytest.skip("its functions are those of the others")
    promise = ROUNDING["float32"]
    results = json.loads(in_kernels(kernels, "tests.bridge.every_float32_in_pytorch", "1009"))
    for name, (error, relative, broken) in results.items():
        function = "sigmoid" if name in ("f", "i", "o", "sigmoid") else "tanh"
        assert 0 < error <= promise.activation[function]
        assert relative <= promise.sigmoid_relative
        assert broken == 0


@cache
def along(place: int) -> list[tuple[Array, Array]]:
    """The boxes of a case after each symbol, as often as there are states of each."""
    case, lower, upper = boxed()[place]
    width, steps = lower.shape[2], []
    for symbol in case.words[:, 0].tolist():
        lower, upper = step_boxes(case.networks, symbol, lower[..., :width], upper[..., :width])
        steps.append((lower, upper))
    assert (np.array([high - low for low, high in steps]) < 1e-3).any()
    return [(np.tile(low, (1, _WITHIN, 1)), np.tile(high, (1, _WITHIN, 1))) for low, high in steps]


@every_kernel
def test_no_state_leaves_its_box(kernels: str) -> None:
    """In any order of the sums, in GRUs, too, which PyTorch computes by another formula."""
    for place, ((case, _, _), ways) in enumerate(_of(kernels, boxed)):
        for time, (low, high) in enumerate(along(place)):
            for way, states in ways.items():
                outside = missed(states[:, time], low, high) & (states[:, time] != HIDDEN)
                assert not outside.any(), (case.networks, way, time)


def test_saturated_grus_leave_their_boxes(tmp_path: Path) -> None:
    """Of 1, z(h − n) + n is not h; so nothing is said of such networks in PyTorch."""
    networks, states, lower, upper = nearly_shut(30.0)
    case = Case(networks, np.ones((1, states.shape[1]), int), states)
    (ways,) = states_in("ATen, AVX2", [case], tmp_path)
    low, high = (np.tile(bound, (1, _WITHIN, 1)) for bound in step_boxes(networks, 1, lower, upper))
    assert missed(ways["sequence"][:, 0], low, high)[..., 0].any()
    assert may_saturate(networks)
    said = said_of_pytorch(networks, {FOLDED: "nothing"})
    assert said is not None
    assert "not claimed" in said


@cache
def proved_to(place: int, run: int) -> int:
    """The length up to which a trained network is proved."""
    networks = all_words()[place][0].networks
    return horizon(networks, run, language_named("dyck-1"), Search(to=12, budget=64)).proved


@every_kernel
def test_what_is_proved_is_right(kernels: str) -> None:
    """On every word as far as a horizon is proved."""
    language, tried = language_named("dyck-1"), 0
    for place, ((case, words), ways) in enumerate(_of(kernels, all_words)):
        rights = [np.asarray(language.targets(word), bool) for word in words]
        for run in range(len(case.networks)):
            for number, right in enumerate(rights):
                if len(right) > proved_to(place, run):
                    continue
                for states in ways.values():
                    sums = states[run, : len(right), number, -language.outputs :]
                    assert ((sums == HIDDEN) | ((sums > 0) == right)).all()
                    tried += 1
    assert tried > 500


@cache
def certain(place: int, run: int) -> tuple[Array, Array]:
    """The bounds of a step in certificates, as often as there are states of each."""
    case, lower, upper = certified()[place]
    steps, places = Steps(case.networks, run), lower.shape[1]
    nothing, states = np.zeros((places, 1)), [b[run].astype(np.float64) for b in (lower, upper)]
    slopes, still = np.zeros((steps.size, 1)), Bounds.point(nothing)
    image = steps.image(np.ones(places, int), still, nothing, slopes, Bounds(*states))
    ends = zip(image.offsets, image.sums, strict=True)
    low, high = (np.tile(np.concatenate(end, axis=1), (_WITHIN, 1)) for end in ends)
    return low, high


@every_kernel
def test_no_state_leaves_the_bounds_of_certificates(kernels: str) -> None:
    """Which are those of programs alone: a saturated gate is exactly 1."""
    for place, ((case, _, _), ways) in enumerate(_of(kernels, certified)):
        for run in range(len(case.networks)):
            low, high = certain(place, run)
            for way in ways.values():
                outside = (way[run, 0] < low) | (way[run, 0] > high)
                assert not (outside & (way[run, 0] != HIDDEN)).any(), (case.networks, run)


@every_kernel
def test_a_constructed_counter_counts_exactly(kernels: str) -> None:
    depths = np.append(np.arange(1, 301), np.arange(299, -1, -1))
    for states in found(kernels)[-1].values():
        cell_states, sums = states[0, :, :, 1], states[0, :, :, 2:]
        assert ((cell_states == HIDDEN) | (cell_states == depths[:, None])).all()
        assert ((sums == HIDDEN) | ((sums > 0) == np.stack([depths >= 0, depths > 0], axis=1)[:, None])).all()


def _proof(kind: Any) -> Any:
    return kind.__new__(kind)  # what is proved does not matter


@pytest.mark.parametrize(
    ("cell", "given", "proofs", "words"),
    [
        ("LSTM", {}, (), "also holds in PyTorch itself"),
        ("GRU", {}, (), "also holds in PyTorch itself"),
        ("RNN", {"cell": cell_named("rnn")}, (), "also holds in PyTorch itself"),
        ("LSTM", {}, (Certificate,), "also holds in PyTorch itself"),
        ("GRU", {}, (Cover,), "also holds in PyTorch itself"),
        ("GRU", {}, (Cover, Certificate), "is not claimed for PyTorch itself: its GRU computes"),
        ("LSTM", {"double": True}, (), "is not claimed for PyTorch itself: only its float32 kernels"),
        ("LSTM", {"embedding": True}, (), "is not claimed for PyTorch itself: the import computed its embed"),
        ("LSTM", {"symbols": "^()", "start_symbol": "^"}, (), "the import computed its start symbol anew"),
        ("LSTM", {"head": "linear"}, (), "the import computed its outputs anew"),
        ("LSTM", {"threshold": 0.3}, (), "the import computed its outputs anew"),
        ("LSTM", {"threshold": 0.5, "head": "sigmoid"}, (), "also holds in PyTorch itself"),
    ],
)
def test_what_is_said_of_pytorch(
    cell: str, given: dict[str, Any], proofs: tuple[type[Any], ...], words: str
) -> None:
    import torch

    given = dict(given)
    embedding, double, own = (given.pop(name, None) for name in ("embedding", "double", "cell"))
    convention, module = Convention(**given), torch.nn.Module()
    inputs = len(convention.symbols or "()")
    if embedding:
        module.emb = torch.nn.Embedding(inputs, 5)
    module.rnn = getattr(torch.nn, cell)(5 if embedding else inputs, 3)
    module.head = torch.nn.Linear(3, 2)
    module = module.double() if double else module
    networks = network_of(module, language_named("dyck-1"), convention, cell=own)
    folded = folded_parts(as_arrays(module.state_dict()), convention, networks)
    assert folded is not None
    said = said_of_pytorch(networks, {FOLDED: folded}, *map(_proof, proofs))
    assert said is not None
    assert words in said


def test_nothing_is_said_of_other_networks() -> None:
    networks = Networks.initial(Layout(ZOO["diagonal"], 2, 3, 2), [0])
    assert folded_parts(networks.tensors(0), Convention(), networks) is None
    assert said_of_pytorch(constructed(language_named("dyck-1")), {}) is None


def test_horizon_and_certify_say_it(tmp_path: Path) -> None:
    file, folder = tmp_path / "counter.safetensors", str(tmp_path / "counter")
    save_network(constructed(language_named("dyck-1")), 0, file)
    assert inside("import", str(file), "--language", "dyck-1", "--out", folder)[0] == 0
    for command in (["horizon", folder, "--max-length", "10"], ["certify", folder, "--depth", "9"]):
        assert "what is proved also holds in PyTorch itself" in inside(*command)[2]
