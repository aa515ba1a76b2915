"""Specs: what a run depends on, and the networks that it makes, as plain values. No compiled code here."""

from abacist.specs.networks import PRECISIONS, Networks
from abacist.specs.spec import Spec

__all__ = ["PRECISIONS", "Networks", "Spec"]
