"""Lessons that take milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abacist.analysis.teaching import Teaching
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import begin, training_words
from abacist.languages import language_named
from abacist.specs import Lesson, Spec


def short_lesson(language: str = "dyck-1", cell: str = "lstm", **values: Any) -> Spec:
    """A spec with a lesson; values are those of the lesson, or else of the spec."""
    usual: dict[str, Any] = {"rounds": 3, "kept": 20, "to": 40, "budget": 8}
    lesson = {**usual, **{name: values.pop(name) for name in list(values) if hasattr(Lesson, name)}}
    sizes: dict[str, Any] = {
        "hidden": 1, "epochs": 12, "training": 400, "test": 10, "short": Window(2, 30),
        "long": Window(32, 40), "rate": 0.03,
    }  # fmt: skip
    return Spec(
        language_named(language), cell_named(cell), **{**sizes, **values}, lesson=Lesson.from_dict(lesson)
    )


def teaching(spec: Spec, seeds: Sequence[int]) -> Teaching:
    """Runs that have not been taught yet."""
    return Teaching(begin(spec, seeds), [training_words(spec, seed) for seed in seeds])
