"""`--device`: what is not there is a sentence, and what is chosen is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.targets import chosen_target
from abacist.targets.cuda import driver
from tests.cli.command import inside, refused
from tests.experiments.cases import content
from tests.requirements import is_there

TRAIN = ("train", "dyck-1", "rnn", "--hidden", "2", "--runs", "2", "--epochs", "1", "--training", "40")
SIZES = ("--test", "10", "--lengths", "2:12", "--long", "14:20")


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise driver.DeviceMissing("CUDA: there is no NVIDIA driver here, so no device either")

    monkeypatch.setattr(driver, "device", missing)


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
    assert "--device auto: the processor (there is no NVIDIA driver here, so no device either)" in said
    assert chosen_target().name == "numba"
    inside(*TRAIN, *SIZES, "--out", str(tmp_path / "cpu"))
    assert content(tmp_path / "auto") == content(tmp_path / "cpu")


def test_a_device_is_not_for_clusters(tmp_path: Path) -> None:
    asked = ("--device", "cuda", "--cluster", "local:2")
    assert "--device is for this machine" in refused(*TRAIN, *SIZES, "--out", str(tmp_path / "x"), *asked)


def test_without_a_driver_nobody_has_a_device() -> None:
    if not is_there("cuda"):
        with pytest.raises(driver.DeviceMissing, match="CUDA: "):
            driver.device()
