"""The paper's statements, word for word: where they stand, and what decides each of their parts.

A further one is one more record here. Like is compared with like: what the paper says of its ten runs is
asked of ten of ours. What networks can do stands apart from what training finds. Of several sets a claim
names, each is a part, unless it says that one network does them all.
"""

from __future__ import annotations

from dataclasses import dataclass

from abacist.errors import BadInput
from abacist.experiments.claims.evidence import Evidence, Network
from abacist.experiments.claims.rules import (
    EVERY_COUNTER,
    LENGTH,
    ONE_EACH,
    Rule,
    accepting,
    ahead,
    always_below,
    in_words,
    learned,
    learned_after,
    median_at_least,
    median_is,
    of_ten,
    possible,
    units,
)
from abacist.experiments.claims.shares import MOST, SOME, trials
from abacist.experiments.claims.verdicts import Verdict
from abacist.experiments.paper_table import CELLS, COUNTING, RUNS
from abacist.experiments.plan import PAPER_SETS
from abacist.experiments.results import Results
from abacist.fields import checked

SHUFFLES = ("shuffle-2", "shuffle-6")
NEAR = ("training", "short")

#: Every LSTM, GRU and RNN of table 3, by language.
LSTM, GRU, RNN = (
    {language: Network(language, cell) for language in (*COUNTING, "dyck-2")}
    for cell in ("lstm", "gru", "rnn")
)
ONE_UNIT, TWO_UNITS = Network("dyck-1", "lstm", 1), Network("shuffle-2", "lstm", 2)
LAST_BRACKET = Network("dyck-2", "lstm", steps="last")


@dataclass(frozen=True)
class Statement:
    """What the paper says, where, the rule for each of its parts, and where their figures come from."""

    text: str
    place: str
    parts: tuple[Rule, ...]
    since: str = ""

    @property
    def rule(self) -> str:
        """What decides its parts, in words."""
        return in_words(self.parts) + (f", since {self.since}" if self.since else "")


