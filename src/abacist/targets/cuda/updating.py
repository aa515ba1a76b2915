"""An update of all weights on a GPU, by an optimiser's formula.

What lies in memory is far away, so it is asked for some updates ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from numpy.typing import NDArray

from abacist.compiler import update_statements
from abacist.compiler.statements import Place
from abacist.errors import BadInput
from abacist.optimisers import Rule
from abacist.specs import Spec
from abacist.targets.cuda.emitter import OPERATIONS, CudaEmitter, Text
from abacist.targets.cuda.parameters import Parameters

#: The arrays of an update as arguments of the function `updated`.
_ARRAYS = {"weights": "weight", "gradient": "g", "first": "own.first", "second": "own.second"}


class _UpdateEmitter(CudaEmitter):
    """Emits an update of one weight, with the device's fast quotients and roots."""

    operations = OPERATIONS | {"divide": "quotient({}, {})", "sqrt": "root({})"}

    def variable(self, place: Place, number: int) -> str:
        return _ARRAYS[place.array]


def _rule(optimiser: str) -> Rule:
    """One program serves runs with and without decay."""
    return Rule(optimiser, decays=True)


def update_text(optimiser: str) -> str:
    """The type of a weight's two moments, that of the numbers of an update, and the function `updated`."""
    rule, text = _rule(optimiser), Text()
    count = len(rule.names)
    text("struct alignas(2 * sizeof(number)) Moments { number first, second; };")
    text(f"struct alignas({count & -count} * sizeof(number)) Rule {{ number {', '.join(rule.names)}; }};")
    arguments = "number weight, number g, Moments &own, const Rule &rule"
    with text.block(f"__device__ __forceinline__ number updated({arguments}) {{"):
        emitter = _UpdateEmitter(text)
        emitter.given = {name: partial("rule.{}".format, name) for name in rule.names}
        emitter.emit(update_statements(rule, 1))
        text("return weight;")
    return str(text)


def numbers_of(spec: Spec, first: int, last: int, rate: float | None = None) -> NDArray[Any]:
    """The numbers of the updates from `first`, counted from 1, to below `last`: (update, number)."""
    return _rule(spec.optimiser).numbers(spec, first, last, rate).astype(spec.precision)


def check_rule(spec: Spec) -> None:
    """Refuse rules that clip gradients, since no thread has all of a run's, and initial states but zero."""
    if spec.states_begin:
        raise BadInput(
            f"the target cuda begins words with zero states, got {spec.states_begin[0]}; use the CPU"
        )
    for name in ("clip_norm", "clip_value"):
        if limit := getattr(spec, name):
            raise BadInput(f"the target cuda clips no gradients, got {name} {limit:g}; use the CPU")


#: How many parameters before its own update what lies in memory of one is asked for.
AHEAD = 10


class _Update(NamedTuple):
    """A weight, its gradient and its slot."""

    weight: str
    gradient: str
    slot: int


def print_update(text: Text, names: Parameters) -> None:
    """Print all updates; the tables, which are made of what was updated; and zeros for the gradients."""
    parts = list(_parts(names))
    text("const Rule rule = rules[update++];")
    waiting = (part for part in parts if isinstance(part, _Update))
    for following in islice(waiting, AHEAD):
        _ask(text, following)
    for part in parts:
        if isinstance(part, str):
            text(part)
            continue
        if further := next(waiting, None):
            _ask(text, further)
        weight, gradient, slot = part
        text(f"{weight} = updated({weight}, {gradient}, m{slot}, rule);")
        text(f"moments[{slot} * BLOCK] = m{slot};")
        if weight[0] != "w":
            text(f"weights[{slot} * BLOCK] = {weight};")
    for slot in names.register_slots:
        text(f"g{slot} = 0;")
    for entry in names.entries():
        text(f"{names.table(*entry, 'd')} = 0;")


def _ask(text: Text, update: _Update) -> None:
    """Ask for what lies in memory: the moments, and parameters of tables, u and b."""
    text(f"Moments m{update.slot} = moments[{update.slot} * BLOCK];")
    if update.weight[0] != "w":
        text(f"number {update.weight} = weights[{update.slot} * BLOCK];")


def _parts(names: Parameters) -> Iterator[_Update | str]:
    """All updates, and the lines before and after some."""
    for number, sum_ in enumerate(names.sums):
        for r in names.rounds(sum_.rows):
            yield from _of_round(names, number, r)
            if sum_.of_input is not None:
                biases = [f"b{bias.slot + r}" for bias in sum_.biases if sum_.tabled]
                first = sum_.of_input.slot + r * sum_.of_input.columns
                for symbol in range(names.layout.inputs):
                    value = " + ".join((f"u{first + symbol}", *biases))
                    yield f"{names.table(number, r, symbol)} = {value};"


def _of_round(names: Parameters, number: int, r: int) -> Iterator[_Update | str]:
    """All that a round of a sum updates; a lane without a row has zeros, and keeps them."""
    sum_, lanes = names.sums[number], names.lanes
    inside = "" if (r + 1) * lanes <= sum_.rows else f"lane + {r * lanes} < {sum_.rows}"

    def update(name: str, gradient: str, slot: int) -> _Update:
        gradient = f"({inside} ? {gradient} : number(0))" if inside else gradient
        return _Update(f"{name}{slot}", gradient, slot)

    for block in sum_.matrices:
        first = block.slot + r * block.columns
        for slot in range(first, first if block.shared else first + block.columns):
            yield update("w", f"g{slot}", slot)
    total = f"g{sum_.biases[0].slot + r}" if sum_.biases else ""
    if sum_.of_input is not None:
        parts = [names.table(number, r, symbol, "d") for symbol in range(names.layout.inputs)]
        total = f"all{number}_{r}"
        if names.few:
            yield f"const number {total} = {parts[0]};"
            parts[0] = f"({' - '.join((total, *parts[1:]))})"
        else:
            yield f"const number {total} = {' + '.join(parts)};"
        first = sum_.of_input.slot + r * sum_.of_input.columns
        for symbol, part in enumerate(parts):
            yield update("u", part, first + symbol)
    for bias in sum_.biases:
        yield update("b" if sum_.tabled else "w", total, bias.slot + r)
