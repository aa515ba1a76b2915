"""Languages: what a word is, what may come next, and the automata that know.

`language` is what all have in common: states, next symbols, counts, and what an automaton adds to that.
`dyck`, `blocks` and `shuffles` are the paper's, each with its `automaton()`: that of Dyck-2 is in `dyck`.
`automaton_language` is one given by its automaton alone, live configurations only: `live_machine`,
`live_counters`, `live_stack`. `derivations` count its words and are what they are drawn from.
`finite_automaton`, `counter_automaton` and `pushdown_automaton` are the machines, `automaton` their runs;
`regular_expressions` makes finite ones. `catalogue`, with `catalogue.toml`, has the literature's languages.
`recogniser` says of every string whether it is a word; `within` has the words of one, the targets of another.
`writing` finds languages by name and reads and writes them as tables; moves as texts: `written_automata`.
"""

from abacist.languages.alphabet import END_GLYPH, Alphabet, Word, bracket_glyphs
from abacist.languages.automaton import Automaton, Configuration, count_turns
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.blocks import Blocks
from abacist.languages.catalogue import CATALOGUE, FAMILIES, Entry, Family, entry_named
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.derivations import NOTHING, Derivations
from abacist.languages.dyck import Dyck, bits_per_bracket, catalan, decode, encode, encode_symbol
from abacist.languages.finite_automaton import FiniteAutomaton, FiniteMove
from abacist.languages.language import Language, Reading
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, StackMove
from abacist.languages.recogniser import Recogniser, refuse_recogniser
from abacist.languages.regular_expressions import intersection, regular, union
from abacist.languages.shuffles import (
    Shuffle,
    self_shuffle,
    shuffle,
    shuffle_k,
    shuffle_words,
    word_counts,
)
from abacist.languages.within import Within, on_words_of, words_in
from abacist.languages.word_lengths import largest_length
from abacist.languages.writing import (
    OWN_LANGUAGES,
    PAPER_LANGUAGES,
    WELL_KNOWN,
    LanguageValues,
    add_language,
    language_asked_for,
    language_from_text,
    language_from_values,
    language_label,
    language_named,
    language_text,
    language_values,
    load_language,
    name_in_text,
    own_language_from_values,
    own_languages,
    written_name,
)

__all__ = [
    "CATALOGUE", "EMPTY_STACK", "END_GLYPH", "FAMILIES", "NOTHING", "OWN_LANGUAGES", "PAPER_LANGUAGES",
    "RESET", "WELL_KNOWN", "Alphabet", "Automaton", "AutomatonLanguage", "Blocks", "Configuration",
    "CounterAutomaton", "CounterMove", "Derivations", "Dyck", "Entry", "Family", "FiniteAutomaton",
    "FiniteMove", "Language", "LanguageValues", "PushdownAutomaton", "Reading", "Recogniser", "Shuffle",
    "StackMove", "Within", "Word", "add_language", "bits_per_bracket", "bracket_glyphs", "catalan",
    "count_turns", "decode", "encode", "encode_symbol", "entry_named", "intersection",
    "language_asked_for", "language_from_text", "language_from_values", "language_label",
    "language_named", "language_text", "language_values", "largest_length", "load_language",
    "name_in_text", "on_words_of", "own_language_from_values", "own_languages", "refuse_recogniser",
    "regular", "self_shuffle", "shuffle", "shuffle_k", "shuffle_words", "union", "word_counts", "words_in",
    "written_name",
]  # fmt: skip
