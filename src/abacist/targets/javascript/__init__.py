"""The JavaScript target: programs for browsers, printed from the same statements, and what runs them.

It runs nothing itself. What it makes is text and plain values; `docs/page.md` says what is in them.
"""

from abacist.targets.javascript.beginning import beginning_of
from abacist.targets.javascript.module import joined, module_text, script_text, without_exports
from abacist.targets.javascript.printer import refusal
from abacist.targets.javascript.programs import program_name
from abacist.targets.javascript.tables import drawing_tables, language_tables

__all__ = [
    "beginning_of",
    "drawing_tables",
    "joined",
    "language_tables",
    "module_text",
    "program_name",
    "refusal",
    "script_text",
    "without_exports",
]
