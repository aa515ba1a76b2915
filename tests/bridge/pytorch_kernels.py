"""The ways in which PyTorch computes recurrent layers in float32 on a CPU, each in a process of its own.

A kernel is chosen when PyTorch is loaded, by the processor; environment variables hide its instructions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Kernels:
    """Variables of the environment, and settings after loading; oneDNN has LSTMs alone."""

    environment: Mapping[str, str] = field(default_factory=dict)
    onednn: bool = True
    training: bool = False
    threads: int = 1


def _aten(capability: str, **more: Any) -> Kernels:
    return Kernels({"ATEN_CPU_CAPABILITY": capability}, onednn=False, **more)


def _onednn(isa: str, **more: Any) -> Kernels:
    return Kernels({"ONEDNN_MAX_CPU_ISA": isa}, **more)


#: By name. A processor without AVX-512 or AVX2 takes what it has.
KERNELS = {
    "ATen, default": _aten("default"),
    "ATen, AVX2": _aten("avx2"),
    "ATen, AVX-512": _aten("avx512"),
    "oneDNN, SSE4.1": _onednn("SSE41"),
    "oneDNN, AVX2": _onednn("AVX2"),
    "oneDNN, AVX-512": _onednn("AVX512_CORE"),
    "oneDNN, SSE4.1, training": _onednn("SSE41", training=True),
    "oneDNN, AVX2, training": _onednn("AVX2", training=True),
    "oneDNN, AVX-512, training": _onednn("AVX512_CORE", training=True),
}

#: More ways to add up: MKL held to other instructions, two threads.
SUMS = {
    "ATen, MKL compatible": Kernels({"MKL_CBWR": "COMPATIBLE"}, onednn=False),
    "ATen, MKL for AVX2": Kernels({"MKL_CBWR": "AVX2"}, onednn=False),
    "ATen, MKL for SSE4.2": Kernels({"MKL_ENABLE_INSTRUCTIONS": "SSE4_2"}, onednn=False),
    "ATen, two threads": Kernels(onednn=False, threads=2),
    "ATen, training": Kernels(onednn=False, training=True),
    "oneDNN, AVX": _onednn("AVX"),
    "oneDNN, as it comes": Kernels(),
    "oneDNN, two threads": Kernels(threads=2),
}


def in_kernels(name: str, module: str, *arguments: str) -> str:
    """What `python -m module` prints where PyTorch computes with some kernels."""
    kernels = (KERNELS | SUMS)[name]
    asked = json.dumps([kernels.onednn, kernels.training, kernels.threads])
    done = subprocess.run(
        [sys.executable, "-m", module, "--kernels", asked, *arguments],
        env=os.environ | kernels.environment, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout


def settle(asked: str) -> bool:
    """Set PyTorch up as `in_kernels` asked; whether gradients are kept, as in training."""
    import torch

    onednn, training, threads = json.loads(asked)
    torch.backends.mkldnn.enabled = onednn
    torch.set_num_threads(threads)
    torch.set_grad_enabled(training)
    return bool(training)
