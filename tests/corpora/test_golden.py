"""Words that were drawn once and must come again, on every machine and in every version.

If one of these tests fails, the same recipe gives other words than it used to: then
`DRAWING` in `recipe.py` must be raised, so that old files are not taken for new ones,
and the words below be written anew.
"""

from __future__ import annotations

import hashlib

import pytest

from abacist.corpora import ByLength, Corpora, CutOff, Grammar, Recipe, Source, Split, Uniform, Window, draw
from abacist.corpora.recipe import DRAWING
from abacist.languages import language_named
from tests.corpora.packing import paper_corpora


def fingerprint(corpora: Corpora) -> str:
    """Of all symbols and lengths of all splits, the same on every machine."""
    text = "\n".join(" ".join(map(str, word)) for corpus in corpora for word in corpus)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_words_below_were_drawn_by_this_drawing() -> None:
    assert DRAWING == 1


PAPER: dict[tuple[str, int], tuple[list[str], list[str], str]] = {
    ("dyck-1", 0): (
        ["(())", "((())())", "((()))", "(()())", "()"],
        ["((((((((())))))((()((((((())))((((()))))))))()()((()))))(((())))))"],
        "ce5061d56ccc83e1",
    ),
    ("dyck-1", 1): (
        ["()", "(((((())))))", "(())", "(((((()))())))", "(((()())))"],
        ["((((((()))((()()((()(((()))(())((()))()(()))((((())))))((())))))))))"],
        "686db4ff4b64a71c",
    ),
    ("shuffle-2", 0): (
        ["[()]", "(([(((((([()])))))[((()))])]))", "()([][]()[])()([[()]])", "[([((([([])])))])]", "[]"],
        ["([[([[([([[[[[[[[()([(())[]])([])]]]]]]]])])][][]][[]])]](()([])))"],
        "68200eae4dde3d5f",
    ),
    ("shuffle-6", 0): (
        ["⟨()⟩", "{{⌈{[[{([⟨{}⟩])}]]⌊([{}])⌋}⌉}}", "()(⟨⟩⌊⌋()⌈⌉)[][⌊⌈{}⌉⌋]", "⌊{⌊{([⌈{⌈⌉}⌉])}⌋}⌋", "⟨⟩"],
        ["(⌊⟨(⌊⌈[⌊[⌈⌈⟨⌈⌈⌈⌈⟨{}(⌊({})⌊⌋⌋){⌊⌋}⟩⌉⌉⌉⌉⟩⌉⌉]⌋]⌉⟨⟩⌈⌉⌋⌈⌊⌋⌉)⟩⌋{(){⟨⟩}})"],
        "34be75e708e02643",
    ),
    ("dyck-2", 0): (
        ["[()]", "(([(((((([()])))))[((()))])]))", "()([][]()[])()([[()]])", "[([((([([])])))])]", "[]"],
        ["([[([[([([[[[[[[[()([(())[]])([])]]]]]]]])])][][]][[]])]](()([])))"],
        "68200eae4dde3d5f",
    ),
}


@pytest.mark.parametrize(("name", "seed"), PAPER)
def test_the_papers_corpora(name: str, seed: int) -> None:
    corpora = paper_corpora(name, seed)
    training, long, digest = PAPER[name, seed]
    assert list(corpora["training"].texts())[: len(training)] == training
    assert list(corpora["long"].texts())[: len(long)] == long
    assert fingerprint(corpora) == digest


OTHERS: list[tuple[str, Source, str, int, list[str], str]] = [
    (
        "dyck-2",
        Uniform(),
        "2:20",
        100,
        ["[]([][])()[][][()]", "[[](([]))(())[()][]]", "[[[[]][]][[]][()()]]", "()[([]([][]))][]"],
        "b6db874a04e81df6",
    ),
    (
        "shuffle-3",
        Uniform(Grammar()),
        "2:30",
        100,
        ["(){(}[)][{}(([]]))", "{}", "[([]{(])[])({}(}{))}()", "{[({}[]}]){}"],
        "378251d1772ed8a0",
    ),
    (
        "anbn || dyck-1",
        Uniform(),
        "2:16",
        100,
        ["(aa)a(a()b)bbb", "a(a)((b))(b()())", "(a(())a)a(abbbb)", "a(aa(a()bbb)(b))"],
        "ff89c1240c11203f",
    ),
    (
        "dyck-1",
        Grammar.parse("3/5, 3/10"),
        "10:60",
        100,
        ["()((((())((())(((((())))))))))", "((()))(())((()))", "(((((())))))(())", "(((((((())))))))"],
        "b6347635b8e29cff",
    ),
    ("dyck-1", Grammar(), "2:8", 20, ["()", "(())", "((()))", "()()"], "36054aa84ab5d630"),
    (
        "dyck-2",
        CutOff(),
        "2:50",
        1_000,
        ["(([[]])[[[(())([])]]])[()](())", "[(((([]))))]", "()"],
        "090477c236def434",
    ),
    (
        "balance || dyck-1",
        ByLength(),
        "2:30",
        100,
        ["b()aaaa(b(ababab)a(ba)(b)b)b", "b(a)bbaa(baba()b(()a(b)ba))a"],
        "44f54dba208db221",
    ),
    (
        "marked-palindromes",
        ByLength(),
        "3:31",
        100,
        ["11001101110111#11101110110011", "11000101#10100011"],
        "5e02e6c57c90b114",
    ),
    ("shuffle-2", Uniform(), "2:4", 12, ["[][]", "[]", "()()", "([)]"], "f954ffa674adfa0a"),
]


@pytest.mark.parametrize(("name", "source", "window", "count", "texts", "digest"), OTHERS)
def test_other_draws(
    name: str, source: Source, window: str, count: int, texts: list[str], digest: str
) -> None:
    recipe = Recipe(language_named(name), source, (Split("all", Window.parse(window), count),), seed=7)
    corpora = draw(recipe)
    assert list(corpora["all"].texts())[: len(texts)] == texts
    assert fingerprint(corpora) == digest
