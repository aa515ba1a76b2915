"""Compiled edits: their numbers drawn, edits applied, and what is new kept in a pool of distinct strings."""

from __future__ import annotations

import abacist.corpora.kernels as kernels
from abacist.corpora.kernels import admit, below
from abacist.machine_code.compiled_functions import compiled


@compiled(kernels, nogil=True)
def draw_below(rng, bounds, numbers):
    """A uniform number below every bound; −1, and no bits, where the bound is 0."""
    for i in range(bounds.shape[0]):
        numbers[i] = below(rng, bounds[i]) if bounds[i] > 0 else -1


@compiled(kernels, nogil=True)
def apply_edits(kind, symbols, offsets, which, numbers, size, out, ends):
    """Write edit numbers[i] of word which[i] to `out`, from ends[i] on; see `edits` for the kinds."""
    for i in range(which.shape[0]):
        start, n = offsets[which[i]], offsets[which[i] + 1] - offsets[which[i]]
        number, begin = numbers[i], ends[i]
        word, new = symbols[start : start + n], out[begin : ends[i + 1]]
        if kind == 0:  # inserted
            place = number // size
            new[:place] = word[:place]
            new[place] = number % size
            new[place + 1 :] = word[place:]
        elif kind == 1:  # deleted
            new[:number] = word[:number]
            new[number:] = word[number + 1 :]
        elif kind == 2:  # replaced
            place, other = number // (size - 1), number % (size - 1)
            new[:] = word
            new[place] = other + (other >= word[place])
        elif kind == 3:  # swapped
            new[:] = word
            new[number], new[number + 1] = word[number + 1], word[number]
        elif kind == 4:  # truncated
            new[:] = word[: number + 1]
        else:  # extended
            new[:n] = word
            new[n] = number


@compiled(kernels, nogil=True)
def admit_strings(symbols, offsets, pool, pool_offsets, table, done, wanted):
    """Copy the strings that are new to the pool, until it has `wanted`; how many it has now."""
    for i in range(offsets.shape[0] - 1):
        if done == wanted:
            break
        length, start = offsets[i + 1] - offsets[i], pool_offsets[done]
        pool[start : start + length] = symbols[offsets[i] : offsets[i + 1]]
        if admit(pool, pool_offsets, done, length, table):
            done += 1
            pool_offsets[done] = start + length
    return done
