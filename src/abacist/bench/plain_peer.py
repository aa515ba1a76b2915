"""Plain Python training an LSTM: lists of numbers and loops over them, one word per update."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from abacist.corpora import Words
from abacist.specs import Networks

Vector = list[float]
Matrix = list[Vector]

#: A word, and what may come next after each of its symbols, (time, output).
Labelled = tuple[list[int], list[list[int]]]


def in_lists(words: Words, count: int) -> list[Labelled]:
    """The first words of some."""
    spans = pairwise(words.offsets[: count + 1].tolist())
    return [(words.symbols[a:b].tolist(), words.targets[a:b].tolist()) for a, b in spans]


def in_matrices(networks: Networks, run: int) -> list[Matrix]:
    """The tensors of a network, a bias as a matrix of one row."""
    return [np.atleast_2d(tensor).tolist() for tensor in networks.tensors(run).values()]


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def dot(row: Vector, vector: Vector) -> float:
    return sum(a * b for a, b in zip(row, vector, strict=True))


class PlainLstm:
    """An LSTM, its gradient written by hand, and Adam.

    `tensors` are PyTorch's, in its order: two matrices and two biases of the gates i, f, g, o, then the
    output layer's matrix and bias. A bias is a matrix of one row.
    """

    def __init__(self, tensors: Sequence[Matrix], rate: float = 0.001) -> None:
        self.tensors = [[list(row) for row in tensor] for tensor in tensors]
        self.hidden, self.rate, self.updates = len(tensors[1][0]), rate, 0
        self.first, self.second = self._zeros(), self._zeros()

    def _zeros(self) -> list[Matrix]:
        return [[[0.0] * len(row) for row in tensor] for tensor in self.tensors]

    def train(self, words: Sequence[Labelled]) -> float:
        """One update for each word; the sum of their losses."""
        total = 0.0
        for word, targets in words:
            loss, gradient = self.gradient(word, targets)
            self.update(gradient)
            total += loss
        return total

    def gradient(self, word: list[int], targets: list[list[int]]) -> tuple[float, list[Matrix]]:
        """The mean squared error of a word, and its gradient."""
        w, u, (b,), (b2,), v, (c,) = self.tensors
        n = self.hidden
        h, cell = [0.0] * n, [0.0] * n
        steps = []
        loss = 0.0
        scale = 1 / (len(word) * len(c))
        for symbol, target in zip(word, targets, strict=True):
            sums = [w[k][symbol] + b[k] + b2[k] + dot(u[k], h) for k in range(4 * n)]
            i, f, o = ([sigmoid(x) for x in sums[k * n : k * n + n]] for k in (0, 1, 3))
            g = [math.tanh(x) for x in sums[2 * n : 3 * n]]
            before, h_before = cell, h
            cell = [f[k] * before[k] + i[k] * g[k] for k in range(n)]
            squashed = [math.tanh(x) for x in cell]
            h = [o[k] * squashed[k] for k in range(n)]
            y = [sigmoid(dot(v[k], h) + c[k]) for k in range(len(c))]
            errors = [a - b for a, b in zip(y, target, strict=True)]
            loss += scale * sum(e * e for e in errors)
            steps.append((symbol, i, f, g, o, before, h_before, squashed, h, y, errors))
        gradient = self._zeros()
        dw, du, (db,), (db2,), dv, (dc,) = gradient
        dh, dcell = [0.0] * n, [0.0] * n
        for symbol, i, f, g, o, before, h_before, squashed, h, y, errors in reversed(steps):
            for k, (score, error) in enumerate(zip(y, errors, strict=True)):
                d = 2 * scale * error * score * (1 - score)
                dc[k] += d
                for j in range(n):
                    dv[k][j] += d * h[j]
                    dh[j] += d * v[k][j]
            back = [0.0] * (4 * n)
            for k in range(n):
                dcell[k] += dh[k] * o[k] * (1 - squashed[k] ** 2)
                back[k] = dcell[k] * g[k] * i[k] * (1 - i[k])
                back[n + k] = dcell[k] * before[k] * f[k] * (1 - f[k])
                back[2 * n + k] = dcell[k] * i[k] * (1 - g[k] ** 2)
                back[3 * n + k] = dh[k] * squashed[k] * o[k] * (1 - o[k])
                dcell[k] *= f[k]
            dh = [0.0] * n
            for k, d in enumerate(back):
                dw[k][symbol] += d
                db[k] += d
                db2[k] += d
                for j in range(n):
                    du[k][j] += d * h_before[j]
                    dh[j] += d * u[k][j]
        return loss, gradient

    def update(self, gradient: list[Matrix], beta1: float = 0.9, beta2: float = 0.999) -> None:
        """Adam, as PyTorch computes it."""
        self.updates += 1
        step = self.rate / (1 - beta1**self.updates)
        correction = math.sqrt(1 - beta2**self.updates)
        tensors = zip(self.tensors, gradient, self.first, self.second, strict=True)
        for rows in (row for parts in tensors for row in zip(*parts, strict=True)):
            weights, slopes, first, second = rows
            for p, d in enumerate(slopes):
                first[p] = beta1 * first[p] + (1 - beta1) * d
                second[p] = beta2 * second[p] + (1 - beta2) * d * d
                weights[p] -= step * first[p] / (math.sqrt(second[p]) / correction + 1e-8)
