"""Compiled runs of automata over packed words; see `words` for the tables.

Where `hot` has no rows, only the places are wanted at which words leave the language.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from abacist.machine_code.compiled_functions import compiled

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@njit
def _fitting(tests, slot, nonzero):
    """The move, or the way to accept, of a slot that fits the mask of non-zero counters, or −1."""
    first, zero, positive = tests
    for number in range(first[slot], first[slot + 1]):
        if nonzero & zero[number] == _ZERO and nonzero & positive[number] == positive[number]:
            return number
    return -1


@njit
def _move_on(counters, updates, move):
    """Add what a move adds; a counter that is reset does not fall below zero."""
    for c in range(counters.shape[0]):
        counters[c] = max(counters[c] + updates[move, c], 0)


@njit
def _after(counters, nonzero, updates, move):
    """The mask of counters that are not zero after a move."""
    for c in range(counters.shape[0]):
        if updates[move, c]:
            bit = _ONE << np.uint64(c)
            nonzero = nonzero | bit if counters[c] + updates[move, c] > 0 else nonzero & ~bit
    return nonzero


@compiled(nogil=True)
def follow_counters(symbols, offsets, tables, alive, marks_end, hot, left_at, heights):
    """Run a counter automaton over every word.

    Fill `hot` (symbol, output) and `heights` (symbol, counter), each if it has rows, and `left_at` (word,).
    `alive`, (state, mask of non-zero counters), is false for dead ends; it has no rows if there are none.
    """
    size, tests, targets, updates, ends = tables
    dead_ends, counters = alive.shape[0] > 0, np.zeros(updates.shape[1], np.int64)
    for word in range(offsets.shape[0] - 1):
        counters[:] = 0
        state, nonzero = 0, _ZERO
        for i in range(offsets[word], offsets[word + 1]):
            move = _fitting(tests, state * size + symbols[i], nonzero)
            if move < 0 or (dead_ends and not alive[targets[move], _after(counters, nonzero, updates, move)]):
                left_at[word] = i - offsets[word]
                break
            state, nonzero = targets[move], _after(counters, nonzero, updates, move)
            _move_on(counters, updates, move)
            if heights.shape[0]:
                heights[i] = counters
            if hot.shape[0] == 0:
                continue
            for symbol in range(size):
                move = _fitting(tests, state * size + symbol, nonzero)
                if move >= 0 and dead_ends:
                    hot[i, symbol] = alive[targets[move], _after(counters, nonzero, updates, move)]
                else:
                    hot[i, symbol] = move >= 0
            if marks_end:
                hot[i, size] = _fitting(ends, state, nonzero) >= 0
        else:
            if _fitting(ends, state, nonzero) < 0:
                left_at[word] = offsets[word + 1] - offsets[word]


@compiled(nogil=True)
def swap_in_counters(symbols, offsets, words, tables, settled):
    """For each two neighbours of some words: is the word with these swapped outside the language?

    1 if it leaves there, 0 if it leaves at its first symbol or goes on as before; else it stays as it is.
    """
    size, tests, targets, updates, _ = tables
    counters = np.zeros(updates.shape[1], np.int64)
    place = 0
    for word in words:
        counters[:] = 0
        state, nonzero = 0, _ZERO
        for i in range(offsets[word], offsets[word + 1] - 1):
            a, b = symbols[i], symbols[i + 1]
            usual = _fitting(tests, state * size + a, nonzero)
            early = _fitting(tests, state * size + b, nonzero)
            if a == b:
                settled[place] = 0
            elif early < 0:
                settled[place] = i > offsets[word]
            else:
                late = _after(counters, nonzero, updates, early)
                move = _fitting(tests, targets[early] * size + a, late)
                if move < 0:
                    settled[place] = 1
                else:
                    then = _after(counters, nonzero, updates, usual)
                    next_usual = _fitting(tests, targets[usual] * size + b, then)
                    same = targets[move] == targets[next_usual]
                    for c in range(counters.shape[0]):
                        swapped = updates[early, c] + updates[move, c]
                        same = same and swapped == updates[usual, c] + updates[next_usual, c]
                        same = same and swapped >= -2  # where a counter is reset, the order matters
                    if same:
                        settled[place] = 0
            place += 1
            nonzero = _after(counters, nonzero, updates, usual)
            _move_on(counters, updates, usual)
            state = targets[usual]


@compiled(nogil=True)
def follow_stack(symbols, offsets, tables, marks_end, hot, left_at):
    """Run a pushdown automaton over every word; fill `hot` (symbol, output) and `left_at` (word,)."""
    choice, table, accepting = tables
    size, bottom = choice.shape[1], choice.shape[2] - 1
    longest = 0
    for word in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[word + 1] - offsets[word])
    stack = np.empty(longest + 1, np.int64)
    stack[0] = bottom
    for word in range(offsets.shape[0] - 1):
        state, height = 0, 0
        for i in range(offsets[word], offsets[word + 1]):
            move = choice[state, symbols[i], stack[height]]
            if move < 0:
                left_at[word] = i - offsets[word]
                break
            state = table[move, 0]
            height -= table[move, 1]
            if table[move, 2] >= 0:
                height += 1
                stack[height] = table[move, 2]
            if hot.shape[0] == 0:
                continue
            for symbol in range(size):
                hot[i, symbol] = choice[state, symbol, stack[height]] >= 0
            if marks_end:
                hot[i, size] = accepting[state] and height == 0
        else:
            if not (accepting[state] and height == 0):
                left_at[word] = offsets[word + 1] - offsets[word]
