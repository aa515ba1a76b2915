"""Specs: what a run depends on, and the networks that it makes, as plain values. No compiled code here."""

from abacist.specs.lesson import FEEDS, Lesson, Round, Taught
from abacist.specs.networks import PRECISIONS, Networks
from abacist.specs.spec import ORDERS, RECIPES, Spec, recipe_values, spec_asked_for

__all__ = [
    "FEEDS",
    "ORDERS",
    "PRECISIONS",
    "RECIPES",
    "Lesson",
    "Networks",
    "Round",
    "Spec",
    "Taught",
    "recipe_values",
    "spec_asked_for",
]
