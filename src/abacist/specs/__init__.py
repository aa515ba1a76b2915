"""Specs: what a run depends on, and the networks that it makes, as plain values. No compiled code here.

`spec` has a record for each field, which checks it, names it in TOML, options and tables, and puts it in the
key; `asking` makes a spec of options and files. `lesson` has the records of a lesson, `pretraining` those of
a first phase. `networks` are parameters under PyTorch's names, `files` keeps them.
"""

from abacist.specs.asking import RECIPES, recipe_values, spec_asked_for
from abacist.specs.lesson import FEEDS, Lesson, Round, Taught
from abacist.specs.networks import PRECISIONS, Networks, sharpened
from abacist.specs.pretraining import Pretraining
from abacist.specs.spec import ORDERS, Spec

__all__ = [
    "FEEDS", "ORDERS", "PRECISIONS", "RECIPES", "Lesson", "Networks", "Pretraining", "Round", "Spec",
    "Taught", "recipe_values", "sharpened", "spec_asked_for",
]  # fmt: skip
