"""Words for numbers in messages."""

from __future__ import annotations


def several(count: int, noun: str) -> str:
    """A number of things: `1 run`, `10 runs`, `10,000 words`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
