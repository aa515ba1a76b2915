"""A CUDA device: how many symbols it trains and judges on, and how near that is to its peak.

Times are the device's own, between two events; of several repeats the median counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from ctypes import c_int
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import abacist.bench.torch_peer as torch_peer
from abacist.bench.measure import Row, rate
from abacist.cells import cell_named
from abacist.compiler import judging_work, training_work
from abacist.corpora import Words, draw
from abacist.engine import epoch_order, slots_of, training_words
from abacist.languages import language_named
from abacist.on_demand import on_demand
from abacist.specs import Networks, Spec
from abacist.targets import TrainingState, target_named

_launching = on_demand("abacist.targets.cuda.launching")
_shapes = on_demand("abacist.targets.cuda.shapes")
_driver = on_demand("abacist.targets.cuda.driver")

#: A program of independent sums in registers: threads of a block, sums of a thread, multiply-adds of each.
_BLOCK, _SUMS, _TURNS = 256, 16, 4_096
_MULTIPLY_ADDS = f"""
extern "C" __global__ void multiply_adds(float *values, int turns) {{
  float sums[{_SUMS}], factor = values[threadIdx.x], term = values[threadIdx.x + 1];
  for (int k = 0; k < {_SUMS}; k++) sums[k] = values[k];
  for (int n = 0; n < turns; n++) {{
    #pragma unroll
    for (int k = 0; k < {_SUMS}; k++) sums[k] = fma(sums[k], factor, term);
  }}
  for (int k = 1; k < {_SUMS}; k++) sums[0] += sums[k];
  if (sums[0] == 1) values[0] = sums[0];
}}
"""

#: Corpora that runs share, repeats, and networks that judge at once.
_CORPORA, _REPEATS, _JUDGES = 64, 5, 2_000


def training_rows() -> Iterator[Row]:
    """Training, batch 1, all runs that the device has in flight: the paper's smallest and largest LSTM."""
    for language, hidden, words in (("dyck-1", 3, 2_000), ("shuffle-6", 8, 500)):
        spec = Spec(language_named(language), cell_named("lstm"), hidden=hidden, epochs=1, training=words)
        speed, runs = _trained(spec, [training_words(spec, seed) for seed in range(_CORPORA)])
        what = f"training {runs:,} LSTMs ({language}, {hidden} units) at once"
        work, price = training_work(spec.layout), target_named("cuda").flops
        length = float(training_words(spec, 0).lengths.mean())
        flops = price(work.step, "float32") + price(work.update, "float32") / length
        yield _share(what, rate(speed), speed * flops)


def _trained(spec: Spec, pool: Sequence[Words]) -> tuple[float, int]:
    """Symbols × runs a second, and how many runs, of an epoch of all runs that are in flight at once."""
    runs = _shapes.wave(replace(spec, pool=_CORPORA))  # which share some corpora
    placed = [slots_of(spec.order, seed, words.lengths) for seed, words in enumerate(pool)]
    shared = [run % len(pool) for run in range(runs)]
    weights = Networks.initial(spec.layout, range(len(pool))).parameters[shared]
    state = TrainingState(weights, np.zeros_like(weights), np.zeros_like(weights), 0)
    block = _launching.CudaTraining(spec, state, [pool[n] for n in shared], [placed[n] for n in shared])
    seconds = _seconds(
        partial(block.launch, epoch_order(block.slots, 0, spec.order), 0, block.slots, spec.rate)
    )
    return sum(len(pool[n].symbols) for n in shared) / seconds, runs


def torch_rows() -> Iterator[Row]:
    """Training against PyTorch on the same device, in padded batches."""
    what = "training LSTMs (dyck-1, 3 units), against PyTorch on the same device"
    torch = torch_peer.torch_or_none()
    if torch is None or not torch.cuda.is_available():
        yield Row.missing(what, 50, "PyTorch for CUDA is not installed")
        return
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3, epochs=1, training=2_000)
    pool = [training_words(spec, seed) for seed in range(_CORPORA)]
    job, symbols = torch_peer.padded_batches(torch, pool[0], spec.hidden, len(pool[0].lengths), 1_024, "cuda")
    theirs = symbols / _seconds(job, partial(_torch_seconds, torch))
    ours, _ = _trained(spec, pool)
    yield Row.of(what, rate(ours), f"{rate(theirs)} (cuDNN)", ours / theirs, 50)


def _torch_seconds(torch: Any, job: Callable[[], None]) -> float:
    """The time of a job on PyTorch's stream."""
    begun, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begun.record()
    job()
    ended.record()
    torch.cuda.synchronize()
    return float(begun.elapsed_time(ended) / 1000)


def judging_rows() -> Iterator[Row]:
    """Judging by many networks; no step counts, so every word is read to its end."""
    spec = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=3)
    long = draw(spec.recipe(0))["long"]
    words = Words.of(spec.language, long.symbols, long.offsets, spec.steps)
    ready = _launching.JudgedWords([replace(words, counted=np.zeros_like(words.counted))])
    networks = _driver.Buffer.of(Networks.initial(spec.layout, range(_JUDGES)).parameters)
    of = np.zeros(_JUDGES, np.int64)
    seconds = _seconds(lambda: _launching.Verdicts(networks, spec.layout, "float32", ready, of))
    symbols = _JUDGES * len(words.symbols)
    what = f"judging by {_JUDGES:,} LSTMs (dyck-1, 3 units)"
    flops = symbols * target_named("cuda").flops(judging_work(spec.layout).step, "float32")
    yield _share(what, rate(symbols / seconds), flops / seconds)


def _seconds(job: Callable[[], object], timed: Callable[..., float] | None = None) -> float:
    """The median time of a job on the device, after a first one that compiles."""
    job()
    return float(median((timed or _driver.seconds_of)(job) for _ in range(_REPEATS)))


def _peak() -> float:
    """The device's floating-point operations per second in float32, a multiply-add counted as two."""
    program = _driver.kernel(_MULTIPLY_ADDS, "multiply_adds")
    values, blocks = _driver.Buffer.zeros(4 * (_BLOCK + 1)), _driver.device().limits.multiprocessors * 8
    launch = partial(program, blocks, _BLOCK, (values, c_int(_TURNS)))
    return float(2 * blocks * _BLOCK * _SUMS * _TURNS / min(_driver.seconds_of(launch) for _ in range(5)))


def _share(what: str, speed: str, flops: float) -> Row:
    peak = _peak()
    shown = f"{speed}, {rate(flops, 'FLOP/s')}", rate(peak, "FLOP/s")
    return Row.of(f"{what}, share of the device's multiply-add peak", *shown, flops / peak, 0.2)
