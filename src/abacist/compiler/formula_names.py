"""The names that a formula gives to its values: its local variables. They are interface.

What a formula calls `f` or `c` names the columns of its traces, the variables of its programs and the
panels of figures. So renaming a local variable of a cell renames these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from abacist.algebra import Symbol
from abacist.threads import ThreadPool


def called_with_names(formula: Callable[..., Any], *arguments: Any) -> tuple[Any, dict[Symbol, str]]:
    """Call a formula; its result, and what its local variables call the symbols when it returns.

    A formula that is made of another, as layers are, has the names of that one: as they are at its last call,
    and with `_l0`, `_l1` … behind them at those before. In its own thread, so that the caller's profiler or
    debugger is left alone.
    """
    code = getattr(formula, "__wrapped__", formula).__code__
    calls: list[dict[Symbol, str]] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is code:
            found = {value: name for name, value in frame.f_locals.items() if isinstance(value, Symbol)}
            calls.append({symbol: name for symbol, name in found.items() if symbol.arguments})

    def called() -> Any:
        sys.setprofile(watch)
        return formula(*arguments)

    with ThreadPool(1) as thread:
        result = thread.submit(called).result()
    names = dict(calls[-1]) if calls else {}
    for number, earlier in enumerate(calls[:-1]):
        names |= {symbol: f"{name}_l{number}" for symbol, name in earlier.items() if symbol not in names}
    return result, names
