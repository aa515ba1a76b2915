"""Cells by name, and as text: a name, or for one of the user's `name#digits`, those of its content.

To other processes, those of Abacist are sent by name, others whole.

Some have no formula here: one that a store names and nobody gave, and models from outside, which are only
judged. Their runs can be listed, tabulated, merged and deleted; what needs their formula is refused. The name
of a model from outside begins with `outside:`, which no cell's name can, so that nobody takes one for the
other, nor do their keys ever meet.
"""

from __future__ import annotations

import copyreg
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NoReturn

from abacist.cells.blind import BLIND
from abacist.cells.definition import MET, Cell, State, remember
from abacist.cells.layers import stacked
from abacist.cells.memories import MEMORIES
from abacist.cells.parameters import Part, Shapes
from abacist.cells.started import STARTED
from abacist.cells.zoo import CELLS, ZOO
from abacist.errors import BadCell, BadInput, UnknownName
from abacist.fields import checked, short_repr
from abacist.limits import CELL_NAME
from abacist.on_demand import on_demand
from abacist.registry import DIGITS, Registry, plain, written
from abacist.wording import a_few, did_you_mean

_cloudpickle = on_demand("cloudpickle")

#: All cells that come with Abacist. A further one is a further name in the zoo or the memories.
KNOWN: dict[str, Cell] = CELLS | ZOO | MEMORIES

#: The same with the started ones, which networks from outside are of, and partly blind LSTMs: no list names
#: these.
_BY_NAME = KNOWN | STARTED | BLIND

OWN_CELLS: Registry[Cell] = Registry(Cell, lambda name: _BY_NAME.get(plain(name)), remember)

#: A cell of several layers as text: that of a layer, and how many.
_LAYERS = re.compile(r"(.+)_x([2-9]|[1-9]\d+)", re.DOTALL)

#: A cell of one's own as text, and perhaps how many layers it has.
_OWN = re.compile(rf"(.+#[0-9a-f]{{{DIGITS}}})(?:_x([2-9]|[1-9]\d+))?", re.DOTALL)

_PREFIX = "outside:"

#: What a model from outside may be called: words of letters, digits and a few signs; and how long all may be.
_NAME, _LONGEST = re.compile(r"\w[\w.+-]*( [\w.+-]+)*"), 200


@dataclass(frozen=True)
class _NoFormula:
    """What stands for the parameters and the formula of a cell without one: they are refused."""

    written: str

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        return {} if is_outside(self.written) else self()

    def bind(self, part: Part, hidden: int) -> NoReturn:
        self()

    def __call__(self, *_: Any) -> NoReturn:
        raise UnknownName(self.reason)

    @property
    def reason(self) -> str:
        if is_outside(self.written):
            return "a model from outside has no formula here, so it can be neither trained nor followed"
        return OWN_CELLS.absence(self.written, "its formula")


class AbsentCell(Cell):
    """A cell without a formula here, of which only what specs, run keys and files have `written` is known.

    Nobody can say whether it has gates. It passes for one with gates: trained runs had what they needed.
    """

    parameters: _NoFormula
    written: str

    def __init__(self, written: str) -> None:
        name, _, digits = (written, "", written) if is_outside(written) else written.rpartition("#")
        nothing = _NoFormula(written)
        super().__init__(name, nothing, (State("h"),), nothing)
        self.__dict__.update(content=digits, written=written, gated=True, sharpens=True)

    @property
    def absence(self) -> str:
        return self.parameters.reason

    def check_unchanged(self) -> None:
        """There is nothing to compare: whoever needs the formula is refused."""
        raise UnknownName(self.absence)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.written,)


class OutsideModel(AbsentCell):
    """A model from outside, which stands in the place of a cell: its name begins with `outside:`."""

    def __init__(self, written: str) -> None:
        if not is_outside(written) or len(written) > _LONGEST or not written.isprintable():
            raise BadInput(
                f"a model from outside is {_PREFIX}NAME, of at most {_LONGEST} letters, "
                f"got {short_repr(written)}"
            )
        super().__init__(written)


