"""Analysis: what a network does."""

from abacist.analysis.construction import constructed
from abacist.analysis.lengths import DEEPENING, Curve, accuracy_by_depth, accuracy_by_length, draw_by_length
from abacist.analysis.matching import Matching, assignment, match_units, unit_correlations
from abacist.analysis.reading import TraceReading, follow
from abacist.analysis.saturation import saturated
from abacist.analysis.stress_words import FAMILIES, Family
from abacist.analysis.stressing import LENGTHS, Stress, stress

__all__ = [
    "DEEPENING",
    "FAMILIES",
    "LENGTHS",
    "Curve",
    "Family",
    "Matching",
    "Stress",
    "TraceReading",
    "accuracy_by_depth",
    "accuracy_by_length",
    "assignment",
    "constructed",
    "draw_by_length",
    "follow",
    "match_units",
    "saturated",
    "stress",
    "unit_correlations",
]
