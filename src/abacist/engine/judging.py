"""Judging: a word is accepted when every output of every step that counts is right."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import judging_program, judging_tables, room_width
from abacist.corpora import draw
from abacist.engine.lane_memory import aligned, has_lookup
from abacist.engine.lanes import ABREAST, LANES
from abacist.engine.networks import Networks
from abacist.engine.packing import Words, pack_words
from abacist.engine.programs import kernel
from abacist.engine.spec import Spec
from abacist.engine.training import whole_seeds
from abacist.errors import BadInput, UnknownName
from abacist.languages import Language
from abacist.wording import several


def first_mistakes(networks: Networks, run: int, words: Words) -> NDArray[np.int64]:
    """For every word the first step, from 0, that a network gets wrong, or −1 if it accepts."""
    return prepare(networks, run, words)()


def prepare(networks: Networks, run: int, words: Words) -> Callable[[], NDArray[np.int64]]:
    """Pack words for judging; the function that is returned judges them."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    if words.targets.shape[1] != layout.outputs:
        raise BadInput(f"judge: the network has {layout.outputs} outputs, the words {words.targets.shape[1]}")
    if len(words.lengths) == 0:
        return lambda: np.zeros(0, np.int64)
    lanes = ABREAST * LANES[precision]
    packed, places = pack_words(words, layout.inputs, lanes, precision)
    groups = len(packed.lengths)
    verdicts = aligned((groups * lanes,), precision)
    where = np.empty(len(words.lengths), np.int64)
    where[places] = np.arange(len(places))
    room = aligned((room_width(layout) * lanes,), precision)
    weights = networks.parameters[run].copy()
    fits = has_lookup(precision, layout.inputs)
    tables = _tables(networks, run) if fits else aligned((1,), precision)
    judge_kernel = kernel(judging_program, layout, precision, "judge", fits)

    def judge_them() -> NDArray[np.int64]:
        judge_kernel(
            packed.starts, packed.lengths, packed.codes, packed.counted, packed.targets,
            weights, tables, room, verdicts, 0, groups,
        )  # fmt: skip
        return verdicts[where].astype(np.int64)

    return judge_them


def _tables(networks: Networks, run: int) -> NDArray[Any]:
    """What each symbol adds to each sum: a register a row, the symbol's number the lane."""
    tensors, parts = networks.tensors(run), judging_tables(networks.layout)
    precision = str(networks.parameters.dtype)
    tables = aligned((sum(part.matrix.rows for part in parts), LANES[precision]), precision)
    for part in parts:
        rows = slice(part.matrix.first_row, part.matrix.first_row + part.matrix.rows)
        value = tensors[part.matrix.tensor][rows]
        for tensor, first in part.biases:
            value = value + tensors[tensor][first : first + part.matrix.rows, None]
        tables[part.row : part.row + part.matrix.rows, : part.matrix.columns] = value
    return tables.reshape(-1)


def pack_texts(language: Language[Any], words: Iterable[Sequence[int]], steps: str = "all") -> Words:
    """Label words that are given one by one."""
    listed = [tuple(word) for word in words]
    offsets = np.concatenate(([0], np.cumsum([len(word) for word in listed]))).astype(np.int64)
    symbols = np.array([symbol for word in listed for symbol in word], np.uint8)
    return Words.of(language, symbols, offsets, steps)


@dataclass(frozen=True)
class Accuracies:
    """The share of accepted words, by split and run."""

    splits: tuple[str, ...]
    shares: NDArray[np.float64]

    def of(self, split: str) -> NDArray[np.float64]:
        if split not in self.splits:
            raise UnknownName(f"no set is called {split!r}; there are {', '.join(self.splits)}")
        return np.asarray(self.shares[self.splits.index(split)])

    def _repr_html_(self) -> str:
        """Minimum, maximum and median in percent, for a notebook."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td>"
            + "".join(f"<td>{100 * f(self.of(name)):.2f}</td>" for f in (np.min, np.max, np.median))
            + "</tr>"
            for name in self.splits
        )
        heads = "".join(f"<th>{name}</th>" for name in ("set", "min", "max", "median"))
        return f"<table><caption>{self.shares.shape[1]} runs, %</caption><tr>{heads}</tr>{rows}</table>"


def judge(spec: Spec, seeds: Iterable[int], networks: Networks, *, threads: int | None = None) -> Accuracies:
    """Judge every network on the training, short and long set of its own seed."""
    seeds = whole_seeds(seeds)
    if not isinstance(networks, Networks):
        raise BadInput(
            f"judge: networks are Networks, such as trained.networks, got {type(networks).__name__}"
        )
    if len(seeds) != len(networks):
        raise BadInput(f"judge: {several(len(networks), 'network')} need as many seeds, got {len(seeds)}")
    if networks.layout != spec.layout:
        raise BadInput("judge: the networks have another cell, or other sizes, than the spec")
    names = tuple(split.name for split in spec.recipe(0).splits)

    def one(run: int) -> list[float]:
        shares = []
        for corpus in draw(spec.recipe(seeds[run])):
            words = Words.of(spec.language, corpus.symbols, corpus.offsets, spec.steps)
            shares.append(float((first_mistakes(networks, run, words) < 0).mean()))
        return shares

    with ThreadPoolExecutor(min(threads or os.cpu_count() or 1, len(seeds))) as pool:
        return Accuracies(names, np.array(list(pool.map(one, range(len(seeds))))).T)
