"""Compiled drawing by tables of derivations; see `derivation_tables` for what these hold."""

from __future__ import annotations

import numpy as np
from numba import njit

import abacist.corpora.kernels as kernels
from abacist.corpora.derivation_tables import SYMBOL_BITS
from abacist.corpora.kernels import admit, below, choose, next_bits, uniform_word
from abacist.machine_code.compiled_functions import compiled

_SYMBOL = (1 << SYMBOL_BITS) - 1


@njit
def _chosen(rng, rows, outcomes, thresholds, row):
    """What `choose` chooses; of two options, without a branch that a processor could only guess."""
    start, last = rows[row], rows[row + 1] - 1
    if last - start == 1:
        start += np.int64(next_bits(rng) >= thresholds[start])
    elif start < last:
        bits = next_bits(rng)
        while start < last and bits >= thresholds[start]:
            start += 1
    return outcomes[start]


@njit
def derived_word(rng, tables, goal, length, out, pending):
    """Draw a word of a goal into `out`; `pending`, (length + 1, 2), has what is left: rows and lengths."""
    rows, outcomes, thresholds, first_row, actions = tables
    written, height, left, row = 0, 0, length, first_row[goal] + length
    while True:
        while left > 0:
            outcome = _chosen(rng, rows, outcomes, thresholds, row)
            left -= 1
            if outcome >= 0:
                out[written] = outcome & _SYMBOL
                row = outcome >> SYMBOL_BITS
            else:
                action = -1 - outcome
                out[written] = actions[action, 0]
                taken = _chosen(rng, rows, outcomes, thresholds, actions[action, 3] + left)
                pending[height, 0] = first_row[actions[action, 2]] + left - taken
                pending[height, 1] = left - taken
                height += 1
                left = taken
                row = first_row[actions[action, 1]] + taken
            written += 1
        if height == 0:
            break
        height -= 1
        row, left = pending[height, 0], pending[height, 1]


@compiled(kernels, nogil=True)
def fill_by_derivations(
    rng, lengths, divisions, parts, tables, symbols, offsets, table, done, wanted, attempts, distinct
):
    """Draw uniform words of a shuffle of parts into the pool until it has `wanted`, or nothing is left.

    Row i of `parts` is (first symbol, pairs of Dyck or 0, blocks of Blocks or 0, first goal or −1) of part i.
    """
    length_rows, length_options, length_thresholds = lengths
    rows, options, thresholds = divisions
    longest, many = length_options.max(), parts.shape[0]
    left, place = np.empty(many, np.int64), np.empty(many, np.int64)
    own = np.empty((many, longest + 1), np.int64)
    alone, depth, stacks = np.empty(1, np.int64), np.empty(1, np.int64), np.empty((1, longest + 1), np.int64)
    pending = np.empty((longest + 1, 2), np.int64)
    stride = (rows.shape[0] - 1) // (many - 1) if many > 1 else 0
    while done < wanted and attempts > 0 and offsets[done] + longest <= symbols.shape[0]:
        attempts -= 1
        length = choose(rng, length_rows, length_options, length_thresholds, 0)
        start = offsets[done]
        if many == 1:  # nothing to interleave
            derived_word(rng, tables, parts[0, 3], length, symbols[start : start + length], pending)
        rest = length
        for i in range(many if many > 1 else 0):
            left[i] = rest if i == many - 1 else choose(rng, rows, options, thresholds, i * stride + rest)
            rest -= left[i]
            place[i] = 0
            if parts[i, 3] >= 0:
                derived_word(rng, tables, parts[i, 3], left[i], own[i], pending)
            elif left[i] > 0:
                single = parts[i : i + 1, :3]
                uniform_word(rng, rows, options, thresholds, single, left[i], own[i], alone, depth, stacks)
        for position in range(length if many > 1 else 0):
            i, ticket = 0, below(rng, length - position)
            while ticket >= left[i]:
                ticket -= left[i]
                i += 1
            symbol = own[i, place[i]]
            symbols[start + position] = symbol + parts[i, 0] if parts[i, 3] >= 0 else symbol
            place[i] += 1
            left[i] -= 1
        if not distinct or admit(symbols, offsets, done, length, table):
            done += 1
            offsets[done] = start + length
    return done, attempts
