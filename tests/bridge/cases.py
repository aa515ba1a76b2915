"""Networks that are right now and then, and small examinations of them, that several tests share."""

from __future__ import annotations

from typing import Any

from abacist.analysis import constructed, saturated
from abacist.bridge import Examination, Judgement, judge_model, model_of
from abacist.corpora import Corpora, Window, draw, paper_recipe
from abacist.languages import language_named
from abacist.specs import Networks

#: Sets so small that a judgement takes no time.
SIZES: dict[str, Any] = {"training": 60, "test": 60, "short": Window(2, 30), "long": Window(32, 50)}


def leaky(language: str = "shuffle-2", sharpness: float = 0.1) -> Networks:
    """A hand-made network that counts, but loses a little at every step: some words are right."""
    return saturated(constructed(language_named(language)), sharpness)


def examination(language: str = "shuffle-2", **values: Any) -> Examination:
    small = {"stress": (20, 60), "every": 100, "longest": 40} | SIZES
    return Examination(language_named(language), **{**small, **values})


def judged(seed: int = 0, name: str = "leaky", sharpness: float = 0.1, **values: Any) -> Judgement:
    """The judgement of a leaky network, asked as if it came from outside."""
    model = model_of(leaky(sharpness=sharpness))
    return judge_model(model, examination(**values), name=name, seed=seed, batch=32)


def corpora(language: str = "shuffle-2") -> Corpora:
    return draw(paper_recipe(language_named(language), seed=1, **SIZES))
