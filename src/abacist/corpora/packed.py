"""Words packed end to end: word i is `symbols[offsets[i]:offsets[i + 1]]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, BadWord, Impossible
from abacist.fields import expect, short_repr
from abacist.languages import Language
from abacist.on_demand import on_demand

kernels = on_demand("abacist.corpora.kernels")  # Numba is slow to import, and not everyone draws


def symbol_type(language: Language[Any]) -> type[np.unsignedinteger[Any]]:
    """The smallest type that holds the symbols of a language."""
    return np.uint8 if len(language.alphabet) <= 256 else np.uint16


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """An array that is not written to from now on."""
    array.setflags(write=False)
    return array


class Pool:
    """The words of several sets so far, end to end, and a hash table of them."""

    def __init__(self, language: Language[Any], wanted: int, *, distinct: bool = True) -> None:
        self.symbols = np.empty(0, symbol_type(language))
        self.offsets = np.zeros(wanted + 1, np.int64)
        self.table = np.zeros(1 << (2 * wanted - 1).bit_length() if distinct else 1, np.int64)
        self.words, self.distinct = 0, distinct

    @property
    def used(self) -> int:
        """How many symbols the words have."""
        return int(self.offsets[self.words])

    def reserve(self, symbols: int) -> None:
        """Make space for so many symbols in all."""
        if symbols > self.symbols.size:
            rest = np.empty(symbols - self.used, self.symbols.dtype)
            self.symbols = np.concatenate((self.symbols[: self.used], rest))

    def admit(self, symbols: NDArray[Any], offsets: NDArray[np.int64], wanted: int) -> None:
        """Take in the strings, of a pool of distinct ones those that are new, until there are `wanted`."""
        self.reserve(self.used + len(symbols))
        if not self.distinct:
            ends = self.used + offsets[1 : wanted - self.words + 1]
            self.symbols[self.used : self.used + len(symbols)] = symbols
            self.offsets[self.words + 1 : self.words + 1 + len(ends)] = ends
            self.words += len(ends)
            return
        self.words = kernels.admit_strings(
            symbols, offsets, self.symbols, self.offsets, self.table, self.words, wanted
        )

    def fill(
        self, name: str, what: str, count: int, draw: Callable[[int], int], patience: int, of: str = ""
    ) -> None:
        """Draw `count` more strings: `draw(wanted)` draws some, until there are `wanted`, and says how many.

        After so many draws in a row without a new one, the request is given up.
        """
        wanted, barren = self.words + count, 0
        while self.words < wanted:
            before, draws = self.words, draw(wanted)
            barren = 0 if self.words > before else barren + draws
            if barren >= patience:
                raise Impossible(
                    f"{name}: after {count + self.words - wanted:,} distinct {what}, {barren:,} draws "
                    f"found no new one, so {count:,} are out of reach{of}"
                )

    def words_from(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The symbols and offsets of some of the words."""
        begin, end = self.offsets[first], self.offsets[last]
        return self.symbols[begin:end].copy(), self.offsets[first : last + 1] - begin


def check_packed(language: Language[Any], symbols: NDArray[Any], offsets: NDArray[Any]) -> None:
    """Refuse strings outside a language's alphabet: compiled code would read past its tables."""
    expect("packed words: language", language, Language)
    most = len(language.alphabet) - 1
    if symbols.ndim != 1 or (symbols.size and symbols.dtype.kind not in "iu"):
        raise BadInput(
            f"{language.name}: symbols must be a one-dimensional array of whole numbers, "
            f"got {short_repr(symbols)}"
        )
    if symbols.size and (symbols.min() < 0 or symbols.max() > most):
        wrong = symbols[(symbols < 0) | (symbols > most)][0]
        raise BadWord(f"{language.name}: symbols must be whole numbers from 0 to {most}, got {wrong}")
    check_offsets(symbols, offsets)


def check_offsets(symbols: NDArray[Any], offsets: NDArray[Any]) -> None:
    """Refuse offsets that do not divide symbols into words."""
    if offsets.ndim != 1 or not offsets.size or offsets.dtype.kind not in "iu":
        raise BadInput(
            f"offsets must be a one-dimensional array of whole numbers, one more than words, "
            f"got {short_repr(offsets)}"
        )
    if offsets[0] != 0 or offsets[-1] != len(symbols) or (offsets[1:] < offsets[:-1]).any():
        raise BadInput(f"offsets must rise from 0 to the {len(symbols):,} symbols, got {short_repr(offsets)}")


def pack(
    language: Language[Any], words: Iterable[Sequence[int] | str]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The symbols and offsets of words that are given one by one, as text or as symbols."""
    expect("packed words: language", language, Language)
    if isinstance(words, str):
        raise BadInput(f"words must be a list of words, such as [{short_repr(words)}], got a single string")
    parse = language.alphabet.parse
    listed = [_symbols(parse(word) if isinstance(word, str) else word) for word in words]
    offsets = np.concatenate(([0], np.cumsum([len(word) for word in listed]))).astype(np.int64)
    symbols = np.concatenate([np.empty(0, np.int64), *listed])
    check_packed(language, symbols, offsets)
    return symbols.astype(symbol_type(language)), offsets


def _symbols(word: Sequence[int]) -> NDArray[Any]:
    """A word as an array; the numbers of an empty one have no type."""
    try:
        symbols = np.asarray(word)
    except ValueError:
        symbols = np.empty(())  # of lists of different lengths
    if symbols.ndim != 1:
        raise BadWord(f"a word must be text or a sequence of symbols, got {short_repr(word)}")
    return symbols if symbols.size else symbols.astype(np.int64)
