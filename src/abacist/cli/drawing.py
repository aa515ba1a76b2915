"""Pictures for the commands: several of them are drawn by a pool of processes.

A worker is a fresh process: a copy of this one would have its locks, but not the threads that hold them. It
is sent once what the pictures are made of, and makes them again. What a killed worker leaves is drawn here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial

from abacist.cli.streams import prepare
from abacist.experiments import Results
from abacist.report.figures import (
    NETWORK_PICTURES,
    Drawing,
    Drawn,
    OwnNetwork,
    Picture,
    draw_picture,
    draw_pictures,
    pictures,
)
from abacist.report.figures.own import own_pictures

#: What makes the pictures to be drawn, in their order; it can be sent to another process.
_Source = Callable[[], list[Picture]]

#: The pictures that a worker draws.
_worker_pictures: list[Picture] = []


def known_pictures(results: Results) -> tuple[dict[str, Picture], list[str]]:
    """All pictures that can be made of results, by name, and a sentence for each that cannot be."""
    own, (papers, missing) = own_pictures(results), pictures(results)
    known = {picture.name: picture for picture in (*own.shown, *own.further, *papers)}
    return known, [*own.impossible, *missing]


def pictures_of_networks(wanted: Sequence[tuple[OwnNetwork, str]]) -> list[Picture]:
    """Pictures of networks, each of a kind."""
    return [NETWORK_PICTURES[kind](network) for network, kind in wanted]


def quick_drawing(results: Results) -> Drawing:
    """What draws pictures of results, to the same bytes as the library does."""

    def draw(wanted: Sequence[Picture], forms: Sequence[str]) -> Iterator[Drawn]:
        return draw_all(wanted, partial(_named, results, [picture.name for picture in wanted]), forms)

    return draw


def _named(results: Results, names: Sequence[str]) -> list[Picture]:
    known, _ = known_pictures(results)
    return [known[name] for name in names]


def draw_all(wanted: Sequence[Picture], source: _Source, forms: Sequence[str]) -> Iterator[Drawn]:
    """Draw pictures in their order; `source` makes them again in another process.

    A process that is to draw less than two would take longer to begin. Off Linux it is only this one.
    """
    processes = min(len(wanted) // 2, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 1
    if processes < 2:
        yield from draw_pictures(wanted, forms)
        return
    with _pool(processes, source) as pool:
        with _ctrl_c_held():  # while the workers begin, which inherit it
            futures = [pool.submit(_draw, number, forms) for number in range(len(wanted))]
        for picture, future in zip(wanted, futures, strict=True):
            try:
                drawn = future.result()
            except BrokenProcessPool:
                drawn = draw_picture(picture, forms)
            yield drawn


@contextmanager
def _pool(processes: int, source: _Source) -> Iterator[ProcessPoolExecutor]:
    """A pool whose workers end with it, whatever they are doing."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _begin, (source,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
            process.join()


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _begin(source: _Source) -> None:
    """A worker begins: Ctrl-C is for the process that began it alone."""
    prepare()
    _worker_pictures.extend(source())


def _draw(number: int, forms: Sequence[str]) -> Drawn:
    return draw_picture(_worker_pictures[number], forms)
