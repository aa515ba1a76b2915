"""Words for numbers and choices in messages."""

from __future__ import annotations

from collections.abc import Iterable


def several(count: int, noun: str) -> str:
    """A number of things: `1 run`, `10 runs`, `10,000 words`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def one_of(names: Iterable[str]) -> str:
    """A choice: `rnn, gru or lstm`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
