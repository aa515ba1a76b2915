"""What the user sees: JSON on standard output, progress on standard error."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console

from abacist.json_text import json_text
from abacist.progress import busy as busy


def show_json(value: Any) -> None:
    print(json_text(value, indent=2))


def room() -> int:
    """How many columns of letters there are: those of the terminal, or many where there is none."""
    return Console().width if sys.stdout.isatty() else 200
