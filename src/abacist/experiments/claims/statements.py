"""The paper's statements, word for word: where they stand, and what decides each of their parts.

A further one is one more record here. A rule is as strict as the statement: "all" is all of our runs, however
many they are. Of several sets a claim names, each is a part, unless it says that one network does them all.
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
    best_below,
    every_word,
    in_words,
    learned_after,
    median_at_least,
    median_is,
    units,
    worst_at_least,
)
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
        tuple(accepting(LSTM["dyck-1"], [name], paper="10 of 10 runs") for name in NEAR),
    ),
    Statement(
        "They obtained perfect accuracy in nine out of ten trials and 99.98% accuracy (only 1 incorrect "
        "prediction) in the remaining trial.",
        "section 6.1",
        (
            accepting(LSTM["dyck-1"], ["long"], share=0.9, paper="9 of 10 runs"),
            worst_at_least(LSTM["dyck-1"], "long", 99.98),
        ),
    ),
    Statement(
        "These results exhibit that the LSTMs can indeed perform unbounded dynamic counting.",
        "section 6.1",
        (every_word(LSTM["dyck-1"]),),
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
        tuple(best_below(RNN[language], "training", 90) for language in SHUFFLES),
    ),
    Statement(
        "often achieved full accuracy on the short test set in all the “counting” tasks",
        "table 3, of LSTMs",
        tuple(accepting(LSTM[language], ["short"], share=0.5, paper="median 100") for language in COUNTING),
    ),
    Statement(
        "none of our RNNs was able to emulate a DPA to recognize the Dyck-2 language",
        "section 6.3, of all three cells",
        tuple(
            best_below(Network("dyck-2", cell), name, bar)
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
        tuple(
            best_below(LSTM["dyck-2"], name, bar, reached=True)
            for name, bar in (("short", 48.24), ("long", 1.46))
        ),
    ),
    Statement(
        "six out of eight hidden units in the model are acting like separate counters",
        "section 7.1, of one LSTM",
        (
            units(LSTM["shuffle-6"], ONE_EACH, "in one network", every=False, paper="1 network"),
            units(LSTM["shuffle-6"], EVERY_COUNTER, "in every network", every=True, paper="not looked at"),
        ),
    ),
    Statement(
        "In some cases, we further discovered that certain units learned to count the length of the input "
        "sequences.",
        "section 7.1",
        tuple(
            units(LSTM[language], LENGTH, LSTM[language].task, every=False, paper="some")
            for language in COUNTING
        ),
    ),
    Statement(
        "the LSTMs with only a single hidden unit perform with perfect accuracy on the Dyck-1 learning task, "
        "and successfully generalize far beyond the training set",
        "sections 1 and 7.2",
        (
            accepting(ONE_UNIT, PAPER_SETS, paper="one network", about="Dyck-1, random words"),
            every_word(ONE_UNIT),
        ),
    ),
    Statement(
        "an LSTM with only two hidden units can recognize D₁||²",
        "section 7.2, D₁||² being Shuffle-2",
        (
            accepting(
                TWO_UNITS,
                PAPER_SETS,
                bar=99.98,  # what the best of the paper's with four units accepts
                share=0,
                paper="one network",
                about="Shuffle-2, random words",
            ),
            every_word(TWO_UNITS, every=False),
        ),
    ),
    Statement(
        "The model learned the task in a couple of epochs",
        "section 7.3",
        (learned_after(LAST_BRACKET, PAPER_SETS, 2, 99, paper="one network"),),
    ),
    Statement(
        "achieved perfect accuracy on the training and test sets",
        "section 7.3",
        (
            accepting(LAST_BRACKET, PAPER_SETS, share=0, paper="one network", about="one network"),
            accepting(LAST_BRACKET, PAPER_SETS, share=0.5, paper="often", about="often"),
        ),
        since="“our LSTMs often achieved full accuracy on this task”",
    ),
)


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
