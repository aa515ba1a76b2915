"""Languages and recipes as plain values for JSON: what the runtime reads words and draws them with."""

from __future__ import annotations

from typing import Any

from abacist.corpora import Choices, CutOff, Grammar, Recipe, Source, Uniform, bracket_pairs
from abacist.corpora.drawing import from_the_list
from abacist.corpora.source import length_choices
from abacist.corpora.uniform import division_choices, part_table, parts_of
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import EMPTY_STACK, CounterAutomaton, Language, PushdownAutomaton, refuse_recogniser

#: Draws of longer words would need products that are no whole numbers in JavaScript.
_LONGEST = 1_000

#: A set of counters is a number there, too.
_COUNTERS = 40


@checked
def language_tables(language: Language[Any]) -> dict[str, Any]:
    """A language as the tables of its automaton; refuses one that has none."""
    refuse_recogniser(language, "page")
    automaton = language.automaton()
    if not isinstance(automaton, CounterAutomaton | PushdownAutomaton):
        raise BadInput(f"{language.name}: JavaScript runs counter and pushdown automata, got {automaton!r}")
    counters = automaton.counters if isinstance(automaton, CounterAutomaton) else 0
    if counters > _COUNTERS:
        raise BadInput(f"{language.name}: JavaScript runs at most {_COUNTERS} counters, got {counters}")
    tested = (
        getattr(automaton, "acceptance", ())
        or getattr(automaton, "resets", False)
        or any(getattr(move, "top", None) == EMPTY_STACK for move in automaton.moves)
    )
    if tested:
        raise BadInput(
            f"{language.name}: JavaScript runs automata that accept with counters at zero, and neither reset "
            "them nor test for an empty stack"
        )
    return {
        "name": language.name,
        "glyphs": list(language.alphabet.glyphs),
        "outputs": language.outputs,
        "marksEnd": language.marks_end,
        "always": sorted(language.always),
        "counterNames": list(language.counter_names),
        "updates": [list(row) for row in language.updates],
        "states": automaton.states,
        "counters": counters,
        "accepting": sorted(automaton.accepting_states),
        "moves": [dict(vars(move)) for move in automaton.moves],
    }


@checked
def drawing_tables(recipe: Recipe) -> dict[str, Any]:
    """What the words of a recipe are drawn from; the seed is given when they are drawn, and may be another.

    Refuses splits that are drawn from the list of all words, and words beyond 1,000 symbols.
    """
    splits = []
    for index, split in enumerate(recipe.splits):
        if from_the_list(recipe, index):
            raise BadInput(
                f"{split.name}: JavaScript draws at most half of the words there are, got {split.count:,}"
            )
        lengths = length_choices(recipe.language, recipe.source, split.window)
        longest = int(lengths.options.max())
        if longest > _LONGEST:
            raise BadInput(
                f"{split.name}: JavaScript draws words of at most {_LONGEST:,} symbols, got {longest:,}"
            )
        splits.append(
            {
                "name": split.name,
                "count": split.count,
                "longest": longest,
                "lengths": _values(lengths),
                **_word_tables(recipe.source, recipe.language, longest),
            }
        )
    return {"distinct": recipe.distinct, "splits": splits}


def _word_tables(source: Source, language: Language[Any], longest: int) -> dict[str, Any]:
    """What words of a length are drawn from, as the kernels of the package have it."""
    match source:
        case Grammar() | CutOff():
            words, nested = source.plan(longest)
            return {"words": _values(words), "pairs": bracket_pairs(language), "nested": list(nested)}
        case Uniform():
            parts = parts_of(source.support(language))
            if any(part.has_derivations for part in parts):
                raise BadInput(f"{language.name}: JavaScript draws words of brackets and blocks alone")
            return {"words": _values(division_choices(parts, longest)), "parts": part_table(parts).tolist()}
        case _:
            raise BadInput(f"JavaScript draws words of the grammar and uniform ones, got {source}")


def _values(choices: Choices) -> dict[str, list[int]]:
    """Rows of weighted options; each threshold of 64 bits in two halves."""
    return {
        "rows": choices.rows.tolist(),
        "options": choices.options.tolist(),
        "high": (choices.thresholds >> 32).tolist(),
        "low": (choices.thresholds & 0xFFFFFFFF).tolist(),
    }
