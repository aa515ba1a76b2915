"""Networks of PyTorch in a language's terms: embedding, order of symbols, start symbol, kind of outputs.

An embedding multiplies a matrix with one-hot symbols, so it is folded into the input weights of the first
layer. A start symbol leaves states behind, with which a started cell begins. What an output says, and from
which threshold on, is folded into the output layer, whose sums decide by their signs. Each is computed in
float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import NONE, Configurations
from abacist.cells import STARTED, Cell, Gates, cell_named, stacked, start_of
from abacist.cells.layers import of_layer
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.fields import Choice, Field, check_fields, checked, expect
from abacist.languages import END_GLYPH, Language, Recogniser
from abacist.specs import Networks
from abacist.specs.networks import PRECISIONS
from abacist.wording import plural

Array = NDArray[Any]

#: What the outputs of a network may be, and how each is decided.
HEADS = ("sigmoid", "linear", "softmax", "recogniser")

_RECURRENT = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

#: The cell of a layer by how many rows its weights have for every unit.
_CELLS = {4: "lstm", 3: "gru"}

#: How many states of a language are looked at, and the sum of an output that is always or never predicted.
_STATES, _SURE = 1_000, 8.0

#: What is true of whatever cannot be taken.
_WHOLE = "judge_model and failing_words take the whole model as a function"

#: What is said of tensors of PyTorch's recurrent layers with these words in their names.
_REFUSED = {
    "_reverse": "a bidirectional network reads a word from its end, too, so it cannot say what comes next; "
    "train it with bidirectional=False",
    "weight_hr": f"projections cannot be taken; train it without proj_size. {_WHOLE}",
}


@dataclass(frozen=True)
class Convention:
    """How a network of PyTorch writes symbols, and what its outputs say."""

    symbols: Annotated[
        str,
        "The model's symbols in its own order, such as '_([)]'; others than the language's are left out.",
        "the language's symbols in its order",
    ] = ""
    start_symbol: Annotated[str, "The one of --symbols that the model reads before every word.", "none"] = ""
    head: Annotated[
        str,
        Field(
            "The outputs: sigmoid (each by itself, as logits), linear (each by itself, as they are), softmax "
            "(of what comes next), recogniser (1 output or 2 logits: is what was read a word?).",
            Choice(HEADS),
        ),
    ] = "sigmoid"
    threshold: Annotated[
        float | None,
        "An output is predicted above it.",
        "0.5; of softmax one tenth of the uniform probability",
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        lower, upper = (-inf, inf) if self.head == "linear" else (0, 1)
        if self.threshold is not None and not lower < self.threshold < upper:
            raise BadInput(f"threshold must be above {lower} and below {upper}, got {self.threshold}")
        if len(self.start_symbol) > 1 or self.start_symbol not in self.symbols:
            raise BadInput(
                "start symbol must be one of the symbols, all of the model's in their order, "
                f"got {self.start_symbol!r} and {self.symbols!r}"
            )

    def require(self, language: Language[Any] | None) -> None:
        """Refuse symbols, or a recogniser, of no language."""
        if language is None and (self.symbols or self.head == "recogniser"):
            raise BadInput(
                "symbols and recognisers are about a language, so give it, --language or language=…"
            )


@checked
def network_of(
    model: Any,
    language: Language[Any] | None = None,
    convention: Convention | None = None,
    *,
    cell: Cell | None = None,
) -> Networks:
    """A module of PyTorch, or its state_dict, as a network; left out, its cell is told by its weights.

    >>> tensors = {"weight_ih_l0": np.eye(4), "weight_hh_l0": np.ones((4, 1)), "head.weight": np.ones((4, 1))}
    >>> network_of(tensors).layout.cell.name
    'lstm'
    """
    convention = convention or Convention()
    convention.require(language)
    tensors = model.state_dict() if hasattr(model, "state_dict") else model
    expect("network_of: a state_dict", tensors, Mapping)
    arrays = as_arrays(tensors)
    if odd := [name for name, array in arrays.items() if not np.isfinite(array).all()]:
        raise BadInput(f"{odd[0]} has values that are not finite")
    if cell is not None and not isinstance(cell.layer.parameters, Gates):
        if convention != Convention():
            raise BadInput(f"{cell.name}: symbols and outputs can only be said of PyTorch's own layers")
        return replace(Networks.from_tensors(cell, arrays), language=language)
    first = _first_layer(arrays)
    head = _taken_apart(arrays, first)
    cell = cell or _cell_of(arrays)
    starts: dict[str, Array] = {}
    if language is not None:
        glyphs = language.alphabet.glyphs
        listed = _listed(convention.symbols or glyphs, language, arrays[first].shape[1])
        if convention.start_symbol:
            read = Networks.from_tensors(cell, arrays)
            states, _ = forward(read, 0, [listed.index(convention.start_symbol)])
            starts = {name: path[-1] for name, path in states.items()}
        arrays[first] = arrays[first][:, [listed.index(glyph) for glyph in glyphs]]
        if convention.head != "recogniser" and not isinstance(language, Recogniser):
            _reorder(arrays, head, language, convention)
    _decide(arrays, head, language, convention)
    networks = Networks.from_tensors(cell, arrays)
    if starts:
        networks = _begun(networks, starts)
    if convention.head == "softmax":
        threshold = convention.threshold or 0.1 / networks.layout.outputs
        networks = replace(networks, layout=replace(networks.layout, threshold=threshold))
    return replace(networks, language=language)


def as_arrays(tensors: Mapping[str, Any]) -> dict[str, Array]:
    """Tensors of PyTorch or NumPy as arrays, by name; refuses other numbers than networks have."""
    arrays = {}
    for name, tensor in sorted(tensors.items(), key=lambda item: str(item[0])):
        kind = str(getattr(tensor, "dtype", "no tensor")).removeprefix("torch.")
        if kind not in PRECISIONS and (np.ndim(tensor) or not kind.startswith("int")):  # a count is one
            refuse_kind(str(name), kind)
        try:
            array = tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)
        except (TypeError, RuntimeError, NotImplementedError):
            refuse_kind(str(name), "sparse or quantised")
        arrays[str(name)] = array
    return arrays


def refuse_kind(name: str, kind: str) -> None:
    """Refuse a tensor of other numbers than networks have."""
    raise BadInput(f"{name}: is {kind}, not float32 or float64; save model.float().state_dict()")


def _part(name: str) -> str:
    return name.rpartition(".")[2]


def is_recurrent(name: str) -> bool:
    """Whether a tensor of a state_dict is one of a recurrent layer."""
    return _part(name).startswith((*_RECURRENT, "weight_hr"))


def _first_layer(arrays: Mapping[str, Array]) -> str:
    """The name of the input weights of the first layer; refuses recurrent layers that cannot be taken."""
    recurrent = [name for name in arrays if is_recurrent(name)]
    first = [name for name in recurrent if _part(name) in ("weight_ih_l0", "weight_ih")]
    if not first:
        raise BadInput(f"there is no recurrent layer of PyTorch among {', '.join(arrays) or 'no tensors'}")
    for mark, why in _REFUSED.items():
        if odd := [name for name in recurrent if mark in _part(name)]:
            raise BadInput(f"{odd[0]}: {why}")
    modules = dict.fromkeys(name.rpartition(".")[0] for name in recurrent)
    if len(modules) > 1:
        raise BadInput(
            f"there are {len(modules)} recurrent modules, {', '.join(modules)}, and only one can be taken; "
            f"make them one with num_layers={len(modules)}. {_WHOLE}"
        )
    if arrays[first[0]].ndim != 2:
        raise BadInput(f"{first[0]}: must be a matrix, got shape {arrays[first[0]].shape}")
    return first[0]


def _taken_apart(arrays: dict[str, Array], first: str) -> list[str]:
    """Fold the embedding, if any, into the first layer; the names of the output layer's matrix and bias."""
    others = [name for name in arrays if not is_recurrent(name)]
    wide = [n for n in others if arrays[n].ndim == 2 and arrays[n].shape[1] == arrays[first].shape[1]]
    named = [name for name in wide if "emb" in name.lower()]
    if len(named) > 1:
        raise BadInput(f"only one embedding can be read, but there are {', '.join(named)}")
    if not named and sum(arrays[name].ndim == 2 for name in others) == 2:
        # whatever it is called, but no square one: a linear layer without bias would look alike
        odd = [name for name in wide if len(arrays[name]) != arrays[name].shape[1]]
        named = [name for name in odd if f"{name.rpartition('.')[0]}.bias" not in arrays]
    if len(named) == 1:
        table, weights = arrays.pop(named[0]).astype(np.float64), arrays[first]
        arrays[first] = (weights.astype(np.float64) @ table.T).astype(weights.dtype)
        others.remove(named[0])
    head = sorted(others, key=lambda name: -arrays[name].ndim)
    modules = {name.rpartition(".")[0] for name in others}
    if len(modules) != 1 or [arrays[name].ndim for name in head] not in ([2], [2, 1]):
        raise BadInput(
            "beside recurrent layers and an embedding, one linear layer can be taken, got "
            f"{', '.join(dict.fromkeys(n.rpartition('.')[0] or n for n in others)) or 'none'}. {_WHOLE}"
        )
    return head


