"""Compiled drawing: random bits, one word, and a pool of distinct words.

Integers only. `rng` is the state of an SFC64 generator, (4,); a pool is all words
end to end in `symbols`, word i from `offsets[i]` to `offsets[i + 1]`, and a hash
`table` of word numbers plus one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from abacist.machine_code.compiled_functions import compiled

_U = np.uint64
_ONE, _THREE, _ELEVEN, _TWENTY_FOUR, _FORTY, _HALF = _U(1), _U(3), _U(11), _U(24), _U(40), _U(32)
_LOW = _U(0xFFFFFFFF)
_FNV_START, _FNV_PRIME = _U(0xCBF29CE484222325), _U(0x100000001B3)
_MIX = _U(0x9E3779B97F4A7C15)


@njit
def next_bits(rng):
    """64 random bits: one step of SFC64, as NumPy makes it."""
    bits = rng[0] + rng[1] + rng[3]
    rng[3] += _ONE
    rng[0] = rng[1] ^ (rng[1] >> _ELEVEN)
    rng[1] = rng[2] + (rng[2] << _THREE)
    rng[2] = ((rng[2] << _TWENTY_FOUR) | (rng[2] >> _FORTY)) + bits
    return bits


@njit
def below(rng, bound):
    """A uniform integer below `bound` < 2³², without bias (Lemire's multiply and reject)."""
    b = _U(bound)
    product = (next_bits(rng) >> _HALF) * b
    if product & _LOW < b:
        reject = (_LOW - b + _ONE) % b
        while product & _LOW < reject:
            product = (next_bits(rng) >> _HALF) * b
    return np.int64(product >> _HALF)


@njit
def choose(rng, rows, options, thresholds, row):
    """An option of a row of `Choices`; a row of one option costs no bits."""
    start, last = rows[row], rows[row + 1] - 1
    if start < last:
        bits = next_bits(rng)
        while start < last and bits >= thresholds[start]:
            start += 1
    return options[start]


@njit
def grammar_word(rng, rows, options, thresholds, nested, pairs, length, out, stack):
    """Draw a word of the grammar into `out`; `stack` has room for length + 1 entries.

    The stack holds what is still to be written: d·stride + m for an S of m > 0 pairs with room for d
    more levels, −1 − symbol for a closing bracket. `nested` is (levels at the start, stride); without
    levels, d is always 0.
    """
    levels, stride = nested
    written, height, deeper = 0, 1, stride if levels > 0 else 0
    stack[0] = levels * stride + length // 2
    while height > 0:
        height -= 1
        item = stack[height]
        if item < 0:
            out[written] = -1 - item
            written += 1
            continue
        left = choose(rng, rows, options, thresholds, item)
        if left == 0:
            pair = below(rng, pairs) if pairs > 1 else np.int64(0)
            out[written] = 2 * pair
            written += 1
            stack[height] = -2 - 2 * pair
            height += 1
            if item % stride > 1:
                stack[height] = item - deeper - 1
                height += 1
        else:
            stack[height] = item - left
            stack[height + 1] = item - item % stride + left
            height += 2


@njit
def uniform_word(rng, rows, options, thresholds, parts, length, out, left, depth, stacks):
    """Draw a uniform word of a shuffle of parts into `out`.

    Row i of `parts` is (first symbol, pairs of Dyck or 0, blocks of Blocks or 0) of part i.
    `left` and `depth` have a place for each part, `stacks` is (part, length).
    """
    many = parts.shape[0]
    longest = (rows.shape[0] - 1) // (many - 1) - 1 if many > 1 else 0
    rest = length
    for i in range(many):
        taken = rest if i == many - 1 else choose(rng, rows, options, thresholds, i * (longest + 1) + rest)
        left[i], depth[i] = taken, 0
        if parts[i, 2]:
            depth[i] = taken  # a part of blocks needs its own length, not a depth
        rest -= taken
    for position in range(length):
        i = 0
        if many > 1:
            ticket = below(rng, length - position)
            while ticket >= left[i]:
                ticket -= left[i]
                i += 1
        first, pairs, blocks = parts[i, 0], parts[i, 1], parts[i, 2]
        if blocks:
            out[position] = first + (depth[i] - left[i]) * blocks // depth[i]
        else:
            # Of the paths from depth d to 0 in r steps, (d+2)(r−d) / 2r(d+1) begin upwards.
            d, r = depth[i], left[i]
            if d == 0 or (d < r and below(rng, 2 * r * (d + 1)) < (d + 2) * (r - d)):
                pair = below(rng, pairs) if pairs > 1 else np.int64(0)
                out[position] = first + 2 * pair
                stacks[i, d] = pair
                depth[i] = d + 1
            else:
                out[position] = first + 2 * stacks[i, d - 1] + 1
                depth[i] = d - 1
        left[i] -= 1


@njit
def admit(symbols, offsets, word, length, table):
    """Enter the word that lies at the end of the pool into the table, unless it is there already."""
    start = offsets[word]
    code = _FNV_START
    for i in range(length):
        code = (code ^ _U(symbols[start + i])) * _FNV_PRIME
    mask = table.shape[0] - 1
    slot = np.int64((code * _MIX) >> _HALF) & mask
    while table[slot]:
        other = table[slot] - 1
        begin = offsets[other]
        if offsets[other + 1] - begin == length:
            i = 0
            while i < length and symbols[begin + i] == symbols[start + i]:
                i += 1
            if i == length:
                return False
        slot = (slot + 1) & mask
    table[slot] = word + 1
    return True


@compiled(nogil=True)
def fill_from_grammar(
    rng, lengths, words_by, nested, pairs, symbols, offsets, table, done, wanted, attempts, distinct
):
    """Draw words into the pool until it has `wanted`, its room or the attempts are used up."""
    length_rows, length_options, length_thresholds = lengths
    rows, options, thresholds = words_by
    longest = length_options.max()
    stack = np.empty(longest + 2, np.int64)
    while done < wanted and attempts > 0 and offsets[done] + longest <= symbols.shape[0]:
        attempts -= 1
        length = choose(rng, length_rows, length_options, length_thresholds, 0)
        start = offsets[done]
        out = symbols[start : start + length]
        grammar_word(rng, rows, options, thresholds, nested, pairs, length, out, stack)
        if not distinct or admit(symbols, offsets, done, length, table):
            done += 1
            offsets[done] = start + length
    return done, attempts


@compiled(nogil=True)
def fill_uniformly(rng, lengths, divisions, parts, symbols, offsets, table, done, wanted, attempts, distinct):
    """The same for uniform words of a shuffle of parts."""
    length_rows, length_options, length_thresholds = lengths
    rows, options, thresholds = divisions
    longest = length_options.max()
    left, depth = np.empty(parts.shape[0], np.int64), np.empty(parts.shape[0], np.int64)
    stacks = np.empty((parts.shape[0], longest + 1), np.int64)
    while done < wanted and attempts > 0 and offsets[done] + longest <= symbols.shape[0]:
        attempts -= 1
        length = choose(rng, length_rows, length_options, length_thresholds, 0)
        start = offsets[done]
        out = symbols[start : start + length]
        uniform_word(rng, rows, options, thresholds, parts, length, out, left, depth, stacks)
        if not distinct or admit(symbols, offsets, done, length, table):
            done += 1
            offsets[done] = start + length
    return done, attempts


@compiled()
def enter_all(symbols, offsets, words, table):
    """Enter the first words of a pool, known to be distinct, into an empty table."""
    for word in range(words):
        admit(symbols, offsets, word, offsets[word + 1] - offsets[word], table)
