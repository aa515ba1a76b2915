"""Sentences on standard error; what others have written, such as a file's name, cannot do anything there."""

from __future__ import annotations

import sys

from abacist.wording import visible


def say(sentence: str) -> None:
    """Say something on standard error."""
    print(visible(sentence), file=sys.stderr)


def warn(sentence: str) -> None:
    """Say on standard error, in the command's name, what went wrong."""
    say(f"abacist: {sentence}")
