"""The commands about certificates: certify, check, machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.cells import Layout, cell_named
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.analysis.certificates.test_certify import nudged
from tests.cli.command import inside, refused

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
    assert printed.startswith("refuted: it is not true that on every word of dyck-1 of at most 400 symbols,")
    assert "\nwrong: step " in printed
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
    assert "there is no such file" in refused("check", str(tmp_path / "nothing.json"), counter)
    assert "is a folder, not a certificate" in refused("check", str(tmp_path), counter)
    for bad, said in ((tmp_path / "no.json", "there is no such file"), (tmp_path, "is a folder, not a")):
        assert said in refused("machine", counter, "--certificate", str(bad))
    file = tmp_path / "made.json"
    file.touch()
    assert "none: there is no such folder" in refused("check", str(file), str(tmp_path / "none"))
    assert "a figure is written as .svg" in refused("machine", counter, "--out", "machine.txt")
    four = Networks.initial(Layout(cell_named("lstm"), 4, 2, 4), [0])
    save_folder(four, tmp_path / "stack", about={"language": "dyck-2"})
    assert "languages that counters recognise, and dyck-2 is not one" in refused(
        "certify", str(tmp_path / "stack")
    )
