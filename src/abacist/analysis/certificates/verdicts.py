"""What a checker says of a certificate: yes, or no and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from abacist.analysis.certificates.certificate import Statement, weights_hash
from abacist.errors import AbacistError
from abacist.languages import Language, language_from_text
from abacist.specs import Networks


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate shows what it states, and why not."""

    holds: bool
    sentence: str


class No(Exception):
    """Why a certificate shows nothing."""


def require(condition: bool, otherwise: str) -> None:
    """Say no unless a condition holds."""
    if not condition:
        raise No(otherwise)


def require_subject(statement: Statement, weights: str, networks: Networks, run: int) -> Language[Any]:
    """Say no unless a statement is about a network; its language."""
    require(weights_hash(networks, run) == weights, "it is about other weights")
    require(statement.cell == networks.layout.cell.name, "it is about another cell")
    require(statement.precision == str(networks.parameters.dtype), "it is about another precision")
    require(statement.steps in ("all", "last"), "it does not say which predictions count")
    require(statement.depth >= 1, "it is about no word")
    try:
        language = language_from_text(statement.language)
        networks.check_language(language)
    except AbacistError as error:
        raise No(f"its language does not fit, {error}") from None
    require(bool(np.isfinite(networks.parameters[run]).all()), "the network's weights are not finite")
    return language
