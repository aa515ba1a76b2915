"""Pages taken apart without a browser, and networks that stand on them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from abacist.cells import CELLS
from abacist.languages import language_named
from abacist.report.page import PageNetwork, content, write_page
from abacist.report.page.content import network_of_run
from abacist.specs import Spec
from tests.experiments.cases import made_up

#: Accuracies of a made-up run after the usual number of epochs.
SHARES = {"training": {"20": 1.0}, "short": {"20": 0.5}, "long": {"20": 0.25}}


def spec_of(language: str = "dyck-1", cell: str = "lstm", hidden: int = 3, **settings: Any) -> Spec:
    return Spec(language_named(language), CELLS[cell], hidden, **settings)


def shown(spec: Spec, seed: int = 0) -> PageNetwork:
    """A made-up run on a page."""
    run = made_up(spec, seed, SHARES)
    return network_of_run(run, run.key[:8])


def unpacked(path: Path) -> dict[str, Any]:
    """What a page comes with: the text of its engine, that of its workers, and its content."""
    (letters,) = re.findall(r'<script type="text/plain" id="payload">([^<]*)</script>', path.read_text())
    known: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(letters, validate=True)))
    return known


def content_in(folder: Path, networks: Iterable[PageNetwork], *, searched: bool = False) -> Any:
    """The content of a page with some networks; only their own cells can be trained on it.

    Horizons that the store does not know are searched for only where it is asked for: that takes long.
    """
    with patch.object(content, "_MOST_SEARCHED", 200 if searched else 0):
        write_page(list(networks), folder / "page.html", cells=())
    return unpacked(folder / "page.html")["content"]


def weights_of(packed: dict[str, Any]) -> NDArray[Any]:
    """The weights of a network of a page."""
    return np.frombuffer(base64.b64decode(packed["weights"]), np.dtype(packed["precision"]).newbyteorder("<"))
