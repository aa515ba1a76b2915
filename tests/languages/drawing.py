"""Random sequences of symbols, drawn without the package: members, near misses, anything."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

Word = tuple[int, ...]


def any_words(symbols: int, longest: int = 16) -> st.SearchStrategy[Word]:
    return st.lists(st.integers(0, symbols - 1), max_size=longest).map(tuple)


@st.composite
def dyck_members(draw: DrawFn, pairs: int, longest: int = 24) -> Word:
    """A word of Dyck-n: open and close at will, then close what is open."""
    word: list[int] = []
    stack: list[int] = []
    for pair, closes in draw(st.lists(st.tuples(st.integers(0, pairs - 1), st.booleans()), max_size=longest)):
        if closes and stack:
            word.append(2 * stack.pop() + 1)
        else:
            stack.append(pair)
            word.append(2 * pair)
    return (*word, *(2 * pair + 1 for pair in reversed(stack)))


@st.composite
def shuffle_members(draw: DrawFn, pairs: int, longest: int = 24) -> Word:
    """A word of Shuffle-k: the pairs close in any order."""
    word: list[int] = []
    still_open: list[int] = []
    for pair, closes in draw(st.lists(st.tuples(st.integers(0, pairs - 1), st.booleans()), max_size=longest)):
        if closes and pair in still_open:
            still_open.remove(pair)
            word.append(2 * pair + 1)
        else:
            still_open.append(pair)
            word.append(2 * pair)
    return (*word, *(2 * pair + 1 for pair in draw(st.permutations(still_open))))


@st.composite
def near_misses(draw: DrawFn, pairs: int) -> Word:
    """A word of Dyck-n with one symbol replaced, so that hardly ever it is still one."""
    word = list(draw(dyck_members(pairs).filter(bool)))
    word[draw(st.integers(0, len(word) - 1))] = draw(st.integers(0, 2 * pairs - 1))
    return tuple(word)


def bracket_text(word: Word) -> str:
    """A text for any number of pairs: a letter opens as a capital and closes as a small one."""
    return "".join(chr(ord("a" if symbol % 2 else "A") + symbol // 2) for symbol in word)


def bracket_pairs(pairs: int) -> tuple[str, ...]:
    return tuple(bracket_text((2 * pair, 2 * pair + 1)) for pair in range(pairs))