STATEMENTS = (
    Statement(
        "all the LSTM models obtained full accuracy on the training set and short test set, whose sequences "
        "were bounded to [2,50], in all the ten trials",
        "section 6.1",
        tuple(accepting(LSTM["dyck-1"], [name], trials(10)) for name in NEAR),
    ),
    Statement(
        "They obtained perfect accuracy in nine out of ten trials and 99.98% accuracy (only 1 incorrect "
        "prediction) in the remaining trial.",
        "section 6.1",
        (
            accepting(LSTM["dyck-1"], ["long"], trials(9)),
            of_ten(LSTM["dyck-1"], "long", "min"),
        ),
    ),
    Statement(
        "These results exhibit that the LSTMs can indeed perform unbounded dynamic counting.",
        "section 6.1",
        (possible(LSTM["dyck-1"]), learned(LSTM["dyck-1"])),
    ),
    Statement(
        "The GRUs yielded an almost similar qualitative performance on the training and first test sets",
        "section 6.1",
        tuple(ahead(LSTM["dyck-1"], GRU["dyck-1"], name, above=-1 - 1e-9, most=1 + 1e-9) for name in NEAR),
    ),
    Statement(
        "they could not generalize well to longer and deeper sequences",
        "section 6.1, of GRUs",
        (ahead(LSTM["dyck-1"], GRU["dyck-1"], "long"),),
    ),
    Statement(
        "the RNN models performed significantly worse than the first two recurrent models, in terms of their "
        "median accuracy rate",
        "section 6.1",
        tuple(ahead(better["dyck-1"], RNN["dyck-1"], name) for name in PAPER_SETS for better in (GRU, LSTM)),
    ),
    Statement(
        "the LSTM models achieved a median accuracy of 100% on the training and short test sets in both of "
        "the shuffle language variants",
        "section 6.2",
        tuple(median_is(LSTM[language], name, 100) for language in SHUFFLES for name in NEAR),
    ),
    Statement(
        "achieving an almost perfect median accuracy score on the long test set",
        "section 6.2",
        tuple(median_at_least(LSTM[language], "long", 98) for language in SHUFFLES),
        since="the paper says so of 98.14 %",
    ),
    Statement(
        "the GRU models performed slightly worse than the LSTM models on the training and short test sets",
        "section 6.2",
        tuple(
            ahead(LSTM[language], GRU[language], name, most=1 + 1e-9)
            for language in SHUFFLES
            for name in NEAR
        ),
    ),
    Statement(
        "the GRUs did not yield the same performance as the LSTMs on the long test set",
        "section 6.2",
        tuple(ahead(LSTM[language], GRU[language], "long") for language in SHUFFLES),
    ),
    Statement(
        "the simple RNN models always performed much worse than the GRU and LSTM models",
        "section 6.2",
        tuple(
            always_below(RNN[language], better[language], name)
            for language in SHUFFLES
            for better in (GRU, LSTM)
            for name in PAPER_SETS
        ),
    ),
    Statement(
        "could not even learn the training sets in either of the shuffle languages",
        "section 6.2, of RNNs",
        tuple(accepting(RNN[language], ["training"], trials(0), bar=90) for language in SHUFFLES),
    ),
    Statement(
        "often achieved full accuracy on the short test set in all the “counting” tasks",
        "table 3, of LSTMs",
        tuple(accepting(LSTM[language], ["short"], MOST, paper="median 100") for language in COUNTING),
    ),
    Statement(
        "none of our RNNs was able to emulate a DPA to recognize the Dyck-2 language",
        "section 6.3, of all three cells",
        tuple(
            accepting(
                Network("dyck-2", cell),
                [name],
                trials(0),
                bar=bar,
                about=f"Dyck-2 {name}, {cell.upper()}",
            )
            for cell in CELLS
            for name, bar in (("short", 90), ("long", 10))
        ),
    ),
    Statement(
        "Overall, the LSTM models had the best performances among all the networks",
        "section 6.3",
        tuple(ahead(LSTM["dyck-2"], worse["dyck-2"], name) for name in PAPER_SETS for worse in (GRU, RNN)),
    ),
    Statement(
        "Even the best LSTM model could achieve only 48.24% and 1.46% accuracy scores on the short and long "
        "test sets, respectively.",
        "section 6.3",
        tuple(of_ten(LSTM["dyck-2"], name, "max") for name in ("short", "long")),
    ),
    Statement(
        "six out of eight hidden units in the model are acting like separate counters",
        "section 7.1, of one LSTM",
        (
            units(LSTM["shuffle-6"], ONE_EACH, "in some network", SOME, paper="one network"),
            units(LSTM["shuffle-6"], EVERY_COUNTER, "in most networks", MOST, paper="not looked at"),
        ),
    ),
    Statement(
        "In some cases, we further discovered that certain units learned to count the length of the input "
        "sequences.",
        "section 7.1",
        tuple(
            units(LSTM[language], LENGTH, LSTM[language].task, SOME, paper="some") for language in COUNTING
        ),
    ),
    Statement(
        "the LSTMs with only a single hidden unit perform with perfect accuracy on the Dyck-1 learning task, "
        "and successfully generalize far beyond the training set",
        "sections 1 and 7.2",
        (
            accepting(ONE_UNIT, PAPER_SETS, MOST, paper="one network", about="Dyck-1, random words"),
            possible(ONE_UNIT),
            learned(ONE_UNIT),
        ),
    ),
    Statement(
        "an LSTM with only two hidden units can recognize D₁||²",
        "section 7.2, D₁||² being Shuffle-2",
        (
            accepting(
                TWO_UNITS,
                PAPER_SETS,
                SOME,
                bar=99.98,  # what the best of the paper's with four units accepts
                about="Shuffle-2, random words",
            ),
            possible(TWO_UNITS),
            learned(TWO_UNITS),
        ),
    ),
    Statement(
        "The model learned the task in a couple of epochs",
        "section 7.3",
        (learned_after(LAST_BRACKET, PAPER_SETS, 2, 99),),
    ),
    Statement(
        "achieved perfect accuracy on the training and test sets",
        "section 7.3",
        (
            accepting(LAST_BRACKET, PAPER_SETS, SOME, about="one network"),
            accepting(LAST_BRACKET, PAPER_SETS, MOST, about="often"),
        ),
        since="“our LSTMs often achieved full accuracy on this task”",
    ),
)


@checked
def check_claims(results: Results, *, at_least: int = RUNS) -> list[Verdict]:
    """Decide every claim; what fewer runs than `at_least` would decide is inconclusive."""
    if at_least < 1:
        raise BadInput(f"check_claims: at least 1 run must be asked for, got {at_least}")
    evidence = Evidence(results, at_least)
    return [
        Verdict(one.text, one.place, one.rule, tuple(part.decide(evidence) for part in one.parts))
        for one in STATEMENTS
    ]
