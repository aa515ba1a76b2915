"""The browser's target: programs in WebAssembly, emitted from the same statements, and what runs them.

It runs nothing itself. What it makes is text and plain values; `docs/page.md` says what is in them.
"""

from abacist.targets.webassembly.emitter import refusal
from abacist.targets.webassembly.module import (
    beginning_of,
    joined,
    module_text,
    program_name,
    training_text,
    without_exports,
)
from abacist.targets.webassembly.tables import drawing_tables, language_tables

__all__ = [
    "beginning_of", "drawing_tables", "joined", "language_tables", "module_text", "program_name",
    "refusal", "training_text", "without_exports",
]  # fmt: skip
