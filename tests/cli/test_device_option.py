"""`--device`: what is not there is a sentence, and what is chosen is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from abacist.engine import train
from abacist.errors import BadInput
from abacist.targets import target
from abacist.targets.cuda import driver, nvrtc
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import TINY, content, runs_in, small
from tests.requirements import is_there
from tests.targets.fake import FakeTarget, registered

TRAIN = ("train", "dyck-1", "rnn", "--hidden", "2", "--runs", "2", "--epochs", "1", "--train-words", "40")
SIZES = ("--test-words", "10", "--train-lengths", "2:12", "--long-lengths", "14:20")


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise BadInput("CUDA: there is no NVIDIA driver here, so no device either")

    monkeypatch.setattr(driver, "device", missing)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTarget]:
    """A device that is none: the processor's programs under the name of CUDA's."""
    monkeypatch.setattr(driver, "device", lambda: SimpleNamespace(name="Abacus 9000"))
    monkeypatch.setattr(nvrtc, "compiler_version", lambda: "1.2")
    with registered("cuda") as fake:
        yield fake


@pytest.mark.parametrize("command", [TRAIN, ("run", "crossing"), ("reproduce",), ("bench", "training")])
def test_what_is_no_device_is_refused(command: tuple[str, ...]) -> None:
    sentence = refused(*command, "--device", "gpu")
    assert sentence == "abacist: --device must be cpu, cuda or auto, got 'gpu'\n"


@pytest.mark.usefixtures("no_device")
def test_a_device_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    sentence = refused(*TRAIN, *SIZES, "--out", str(tmp_path / "new"), "--device", "cuda")
    assert sentence == "abacist: CUDA: there is no NVIDIA driver here, so no device either\n"
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("no_device")
def test_auto_says_what_it_chose(tmp_path: Path) -> None:
    _, _, said = inside(*TRAIN, *SIZES, "--out", str(tmp_path / "auto"), "--device", "auto")
    assert "--device auto: the processor (CUDA: there is no NVIDIA driver here, so no device either)" in said
    inside(*TRAIN, *SIZES, "--out", str(tmp_path / "cpu"))
    assert content(tmp_path / "auto") == content(tmp_path / "cpu")


@pytest.mark.parametrize("asked", ["cuda", "auto"])
@pytest.mark.parametrize("command", ["train", "run"])
def test_a_device_is_used_and_nothing_of_the_choice_stays(
    command: str, asked: str, device: FakeTarget, tmp_path: Path
) -> None:
    """What comes after it in the same process has the processor, also after a command that fails."""
    (tmp_path / "tiny.toml").write_text(TINY + "runs = 4\n")
    line = (*TRAIN, *SIZES) if command == "train" else ("run", str(tmp_path / "tiny.toml"))
    before = dict(vars(target))
    code, output, said = inside(*line, "--results", str(tmp_path / "there"), "--device", asked)
    assert code == 0, said
    assert f"--device {asked}: Abacus 9000, compiled by NVRTC 1.2" in said
    assert {"training", "accepted"} <= set(device.uses)
    assert {run.outcome.versions["processor"] for run in runs_in(tmp_path / "there")} == {"cuda"}
    code, _, said = inside("run", "no-such-experiment", "--device", asked)
    assert code == 2, said
    assert vars(target) == before
    device.uses.clear()
    assert shown(*line, "--results", str(tmp_path / "here")).replace("here", "there") == output
    train(small(), [0])
    assert device.uses == []


def test_blocks_of_a_dry_run_are_those_of_the_device(device: FakeTarget, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY + "runs = 7\n")
    commands = (
        (*TRAIN, "--runs", "7", *SIZES),
        ("run", str(tmp_path / "tiny.toml")),
        ("reproduce", "--only", "crossing", "--runs", "7"),
    )
    for command in commands:
        line = (*command, "--dry-run", "--results", str(tmp_path / "new"))
        runs, here = _runs_and_blocks(shown(*line))
        assert (runs % 7, here) == (0, runs // 7)
        assert _runs_and_blocks(shown(*line, "--device", "cuda")) == (runs, 3 * here)
    assert device.uses == []


def _runs_and_blocks(output: str) -> tuple[int, int]:
    found = re.search(r"(\d+) runs in (\d+) blocks? would run", output)
    assert found is not None, output
    return int(found[1]), int(found[2])


def test_a_device_is_not_for_clusters(tmp_path: Path) -> None:
    asked = ("--device", "cuda", "--cluster", "local:2")
    assert "--device is for this machine" in refused(*TRAIN, *SIZES, "--out", str(tmp_path / "x"), *asked)


def test_without_a_driver_nobody_has_a_device() -> None:
    if not is_there("cuda"):
        with pytest.raises(BadInput, match="CUDA: "):
            driver.device()
