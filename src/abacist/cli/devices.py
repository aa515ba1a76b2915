"""`--device`: where networks are trained and judged."""

from __future__ import annotations

from typing import Annotated

import typer

from abacist.cli.saying import say
from abacist.errors import BadInput
from abacist.on_demand import on_demand
from abacist.targets import PROCESSOR

_cuda = on_demand("abacist.targets.cuda.driver")
_nvrtc = on_demand("abacist.targets.cuda.nvrtc")

DEVICES = ("cpu", "cuda", "auto")

DeviceOption = Annotated[
    str,
    typer.Option(
        help="Where to train and judge: cpu; cuda, an NVIDIA device; or auto, the device if there is one.",
    ),
]


def target_of_device(name: str, cluster: str | None = None) -> str:
    """The target that `--device` asks for; says what `auto` chooses, and never chooses in silence."""
    if name not in DEVICES:
        raise BadInput(f"--device must be {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, got {name!r}")
    if name == "cpu":
        return PROCESSOR
    if cluster is not None:
        raise BadInput("--device is for this machine: the workers of --cluster train on their processors")
    try:
        found = f"{_cuda.device().name}, compiled by NVRTC {_nvrtc.compiler_version()}"
    except BadInput as error:
        if name == "cuda":
            raise
        say(f"--device auto: the processor ({error})")
        return PROCESSOR
    say(f"--device {name}: {found}")
    return "cuda"
