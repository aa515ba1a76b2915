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
        text = self.sentence()
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST * 2 // 3]} … {text[-_LONGEST // 3 :]}"

    def sentence(self) -> str:
        """All that is said of it."""
        return super().__str__()


class BadInput(AbacistError, ValueError):
    """A value lies outside what is allowed."""

    exit_code = 2


class BadField(BadInput):
    """A field has a value that its rule forbids. The sentence is made where it is shown.

    `owner` is the class that declares the field, `rule` says what the value `must be`, and `value` how the
    value is shown, None where there is none.

    >>> str(BadField("Spec", "hidden", "must be at least 1", "0"))
    'Spec: hidden must be at least 1, got 0'
    """

    def __init__(self, owner: str, field: str, rule: str, value: str | None = None) -> None:
        super().__init__(owner, field, rule, value)
        self.owner, self.field, self.rule, self.value = owner, field, rule, value

    def sentence(self, name: str | None = None) -> str:
        """What is wrong, with the name that the reader knows the field by, such as `--hidden`."""
        called = name or (f"{self.owner}: {self.field}" if self.owner else self.field)
        return f"{called} {self.rule}" + ("" if self.value is None else f", got {self.value}")


class BadCell(BadInput):
    """A cell cannot be what it is meant to be: its name, and the reason."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def sentence(self) -> str:
        return f"Cell {self.name}: {self.reason}"


class BadMove(BadInput):
    """A move of an automaton breaks a rule. The sentence is made where it is shown.

    >>> str(BadMove("FiniteAutomaton", "states must be below 2", "a move"))
    'FiniteAutomaton: states must be below 2, got a move'
    """

    def __init__(self, owner: str, rule: str, move: object) -> None:
        super().__init__(owner, rule, move)
        self.owner, self.rule, self.move = owner, rule, move

    def sentence(self) -> str:
        return f"{self.owner}: {self.rule}, got {self.move}"


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
