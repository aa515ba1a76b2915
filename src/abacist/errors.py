"""What can go wrong, as one small tree.

Every message is one sentence for the person who gave the input. The command
line prints it and ends with the class's exit code.
"""

#: Characters of a sentence: more would be a wall of text that hides what it says.
_LONGEST = 2_000


class AbacistError(Exception):
    """Something Abacist was asked for cannot be done."""

    exit_code = 1

    def __str__(self) -> str:
        """The sentence; where it quotes a long input, the middle is left out."""
        text = super().__str__()
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST * 2 // 3]} … {text[-_LONGEST // 3 :]}"


class BadInput(AbacistError, ValueError):
    """A value lies outside what is allowed."""

    exit_code = 2


class UnknownName(BadInput):
    """No language, cell or other thing goes by that name."""


class BadWord(BadInput):
    """A text is not a sequence of symbols of the alphabet."""


class Impossible(BadInput):
    """The request asks for words that do not exist."""


class BadFile(AbacistError):
    """A file cannot be read, written or trusted."""


class MissingFile(BadFile):
    """There is nothing at a path that was named: misuse, in every command."""

    exit_code = 2


class NotInstalled(AbacistError):
    """Something optional is asked for that is not installed."""
