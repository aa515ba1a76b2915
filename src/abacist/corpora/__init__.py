"""Corpora: which words are drawn, exactly from the stated distribution."""

from abacist.corpora.choices import Choices
from abacist.corpora.corpus import Corpora, Corpus
from abacist.corpora.draw import draw, length_weights, sample
from abacist.corpora.grammar import Grammar, bracket_pairs
from abacist.corpora.labels import Labels, label
from abacist.corpora.recipe import Recipe, Source, Split, default_source, paper_recipe
from abacist.corpora.stream import Purpose, bit_generator, stream_state
from abacist.corpora.summary import Distribution, Guarantee, Summary, check, crossing_share, summarise
from abacist.corpora.uniform import Uniform
from abacist.corpora.window import Window
from abacist.corpora.words import STEPS, Words, pack_texts

__all__ = [
    "STEPS",
    "Choices",
    "Corpora",
    "Corpus",
    "Distribution",
    "Grammar",
    "Guarantee",
    "Labels",
    "Purpose",
    "Recipe",
    "Source",
    "Split",
    "Summary",
    "Uniform",
    "Window",
    "Words",
    "bit_generator",
    "bracket_pairs",
    "check",
    "crossing_share",
    "default_source",
    "draw",
    "label",
    "length_weights",
    "pack_texts",
    "paper_recipe",
    "sample",
    "stream_state",
    "summarise",
]
