"""Teaching: training in rounds, each fed with what the network got wrong before."""

from abacist.analysis.teaching.rounds import Teaching
from abacist.analysis.teaching.stress import back_and_forth

__all__ = ["Teaching", "back_and_forth"]
