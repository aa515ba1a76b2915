"""Analysis: what a network does.

`reading` follows a network on a string beside its language, `matching` and `units` say what its units count.
`stressing` judges networks on the families of `stress_words`, `lengths` by length and by depth. A bracket of
the shortest wrong word is in `horizons`, proofs for words of any length are in `certificates`.
`construction` makes networks that count and sharpens others, `teaching` trains on words that networks get
wrong, and `turning_words` go back and forth.
"""

from abacist.analysis.certificates import (
    Answer,
    Certificate,
    Comparison,
    Cover,
    Statement,
    Verdict,
    certify,
    check,
    compare,
    load_certificate,
    machine_of,
)
from abacist.analysis.construction import constructed, saturated
from abacist.analysis.horizons import Horizon, Refutation, Search, horizon
from abacist.analysis.lengths import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.analysis.matching import Matching, assignment, match_units, unit_correlations
from abacist.analysis.reading import TraceReading, follow
from abacist.analysis.stress_words import ALL_FAMILIES, FAMILIES, Family
from abacist.analysis.stressing import LENGTHS, Stress, stress
from abacist.analysis.units import (
    COUNTS,
    FOLLOWS,
    CountingUnits,
    Moves,
    StateUnits,
    Tally,
    UnitMoves,
    UnitVerdict,
    counter_correlations,
    counting_units,
    counting_words,
    gate_names,
    state_units,
    unit_moves,
)

__all__ = [
    "ALL_FAMILIES",
    "COUNTS",
    "DEEPENING",
    "FAMILIES",
    "FOLLOWS",
    "LENGTHS",
    "Answer",
    "Certificate",
    "Comparison",
    "CountingUnits",
    "Cover",
    "Curve",
    "Family",
    "Horizon",
    "Matching",
    "Moves",
    "Refutation",
    "Search",
    "StateUnits",
    "Statement",
    "Stress",
    "Tally",
    "TraceReading",
    "UnitMoves",
    "UnitVerdict",
    "Verdict",
    "accuracy_by_depth",
    "accuracy_by_length",
    "assignment",
    "certify",
    "check",
    "compare",
    "constructed",
    "counter_correlations",
    "counting_units",
    "counting_words",
    "draw_by_length",
    "follow",
    "gate_names",
    "horizon",
    "load_certificate",
    "machine_of",
    "match_units",
    "saturated",
    "state_units",
    "stress",
    "unit_correlations",
    "unit_moves",
]
