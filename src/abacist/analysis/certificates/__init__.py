"""Certificates: statements without a bound on length, and what checks them.

`certificate` is what is proved, and its file; `checker` decides. Its arithmetic is in `floats` (bounds),
`forms` and `enclosures` (values of programs), and `steps` (of a network). The `prover` looks for certificates
(`search`) and for covers (`cover_search`); `machine` reads a counter machine off one.
"""

from abacist.analysis.certificates.certificate import (
    Certificate,
    Cover,
    Statement,
    load_certificate,
    weights_hash,
)
from abacist.analysis.certificates.checker import Verdict, check
from abacist.analysis.certificates.machine import Comparison, compare, machine_of
from abacist.analysis.certificates.prover import Answer, certify, certify_every_word

__all__ = [
    "Answer",
    "Certificate",
    "Comparison",
    "Cover",
    "Statement",
    "Verdict",
    "certify",
    "certify_every_word",
    "check",
    "compare",
    "load_certificate",
    "machine_of",
    "weights_hash",
]
