"""The drawing of words once more, slowly and plainly, from the same random bits."""

from __future__ import annotations

from bisect import bisect_right
from importlib import import_module
from typing import Any

import numpy as np

from abacist.corpora import Choices, Grammar, Purpose, Recipe, bit_generator, bracket_pairs
from abacist.corpora.source import length_choices
from abacist.corpora.uniform import division_choices
from abacist.languages import Blocks, Dyck, Language, Shuffle, Word

#: The module; in the package its name belongs to the function.
DRAW_MODULE: Any = import_module("abacist.corpora.drawing")


class Bits:
    """Random bits as NumPy gives them, one whole number of 64 bits at a time."""

    def __init__(self, generator: np.random.SFC64) -> None:
        self.generator = generator

    def next(self) -> int:
        return int(self.generator.random_raw())

    def below(self, bound: int) -> int:
        """Multiply the upper half with the bound; the few lower halves too many are drawn again."""
        while True:
            product = (self.next() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def choose(self, choices: Choices, row: int) -> int:
        start, end = choices.rows[row : row + 2].tolist()
        options, thresholds = choices.options[start:end].tolist(), choices.thresholds[start:end].tolist()
        if len(options) == 1:
            return int(options[0])
        return int(options[min(bisect_right(thresholds, self.next()), len(options) - 1)])


def grammar_word(bits: Bits, choices: Choices, pairs: int, length: int) -> Word:
    """A word of the grammar, by recursion: the number of pairs is divided, or brackets are put around."""

    def derive(many: int) -> Word:
        if many == 0:
            return ()
        left = bits.choose(choices, many)
        if left:
            first = derive(left)
            return first + derive(many - left)
        pair = bits.below(pairs) if pairs > 1 else 0
        return (2 * pair, *derive(many - 1), 2 * pair + 1)

    return derive(length // 2)


def uniform_word(bits: Bits, choices: Choices, language: Language[Any], length: int, longest: int) -> Word:
    """A uniform word of a shuffle: divide the length, then interleave the parts as they are written."""
    parts = language.parts if isinstance(language, Shuffle) else (language,)
    sizes: list[int] = []
    for index in range(len(parts) - 1):
        sizes.append(bits.choose(choices, index * (longest + 1) + length - sum(sizes)))
    sizes.append(length - sum(sizes))
    firsts = [sum(len(part.alphabet) for part in parts[:index]) for index in range(len(parts))]
    words: list[list[int]] = [[] for _ in parts]
    stacks: list[list[int]] = [[] for _ in parts]
    result = []
    for _ in range(length):
        turn = 0
        if len(parts) > 1:
            remaining = [size - len(word) for size, word in zip(sizes, words, strict=True)]
            owners = [index for index, many in enumerate(remaining) for _ in range(many)]
            turn = owners[bits.below(len(owners))]
        symbol = _next_symbol(bits, parts[turn], words[turn], stacks[turn], sizes[turn])
        words[turn].append(symbol)
        result.append(firsts[turn] + symbol)
    return tuple(result)


def _next_symbol(bits: Bits, part: Language[Any], word: list[int], stack: list[int], size: int) -> int:
    if isinstance(part, Blocks):
        return len(word) // (size // part.blocks)
    assert isinstance(part, Dyck)
    depth, rest = len(stack), size - len(word)
    opens = depth == 0
    if 0 < depth < rest:
        opens = bits.below(2 * rest * (depth + 1)) < (depth + 2) * (rest - depth)
    if not opens:
        return 2 * stack.pop() + 1
    stack.append(bits.below(part.pairs) if part.pairs > 1 else 0)
    return 2 * stack[-1]


def draw_plainly(recipe: Recipe) -> list[list[Word]]:
    """The words of every split, where none of them asks for most of what exists."""
    seen: set[Word] = set()
    splits = []
    for index, split in enumerate(recipe.splits):
        bits = Bits(bit_generator(recipe.seed, Purpose.CORPORA, index))
        lengths = length_choices(recipe.language, recipe.source, split.window)
        longest = int(max(lengths.options))
        words: list[Word] = []
        while len(words) < split.count:
            length = bits.choose(lengths, 0)
            if isinstance(recipe.source, Grammar):
                table = recipe.source.plan(longest)[0]
                word = grammar_word(bits, table, bracket_pairs(recipe.language), length)
            else:
                parts = recipe.language.parts if isinstance(recipe.language, Shuffle) else (recipe.language,)
                table = division_choices(parts, longest)
                word = uniform_word(bits, table, recipe.language, length, longest)
            if not recipe.distinct or word not in seen:
                seen.add(word)
                words.append(word)
        splits.append(words)
    return splits