def _cell_of(arrays: Mapping[str, Array]) -> Cell:
    shapes = [array.shape for name, array in arrays.items() if _part(name).startswith("weight_hh")]
    for count, name in _CELLS.items():
        if shapes and shapes[0] == (count * shapes[0][-1], shapes[0][-1]):
            return cell_named(name)
    raise BadInput("its weights do not tell its cell, so give it, --cell or cell=…, such as rnn or rnn_relu")


def _listed(symbols: Sequence[str], language: Language[Any], inputs: int) -> list[str]:
    """The model's symbols in its order, each of which the first layer has an input for."""
    listed = [glyph for glyph in symbols if glyph != END_GLYPH or len(symbols) == inputs]
    for glyph in language.alphabet.glyphs:
        if listed.count(glyph) != 1:
            raise BadInput(f"{language.name}: symbols must name {glyph!r} once, got {symbols!r}")
    if inputs != len(listed):
        raise BadInput(
            f"the network has {plural(inputs, 'input')}, and symbols name {len(listed)}; "
            "name all of the model's in its order, with --symbols or Convention(symbols=…)"
        )
    return listed


def _reorder(
    arrays: dict[str, Array], head: Sequence[str], language: Language[Any], said: Convention
) -> None:
    """Bring the rows of the output layer into the order of a language's outputs.

    There is one for each of the model's symbols, for all but the start symbol, or for those of the language;
    the end of a word is where ⊣ is among the symbols, or else behind them.
    """
    outputs = [*language.alphabet.glyphs, *([END_GLYPH] if language.marks_end else [])]
    names, count = list(said.symbols or language.alphabet.glyphs), len(arrays[head[0]])
    ends = [END_GLYPH] if language.marks_end and END_GLYPH not in names else []
    fewer = [glyph for glyph in names if glyph != said.start_symbol]
    orders = [[*order, *ends] for order in (names, fewer, [glyph for glyph in names if glyph in outputs])]
    order = next((order for order in orders if len(order) == count), None)
    if order is None:
        hint = "; one output, or two logits, are a recogniser's: head, --head" if count in (1, 2) else ""
        raise BadInput(f"{head[0]}: must have {len(outputs)} outputs, got {count}{hint}")
    if said.head == "softmax" and count > len(outputs):
        left_out = " and ".join(repr(glyph) for glyph in order if glyph not in outputs)
        raise BadInput(f"{head[0]}: a softmax is over all its outputs, so {left_out} cannot be left out")
    for name in head:
        arrays[name] = arrays[name][[order.index(glyph) for glyph in outputs]]


