"""The commands about certificates: certify, of one network and of several, check, machine."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Answer, certify
from abacist.cells import Layout, cell_named
from abacist.cli import certificates as command
from abacist.experiments import Run, Store
from abacist.specs import Networks
from abacist.specs.files import save_folder, save_network
from tests.analysis.certificates.test_certify import nudged
from tests.cli.command import inside, refused
from tests.experiments.cases import flip, made_up, small

EVERY = (
    "on every word of dyck-1 of any length with depths up to 16,777,216, where float32 stops counting, "
    "every prediction of this lstm in float32 is right"
)


@pytest.fixture
def counter(tmp_path: Path) -> str:
    inside("construct", "dyck-1", "--out", str(tmp_path / "counter"))
    return str(tmp_path / "counter")


@pytest.fixture
def leaking(tmp_path: Path) -> str:
    save_folder(nudged(6.0), tmp_path / "leaking", about={"language": "dyck-1"})
    return str(tmp_path / "leaking")


def test_a_certificate_is_written_and_checked(counter: str, leaking: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    code, printed, said = inside("certify", counter, "--out", str(file))
    assert (code, printed, said) == (0, f"proved: {EVERY}\n", f"certificate written to {file}\n")
    assert inside("check", str(file), counter) == (0, f"yes: {EVERY}\n", "")
    assert inside("check", str(file), leaking) == (1, "no: it is about other weights\n", "")
    file.write_text(file.read_text()[:-100])
    code, printed, said = inside("check", str(file), counter)
    assert (code, said) == (1, "")
    assert printed.startswith("no: ")
    assert "is not JSON" in printed


def test_what_cannot_be_proved_is_refuted_or_open(leaking: str, tmp_path: Path) -> None:
    code, printed, said = inside("certify", leaking, "--length", "400", "--out", str(tmp_path / "no.json"))
    assert code == 0
    assert printed.startswith("refuted: wrong at step ")
    assert said == "nothing is proved, so there is no certificate to write\n"
    assert not (tmp_path / "no.json").exists()
    (found,) = json.loads(inside("certify", leaking, "--length", "400", "--json")[1])
    assert (found["verdict"], found["proved"]) == ("refuted", None)
    rows = json.loads(inside("judge", leaking, found["wrong"]["word"], "--json")[1])
    assert rows[0]["wrong_at"] == found["wrong"]["step"]
    (found,) = json.loads(inside("certify", leaking, "--length", "16", "--json")[1])
    assert (found["verdict"], found["proved"]["length"], found["wrong"]) == ("proved", 16, None)


def test_a_cover_is_written_and_checked(tmp_path: Path) -> None:
    """A counter that leaks is right on words of any length, as long as they are shallow."""
    save_folder(nudged(5.0), tmp_path / "shallow", about={"language": "dyck-1"})
    network, file = str(tmp_path / "shallow"), tmp_path / "cover.json"
    proved = (
        "on every word of dyck-1 of any length with depths up to 1, "
        "every prediction of this lstm in float32 is right"
    )
    code, printed, said = inside("certify", network, "--out", str(file))
    assert (code, said) == (0, f"certificate written to {file}\n")
    assert printed.splitlines()[-1] == f"proved: {proved}"
    assert "symbols with depths up to 2, predicted" in printed
    assert inside("check", str(file), network) == (0, f"yes: {proved}\n", "")
    assert "whose gates are saturated; this one leaks" in refused(
        "machine", network, "--certificate", str(file)
    )
    (found,) = json.loads(inside("certify", network, "--json")[1])
    assert (found["covered"]["depth"], found["shallowest"]["depth"]) == (1, 2)
    assert found["wrong"]["length"] <= found["shallowest"]["length"]


def test_a_machine_is_shown_and_drawn(counter: str, leaking: str, tmp_path: Path) -> None:
    drawn = tmp_path / "machine.svg"
    code, printed, said = inside("machine", counter, "--out", str(drawn))
    assert code == 0
    assert "1 control state, 1 counter" in printed
    assert "equal to the automaton of dyck-1: in each of the 2 pairs" in printed
    assert f"it rests on this: {EVERY}\n" in said
    assert drawn.read_text().startswith("<?xml")
    inside("certify", counter, "--out", str(tmp_path / "certificate.json"))
    found = json.loads(
        inside("machine", counter, "--certificate", str(tmp_path / "certificate.json"), "--json")[1]
    )
    assert (found["equal"], found["states"], found["rests_on"]) == (True, 1, EVERY)
    assert [move["updates"] for move in found["moves"]] == [[1], [-1]]
    assert "certificate that holds for the network; this one: no: it is about other weights" in refused(
        "machine", leaking, "--certificate", str(tmp_path / "certificate.json")
    )


def test_misuse_gets_one_sentence(counter: str, tmp_path: Path) -> None:
    assert "length must be from 1 to" in refused("certify", counter, "--length", "0")
    assert "depth must be from 1 to 16,777,216, got" in refused("certify", counter, "--depth", "100000000")
    for bad, reason, code in ((tmp_path / "no.json", "no such file", 2), (tmp_path, "is a directory", 1)):
        assert f"cannot be read, {reason}" in refused("check", str(bad), counter)
        assert f"cannot be read, {reason}" in refused(
            "machine", counter, "--certificate", str(bad), code=code
        )
    file = tmp_path / "made.json"
    file.touch()
    assert "none: there is no such folder" in refused("check", str(file), str(tmp_path / "none"))
    assert "a figure is written as .svg" in refused("machine", counter, "--out", "machine.txt")
    four = Networks.initial(Layout(cell_named("lstm"), 4, 2, 4), [0])
    save_folder(four, tmp_path / "stack", about={"language": "dyck-2"})
    assert "languages that counters recognise, and dyck-2 is not one" in refused(
        "certify", str(tmp_path / "stack")
    )


SHORT = ("--length", "16")
PROVED = "proved on every word of dyck-1 of at most 16 symbols"


def joined(*parts: Networks) -> Networks:
    return Networks(parts[0].layout, np.concatenate([part.parameters for part in parts]))


@pytest.fixture
def three(tmp_path: Path) -> str:
    """Three networks, the second of which leaks so much that it is wrong on 16 symbols."""
    save_folder(
        joined(nudged(50.0), nudged(1.0), nudged(20.0)), tmp_path / "three", about={"language": "dyck-1"}
    )
    return str(tmp_path / "three")


def run_of(seed: int, bias: float) -> Run:
    made = made_up(replace(small(), cell=cell_named("lstm"), hidden=1), seed, {})
    return replace(made, kept=nudged(bias).parameters[0])


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([run_of(seed, bias) for seed, bias in enumerate((50.0, 20.0, 30.0))])
    return tmp_path / "results"


def test_every_network_of_a_folder_has_a_line(three: str) -> None:
    code, printed, said = inside("certify", three, *SHORT)
    lines = printed.splitlines()
    assert (code, said) == (0, "2 of 3 proved, 1 refuted\n")
    assert [lines[0], lines[2]] == [f"{three} 0: {PROVED}", f"{three} 2: {PROVED}"]
    assert lines[1].startswith(f"{three} 1: refuted by a word of ")
    rows = json.loads(inside("certify", three, *SHORT, "--json")[1])
    assert [(row["network"], row["verdict"]) for row in rows] == [
        (f"{three} 0", "proved"), (f"{three} 1", "refuted"), (f"{three} 2", "proved"),
    ]  # fmt: skip
    for number, row in enumerate(rows):
        assert json.loads(inside("certify", three, *SHORT, "--run", str(number), "--json")[1]) == [row]


def test_each_certificate_is_a_file_that_is_checked(three: str, tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    code, _, said = inside("certify", three, *SHORT, "--out", str(folder))
    assert (code, said) == (0, f"2 of 3 proved, 1 refuted\n2 certificates written to {folder}\n")
    assert sorted(file.name for file in folder.iterdir()) == ["three-0.json", "three-2.json"]
    for number in (0, 2):
        file = str(folder / f"three-{number}.json")
        assert inside("check", file, three)[0] == 0
        assert inside("check", file, three, "--run", str(number))[0] == 0
        assert inside("check", file, three, "--run", "1")[:2] == (1, "no: it is about other weights\n")
    assert inside("certify", three, *SHORT, "--run", "0", "--out", str(folder))[0] == 0
    assert len(list(folder.iterdir())) == 2


def test_runs_of_a_store_are_chosen_as_elsewhere(results: Path, tmp_path: Path) -> None:
    keys = [run_of(seed, 50.0).key[:8] for seed in range(3)]
    store = ("--results", str(results))
    printed = inside("certify", *store, *SHORT)[1].splitlines()
    assert sorted(printed) == sorted(f"{key}: {PROVED}" for key in keys)
    assert inside("certify", str(results), *SHORT)[1].splitlines() == printed
    out = tmp_path / "certificates"
    code, printed_some, said = inside("certify", *store, *SHORT, "--where", "seed>0", "--out", str(out))
    assert (code, said.splitlines()[0]) == (0, "2 of 2 proved")
    assert sorted(file.stem for file in out.iterdir()) == sorted(keys[1:])
    assert len(printed_some.splitlines()) == 2
    assert inside("check", str(out / f"{keys[1]}.json"), str(results))[0] == 0
    assert "so give one of the two" in refused("certify", *store, "--where", "seed=0", "--run", "0")


def test_a_damaged_network_hides_no_other(results: Path, three: str, tmp_path: Path) -> None:
    flip(results, "weights", seed=1)
    code, printed, said = inside("certify", "--results", str(results), *SHORT)
    assert (code, len(printed.splitlines())) == (1, 2)
    assert f"run {run_of(1, 20.0).key} is damaged" in said
    assert said.endswith("2 of 2 proved\n")
    good, bad = tmp_path / "good.safetensors", tmp_path / "bad.safetensors"
    save_network(nudged(50.0), 0, good, about={"language": "dyck-1"})
    bad.write_bytes(good.read_bytes()[:-40])
    code, printed, said = inside("certify", str(bad), str(good), *SHORT)
    assert (code, printed) == (1, f"{good}: {PROVED}\n")
    assert f"{bad}: is not a safetensors file" in said
    assert f"{bad}: is not a safetensors file" in refused("certify", str(bad), *SHORT, code=1)
    assert "there is no such" in refused("certify", str(tmp_path / "none"), str(good), *SHORT)
    stack = Networks.initial(Layout(cell_named("lstm"), 4, 2, 4), [0])
    save_folder(stack, tmp_path / "stack", about={"language": "dyck-2"})
    code, printed, said = inside("certify", str(tmp_path / "stack"), three, *SHORT)
    assert (code, len(printed.splitlines())) == (1, 3)
    assert f"abacist: {tmp_path / 'stack'} 0: " in said
    assert "dyck-2 is not one" in said


def test_each_of_several_networks_is_answered_whatever_can_be_proved_of_the_others(
    counter: str, leaking: str, three: str, tmp_path: Path
) -> None:
    """The second decides by probabilities, of which nothing can be proved."""
    likely = Networks.initial(Layout(cell_named("lstm"), 2, 1, 2, threshold=0.1), [0])
    save_folder(likely, tmp_path / "likely", about={"language": "dyck-1"})
    folders = [counter, str(tmp_path / "likely"), leaking, three]
    code, printed, said = inside("certify", *folders, "--depth", "3")
    assert code == 1
    assert [line.partition(": ")[0] for line in printed.splitlines()] == [
        f"{counter} 0", f"{leaking} 0", *(f"{three} {number}" for number in range(3))
    ]  # fmt: skip
    assert f"abacist: {tmp_path / 'likely'} 0: certificates are of outputs that are decided" in said


def test_ctrl_c_keeps_what_is_done(three: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove, calls = certify, iter(range(10))

    def interrupted(*arguments: Any, **options: Any) -> Answer:
        if next(calls) % 2 == 1:
            raise KeyboardInterrupt
        return prove(*arguments, **options)

    monkeypatch.setattr(command, "prove", interrupted)
    out = tmp_path / "certificates"
    code, printed, said = inside("certify", three, *SHORT, "--out", str(out))
    assert (code, printed, said) == (130, f"{three} 0: {PROVED}\n", "1 network of 3 done\n")
    assert [file.name for file in out.iterdir()] == ["three-0.json"]
    code, printed, _ = inside("certify", three, *SHORT, "--json")
    assert (code, [row["network"] for row in json.loads(printed)]) == (130, [f"{three} 0"])


def test_misuse_of_several_gets_one_sentence(three: str, tmp_path: Path) -> None:
    assert "run must be from 0 to 2, got 3" in refused("certify", three, "--run", "3")
    for out in (tmp_path / "one.json", tmp_path / "three" / "run.json"):
        said = refused("certify", three, "--out", str(out))
        assert f"--out {out}: 3 networks have a certificate each, so name a folder" in said
    (tmp_path / "other").mkdir()
    save_folder(
        joined(nudged(50.0), nudged(50.0)), tmp_path / "other" / "three", about={"language": "dyck-1"}
    )
    both = (three, str(tmp_path / "other" / "three"))
    assert "several networks would be written to" in refused("certify", *both, "--out", str(tmp_path / "c"))
