"""Claims: the paper's statements in its own words, each decided by figures."""

from abacist.experiments.claims.statements import check_claims
from abacist.experiments.claims.verdicts import FAILS, HOLDS, OPEN, PARTLY, Part, Verdict

__all__ = ["FAILS", "HOLDS", "OPEN", "PARTLY", "Part", "Verdict", "check_claims"]
