"""Regular languages: by an expression, and as sets."""

from __future__ import annotations

from collections.abc import Sequence

from abacist.errors import BadInput
from abacist.fields import checked, expect
from abacist.languages.automaton_language import AutomatonLanguage
from abacist.languages.finite_automaton import FiniteAutomaton
from abacist.languages.regular_expression import glyphs_of, regular_expression
from abacist.languages.regular_sets import intersected, united


@checked
def regular(
    expression: str, *, glyphs: Sequence[str] | None = None, title: str | None = None, marks_end: bool = True
) -> AutomatonLanguage:
    """The language of a regular expression, over the glyphs it names or over those given.

    >>> regular("a(b|c)*", title="tails").counts(3)
    [0, 1, 2, 4]
    """
    own = glyphs_of(expression) if glyphs is None else tuple(glyphs)
    machine = regular_expression(expression, own)
    return AutomatonLanguage(machine, own, expression if title is None else title, marks_end)


def union(first: AutomatonLanguage, second: AutomatonLanguage) -> AutomatonLanguage:
    """The words of either of two regular languages over the same glyphs."""
    machines = _regular_machines("union", first, second)
    return AutomatonLanguage(united(*machines), first.glyphs, f"{first.title} ∪ {second.title}")


def intersection(first: AutomatonLanguage, second: AutomatonLanguage) -> AutomatonLanguage:
    """The words that two regular languages over the same glyphs share."""
    machines = _regular_machines("intersection", first, second)
    return AutomatonLanguage(intersected(*machines), first.glyphs, f"{first.title} ∩ {second.title}")


def _regular_machines(
    what: str, first: AutomatonLanguage, second: AutomatonLanguage
) -> tuple[FiniteAutomaton, FiniteAutomaton]:
    machines = []
    for language in (first, second):
        expect(f"{what}: each of the two", language, AutomatonLanguage)
        if not isinstance(language.machine, FiniteAutomaton):
            raise BadInput(
                f"{what}: only regular languages have one here, and {language.name} is not given as one"
            )
        machines.append(language.machine)
    if first.glyphs != second.glyphs:
        raise BadInput(
            f"{what}: both languages need the same glyphs, got {' '.join(first.glyphs)} "
            f"and {' '.join(second.glyphs)}"
        )
    return machines[0], machines[1]
