"""Analysis: what a network does."""

from abacist.analysis.certificates import (
    Answer,
    Certificate,
    Comparison,
    Statement,
    Verdict,
    certify,
    check,
    compare,
    machine_of,
)
from abacist.analysis.construction import constructed
from abacist.analysis.lengths import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.analysis.matching import Matching, assignment, match_units, unit_correlations
from abacist.analysis.reading import TraceReading, follow
from abacist.analysis.saturation import saturated

__all__ = [
    "DEEPENING",
    "Answer",
    "Certificate",
    "Comparison",
    "Curve",
    "Matching",
    "Statement",
    "TraceReading",
    "Verdict",
    "accuracy_by_depth",
    "accuracy_by_length",
    "assignment",
    "certify",
    "check",
    "compare",
    "constructed",
    "draw_by_length",
    "follow",
    "machine_of",
    "match_units",
    "saturated",
    "unit_correlations",
]
