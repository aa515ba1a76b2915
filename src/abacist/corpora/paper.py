"""The paper's tasks as facts: what recipes, specs, options and reports take for granted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from abacist.corpora.source import Window


@dataclass(frozen=True)
class PaperTask:
    """A language of the paper, the hidden units of its networks and the words they are trained on."""

    language: str
    hidden: int
    training: int = 10_000


@dataclass(frozen=True)
class Paper:
    """Runs of each network, and the words that they are trained and tested on; `p`, `q` are the grammar's."""

    tasks: tuple[PaperTask, ...] = (
        PaperTask("dyck-1", 3),
        PaperTask("shuffle-2", 4),
        PaperTask("shuffle-6", 8, training=30_000),
        PaperTask("dyck-2", 4),
    )
    runs: int = 10
    training: int = PaperTask.training
    test: int = 5_000
    short: Window = Window(2, 50)
    long: Window = Window(52, 100)
    p: Fraction = Fraction(1, 2)
    q: Fraction = Fraction(1, 4)

    def training_words(self, language: str) -> int:
        """How many words a language is trained on: those of its task, or else the usual number."""
        return next((task.training for task in self.tasks if task.language == language), self.training)


PAPER = Paper()
