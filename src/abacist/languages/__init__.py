"""Languages: what a word is, what may come next, and the automata that know."""

from abacist.languages.alphabet import END_GLYPH, Alphabet, Word, bracket_glyphs
from abacist.languages.automaton import Automaton, Computation, Configuration, count_turns
from abacist.languages.blocks import Blocks
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.languages.dyck import Dyck, catalan
from abacist.languages.language import Language, Reading, Step
from abacist.languages.names import PAPER_LANGUAGES, WELL_KNOWN, add_language, language_named, written_name
from abacist.languages.pushdown_automaton import PushdownAutomaton, StackMove
from abacist.languages.reduction import bits_per_bracket, decode, encode, encode_symbol
from abacist.languages.register import OfferedLanguage, own_languages
from abacist.languages.shuffles import (
    Shuffle,
    self_shuffle,
    shuffle,
    shuffle_k,
    shuffle_words,
    word_counts,
)

__all__ = [
    "END_GLYPH",
    "PAPER_LANGUAGES",
    "WELL_KNOWN",
    "Alphabet",
    "Automaton",
    "Blocks",
    "Computation",
    "Configuration",
    "CounterAutomaton",
    "CounterMove",
    "Dyck",
    "Language",
    "OfferedLanguage",
    "PushdownAutomaton",
    "Reading",
    "Shuffle",
    "StackMove",
    "Step",
    "Word",
    "add_language",
    "bits_per_bracket",
    "bracket_glyphs",
    "catalan",
    "count_turns",
    "decode",
    "encode",
    "encode_symbol",
    "language_named",
    "own_languages",
    "self_shuffle",
    "shuffle",
    "shuffle_k",
    "shuffle_words",
    "word_counts",
    "written_name",
]
