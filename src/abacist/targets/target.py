"""What a target is: it compiles a network's programs and runs them.

Nothing outside a target knows its registers, lanes, threads or memory. The engine hands it plain
arrays and labelled words, and gets plain arrays back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Cost
from abacist.cells import Layout
from abacist.corpora import Words
from abacist.errors import BadInput, UnknownName
from abacist.specs import Networks, Spec
from abacist.wording import unknown

Array = NDArray[Any]

#: Judging by a network of a number: `Target.judging` says what it gives.
Judging = Callable[[int], Callable[[], NDArray[np.int64]]]

#: The target of the processor: the default, and the only one that traces, steps and proves.
PROCESSOR = "llvm"

#: The targets that there are, each a folder of this one. A further one is a further name.
TARGETS = (PROCESSOR, "cuda")

#: Where people say that networks are trained: the processor, an NVIDIA device, or that if there is one.
DEVICES = ("cpu", "cuda", "auto")


@dataclass(frozen=True, eq=False)
class TrainingState:
    """Where training stands: weights and Adam's two moments, (run, parameter), and its updates so far."""

    parameters: Array
    first: Array
    second: Array
    updates: int


class Training(ABC):
    """Runs in the course of their training; weights, moments and words stay on the target.

    An epoch visits a word of every run in each slot; `lengths`, (slot,), are those of the longest.
    """

    lengths: NDArray[Any]

    @property
    def slots(self) -> int:
        return len(self.lengths)

    @property
    def mean_length(self) -> float:
        return float(self.lengths.mean())

    @abstractmethod
    def advance(
        self, order: NDArray[np.int64], begin: int, end: int, rate: float, noise: Array | None = None
    ) -> Array:
        """Train on the slots order[begin:end] at a learning rate; the sum of their losses, (run,).

        `noise` is what the initial states have beside zero, (slot, number, run); or beside those that the
        word before ended with, where a spec has `carry_states`: of the first word of an order they are zero.
        """

    @abstractmethod
    def state(self) -> TrainingState:
        """Where training stands now."""


class Stepper(Protocol):
    """Takes many states of one network, or boxes of them, one symbol further.

    They lie in rows, one for each number of a state, with room made by `rows`; those that come out
    have the sums of the output layer behind them. Of a box, the lower bounds of each vector come
    before its upper ones. Not for several threads at once.
    """

    @property
    def width(self) -> int:
        """How many numbers go in for each state."""

    @property
    def results(self) -> int:
        """How many come out."""

    def rows(self, count: int, numbers: int) -> Array:
        """Room for so many states, (number, place), with at least `count` places, all zero."""

    def __call__(self, symbol: int, before: Array, after: Array, count: int) -> None:
        """Take the first `count` states of `before` one symbol further, into `after`."""


class Target(ABC):
    """What compiles and runs programs.

    The modules of its folder do it, and are imported when they are first needed. A step at a time is nothing
    for a device: tracing and stepping are the processor's for all.
    """

    name: str

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What results may depend on in their last bits: the compiler, the processor and its features."""

    @abstractmethod
    def refusal(self, layout: Layout) -> str | None:
        """Why networks of a layout cannot be compiled, None if they can."""

    @abstractmethod
    def flops(self, cost: Cost, precision: str, *, boxes: bool = False) -> int:
        """What work costs in floating-point operations: of numbers, or of the bounds of boxes."""

    @abstractmethod
    def block(self, spec: Spec) -> int:
        """How many runs are trained side by side: for the price of one, or as many as there is room for."""

    def admit_block(self) -> AbstractContextManager[object]:
        """Entered before the words of a block are drawn: waits while others take up the memory for them."""
        return nullcontext()

    def exclusive(self) -> AbstractContextManager[object]:
        """Entered before a block is trained or judged: waits while others have the device."""
        return nullcontext()

    def peak_flops(self) -> float:
        """Floating-point operations per second of one core in float32, with nothing else to do."""
        return float(_module(PROCESSOR, "peak").peak_flops())

    def training(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> Training:
        """Begin training, or continue it, each run on its own words; `slots` says which lies where."""
        training: Training = _module(self.name, "launching").training(spec, state, words, slots)
        return training

    def judging(self, networks: Networks, words: Words) -> Judging:
        """Make words ready for networks; the function makes the network with a number ready, in any thread.

        What that gives returns every word's first wrong step, or −1. Words may be partial. A device may
        judge by all networks as soon as one is asked for.
        """
        ready: Judging = _module(self.name, "launching").judging(networks, words)
        return ready

    def accepted(
        self, networks: Networks, words: Sequence[Words], of: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """How many words each network accepts, (network,), of the corpus whose number it has in `of`."""
        counts: NDArray[np.int64] = _module(self.name, "launching").accepted(networks, words, of)
        return counts

    def tracing(self, networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
        """For every word every named value of a network on it, (time, unit)."""
        values: list[dict[str, Array]] = _module(PROCESSOR, "launching").tracing(networks, run, words)
        return values

    def stepping(self, networks: Networks, run: int, boxes: bool) -> Stepper:
        """Make a network ready to take states, or boxes of them, step by step."""
        stepper: Stepper = _module(PROCESSOR, "launching").stepping(networks, run, boxes)
        return stepper

    def listing(self, spec: Spec, program: str) -> Iterator[str]:
        """The lines of one of a network's programs, for people: its statements and the processor's code."""
        lines: Iterator[str] = _module(PROCESSOR, "launching").listing(spec, program)
        return lines


def _module(target: str, name: str) -> Any:
    return import_module(f"abacist.targets.{target}.{name}")


def target_for(layout: Layout, name: str = PROCESSOR) -> Target:
    """The target of a name, for networks of a layout; one sentence if it cannot compute them."""
    if refusal := _refusal(layout, name):
        raise BadInput(refusal)
    return target_named(name)


@cache
def _refusal(layout: Layout, name: str) -> str | None:
    return target_named(name).refusal(layout)


@cache
def target_named(name: str = PROCESSOR) -> Target:
    """The target that goes by a name. It is imported here and nowhere else: targets are slow to import."""
    if name not in TARGETS:
        raise UnknownName(f"unknown target {name!r}; targets are {', '.join(TARGETS)}")
    target: Target = import_module(f"abacist.targets.{name}.target").TARGET
    return target


def target_of_device(name: str, tell: Callable[[str], None] = lambda _: None) -> str:
    """The target of a device; `tell` is given a sentence on what was chosen, unless that is the default."""
    if name not in DEVICES:
        raise UnknownName(unknown("device", name, DEVICES))
    if name == "cpu":
        return PROCESSOR
    from abacist.targets.cuda import driver, nvrtc

    try:
        device = f"{driver.device().name}, compiled by NVRTC {nvrtc.compiler_version()}"
    except BadInput as error:
        if name == "cuda":
            raise
        tell(f"--device auto: the processor ({error})")
        return PROCESSOR
    tell(f"--device {name}: {device}")
    return "cuda"
