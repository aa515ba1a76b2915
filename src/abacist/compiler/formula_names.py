"""The names that a formula gives to its values: its local variables. They are interface.

What a formula calls `f` or `c` names the columns of its traces, the variables of its programs and the
panels of figures. So renaming a local variable of a cell renames these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

from abacist.algebra import Symbol
from abacist.errors import BadInput


def called_with_names(formula: Callable[..., Any], *arguments: Any) -> tuple[Any, dict[Symbol, str]]:
    """Call a formula; its result, and what its local variables call the symbols when it returns.

    In its own thread, so that the caller's profiler or debugger is left alone.
    """
    code = getattr(formula, "__code__", None)
    if code is None:
        raise BadInput(
            f"a formula must be a function written with def, whose variables have names, got {formula!r}"
        )
    names: dict[Symbol, str] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is code:
            found = {value: name for name, value in frame.f_locals.items() if isinstance(value, Symbol)}
            names.update({symbol: name for symbol, name in found.items() if symbol.arguments})

    def called() -> Any:
        sys.setprofile(watch)
        return formula(*arguments)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(called).result(), names
