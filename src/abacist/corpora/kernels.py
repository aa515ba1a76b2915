"""Compiled drawing: random bits, one word, a pool of distinct words, and edits of words.

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

#: An outcome of a derivation holds a row above so many bits, and a symbol in these.
SYMBOL_BITS = 16
_SYMBOL = (1 << SYMBOL_BITS) - 1


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
    """An option of a row of `Choices`; a row of one option costs no bits.

    Of two options, one is chosen without a branch, which a processor could only guess.
    """
    start, last = rows[row], rows[row + 1] - 1
    if last - start == 1:
        start += np.int64(next_bits(rng) >= thresholds[start])
    elif start < last:
        bits = next_bits(rng)
        while start < last and bits >= thresholds[start]:
            start += 1
    return options[start]


@njit
def grammar_word(rng, words_by, nested, pairs, length, out, stack):
    """Draw a word of the grammar into `out`; `stack` has at least length + 1 places.

    The stack holds what is still to be written: d·stride + m for an S of m > 0 pairs below d
    more levels, −1 − symbol for a closing bracket. `nested` is (levels at the start, stride); without
    levels, d is always 0.
    """
    (rows, options, thresholds), (levels, stride) = words_by, nested
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
def uniform_word(rng, divisions, parts, length, out, scratch):
    """Draw a uniform word of a shuffle of parts into `out`.

    Row i of `parts` is as in `fill_uniformly`.
    In `scratch` are `left` and `depth`, with a place for each part, and `stacks`, (part, length).
    """
    (rows, options, thresholds), (left, depth, stacks) = divisions, scratch
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
def derived_word(rng, tables, goal, length, out, pending):
    """Draw a word of a goal into `out`; `pending`, (length + 1, 2), has what is left: rows and lengths."""
    rows, outcomes, thresholds, first_row, actions = tables
    written, height, left, row = 0, 0, length, first_row[goal] + length
    while True:
        while left > 0:
            outcome = choose(rng, rows, outcomes, thresholds, row)
            left -= 1
            if outcome >= 0:
                out[written] = outcome & _SYMBOL
                row = outcome >> SYMBOL_BITS
            else:
                action = -1 - outcome
                out[written] = actions[action, 0]
                taken = choose(rng, rows, outcomes, thresholds, actions[action, 3] + left)
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


@njit
def interleaved_word(rng, divisions, parts, tables, length, out, counts, words, single, pending):
    """Draw a uniform word of a shuffle into `out`; see `fill_uniformly`."""
    (left, place), (rows, options, thresholds) = counts, divisions
    many = parts.shape[0]
    rest, stride = length, (rows.shape[0] - 1) // (many - 1)
    for i in range(many):
        left[i] = rest if i == many - 1 else choose(rng, rows, options, thresholds, i * stride + rest)
        rest -= left[i]
        place[i] = 0
        if parts[i, 3] >= 0:
            derived_word(rng, tables, parts[i, 3], left[i], words[i], pending)
        elif left[i] > 0:
            uniform_word(rng, divisions, parts[i : i + 1], left[i], words[i], single)
    for position in range(length):
        i, ticket = 0, below(rng, length - position)
        while ticket >= left[i]:
            ticket -= left[i]
            i += 1
        symbol = words[i, place[i]]
        out[position] = symbol + parts[i, 0] if parts[i, 3] >= 0 else symbol
        place[i] += 1
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


@njit
def _keep(symbols, offsets, done, length, table, distinct):
    """Take the word at the end of the pool in, unless it must be new and is not; how many words there are."""
    if distinct and not admit(symbols, offsets, done, length, table):
        return done
    offsets[done + 1] = offsets[done] + length
    return done + 1


@compiled(nogil=True)
def fill_from_grammar(
    rng, lengths, words_by, nested, pairs, symbols, offsets, table, done, wanted, attempts, distinct
):
    """Draw words into the pool until it has `wanted`, its symbols are full or the attempts are used up."""
    longest = lengths[1].max()
    stack = np.empty(longest + 2, np.int64)
    while done < wanted and attempts > 0 and offsets[done] + longest <= symbols.shape[0]:
        attempts -= 1
        length = choose(rng, lengths[0], lengths[1], lengths[2], 0)
        out = symbols[offsets[done] : offsets[done] + length]
        grammar_word(rng, words_by, nested, pairs, length, out, stack)
        done = _keep(symbols, offsets, done, length, table, distinct)
    return done, attempts


@compiled(nogil=True)
def fill_uniformly(
    rng, lengths, divisions, parts, tables, symbols, offsets, table, done, wanted, attempts, distinct
):
    """The same for uniform words of a shuffle of parts.

    Row i of `parts` is (first symbol, pairs of Dyck or 0, blocks of Blocks or 0, first goal or −1) of part i.
    Where some parts have derivations, each part is drawn first, and then all are interleaved.
    """
    many, longest, derived = parts.shape[0], lengths[1].max(), parts[:, 3].max() >= 0
    counts = np.empty(many, np.int64), np.empty(many, np.int64)
    words, pending = np.empty((many, longest + 1), np.int64), np.empty((longest + 1, 2), np.int64)
    single = np.empty(1, np.int64), np.empty(1, np.int64), np.empty((1, longest + 1), np.int64)
    while done < wanted and attempts > 0 and offsets[done] + longest <= symbols.shape[0]:
        attempts -= 1
        length = choose(rng, lengths[0], lengths[1], lengths[2], 0)
        out = symbols[offsets[done] : offsets[done] + length]
        if not derived:
            uniform_word(rng, divisions, parts, length, out, (counts[0], counts[1], words))
        elif many == 1:  # nothing to interleave
            derived_word(rng, tables, parts[0, 3], length, out, pending)
        else:
            interleaved_word(rng, divisions, parts, tables, length, out, counts, words, single, pending)
        done = _keep(symbols, offsets, done, length, table, distinct)
    return done, attempts


@compiled(nogil=True)
def draw_below(rng, bounds, numbers):
    """A uniform number below every bound; −1, and no bits, where the bound is 0."""
    for i in range(bounds.shape[0]):
        numbers[i] = below(rng, bounds[i]) if bounds[i] > 0 else -1


@compiled(nogil=True)
def splice(symbols, starts, places, rests, new, out, ends):
    """Write words to `out`, number i from ends[i] on, with new symbols, (symbol, word), at one place each.

    A word begins at starts[i], has as many symbols before the new ones as places[i] says, and after them
    goes on from rests[i].
    """
    for i in range(starts.shape[0]):
        place = ends[i] + places[i]
        out[ends[i] : place] = symbols[starts[i] : starts[i] + places[i]]
        for symbol in range(new.shape[0]):
            out[place + symbol] = new[symbol, i]
        place += new.shape[0]
        out[place : ends[i + 1]] = symbols[rests[i] : rests[i] + ends[i + 1] - place]


@compiled(nogil=True)
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
