"""Corpora: which words are drawn, exactly from the stated distribution.

`recipe` says what is drawn, with the numbers of `paper`; `drawing` draws it, distinct words or any, and makes
a `corpus`. `source` is what a source of words is: how lengths and words are distributed. `grammar` draws
brackets, and so Dyck-1, as the paper does; `uniform` draws words of a length all equally likely; `sources`
has them by name. `continuations` are a source's true probabilities of the next symbol.
`choices` are random bits and weighted choices, `kernels` the compiled draws of single words.
`packed` holds words end to end, `words` labels them, by `label_kernels`; `files` reads and writes them.
`non_members` are strings one edit outside a language.
"""

from abacist.corpora.choices import Choices, Purpose, bit_generator, stream_state
from abacist.corpora.corpus import (
    Corpora,
    Corpus,
    Distribution,
    Summary,
    check,
    crossing_share,
    summarise,
)
from abacist.corpora.drawing import draw, sample
from abacist.corpora.grammar import CutOff, Grammar, bracket_pairs
from abacist.corpora.non_members import EDITS, LONGEST_EDITED, NonMembers, draw_non_members
from abacist.corpora.paper import PAPER
from abacist.corpora.recipe import Recipe, Split, paper_recipe
from abacist.corpora.source import Source, Window
from abacist.corpora.sources import (
    SOURCES,
    SourceChoice,
    default_source,
    source_from_values,
    source_values,
)
from abacist.corpora.uniform import ByLength, Uniform
from abacist.corpora.words import STEPS, Words, depths_of, label, leaving, pack_texts

__all__ = [
    "EDITS", "LONGEST_EDITED", "PAPER", "SOURCES", "STEPS", "ByLength", "Choices", "Corpora", "Corpus",
    "CutOff", "Distribution", "Grammar", "NonMembers", "Purpose", "Recipe", "Source", "SourceChoice",
    "Split", "Summary", "Uniform", "Window", "Words", "bit_generator", "bracket_pairs", "check",
    "crossing_share", "default_source", "depths_of", "draw", "draw_non_members", "label", "leaving",
    "pack_texts", "paper_recipe", "sample", "source_from_values", "source_values", "stream_state",
    "summarise",
]  # fmt: skip