def _decide(
    arrays: dict[str, Array], head: Sequence[str], language: Language[Any] | None, said: Convention
) -> None:
    """Fold what outputs say, and from which threshold on, into the output layer."""
    weight = arrays[head[0]].astype(np.float64)
    bias = arrays[head[1]].astype(np.float64) if len(head) > 1 else np.zeros(len(weight))
    if said.head == "recogniser":
        assert language is not None
        if len(weight) > 2:
            raise BadInput(f"{head[0]}: a recogniser has 1 output or 2 logits, got {len(weight)} outputs")
        if len(weight) == 2:  # softmax of two logits is a sigmoid of their difference
            weight, bias = weight[1:] - weight[:1], bias[1:] - bias[:1]
    threshold = 0.5 if said.threshold is None else said.threshold
    shift = threshold if said.head == "linear" else log(threshold / (1 - threshold))
    if said.head == "softmax" or (said.head == "sigmoid" and not shift):
        return
    bias = bias - shift
    if language is not None and said.head == "recogniser":
        signs, fixed = _of_membership(language)
        weight, bias = signs[:, None] * weight, signs * bias + fixed
    kind = arrays[head[0]].dtype
    arrays[head[0]], arrays[head[1] if len(head) > 1 else "bias"] = weight.astype(kind), bias.astype(kind)


def _of_membership(language: Language[Any]) -> tuple[Array, Array]:
    """How each output follows from membership, (output,): 1 or −1 times it, or 0, and what is added."""
    if isinstance(language, Recogniser):
        return np.ones(1), np.zeros(1)
    known, before = Configurations(language), 0
    while before < len(known) < _STATES:
        before = len(known)
        known.expand(np.arange(before))
    after = np.unique(known.successors[known.successors != NONE])  # words have led there
    members, hot = known.endings[after] == 0, np.zeros((2, language.outputs))
    for member in (False, True):
        sets = known.targets[after[members == member]]
        if (sets != sets[:1]).any():
            raise BadInput(
                f"{language.name}: whether a string is a word does not say what may come next; name the "
                f"language recognise:{language.name}"
            )
        hot[int(member)] = sets[:1].any(axis=0)
    return hot[1] - hot[0], np.where(hot[0] == hot[1], _SURE * (2 * hot[1] - 1), 0)


def _begun(networks: Networks, starts: Mapping[str, Array]) -> Networks:
    """The same networks, with states before a word in place of zeros."""
    layout = networks.layout
    cell, count, tensors = layout.cell.layer, layout.cell.count, networks.tensors(0)
    if (name := f"{cell.name}_started") not in STARTED:
        raise BadInput(f"{cell.name}: a start symbol is only read by cells of PyTorch")
    for layer in range(count):
        for state in cell.state_names:
            of_it = state if layer == count - 1 else f"{state}_l{layer}"
            tensors[of_layer(start_of(state), layer)] = starts[of_it]
    changed = replace(layout, cell=stacked(STARTED[name], count))
    flat = np.concatenate([tensors[tensor].ravel() for tensor in changed.shapes])
    return Networks(changed, flat[None].astype(networks.parameters.dtype))
