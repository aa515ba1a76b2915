"""Judging: every statement decided by the runs of a store."""

from __future__ import annotations

from abacist.errors import BadInput
from abacist.experiments.claims.evidence import Evidence
from abacist.experiments.claims.statements import STATEMENTS
from abacist.experiments.claims.verdicts import Verdict
from abacist.experiments.paper import RUNS
from abacist.experiments.results import Results
from abacist.fields import checked


@checked
def check_claims(results: Results, *, at_least: int = RUNS) -> list[Verdict]:
    """Decide every claim; what fewer runs than `at_least` would decide cannot be said."""
    if at_least < 1:
        raise BadInput(f"check_claims: at least 1 run must be asked for, got {at_least}")
    evidence = Evidence(results, at_least)
    return [
        Verdict(one.text, one.place, one.rule, tuple(part.decide(evidence) for part in one.parts))
        for one in STATEMENTS
    ]
