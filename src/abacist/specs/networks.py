"""The parameters of many runs, under PyTorch's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product, zip_longest
from math import isfinite, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Cell, Gates, Initialisation, Layout, stacked
from abacist.cells.layers import MOST_LAYERS
from abacist.cells.sharpening import without_gates
from abacist.corpora import Purpose, bit_generator
from abacist.errors import BadInput
from abacist.fields import check_fields, checked, expect_each
from abacist.languages import Language
from abacist.wording import plural

Array = NDArray[Any]

#: The most symbols that networks are trained on.
_MOST_SYMBOLS = 254

PRECISIONS = ("float32", "float64")

#: The tensors of a recurrent layer, as PyTorch calls them.
_RECURRENT = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

#: A network with a weight beyond this has diverged: its gates are saturated.
LARGEST_WEIGHT = 1e6


@dataclass(frozen=True, eq=False)
class Networks:
    """Networks of one shape: `parameters` is (run, parameter), in the order of the layout.

    Imported ones may know the `language` that they were imported for.
    """

    layout: Layout
    parameters: Array
    language: Language[Any] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_fields(self)
        _check_precision(str(self.parameters.dtype))
        if self.parameters.ndim != 2 or self.parameters.shape[1] != self.layout.size:
            raise BadInput(
                f"Networks: {self.layout.size} parameters per run are needed, got {self.parameters.shape}"
            )
        self.parameters.setflags(write=False)

    def __len__(self) -> int:
        return len(self.parameters)

    def __repr__(self) -> str:
        layout, kind = self.layout, f"{self.layout.cell.name} network"
        sizes = f"{plural(layout.hidden, 'hidden unit')}, {layout.inputs} inputs, {layout.outputs} outputs"
        return f"<{plural(len(self), kind)}: {sizes}, {self.parameters.dtype}>"

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Of which networks a weight is not finite or beyond `LARGEST_WEIGHT`, (run,)."""
        within: NDArray[np.bool_] = (np.abs(self.parameters) <= LARGEST_WEIGHT).min(axis=1, initial=True)
        return ~within

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Networks)
            and self.layout == other.layout
            and self.parameters.dtype == other.parameters.dtype
            and np.array_equal(self.parameters, other.parameters, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.layout, (self.parameters + 0.0).tobytes()))  # −0 equals 0

    @classmethod
    @checked
    def initial(
        cls,
        layout: Layout,
        seeds: Sequence[int],
        precision: str = "float32",
        init: Initialisation | None = None,
    ) -> Networks:
        """PyTorch's initialisation, or the cell's own, or another one; each run from its own seed."""
        _check_precision(precision)
        bound, begin = layout.initial_bound, (init or Initialisation()).parameters
        rows = []
        for seed in seeds:
            bits = bit_generator(seed, Purpose.WEIGHTS).random_raw(layout.size)
            rows.append(begin(layout, bound * (2 * ((bits >> np.uint64(11)) * 2.0**-53) - 1)))
        return cls(layout, np.array(rows, precision).reshape(len(rows), layout.size))

    @checked
    def checked_run(self, run: int) -> int:
        """The number of a run, if there is one."""
        if not 0 <= run < len(self):
            raise BadInput(f"run must be from 0 to {len(self) - 1}, got {run}")
        return int(run)

    def check_language(self, language: Language[Any]) -> None:
        """Refuse a language of other symbols or outputs."""
        symbols, layout = len(language.alphabet), self.layout
        if (symbols, language.outputs) != (layout.inputs, layout.outputs):
            raise BadInput(
                f"{language.name}: has {symbols} symbols and {language.outputs} outputs, "
                f"the network {layout.inputs} and {layout.outputs}"
            )

    def tensors(self, run: int) -> dict[str, Array]:
        """One run's parameters as PyTorch's state_dict has them: name and array."""
        run, tensors = self.checked_run(run), {}
        for name, shape in self.layout.shapes.items():
            start = self.layout.starts[name]
            tensors[name] = self.parameters[run, start : start + prod(shape)].reshape(shape).copy()
        return tensors

    def state_dict(self, run: int, output: str = "output") -> dict[str, Any]:
        """The same as PyTorch tensors, for a module with parts `rnn` and `output`, or another name for it."""
        import torch  # not everyone has it, and it is slow to import

        return {
            name.replace("output.", f"{output}.", 1) if name.startswith("output.") else name: (
                torch.from_numpy(array)
            )
            for name, array in self.tensors(run).items()
        }

    @classmethod
    @checked
    def from_tensors(cls, cell: Cell, tensors: Mapping[str, Any]) -> Networks:
        """One network from a state_dict of any module with one linear layer behind its recurrent ones.

        Names may have any prefix, and those of a layer such as LSTM or of a cell such as LSTMCell;
        a missing bias is zero. The tensors of a cell without gates have the names that it gives them; the
        output layer may have any. There are as many layers as the names say, unless the cell says it.
        """
        expect_each("Networks: each name of a tensor", list(tensors), str)
        arrays = {name: _array(value) for name, value in tensors.items()}
        if not isinstance(cell.layer.parameters, Gates):
            arrays = _with_output(cell, arrays)
            layout = _layout_of(cell, arrays)
            return cls(layout, np.concatenate([arrays[name].ravel() for name in layout.shapes])[None])
        count = cell.count if cell.count > 1 else _layers(arrays)
        recurrent = [_take(arrays, part, number) for number in range(count) for part in _RECURRENT]
        if left := [name for name in arrays if name.rpartition(".")[2].startswith(_RECURRENT)]:
            raise BadInput(
                f"{left[0]}: only networks with {plural(count, 'layer')} of one direction fit here"
            )
        weight_ih, weight_hh = recurrent[:2]
        output = sorted(arrays.values(), key=lambda array: -array.ndim)  # its matrix, then its bias, if any
        if (
            weight_ih is None
            or weight_hh is None
            or min(weight_ih.ndim, weight_hh.ndim) == 0
            or [array.ndim for array in output] not in ([2], [2, 1])
        ):
            raise BadInput(
                "a network needs weight_ih and weight_hh (with or without _l0) and one linear layer, got "
                f"{', '.join(tensors) or 'nothing'}"
            )
        whole = stacked(cell.layer, count)
        layout = Layout(whole, weight_ih.shape[-1], weight_hh.shape[-1], output[0].shape[0])
        flat = []
        for (name, shape), part in zip_longest(layout.shapes.items(), [*recurrent, *output]):
            if part is None and len(shape) > 1:
                raise BadInput(f"{name}: it is missing, and {whole.name} has it")
            array = np.zeros(shape, output[0].dtype) if part is None else part
            if array.shape != shape:
                raise BadInput(f"{name}: {cell.name} needs shape {shape}, got {array.shape}")
            flat.append(array.ravel())
        return cls(layout, np.concatenate(flat)[None].astype(output[0].dtype))