@checked
def outside_model(name: str, settings: Mapping[str, Any] | None = None) -> OutsideModel:
    """A model from outside, by its name and the settings that tell it from others of that name.

    >>> outside_model("transformer", {"width": 32, "layers": 2}).name
    'outside:transformer (layers 2, width 32)'
    """
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"a model from outside: a name is made of letters, digits, '.', '+' and '-', "
            f"got {short_repr(name)}"
        )
    texts = []
    for field, value in sorted((settings or {}).items()):
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if not (isinstance(field, str) and _NAME.fullmatch(field) and _NAME.fullmatch(text)):
            raise BadInput(
                f"{name}: a setting is a name and a number or a word, "
                f"got {short_repr(field)} = {short_repr(value)}"
            )
        texts.append(f"{field} {text}")
    return OutsideModel(f"{_PREFIX}{name}" + (f" ({', '.join(texts)})" if texts else ""))


def is_outside(written: str) -> bool:
    """Whether a name is that of a model from outside."""
    return written.startswith(_PREFIX)


@checked
def cell_named(name: str) -> Cell:
    """The cell that goes by a name: one of Abacist's, or one that a plugin or a package offers.

    `name#digits` is the one of one's own whose content begins with these digits; `name_x2` has two layers of
    what is called `name`.
    """
    CELL_NAME.check(f"cell {short_repr(name)}", len(name))
    if plain(name) in _BY_NAME:
        return _BY_NAME[plain(name)]
    layers = _LAYERS.fullmatch(name.strip())
    if layers is None or "#" not in name:  # digits are followed by nothing but a number of layers
        cell = MET.get(name.strip()) or OWN_CELLS.find(name)
        if cell is not None:
            return cell
    if layers is not None:
        return stacked(cell_named(layers[1]), int(layers[2]))
    names = [*KNOWN, *(offered.thing.name for offered in OWN_CELLS.all())]
    few = f"; there are {a_few(names)}; `abacist cells` lists them"
    raise UnknownName(OWN_CELLS.unknown(name, did_you_mean(name, names) or few))


@checked
def add_cell(cell: Cell, origin: str = "this program") -> None:
    """Let a cell of one's own go by its name; `origin` says where it comes from."""
    OWN_CELLS.add(cell, origin)


@checked
def written_cell(cell: Cell) -> str:
    """The text that stands for a cell in specs, run keys and files.

    >>> written_cell(KNOWN["lstm"])
    'lstm'
    """
    if cell.count > 1:
        return f"{written_cell(cell.layer)}_x{cell.count}"
    if isinstance(cell, AbsentCell):
        return cell.written
    if _BY_NAME.get(cell.name) == cell:
        return cell.name
    return written(remember(cell))


@checked
def cell_written(text: str) -> Cell:
    """The inverse of `written_cell`; a cell of one's own that is not at hand is an `AbsentCell`."""
    if is_outside(text):
        return OutsideModel(text)
    try:
        return cell_named(text)
    except UnknownName:
        absent = _OWN.fullmatch(text)
        if absent is None:
            raise
        return stacked(AbsentCell(absent[1]), int(absent[2] or 1))


def _sent(cell: Cell) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A cell as what makes it again in another process, where its module may be absent or another one."""
    if _BY_NAME.get(cell.name) is cell:
        return cell_named, (cell.name,)
    if not find_spec("cloudpickle"):
        raise BadCell(
            cell.name,
            "only cloudpickle can send it to other processes; pip install '.[cluster]' in Abacist's folder",
        )
    return _received, (written(remember(cell)), _whole(cell))


copyreg.pickle(Cell, _sent)


@lru_cache(maxsize=1_000)
def _whole(cell: Cell) -> bytes:
    """All fields of a cell, with whatever else of its module its formula uses."""
    name = str(getattr(cell.step, "__module__", ""))
    module = sys.modules.get(name) if name.partition(".")[0] not in ("__main__", "abacist") else None
    fields = (cell.name, cell.parameters, cell.states, cell.step, cell.initial)
    if module is None:
        return bytes(_cloudpickle.dumps(fields))
    _cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(_cloudpickle.dumps(fields))
    finally:
        _cloudpickle.unregister_pickle_by_value(module)


def _received(text: str, whole: bytes) -> Cell:
    """A cell that was sent: the one that this process has met, else a copy."""
    return MET.get(text) or remember(Cell(*_cloudpickle.loads(whole)))
