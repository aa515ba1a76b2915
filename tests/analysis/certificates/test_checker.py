"""A checker given a forged or damaged certificate says no, unless what it then states is true."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Statement, certify, check, constructed, load_certificate
from abacist.errors import BadFile
from abacist.languages import language_named
from abacist.specs import Networks
from tests.analysis.certificates.test_certify import DYCK, nudged
from tests.analysis.certificates.test_covers import covered, switch

Plain = dict[str, Any]


def proof(networks: Networks, length: int | None = None) -> Plain:
    certificate = certify(networks, 0, DYCK, length=length).certificate
    assert certificate is not None
    return certificate.plain()


def holds(plain: Plain, networks: Networks, path: Path, *, renamed: bool = True) -> bool:
    """What the checker says of plain values that went through a file."""
    if renamed:  # a forger writes the sentence that goes with the values
        with suppress(KeyError, TypeError, ValueError):
            plain["sentence"] = str(Statement(**plain["statement"]))
    path.write_text(json.dumps(plain))
    try:
        return check(load_certificate(path), networks, 0).holds
    except BadFile:
        return False


def at(*path: Any, value: Any) -> Callable[[Plain], None]:
    """Set something deep inside."""
    return lambda plain: reduce(getitem, path[:-1], plain).__setitem__(path[-1], value)


def without(*path: Any) -> Callable[[Plain], None]:
    """Remove something deep inside."""
    return lambda plain: reduce(getitem, path[:-1], plain).__delitem__(path[-1])


#: What is wrong in certificates and covers alike.
ALIKE: dict[str, Callable[[Plain], None]] = {
    "much deeper": at("statement", "depth", value=2**53),
    "no depth": at("statement", "depth", value=0),
    "other language": at("statement", "language", value="shuffle-2"),
    "other cell": at("statement", "cell", value="gru"),
    "other precision": at("statement", "precision", value="float64"),
    "other steps": at("statement", "steps", value="none"),
    "other weights": at("weights", value="0" * 64),
}

#: What is wrong in one of the two.
FORGED: dict[str, dict[str, Callable[[Plain], None]]] = {
    "certificate": ALIKE
    | {
        "deeper": at("statement", "depth", value=2**24 + 1),
        "negative depth": at("statement", "depth", value=-1),
        "depth as a float": at("statement", "depth", value=16.5),
        "depth is true": at("statement", "depth", value=True),
        "language with a stack": at("statement", "language", value="dyck-2"),
        "language of other outputs": at("statement", "language", value="anbn"),
        "no language": at("statement", "language", value="nonsense"),
        "unknown precision": at("statement", "precision", value="float16"),
        "weights are no text": at("weights", value=0),
        "no weights": without("weights"),
        "threshold zero": at("threshold", value=0),
        "threshold higher": at("threshold", value=2),
        "memory": at("memory", value=1),
        "memory huge": at("memory", value=10**9),
        "threshold is a text": at("threshold", value="1"),
        "another slope": at("slopes", 1, 0, value=(0.5).hex()),
        "no slope": at("slopes", 1, 0, value=(0.0).hex()),
        "slope NaN": at("slopes", 1, 0, value="nan"),
        "slope infinite": at("slopes", 1, 0, value="inf"),
        "slopes of another shape": at("slopes", value=[]),
        "ragged slopes": at("slopes", value=[["0x0p0"], []]),
        "growth without a length": at("rise", 1, value=(0.1).hex()),
        "growth of h": at("rise", 0, value=(0.1).hex()),
        "shrinking": at("rise", 1, value=(-0.1).hex()),
        "fall above zero": at("fall", 1, value=(0.1).hex()),
        "fall missing": without("fall"),
        "lower NaN": at("regions", 0, "lower", 0, value="nan"),
        "upper infinite": at("regions", 1, "upper", 0, value="inf"),
        "box without the start": at("regions", 0, "lower", 1, value=(0.5).hex()),
        "box shrunk from below": at("regions", 1, "lower", 0, value=(0.9).hex()),
        "box shrunk from above": at("regions", 1, "upper", 0, value=(0.5).hex()),
        "box of the count shrunk": at("regions", 1, "upper", 1, value=(-0.25).hex()),
        "box empty": at("regions", 1, "lower", 1, value=(1.0).hex()),
        "box so wide that it predicts wrongly": at("regions", 0, "upper", 1, value=(1.0).hex()),
        "box so wide that it does not close": at("regions", 1, "lower", 1, value=(-1.0).hex()),
        "box turned around": at("regions", 1, "lower", 0, value=(2.0).hex()),
        "region missing": without("regions", 1),
        "start missing": without("regions", 0),
        "no regions": at("regions", value=[]),
        "region twice": at("regions", 1, "counters", value=[0]),
        "region elsewhere": at("regions", 1, "counters", value=[7]),
        "counters missing": without("regions", 1, "counters"),
        "two counters": at("regions", 1, "counters", value=[1, 1]),
        "read something": at("regions", 0, "read", value=[0]),
        "other state": at("regions", 1, "state", value=1),
        "regions are a text": at("regions", value="all of them"),
        "kind": at("kind", value="a letter"),
        "statement missing": without("statement"),
        "statement with more": at("statement", "also", value=1),
        "hexadecimal damaged": at("regions", 0, "upper", 0, value="0x1.g"),
        "a number, not hexadecimal": at("regions", 0, "upper", 0, value=1),
    },
    "cover": ALIKE
    | {
        "deeper": at("statement", "depth", value=2),
        "a length": at("statement", "length", value=100),
        "kind": at("kind", value="abacist certificate 1"),
        "narrower cells": at("widths", 0, value=(2.0**-40).hex()),
        "no power of two": at("widths", 0, value=(0.3).hex()),
        "negative width": at("widths", 0, value=(-0.5).hex()),
        "width zero": at("widths", 0, value=(0.0).hex()),
        "more widths": at("widths", value=[(0.5).hex()] * 2),
        "no boxes": at("configurations", value=[]),
        "start missing": without("configurations", 0),
        "configuration missing": without("configurations", 1),
        "configuration elsewhere": at("configurations", 1, "word", value=[0, 0]),
        "configuration of no word": at("configurations", 1, "word", value=[1]),
        "configuration of no symbol": at("configurations", 1, "word", value=[7]),
        "configuration twice": at("configurations", 1, "word", value=[0, 1]),
        "word is a text": at("configurations", 1, "word", value="("),
        "upper bounds missing": without("configurations", 1, "upper"),
        "a bound too few": without("configurations", 1, "upper", 0),
        "bound NaN": at("configurations", 1, "upper", 0, 0, value="nan"),
        "bound infinite": at("configurations", 1, "upper", 0, 0, value="inf"),
        "bound huge": at("configurations", 1, "upper", 0, 0, value=(1e13).hex()),
        "box so wide that it predicts wrongly": at("configurations", 1, "lower", 0, 0, value=(-1.0).hex()),
        "box turned around": at("configurations", 1, "lower", 0, 0, value=(2.0).hex()),
        "box twice": lambda plain: [
            plain["configurations"][1][bound].append(plain["configurations"][1][bound][0])
            for bound in ("lower", "upper")
        ].clear(),
    },
}  # fmt: skip


def true_proof(kind: str) -> tuple[Networks, Plain]:
    """A network, and a certificate or a cover of it."""
    if kind == "cover":
        return switch(), covered(switch()).plain()
    return constructed(DYCK), proof(constructed(DYCK))


each_kind = pytest.mark.parametrize("kind", FORGED)


@pytest.mark.parametrize(("kind", "forgery"), [(kind, name) for kind in FORGED for name in FORGED[kind]])
def test_a_forged_proof_says_no(kind: str, forgery: str, tmp_path: Path) -> None:
    networks, plain = true_proof(kind)
    assert holds(plain, networks, tmp_path / "true.json")
    FORGED[kind][forgery](plain)
    assert not holds(plain, networks, tmp_path / "forged.json")


def test_another_sentence_says_no(tmp_path: Path) -> None:
    networks = constructed(DYCK)
    plain = proof(networks) | {"sentence": "on every word, everything is right"}
    assert not holds(plain, networks, tmp_path / "forged.json", renamed=False)


@each_kind
def test_a_proof_of_another_network_says_no(kind: str, tmp_path: Path) -> None:
    networks, plain = true_proof(kind)
    (path := tmp_path / "proof.json").write_text(json.dumps(plain))
    changed = networks.parameters + np.float32(0.25)
    others = Networks(networks.layout, changed), Networks(networks.layout, networks.parameters.astype(float))
    for other in (*others, constructed(language_named("shuffle-2"))):
        assert check(load_certificate(path), other, 0).sentence.startswith("no: it is about ")


def test_a_length_cannot_be_stretched(tmp_path: Path) -> None:
    """A leaking network is wrong on words that are not much longer than those it is proved for."""
    networks = nudged(6.0)
    plain = proof(networks, length=20)
    assert holds(plain, networks, tmp_path / "true.json")
    for length, depth in ((40, 20), (40, 10), (None, 10), (None, 1000), (10**9, 10)):
        forged = json.loads(json.dumps(plain))
        forged["statement"] |= {"length": length, "depth": depth}
        assert not holds(forged, networks, tmp_path / "forged.json")
        forged["fall"] = forged["rise"] = [(0.0).hex()] * 2
        assert not holds(forged, networks, tmp_path / "forged.json")
    shorter = json.loads(json.dumps(plain))
    shorter["statement"] |= {"length": 10, "depth": 5}
    assert holds(shorter, networks, tmp_path / "shorter.json")  # and it is true


def test_every_box_is_needed_and_none_may_shrink(tmp_path: Path) -> None:
    networks, plain = true_proof("cover")
    for part, configuration in enumerate(plain["configurations"]):
        for box in range(len(configuration["lower"])):
            for bound, other in (("lower", "upper"), ("upper", "lower")):
                forged = json.loads(json.dumps(plain))
                forged["configurations"][part][bound][box] = configuration[other][box]
                wide = configuration[bound][box] != configuration[other][box]
                assert holds(forged, networks, tmp_path / "shrunk.json") != wide
            removed = json.loads(json.dumps(plain))
            for bound in ("lower", "upper"):
                del removed["configurations"][part][bound][box]
            assert not holds(removed, networks, tmp_path / "removed.json")


@each_kind
def test_no_damaged_file_is_a_traceback(kind: str, tmp_path: Path) -> None:
    networks, plain = true_proof(kind)
    text, path = json.dumps(plain).encode(), tmp_path / "damaged.json"
    rng, refused = np.random.default_rng(1), 0
    for _ in range(150):
        data = bytearray(text)
        if rng.random() < 0.3:
            del data[rng.integers(len(data)) :]
        else:
            data[rng.integers(len(data))] = rng.integers(256)
        path.write_bytes(bytes(data))
        try:
            verdict = check(load_certificate(path), networks, 0)
        except BadFile:
            refused += 1
        else:  # a digit of a box or of the depth may be another, and the statement still true
            assert verdict.sentence.startswith(("yes: ", "no: "))
            depth = plain["statement"]["depth"]
            assert not verdict.holds or json.loads(path.read_text())["statement"]["depth"] <= depth
    assert refused > 100


@pytest.mark.parametrize("nonsense", [b"", b"[]", b"null", b"\xff", b"[" * 100_000, b"{}"], ids=range(6))
def test_nonsense_is_no_certificate(nonsense: bytes, tmp_path: Path) -> None:
    (path := tmp_path / "nonsense.json").write_bytes(nonsense)
    with pytest.raises(BadFile, match=r"is no certificate|is not JSON|is nested|in UTF-8"):
        load_certificate(path)
