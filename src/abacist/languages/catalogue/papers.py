"""The papers that the languages of the catalogue are from."""

from __future__ import annotations

from abacist.languages.catalogue.entry import Publication

TOMITA = Publication(
    "Tomita 1982",
    "Dynamic construction of finite-state automata from examples using hill-climbing",
    "Cognitive Science Society",
)
BHATTAMISHRA = Publication(
    "Bhattamishra et al. 2020",
    "On the ability and limitations of transformers to recognize formal languages",
    "EMNLP",
)
SARROF = Publication(
    "Sarrof et al. 2024",
    "The expressive capacity of state space models: a formal language perspective",
    "NeurIPS",
)
HEWITT = Publication(
    "Hewitt et al. 2020", "RNNs can generate bounded hierarchical languages with optimal memory", "EMNLP"
)
FISCHER = Publication(
    "Fischer et al. 1968", "Counter machines and counter languages", "Mathematical Systems Theory 2"
)
LAN = Publication("Lan et al. 2022", "Minimum description length recurrent neural networks", "TACL 10")
MERRILL = Publication(
    "Merrill et al. 2022", "Saturated transformers are constant-depth threshold circuits", "TACL 10"
)
DUSELL = Publication(
    "DuSell and Chiang 2020",
    "Learning context-free languages with nondeterministic stack RNNs",
    "CoNLL",
)