@checked
def sharpened(networks: Networks, factor: float) -> Networks:
    """The networks with the weights and biases of all gates multiplied by a factor.

    With a large factor σ and tanh are almost steps, and the network almost the saturated one of the theory
    (Merrill, 2019). What else there is, the output layer among it, stays as it is (`cells/sharpening.py`).
    Powers of two change no digit, so that with them every gate's input is multiplied exactly.
    """
    layout, precision = networks.layout, networks.parameters.dtype
    if not layout.gate_spans:
        raise BadInput(f"sharpened: {without_gates(layout.cell.name)}")
    if not (isfinite(factor) and factor > 0):
        raise BadInput(f"sharpened: the factor must be positive and finite, got {factor}")
    parameters = networks.parameters.astype(np.float64)
    with np.errstate(over="ignore"):
        for begin, end in layout.gate_spans:
            parameters[:, begin:end] *= factor
        result = parameters.astype(precision)
    broken = np.flatnonzero(~np.isfinite(result).all(axis=1)).tolist()
    if broken:
        raise BadInput(
            f"sharpened: weights must stay finite in {precision}, but times {factor:g} those of "
            f"network {broken[0]} do not"
        )
    return Networks(layout, result)


def sharpened_where_finite(networks: Networks, factor: float) -> Networks:
    """The same, but networks whose weights would not stay finite are left as they are."""
    rows = networks.parameters.copy()
    for row in rows:
        with suppress(BadInput):
            row[:] = sharpened(Networks(networks.layout, row[None].copy()), factor).parameters[0]
    return Networks(networks.layout, rows)


def _check_precision(name: str) -> None:
    if name not in PRECISIONS:
        raise BadInput(f"Networks: weights must be {' or '.join(PRECISIONS)}, got {name}")


def _array(value: Any) -> Array:
    if str(getattr(value, "dtype", "")).endswith("bfloat16"):  # NumPy has no such kind
        _check_precision("bfloat16")
    array = value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
    _check_precision(str(array.dtype))
    return array


def _with_output(cell: Cell, arrays: dict[str, Array]) -> dict[str, Array]:
    """Tensors with the output layer's under its name: the one linear layer that the cell does not name."""
    shapes = cell.parameters.shapes(1, 1)
    other = {name: array for name, array in arrays.items() if name not in shapes}
    layers = {name.rpartition(".")[0] for name in other}
    if {name.rpartition(".")[2] for name in other} != {"weight", "bias"} or len(layers) != 1:
        return arrays
    (layer,) = layers
    renamed = {f"output.{kind}": arrays[f"{layer}.{kind}"] for kind in ("weight", "bias")}
    return {name: arrays[name] for name in arrays if name in shapes} | renamed


def _layout_of(cell: Cell, arrays: Mapping[str, Array]) -> Layout:
    """The sizes of a network whose cell names its own tensors: those that ask for these shapes."""
    shapes = {name: array.shape for name, array in arrays.items()}
    outputs, width = (*shapes.get("output.weight", ()), 0, 0)[:2]
    for hidden, inputs in product(range(1, width + 1), range(1, _MOST_SYMBOLS + 1)):
        layout = Layout(cell, inputs, hidden, max(outputs, 1))
        if layout.state_sizes[0] == width and layout.shapes == shapes:
            return layout
    raise BadInput(
        f"{cell.name}: needs the tensors that its parameters name, got {', '.join(shapes) or 'nothing'}"
    )


def _layers(arrays: Mapping[str, Array]) -> int:
    """How many layers the names of PyTorch's tensors speak of, at least 1."""
    names = {name.rpartition(".")[2] for name in arrays}
    return next(n for n in range(1, MOST_LAYERS + 1) if n == MOST_LAYERS or f"weight_ih_l{n}" not in names)


def _take(arrays: dict[str, Array], part: str, layer: int) -> Array | None:
    """Take a recurrent tensor out of a dictionary: a layer of PyTorch calls it part_l0, a cell part."""
    names = (f"{part}_l{layer}", part) if layer == 0 else (f"{part}_l{layer}",)
    matches = [name for name in arrays if name.rpartition(".")[2] in names]
    if len(matches) > 1:
        raise BadInput(f"only one recurrent layer can be read, but there are {', '.join(matches)}")
    return arrays.pop(matches[0]) if matches else None
