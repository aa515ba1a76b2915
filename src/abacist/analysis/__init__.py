"""Analysis: what a network does.

`reading` follows a network on a string beside its language, `matching` and `units` say what its units count.
`stressing` judges networks on the families of `stress_words`, `lengths` by length and by depth.
`horizons` has proofs for all words up to a length (`prover`) and the search for the shortest wrong word,
`certificates` has proofs for words of any length and counter machines.
`construction` makes networks that count, `teaching` trains on words that networks get
wrong, and `turning_words` go back and forth.
"""

from abacist.analysis.certificates.answer import Answer
from abacist.analysis.certificates.certificate import Statement, load_certificate
from abacist.analysis.certificates.checker import check
from abacist.analysis.certificates.machine import Comparison, compare, machine_of
from abacist.analysis.certificates.prover import certify
from abacist.analysis.construction import constructed
from abacist.analysis.horizons.bracket import Horizon, Search, horizon
from abacist.analysis.horizons.refuter import Refutation
from abacist.analysis.lengths import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.analysis.matching import Matching, match_units
from abacist.analysis.reading import TraceReading, follow
from abacist.analysis.stress_words import ALL_FAMILIES, FAMILIES
from abacist.analysis.stressing import LENGTHS, Stress, stress
from abacist.analysis.units import (
    COUNTS,
    FOLLOWS,
    CountingUnits,
    StateUnits,
    counting_units,
    counting_words,
    state_units,
)
from abacist.specs import sharpened

__all__ = [
    "ALL_FAMILIES", "COUNTS", "DEEPENING", "FAMILIES", "FOLLOWS", "LENGTHS", "Answer", "Comparison",
    "CountingUnits", "Curve", "Horizon", "Matching", "Refutation", "Search", "StateUnits", "Statement",
    "Stress", "TraceReading", "accuracy_by_depth", "accuracy_by_length", "certify", "check", "compare",
    "constructed", "counting_units", "counting_words", "draw_by_length", "follow", "horizon",
    "load_certificate", "machine_of", "match_units", "sharpened", "state_units", "stress",
]  # fmt: skip

#: What `sharpened` was called once works for a version, too.
saturated = sharpened
